package wire

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

// What a request says of itself to the machines that look into it: the cache, and limits of tokens. Together it is runtime.Input.

// callsOwn are headers that say which call this is, or for whom, not what it asks. Names are in canonical form.
var callsOwn = []string{
	"Baggage", "Correlation-Id", "Idempotency-Key", "Traceparent", "Tracestate", "User-Agent", "X-Client-Request-Id", "X-Correlation-Id",
	"X-Idempotency-Key", "X-Request-Id", "X-Trace-Id",
}

// TellsCallsApart reports whether a header of that name says which call it belongs to, or for whom that is made, and so nothing of what is
// asked: an idempotency key, the id of a request or a trace. The name is in canonical form.
func TellsCallsApart(name string) bool { return slices.Contains(callsOwn, name) }

// CacheKey returns what requests that ask the same have in common: method, path, query, the request's own headers (not those that tell
// one call from another: the idempotency key, the ids of traces and requests), and the body as canonical JSON. With pointers (RFC 6901)
// only the values there are of the body. What the endpoint adds, credentials above all, is none of it. It is false for a request that
// cannot be sent, and for bodies that are no JSON in memory. The key holds what the request holds: hash it before it leaves the process.
func (r *Request) CacheKey(pointers []string) (string, bool) {
	if r.Err() != nil || !r.body.isEmpty() && !r.body.json {
		return "", false
	}
	out := r.cacheHead()
	switch {
	case r.body.isEmpty():
	case len(pointers) == 0:
		out = jsontext.Canonical(out, r.body.data)
	default:
		for _, p := range pointers {
			out = append(strconv.AppendQuote(out, p), ':')
			if value, ok := r.body.at(p); ok {
				out = jsontext.Canonical(out, value)
			}
			out = append(out, '\n')
		}
	}
	return string(out), true
}

// cacheHead returns what requests that ask the same have in common before their body.
func (r *Request) cacheHead() []byte {
	var out []byte
	for _, part := range []string{r.method, r.server, r.path, r.query} {
		out = strconv.AppendQuote(out, part)
	}
	header := slices.DeleteFunc(slices.Clone(r.header), func(f Field) bool { return TellsCallsApart(f.Name) })
	slices.SortFunc(header, func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })
	for _, f := range header {
		out = append(strconv.AppendQuote(out, f.Name), ':')
		out = strconv.AppendQuote(out, f.Value)
	}
	return append(out, '\n')
}

// Size returns the length of the body in bytes; 0 where it is not known before it is sent.
func (r *Request) Size() int { return int(max(r.body.size, 0)) }

// Number returns the number at a JSON pointer (RFC 6901) into the body, and whether there is one.
func (r *Request) Number(pointer string) (float64, bool) {
	value, ok := r.body.at(pointer)
	if !ok {
		return 0, false
	}
	return jsontext.Float(value)
}

// FirstNumber returns the number at the first of the pointers into the body at which there is one above 0, in one walk.
func (r *Request) FirstNumber(pointers *jsontext.Pointers) (float64, bool) {
	if !r.body.json {
		return 0, false
	}
	var few [4][]byte
	found := few[:]
	if pointers.Len() > len(few) {
		found = make([][]byte, pointers.Len())
	}
	found = found[:pointers.Len()]
	pointers.EachAndFind(r.body.data, r.body.known(), nil, found)
	for _, value := range found {
		if x, ok := jsontext.Float(value); ok && x > 0 {
			return x, true
		}
	}
	return 0, false
}

// Scalar returns the text of the string, number or boolean at a JSON pointer (RFC 6901) into the body, and whether there is one.
func (r *Request) Scalar(pointer string) (string, bool) {
	value, ok := r.body.at(pointer)
	if !ok || jsontext.IsNull(value) {
		return "", false
	}
	return jsontext.Text(value)
}

// Carries reports whether the body names what it is about: it has something at one of the JSON pointers (RFC 6901, where a segment `*` stands
// for every item of a list and every member of an object), and nothing below a `*` lacks what the rest of the pointer asks for. null, an
// empty text and an empty list are nothing.
func (r *Request) Carries(pointers []string) bool {
	if !r.body.json {
		return false
	}
	found, whole := false, true
	for _, p := range pointers {
		sound := jsontext.Each(r.body.data, jsontext.Steps(p), func(value []byte) {
			if saysNothing(value) {
				whole = whole && !strings.Contains(p, "*")
				return
			}
			found = true
		})
		whole = whole && sound
	}
	return found && whole
}

// saysNothing reports whether a JSON text is no name, and no list of them.
func saysNothing(value []byte) bool {
	switch jsontext.KindOf(value) {
	case jsontext.Nothing, jsontext.Null:
		return true
	case jsontext.String:
		text, _ := jsontext.Text(value)
		return text == ""
	case jsontext.Array:
		n, _ := jsontext.Count(value)
		return n == 0
	default:
		return false
	}
}

// Reduced returns the request with only some items of the list at a JSON pointer (RFC 6901) into its body, by their numbers; false if there is
// no such list.
func (r *Request) Reduced(pointer string, keep []int) (*Request, bool) {
	list, ok := r.body.at(pointer)
	if !ok {
		return nil, false
	}
	all, ok := jsontext.Items(list)
	if !ok {
		return nil, false
	}
	kept := make([][]byte, 0, len(keep))
	for _, i := range keep {
		if i < 0 || i >= len(all) {
			return nil, false
		}
		kept = append(kept, all[i])
	}
	data, ok := jsontext.Replace(r.body.data, pointer, jsontext.List(kept))
	if !ok {
		return nil, false
	}
	less := *r
	less.body.data, less.body.size, less.body.long, less.body.lent = data, int64(len(data)), codec.LongMembers{}, nil
	return &less, true
}

// Count returns how many items the list at a JSON pointer (RFC 6901) into the body has; false if there is no list.
func (r *Request) Count(pointer string) (int, bool) {
	list, ok := r.body.at(pointer)
	if !ok {
		return 0, false
	}
	return jsontext.Count(list)
}

// EscapedPath returns the path as it is sent, without the base URL's.
func (r *Request) EscapedPath() string { return r.path }

// known returns where members of the body are that a walk need not look through.
func (b *body) known() jsontext.Long {
	n := 0
	for n < len(b.long) && b.long[n][1] > 0 {
		n++
	}
	return b.long[:n]
}

// at returns the value at a JSON pointer into the body, as it was written; false if there is none, or the body is no JSON.
func (b *body) at(pointer string) ([]byte, bool) {
	if !b.json {
		return nil, false
	}
	return jsontext.Find(b.data, pointer)
}
