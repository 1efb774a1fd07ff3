package annot

import (
	"slices"
	"strings"
	"time"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var keyEntry = Entry{
	Sort:  Fact,
	Title: "Idempotency key",
	Text: "Says how the key of a `keyed` operation travels. One key serves every attempt of a logical call against one target; another " +
		"target, or a patched body, gets another. A caller may give their own. No retry is sent later than `ttl`.",
	Example: "key: {in: header, name: Idempotency-Key, format: bare, source: uuidv7, ttl: 24h}",
	Since:   "0.1",
	field: field[Settings]{
		key: "key", shape: keyShape{keyKeys},
		put: func(s *Settings, v *source.Value) { s.Plan.Key = decodeKey(v) },
		take: func(s *Settings) (source.Value, bool) {
			v := keyKeys.encode(&s.Plan.Key)
			return v, len(v.Map) > 0
		},
	},
}

var keyKeys = record[policy.Key]{
	// A key travels in a header and nowhere else: `in` is written for the reader.
	{key: "in", doc: "Where the key travels.", shape: choiceShape{names: []string{"header"}}},
	textField("name", "The name of the header.", keyHeaderShape(), func(k *policy.Key) *string { return &k.Header }),
	oneOf("format", "`sf-string` is quoted, as the Idempotency-Key draft asks; most servers want it bare.", []policy.KeyFormat{policy.KeyBare, policy.KeySFString},
		func(k *policy.Key) *policy.KeyFormat { return &k.Format }),
	oneOf("source", "Where the key comes from.", []policy.KeySource{policy.KeyUUIDv7, policy.KeyParam, policy.KeyFunc},
		func(k *policy.Key) *policy.KeySource { return &k.Source }),
	keyFrom("param", "The parameter that holds the key, for `source: param`.", policy.KeyParam, textShape("key")),
	keyFrom("func", "The Go function that makes the key, for `source: func`.", policy.KeyFunc,
		nameShape("the name of a Go function or value", "newKey", goNamePattern)),
	duration("ttl", "How long the server remembers a key.", func(k *policy.Key) *time.Duration { return &k.TTL }),
	flag("concurrent", "The server handles two requests with one key at the same time.", func(k *policy.Key) *bool { return &k.Concurrent }),
}

// reservedHeaders are fields that say something else to everyone on the way, so that a key in one of them would be lost, or change
// how the request is sent and understood.
var reservedHeaders = []string{
	"Accept", "Accept-Encoding", "Authorization", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Cookie", "Date",
	"Expect", "Host", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Via",
}

// keyHeaderShape is the name of a header that can carry a key.
func keyHeaderShape() scalar {
	s := nameShape("the name of a header", "Idempotency-Key", tokenPattern)
	isName := s.test
	s.test = func(text string) string {
		if slices.ContainsFunc(reservedHeaders, func(name string) bool { return strings.EqualFold(name, text) }) {
			return "cannot be " + quote(text) + ", which has a meaning of its own in HTTP"
		}
		return isName(text)
	}
	return s
}

// keyFrom is the name of what a key of that source comes from; decodeKey reads it.
func keyFrom(key, doc string, from policy.KeySource, s shape) field[policy.Key] {
	return field[policy.Key]{
		key: key, doc: doc, shape: s,
		take: func(k *policy.Key) (source.Value, bool) { return text(k.From), k.Source == from && k.From != "" },
	}
}

// decodeKey reads a checked key. Where layers name both a parameter and a function, `source` says which counts.
func decodeKey(v *source.Value) policy.Key {
	var k policy.Key
	keyKeys.decode(&k, v)
	if !written(v, "source") {
		switch {
		case written(v, "func"):
			k.Source = policy.KeyFunc
		case written(v, "param"):
			k.Source = policy.KeyParam
		}
	}
	if from := k.Source.String(); k.Source != policy.KeyUUIDv7 && written(v, from) {
		k.From = v.Get(from).Text
	}
	return k
}

// keyShape refuses a name for what the key does not come from.
type keyShape struct{ record[policy.Key] }

func (s keyShape) check(c checker, v *source.Value) (source.Value, bool) {
	out, ok := s.record.check(c, v)
	if !ok {
		return out, false
	}
	from := decodeKey(&out).Source.String()
	for _, key := range []string{"param", "func"} {
		if key == from || !written(&out, key) {
			continue
		}
		c.bad(diag.ConflictingKeys, out.Get(key), quote(key)+" has no effect: the key comes from "+quote(from), "a key has one source",
			"remove `"+key+"`, or write `source: "+key+"`")
		ok = false
	}
	return out, ok
}
