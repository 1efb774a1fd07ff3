package wire

import (
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// Turn returns the text of a conversation's last turn, and all else that the request asks, as CacheKey returns it, with nothing in place of
// that text. places are JSON pointers into the body (RFC 6901; a segment -1 is the last item of a list): the first at which there is anything
// says where the text lies. A text is a string, or a list of parts each of which has a text and is nothing else. It is false for a request of
// which CacheKey says nothing, for a turn that is not the user's, and for one that is no text alone: with images, files, or what a tool gave.
func (r *Request) Turn(places []string) (text, rest string, ok bool) {
	if r.Err() != nil || !r.body.json {
		return "", "", false
	}
	for _, place := range places {
		place = r.body.fromEnd(place)
		value, found := r.body.at(place)
		if !found || jsontext.IsNull(value) {
			continue
		}
		texts, ok := turnTexts(value)
		if !ok || !r.isUsers(place) {
			return "", "", false
		}
		said := make([]string, len(texts))
		for i, written := range texts {
			if said[i], ok = jsontext.Text(written); !ok {
				return "", "", false
			}
		}
		text = strings.Join(said, "\n")
		if strings.TrimSpace(text) == "" {
			return "", "", false
		}
		return text, string(jsontext.Canonical(r.cacheHead(), r.body.without(texts))), true
	}
	return "", "", false
}

// isUsers reports whether the turn whose text lies at a place is what the user said: where the object that holds it says whose turn it is, or
// what sort, it says that.
func (r *Request) isUsers(place string) bool {
	turn, ok := r.body.at(place[:strings.LastIndexByte(place, '/')])
	if !ok || jsontext.KindOf(turn) != jsontext.Object {
		return ok
	}
	return isOneOf(turn, "role", "user") && isOneOf(turn, "type", "message")
}

// isOneOf reports whether an object has no such member, or one with one of these texts.
func isOneOf(object []byte, name string, texts ...string) bool {
	value, has := jsontext.Member(object, name)
	if !has || jsontext.IsNull(value) {
		return true
	}
	text, ok := jsontext.Text(value)
	return ok && jsontext.KindOf(value) == jsontext.String && slices.Contains(texts, text)
}

// turnTexts returns the strings of a turn, as they were written; false if it has anything else.
func turnTexts(value []byte) ([][]byte, bool) {
	if jsontext.KindOf(value) == jsontext.String {
		return [][]byte{value}, true
	}
	parts, ok := jsontext.Items(value)
	if !ok || len(parts) == 0 {
		return nil, false
	}
	texts := make([][]byte, len(parts))
	for i, part := range parts {
		text, has := jsontext.Member(part, "text")
		if !has || jsontext.KindOf(text) != jsontext.String || !isOneOf(part, "type", "text", "input_text") {
			return nil, false
		}
		texts[i] = text
	}
	return texts, true
}

// without returns the data with empty strings in place of some that are parts of it, in their order.
func (b *body) without(texts [][]byte) []byte {
	out := make([]byte, 0, len(b.data))
	at := 0
	for _, text := range texts {
		from := cap(b.data) - cap(text) // it is a part of the data, and reaches as far as it
		out = append(append(out, b.data[at:from]...), `""`...)
		at = from + len(text)
	}
	return append(out, b.data[at:]...)
}

// fromEnd returns a pointer with the number of the last item of a list in place of each segment -1 at which there is one.
func (b *body) fromEnd(pointer string) string {
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		if step != "-1" {
			continue
		}
		list, ok := b.at(strings.Join(steps[:i], "/"))
		if n, isList := jsontext.Count(list); ok && isList {
			steps[i] = strconv.Itoa(n - 1)
		}
	}
	return strings.Join(steps, "/")
}
