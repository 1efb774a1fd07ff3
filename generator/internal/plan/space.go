package plan

import (
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
			if r.answersWith(a, pointer, "", false, r.types.isVector) {
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
		if r.answersWith(a, pointer, "", true, r.types.isVector) {
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
