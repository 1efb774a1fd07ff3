package policy

import (
	"cmp"
	"slices"
)

// Price is what 1,000,000 tokens cost at a target, in any one unit of money: that of LimitConfig.Cost. The zero Price says nothing; what costs
// nothing is Free.
type Price struct {
	// Input is the price of a request's tokens.
	Input float64
	// Cached is that of those which the target had cached, and CacheWrite that of those which it put into its cache; 0 is Input's.
	Cached, CacheWrite float64
	// Output is the price of an answer's tokens, and Reasoning that of those which are not shown; Reasoning 0 is Output's.
	Output, Reasoning float64
	// Free says that nothing costs anything.
	Free bool
}

// perPrice is the number of tokens that a price is for.
const perPrice = 1e6

// IsKnown reports whether the price says anything.
func (p Price) IsKnown() bool { return p != Price{} }

// Of returns what tokens cost that are counted in that way.
func (p Price) Of(c Counting, u Usage) float64 {
	if p == (Price{}) || p.Free {
		return 0
	}
	_, plain := c.input(u)
	all, shown := c.output(u)
	sum := float64(plain)*p.Input + float64(max(u.Cached, 0))*cmp.Or(p.Cached, p.Input) + float64(max(u.CacheWrite, 0))*cmp.Or(p.CacheWrite, p.Input) +
		float64(shown)*p.Output + float64(all-shown)*cmp.Or(p.Reasoning, p.Output)
	return sum / perPrice
}

// AtMost returns what so many tokens of input and output cost at the dearest.
func (p Price) AtMost(input, output int64) float64 {
	if p.Free {
		return 0
	}
	in, out := max(p.Input, p.Cached, p.CacheWrite), max(p.Output, p.Reasoning)
	return (float64(max(input, 0))*in + float64(max(output, 0))*out) / perPrice
}

// PricesRungs reports whether some rung has a price of its own.
func (p Plan) PricesRungs() bool {
	return slices.ContainsFunc(p.Fallback.Rungs, func(r Rung) bool { return r.Price.IsKnown() })
}

// PriceOf returns what the tokens of an operation's rung cost, rung 0 being the operation itself, at a target that has a price. A rung's own
// price wins.
func PriceOf(p *Plan, rung int, target *Price) *Price {
	if rung > 0 && rung <= len(p.Fallback.Rungs) {
		if own := &p.Fallback.Rungs[rung-1].Price; own.IsKnown() {
			return own
		}
	}
	return target
}
