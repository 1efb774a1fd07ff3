package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// layerUsual is where vectors are that nobody pointed at: where the embedding APIs that are known have them.
const layerUsual = "usual places"

// usualVectors are where the answers of embedding APIs have their vectors: OpenAI and those like it (Mistral, Together, Azure, vLLM, Voyage,
// Jina, Pinecone's inference), Cohere with one and with several types, Ollama, Gemini with one and with many, Vertex.
var usualVectors = []string{
	"/data/*/embedding", "/data/*/values", "/embeddings/*", "/embeddings/float/*", "/embeddings/base64/*", "/embedding", "/embedding/values",
	"/embeddings/*/values", "/predictions/*/embeddings/values",
}

// findVectors settles where the vectors of operations with a space are.
func (r *resolver) findVectors() {
	for _, a := range r.asks {
		s := &r.policies.Plans[a.index].Space
		if !s.On {
			continue
		}
		r.blindSpace(a, s)
		if len(s.Vectors) > 0 {
			continue
		}
		for _, pointer := range usualVectors {
			if r.leadsToVectors(a, pointer, false) {
				s.Vectors = append(s.Vectors, pointer)
				r.policies.Why[a.index] = append(r.policies.Why[a.index], Provenance{
					Path: "space.vectors", Value: pointer, Layer: layerUsual,
				})
			}
		}
		if len(s.Vectors) == 0 {
			r.list.Add(diag.Diagnostic{
				Code: diag.SpaceUnchecked, Severity: diag.Warning, Span: r.spanOf(a, "space"),
				What: nameOf(a.op) + " answers in a vector space, and it is not known where its vectors are",
				Why:  "another model that answers in its place would be found out by the length of its vectors",
				Fix:  "add `vectors: POINTER` to `space`, such as `vectors: /data/*/embedding`",
			})
		}
	}
}

// blindSpace refuses pointers of a space that lead nowhere.
func (r *resolver) blindSpace(a *ask, s *policy.Space) {
	if s.Model != "" {
		r.blind(a, "space.model", r.spanOf(a, "space.model"), s.Model, r.inRequest(a, s.Model, anything))
	}
	if s.Dimensions != "" {
		r.blind(a, "space.dimensions", r.spanOf(a, "space.dimensions"), s.Dimensions, r.inRequest(a, s.Dimensions, aNumber))
	}
	for i, pointer := range s.Vectors {
		if r.leadsToVectors(a, pointer, true) {
			continue
		}
		r.list.Add(diag.Diagnostic{
			Code: diag.PointerDoesNotFit, Span: r.spanOfItem(a, "space.vectors", i),
			What:    quote("space.vectors") + " of " + nameOf(a.op) + " does not fit the answer: " + quoted(pointer) + " leads to no vector",
			Why:     "nothing would ever be found there, and the lengths of vectors would silently not be checked",
			Fix:     "point at lists of numbers, or at text, in the answer as the document describes it, with `*` for every item of a list",
			Related: []diag.Related{{Span: source.Span{Pos: a.op.Pos}, What: "the operation is here"}},
		})
	}
}

// leadsToVectors reports whether a pointer with `*` leads to vectors in an answer of the operation. With open it may also lead to what the
// document leaves open.
func (r *resolver) leadsToVectors(a *ask, pointer string, open bool) bool {
	steps, err := source.ParsePointer(pointer)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(r.methods, func(m *method) bool {
		return m.ask == a && m.answer.format == policy.NoStream && slices.ContainsFunc(m.answer.bodies, func(b choice) bool {
			return b.codec == JSONCodec && r.vectorSearch(open).at(b.elem.Type, steps, 0)
		})
	})
}

// vectorSearch follows steps to vectors.
func (r *resolver) vectorSearch(open bool) *starSearch {
	return &starSearch{typer: r.types, open: open, ends: r.types.isVector}
}

// isVector reports whether a type is a list of numbers, or text, which may hold one in base64.
func (t *typer) isVector(typ model.Type) bool {
	switch typ := typ.(type) {
	case model.Array:
		elem, ok := t.follow(typ.Elem.Type).typ.(model.Primitive)
		return ok && isNumber(elem.Kind)
	case model.Primitive:
		return typ.Kind == model.String || typ.Kind == model.Bytes
	default:
		return false
	}
}
