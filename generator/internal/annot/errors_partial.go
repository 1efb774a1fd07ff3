package annot

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

type partial = policy.Partial

var partialKeys = record[partial]{
	pointerField("sent", "Where the request has the list of items; without it, those that failed are not sent again.", "/items",
		func(p *partial) *string { return &p.Sent }),
	pointerField("items", "Where the answer has the list with what became of each item, in the order of the request; without it, the answer is that list.", "/results",
		func(p *partial) *string { return &p.Items }),
	pointerField("error", "Where each of `items` has what went wrong: anything but null, false, 0, an empty text, list or object. Without it, all that "+
		"are in the list failed.", "/error", func(p *partial) *string { return &p.Error }),
	{
		key: "equals", doc: "The texts at `error` that say that the item failed, where others do not.", shape: textsShape{},
		put:  func(p *partial, v *source.Value) { p.Equals = texts(v) },
		take: func(p *partial) (source.Value, bool) { return textsValue(p.Equals), len(p.Equals) > 0 },
	},
	pointerField("index", "Where each of `items` has the number of the item that it is about, from 0: then the list holds those that failed alone.", "/index",
		func(p *partial) *string { return &p.Index }),
	pointerField("count", "Where the answer has the number of items that did not fail, if it says no more.", "/accepted", func(p *partial) *string { return &p.Count }),
	oneOf("kind", "The kind of an item whose error no rule and no row of the preset knows: `transient` unless it is said.",
		slices.Clone(failureKinds()), func(p *partial) *policy.Kind { return &p.Kind }),
}

// partialField is what is said of batches.
func partialField() field[errorFacts] {
	f := object("partial", "How the answer to a batch says which of its items failed; the presets `weaviate` and `pinecone` know theirs.", partialKeys,
		func(e *errorFacts) *partial { return &e.Partial })
	put := f.put
	f.put = func(e *errorFacts, v *source.Value) {
		put(e, v)
		e.Partial.On = true
	}
	return f
}
