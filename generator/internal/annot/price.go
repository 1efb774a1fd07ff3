package annot

import (
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var priceKeys = record[policy.Price]{
	number("input", "Tokens of requests.", 0, func(p *policy.Price) *float64 { return &p.Input }),
	number("cached", "Those of them that the provider had cached; without it, as `input`.", 0, func(p *policy.Price) *float64 { return &p.Cached }),
	number("cache-write", "Those that it put into its cache; without it, as `input`.", 0, func(p *policy.Price) *float64 { return &p.CacheWrite }),
	number("output", "Tokens of answers.", 0, func(p *policy.Price) *float64 { return &p.Output }),
	number("reasoning", "Those of them that the caller does not see; without it, as `output`.", 0,
		func(p *policy.Price) *float64 { return &p.Reasoning }),
}

// priceField is what 1,000,000 tokens cost. One whose numbers are all 0 says that nothing costs anything.
func priceField[T any](at func(*T) *policy.Price) field[T] {
	f := object("price", "What 1,000,000 tokens cost, in any one unit of money.", priceKeys, at)
	put := f.put
	f.put = func(t *T, v *source.Value) {
		put(t, v)
		if p := at(t); !p.IsKnown() && len(v.Map) > 0 {
			p.Free = true
		}
	}
	f.take = func(t *T) (source.Value, bool) {
		p := at(t)
		v := priceKeys.encode(p)
		if p.Free {
			v.Map = []source.Field{{Key: "input", Value: source.Value{Kind: source.Number, Text: "0"}}}
		}
		return v, len(v.Map) > 0
	}
	return f
}
