package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// semantic reports what a cache lacks that answers what means the same.
func (c *refusal) semantic(p policy.Problem) {
	d := diag.Diagnostic{Span: c.at(p.Field, "cache.semantic"), Related: c.where()}
	switch p.Code {
	case policy.SemanticThreshold:
		d.Code, d.What = diag.SemanticThreshold, c.name()+" has a semantic cache without a threshold"
		d.Why = "how similar texts are that mean the same depends on the embedder, and on what a wrong answer costs"
		d.Fix = "add `threshold: 0.93` to `semantic`, with a number that was measured"
	case policy.SemanticSubject:
		d.Code, d.What = diag.SemanticSubject, c.name()+" has a semantic cache that does not keep subjects apart"
		d.Why = "a question of two users that means the same has two answers"
		d.Fix = "add `subject: true` to `semantic`, and say with runtime.WithSubject whose calls are"
	case policy.SemanticEmbedder:
		d.Code, d.What = diag.SemanticEmbedder, c.name()+" has a semantic cache without an embedder"
		d.Why = "what means the same is told by vectors, which a model of your choice makes"
		d.Fix = "add `embedder: local-embedder` to `semantic`, and give the client one of that name with WithEmbedder"
	case policy.SemanticTurn:
		d.Code, d.What = diag.SemanticTurn, c.name()+" has a semantic cache, and it is not known where its requests have the last turn"
		d.Why = "only the text of the last turn is compared by meaning"
		d.Fix = "add `turn: /messages/-1/content` to `semantic`, or the provider's preset to `errors`"
		if c.isFunc() {
			d.Fix = "add `semantic.turn=/0` to `//resgen:cache`: the number of the argument, and where in it the text is"
		}
	default:
		d.Code, d.What = diag.SemanticSpace, c.name()+" answers with vectors, and has a semantic cache"
		d.Why, d.Fix = "the vector of a text that means nearly the same is another one", "remove `semantic`"
		d.Related = slices.Concat(d.Related, c.related("space", "the vector space is described here"))
	}
	c.list.Add(d)
}

// refuseBlindTurns refuses semantic caches whose last turn is nowhere in the request, and warns of embedders that are gone when the operation is.
func (r *resolver) refuseBlindTurns(a *ask) {
	p := &r.policies.Plans[a.index]
	s := &p.Cache.Semantic
	if !s.On {
		return
	}
	r.warnOfEmbedder(a, s.Embedder)
	problem := ""
	for _, place := range policy.TurnPlaces(p) {
		if problem = r.inRequest(a, place, aTurn); problem == "" {
			break
		}
	}
	if s.Turn == modelPointer {
		problem = "is the model, which must be equal"
	}
	switch {
	case problem == "":
	case s.Turn != "":
		r.blind(a, "cache.semantic.turn", r.spanOf(a, "cache.semantic.turn"), s.Turn, problem)
	default:
		r.list.Add(diag.Diagnostic{
			Code: diag.SemanticTurn, Span: r.spanOf(a, "cache.semantic"),
			What: nameOf(a.op) + " has a semantic cache, and its requests have no turns where " + quoted(p.Errors.Preset) + " has them",
			Why:  "only the text of the last turn is compared by meaning", Fix: "add `turn: /messages/-1/content` to `semantic`, with the place of the text",
			Related: []diag.Related{{Span: source.Span{Pos: a.op.Pos}, What: "the operation is here"}},
		})
	}
}

// warnOfEmbedder warns of an embedder that is an operation of the document: it calls the target whose outage the cache is for.
func (r *resolver) warnOfEmbedder(a *ask, name string) {
	if !slices.ContainsFunc(r.asks, func(other *ask) bool { return other.op.ID == name }) {
		return
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.EmbedderNotApart, Severity: diag.Warning, Span: r.spanOf(a, "cache.semantic.embedder"),
		What:    nameOf(a.op) + " has a semantic cache whose embedder is the operation " + quoted(name) + " of the same target",
		Why:     "when that target is gone, so is what tells which of the kept answers would do",
		Fix:     "let the embedder call another target, and give it a name that says so",
		Related: []diag.Related{{Span: source.Span{Pos: a.op.Pos}, What: "the operation is here"}},
	})
}
