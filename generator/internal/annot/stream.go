package annot

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var streamEntry = Entry{
	Sort:  Fact,
	Title: "Stream",
	Text: "Says how the operation's items travel, and how its end is proven. An operation that offers a stream beside another answer gets a " +
		"second method, which sets the field of `when`; the plain method clears it. Where `done` is set, an end without it is a truncation. " +
		"Without `item`, the document's own item schema counts. A preset of `errors` knows the streams of its provider: which items come before the " +
		"first content, which prove the end (a finish of every choice and `[DONE]`, `message_stop`, `response.completed`), which say that the answer was " +
		"cut or failed, and which are errors. `preamble`, `incomplete`, `failed` and `error` add to that; `done` as rules replaces what proves the end. " +
		"A rule is an object of places in the item and values there, all of which must fit; several rules are a list. A place is a JSON pointer, in which " +
		"`*` stands for each element, or `event`, the name of the server-sent event; the value '*' stands for all but null.",
	Example: "stream: {format: sse, when: {pointer: /stream, equals: true}, item: '#/components/schemas/ChatChunk', done: '[DONE]', " +
		"preamble: {/type: [queued, started]}, failed: {/status: failed}, error: {pointer: /error}}",
	Since: "0.1",
	field: object("stream", "", streamKeys, func(s *Settings) *StreamFacts { return &s.Facts.Stream }),
}

var streamKeys = record[StreamFacts]{
	oneOf("format", "How items are framed: server-sent events, one JSON text a line, or RFC 7464.", []policy.StreamFormat{policy.SSE, policy.JSONL, policy.JSONSeq},
		func(s *StreamFacts) *policy.StreamFormat { return &s.Format }),
	{
		key: "when", doc: "The field of the request that asks for a stream, and the value that it must have.", shape: whenShape{whenKeys},
		put: func(s *StreamFacts, v *source.Value) {
			w := When{Pos: v.Pos}
			whenKeys.decode(&w, v)
			s.When = &w
		},
		take: func(s *StreamFacts) (source.Value, bool) {
			if s.When == nil {
				return source.Value{}, false
			}
			return whenKeys.encode(s.When), true
		},
	},
	{
		key: "item", doc: "A reference to the schema of one item.", shape: textShape("'#/components/schemas/Chunk'"),
		put:  func(s *StreamFacts, v *source.Value) { s.Item, s.ItemPos = v.Text, v.Pos },
		take: func(s *StreamFacts) (source.Value, bool) { return text(s.Item), s.Item != "" },
	},
	doneField(),
	itemRules("preamble", "Items that come before the first content: they do not commit the call. It extends what the preset knows.",
		func(s *StreamFacts) *[]policy.ItemRule { return &s.Preamble }),
	itemRules("incomplete", "Items by which an answer ends that was cut: a success with a mark, which is never cached. It extends what the preset knows.",
		func(s *StreamFacts) *[]policy.ItemRule { return &s.Incomplete }),
	itemRules("failed", "Items that say that the answer failed: an error of the kind that its fields say, else `transient`. It extends what the preset "+
		"knows.", func(s *StreamFacts) *[]policy.ItemRule { return &s.Failed }),
	errorField(),
}

var whenKeys = record[When]{
	pointerField("pointer", "A JSON pointer into the request body.", "/stream", func(w *When) *string { return &w.Pointer }),
	{
		key: "equals", doc: "The value: a boolean, a number or a text.", shape: plainValue{},
		put:  func(w *When, v *source.Value) { w.Equals = *v },
		take: func(w *When) (source.Value, bool) { return w.Equals, w.Equals.Kind != source.Null },
	},
}

// whenShape is an object with both its keys: it means something only as a whole.
type whenShape struct{ record[When] }

func (s whenShape) check(c checker, v *source.Value) (source.Value, bool) {
	out, ok := s.record.check(c, v)
	if !ok {
		return out, false
	}
	for _, key := range []string{"pointer", "equals"} {
		if written := v.Get(key); written == nil || written.Kind == source.Null {
			c.missing(v, key, "when: {pointer: /stream, equals: true}")
			return out, false
		}
	}
	return out, len(out.Map) == len(s.keys())
}

// missing reports an object without a key that it needs.
func (c checker) missing(v *source.Value, key, example string) {
	c.bad(diag.MissingKey, v, c.quoted()+" has no "+quote(key), "without it nothing can be carried out", "write `"+example+"`")
}

// plainValue is a boolean, a number or a text.
type plainValue struct{}

func (plainValue) check(c checker, v *source.Value) (source.Value, bool) {
	if !slices.Contains([]source.Kind{source.Bool, source.Number, source.String}, v.Kind) {
		c.wrongType(v, "a boolean, a number or a text", "true")
		return source.Value{}, false
	}
	return *v, true
}

func (plainValue) describe() description {
	return description{
		form:   "a boolean, a number or a text",
		schema: &schema{AnyOf: []*schema{{Type: "boolean"}, {Type: "number"}, {Type: "string"}}},
	}
}
