package policy

// Partial says how the answer to a batch tells which of its items failed. The zero value is off: an answer of success is one.
type Partial struct {
	// On says that the answer may tell of items that failed.
	On bool
	// Sent points into the request (RFC 6901), at the list of items. Empty: items that failed are not sent again.
	Sent string
	// Items points into the answer, at the list with what became of each item, in the order of the request. Empty is the answer itself.
	Items string
	// Error points into each of Items, at what says that the item failed: anything but null, false, 0, an empty text, list or object. Empty:
	// all that are in the list failed.
	Error string
	// Equals are the texts at Error that say so, where others do not. Empty: see Error.
	Equals []string
	// Index points into each of Items, at the number of the item that it is about, from 0: then the list holds those that failed, and
	// the others are not in it. Empty: the list holds all.
	Index string
	// Count points into the answer, at how many items did not fail, where it says no more than that. Empty: it does not.
	Count string
	// Kind is the kind of an item whose error no rule and no row of the preset knows. KindNone is KindTransient.
	Kind Kind
}

// OfUnknown returns the kind of an item whose error nothing knows.
func (p *Partial) OfUnknown() Kind {
	if p.Kind == KindNone {
		return KindTransient
	}
	return p.Kind
}

// presetPartials are how answers to batches tell of items, by preset. Weaviate: POST /v1/batch/objects answers 200 with an object for each
// that was sent, and result.errors in those that failed (weaviate/weaviate-python-client#162). Pinecone: POST /vectors/upsert says how many
// vectors were written (the API reference, "Upsert vectors"). Qdrant and Chroma do all of a batch or nothing.
var presetPartials = map[string]Partial{
	"weaviate": {On: true, Sent: "/objects", Error: "/result/errors"},
	"pinecone": {On: true, Sent: "/vectors", Count: "/upsertedCount"},
}

// PresetPartial returns how the answers of a preset's provider tell of items that failed, and whether they do. It holds for operations whose
// requests and answers have what it points at.
func PresetPartial(preset string) (Partial, bool) {
	p, ok := presetPartials[preset]
	return p, ok
}

func (c *checker) partial(p Plan) {
	b := &p.Errors.Partial
	switch {
	case !b.On:
	case b.Error == "" && b.Index == "" && b.Count == "":
		c.refusef(PartialShape, "errors.partial", "nothing says which items failed")
	case b.Count != "" && b.Sent == "":
		c.refusef(PartialShape, "errors.partial.count", "without the list that was sent, nothing tells how many are missing")
	}
}
