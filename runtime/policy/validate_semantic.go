package policy

import "strings"

// semantic checks what a cache needs that answers by meaning.
func (c *checker) semantic(p Plan) {
	s := &p.Cache.Semantic
	if !s.On {
		return
	}
	if !(s.Threshold > 0 && s.Threshold <= 1) { // NaN is neither
		c.refusef(SemanticThreshold, "cache.semantic.threshold",
			"%v is no similarity: it must be above 0 and at most 1, and depends on the embedder, so that there is no default", s.Threshold)
	}
	if !s.Subject {
		c.refusef(SemanticSubject, "cache.semantic.subject", "answers must be kept for each subject apart: by meaning, one user's question is another's")
	}
	if s.Embedder == "" {
		c.refusef(SemanticEmbedder, "cache.semantic.embedder", "without an embedder there is no telling what means the same")
	}
	if len(TurnPlaces(&p)) == 0 || s.Turn != "" && !strings.HasPrefix(s.Turn, "/") {
		c.refusef(SemanticTurn, "cache.semantic.turn", "it is not known where the text of the last turn lies in a request")
	}
	if p.Space.On {
		c.refusef(SemanticSpace, "cache.semantic", "the answer is a vector: that of a text that means the same is another one")
	}
	c.accepted("cache.semantic.accepts", "the embedder", p.Data, s.Accepts)
}
