package generator

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/runtime/policy"
)

// WorstCost is what one call may cost in money when each request that it may send is billed in full, in the unit of the prices.
type WorstCost struct {
	// Input and Output are what 1,000,000 tokens of the request, and of the answer, come to over all requests, each token at its dearest.
	Input  float64 `json:"perMillionInput"`
	Output float64 `json:"perMillionOutput"`
	// Unbounded says that nothing bounds the tokens of some request: no `max-input` its input, and the caller alone its output. Else Most is the
	// most that a call costs.
	Unbounded bool    `json:"unbounded"`
	Most      float64 `json:"most"`
	// Unpriced is how many of the requests go where there is no price: what they cost is in no other number.
	Unpriced int `json:"unpricedRequests"`
}

// perPrice is the number of tokens that a price is for.
const perPrice = 1e6

// bill adds requests that one rung sends to a target.
func (s *sum) bill(rung int, target string, requests int) {
	p := &s.op.Policy
	if requests == 0 || !s.priced {
		return
	}
	if s.Cost == nil {
		s.Cost = &WorstCost{}
	}
	price, ok := dearest(p, rung, target)
	if !ok {
		s.Cost.Unpriced += requests
		return
	}
	n, input := float64(requests), int64(0)
	if s.fits != nil {
		input = s.fits[rung].MaxInput
		if rung == 0 && target != primary {
			input = s.fits[len(s.fits)-1].MaxInput
		}
	}
	in, out := n*price.AtMost(perPrice, 0), n*price.AtMost(0, perPrice)
	s.Cost.Input += in
	s.Cost.Output += out
	s.Cost.Most += in * float64(input) / perPrice
	s.Cost.Unbounded = s.Cost.Unbounded || out > 0 || in > 0 && input == 0
	if s.Cost.Unbounded {
		s.Cost.Most = 0
	}
}

// dearest returns the price of a rung's requests to a target: of members that of the dearest kind of token each. It is not known where one is not.
func dearest(p *policy.Plan, rung int, target string) (policy.Price, bool) {
	t := policy.TargetOf(p, target)
	own := rung > 0 && p.Fallback.Rungs[rung-1].Price.IsKnown()
	if price := *policy.PriceOf(p, rung, &t.Price); own || len(t.AnyOf) == 0 {
		return price, price.IsKnown()
	}
	all := policy.Price{Free: true}
	for _, member := range t.AnyOf {
		m := policy.MemberOf(p, target, member).Price
		if !m.IsKnown() {
			return m, false
		}
		if !m.Free {
			all.Free = false
		}
		all.Input = max(all.Input, m.Input, m.Cached, m.CacheWrite)
		all.Output = max(all.Output, m.Output, m.Reasoning)
	}
	return all, true
}

// isPriced reports whether some price is known to a plan.
func isPriced(p *policy.Plan) bool {
	for i := range p.Targets {
		if p.Targets[i].Price.IsKnown() {
			return true
		}
	}
	return p.PricesRungs()
}

// String says it in a clause.
func (c *WorstCost) String() string {
	money := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	s := "costs at most " + money(c.Most)
	if c.Unbounded {
		var parts []string
		for _, part := range []struct {
			of   string
			cost float64
		}{{"input", c.Input}, {"output", c.Output}} {
			if part.cost > 0 {
				parts = append(parts, fmt.Sprintf("1,000 tokens of %s are at most %s", part.of, money(part.cost*1000/perPrice)))
			}
		}
		s = "cost unbounded: " + strings.Join(parts, ", ")
	}
	if c.Unpriced > 0 {
		s += fmt.Sprintf(", and %d %s without a price", c.Unpriced, plural(c.Unpriced, "request"))
	}
	return s
}

// exercised adds what one more request costs that a rung is sent in normal times: that of the dearest is reckoned.
func (s *sum) exercised(rungs []int) {
	best, most := 0, -1.0
	for _, rung := range rungs {
		r := &s.op.Policy.Fallback.Rungs[rung-1]
		if price, ok := dearest(&s.op.Policy, rung, cmp.Or(r.Target, primary)); ok {
			if sum := price.AtMost(perPrice, perPrice); sum > most {
				best, most = rung, sum
			}
		} else if best == 0 {
			best = rung
		}
	}
	if best > 0 {
		s.bill(best, cmp.Or(s.op.Policy.Fallback.Rungs[best-1].Target, primary), 1)
	}
}
