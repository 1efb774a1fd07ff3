package policy

import (
	"fmt"
	"slices"
	"strings"
)

// Space says that the answer of an operation lives in a vector space: vectors of two models, or of two lengths, cannot be compared, and
// nothing fails when they are. The zero value is an operation whose answer is no vector.
type Space struct {
	// On says that the answer lives in a vector space, also where nothing else is known of it.
	On bool
	// Model points into the request (RFC 6901), at the model that makes the space. Empty: the request's body does not name it.
	Model string
	// Dimensions points into the request, at the length that vectors are asked to have. Empty: it cannot be asked for.
	Dimensions string
	// Vectors point into the answer, at the vectors: lists of numbers, or text in base64. A segment `*` stands for every item of a list
	// and every member of an object. Empty: their lengths are not checked.
	Vectors []string
}

// space refuses what can change the space of an answer. Whether a patch does, only its author's tools can tell: see the generator.
func (c *checker) space(p Plan) {
	if !p.Space.On {
		return
	}
	for i, r := range p.Fallback.Rungs {
		if r.SameSpace != "" {
			continue
		}
		switch r.Sort {
		case RungTarget:
			c.refusef(SpaceOfRung, fmt.Sprintf("fallback[%d]", i), "the target %q may answer in another vector space", r.Target)
		case RungOperation:
			c.refusef(SpaceOfRung, fmt.Sprintf("fallback[%d]", i), "the operation %q may answer in another vector space", r.Operation)
		case RungPatch, RungStatic, RungFunc, RungCache: // what a patch changes says what becomes of it; the others are the program's own
		}
	}
	if h := p.Hedge; h.Max > 0 && h.Target != "" && h.Target != PrimaryTarget && h.SameSpace == "" {
		c.refusef(SpaceOfHedge, "hedge.target", "the target %q may answer in another vector space", h.Target)
	}
	if p.Cache.On && p.Cache.SameSpace == "" {
		for _, pointer := range p.Space.asked() {
			if !p.Cache.counts(pointer) {
				c.refusef(SpaceOfCache, "cache.key", "%s is not part of the key, so an answer in another vector space would be given", pointer)
				return
			}
		}
	}
}

// asked are the pointers into the request that choose the space.
func (s *Space) asked() []string {
	return slices.DeleteFunc([]string{s.Model, s.Dimensions}, func(pointer string) bool { return pointer == "" })
}

// counts reports whether what a pointer into the request leads to is part of the key.
func (c *CacheConfig) counts(pointer string) bool {
	return len(c.Key) == 0 || slices.ContainsFunc(c.Key, func(key string) bool { return pointer == key || strings.HasPrefix(pointer, key+"/") })
}

// Changed returns the pointer of the space that a change at path of the request's body touches: the value there, what holds it, or a part of
// it. Empty: it touches none.
func (s *Space) Changed(path string) string {
	for _, pointer := range s.asked() {
		if pointer == path || strings.HasPrefix(pointer, path+"/") || strings.HasPrefix(path, pointer+"/") {
			return pointer
		}
	}
	return ""
}
