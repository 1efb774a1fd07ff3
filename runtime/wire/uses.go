package wire

import (
	"slices"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// Uses reports whether the body has something at a JSON pointer (RFC 6901, where a segment `*` stands for every item of a list and every
// member of an object), or, with values, a string, number or boolean there that reads as one of them. null, an empty text and an empty list
// are nothing. Of a body that is no JSON in memory nothing is known.
func (r *Request) Uses(pointer string, values []string) bool {
	if !r.body.json {
		return false
	}
	uses := false
	jsontext.Each(r.body.data, jsontext.Steps(pointer), func(value []byte) {
		switch {
		case uses || saysNothing(value):
		case len(values) == 0:
			uses = true
		default:
			text, ok := jsontext.Text(value)
			uses = ok && slices.Contains(values, text)
		}
	})
	return uses
}
