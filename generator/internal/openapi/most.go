package openapi

import (
	"math"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// mostOf returns the highest whole number that a schema allows, where that is at least 1; 0 is no bound. Alternatives have one where each of
// them, but for null, has.
func mostOf(s *openapi3.Schema) int64 {
	looks := bounds(100)
	return looks.most(s)
}

// bounds looks for bounds in at most so many more schemas: they may lead in circles, and there is no bound in more than that.
type bounds int

func (b *bounds) most(s *openapi3.Schema) int64 {
	if s == nil || *b <= 0 {
		return 0
	}
	*b--
	most := ownMost(s)
	for _, part := range s.AllOf {
		most = tighter(most, b.most(part.Value))
	}
	for _, either := range []openapi3.SchemaRefs{s.AnyOf, s.OneOf} {
		most = tighter(most, b.either(either))
	}
	return most
}

// ownMost is the bound that a schema itself says.
func ownMost(s *openapi3.Schema) int64 {
	most := math.Inf(1)
	if s.Max != nil {
		most = math.Floor(*s.Max)
		if b := s.ExclusiveMax.Bool; b != nil && *b && most == *s.Max {
			most--
		}
	}
	if v := s.ExclusiveMax.Value; v != nil {
		most = min(most, math.Ceil(*v)-1)
	}
	if !(most >= 1 && most < math.MaxInt64) {
		return 0
	}
	return int64(most)
}

// either is the bound of what is one of some alternatives.
func (b *bounds) either(either openapi3.SchemaRefs) int64 {
	var most int64
	for _, s := range either {
		if s.Value != nil && s.Value.Type != nil && slices.Equal(s.Value.Type.Slice(), []string{openapi3.TypeNull}) {
			continue
		}
		one := b.most(s.Value)
		if one == 0 {
			return 0
		}
		most = max(most, one)
	}
	return most
}

// tighter is the tighter one of two bounds, of which 0 is none.
func tighter(a, b int64) int64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
