package generator

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// WorstCost is what one call may cost in money when each request that it may send is billed in full, in the unit of the prices.
type WorstCost struct {
	// Input and Output are what 1,000,000 tokens of the request, and of the answer, come to over all requests, each token at its dearest.
	Input  float64 `json:"perMillionInput"`
	Output float64 `json:"perMillionOutput"`
	// Unbounded says that nothing bounds the tokens of some request: no `max-input` its input, or no `maximum` in the document the output that it
	// may ask for. Else Most is the most that a call costs, for one answer to each request.
	Unbounded bool    `json:"unbounded"`
	Most      float64 `json:"most"`
	// Unpriced is how many of the requests go where there is no price: what they cost is in no other number.
	Unpriced int `json:"unpricedRequests"`
}

// bill adds requests that one rung sends to a target.
func (s *sum) bill(rung int, target string, requests int) {
	if requests == 0 || !s.op.IsPriced() {
		return
	}
	if s.Cost == nil {
		s.Cost = &WorstCost{}
	}
	price, ok := s.op.PriceAt(rung, target)
	if !ok {
		s.Cost.Unpriced += requests
		return
	}
	in, out := float64(requests)*price.Input, float64(requests)*price.Output
	s.Cost.Input += in
	s.Cost.Output += out
	s.Cost.Most += (in*float64(price.MaxInput) + out*float64(price.MaxOutput)) / plan.PerPrice
	s.Cost.Unbounded = s.Cost.Unbounded || out > 0 && price.MaxOutput == 0 || in > 0 && price.MaxInput == 0
	if s.Cost.Unbounded {
		s.Cost.Most = 0
	}
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
				parts = append(parts, fmt.Sprintf("1,000 tokens of %s are at most %s", part.of, money(part.cost*1000/plan.PerPrice)))
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
		if !r.Sort.Resends() {
			continue
		}
		if price, ok := s.op.PriceAt(rung, cmp.Or(r.Target, primary)); ok {
			if sum := price.Input + price.Output; sum > most {
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
