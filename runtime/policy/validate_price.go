package policy

import (
	"fmt"
	"math"
)

// prices checks what tokens cost, and that there is a price wherever a bound on money holds.
func (c *checker) prices(p Plan) {
	c.known("tokens.counts.input", unsetNames(inputCountNames), uint8(p.Tokens.Counts.Input))
	c.known("tokens.counts.output", unsetNames(outputCountNames), uint8(p.Tokens.Counts.Output))
	c.known("tokens.counts.separate", unsetNames(separationNames), uint8(p.Tokens.Counts.Separate))
	c.durations(span{"tokens.counts.slice", p.Tokens.Counts.Slice})
	for _, t := range p.Targets {
		c.price("targets."+t.Name+".price", t.Price)
		if len(t.AnyOf) > 0 && t.Limit.Cost != (Rate{}) {
			c.refusef(LimitWithoutRate, "targets."+t.Name+".limit.cost", "what is spent at its members, the operation bounds, or each of them")
		}
	}
	for i, r := range p.Fallback.Rungs {
		c.price(fmt.Sprintf("fallback[%d].price", i), r.Price)
	}
	c.priced("limit.cost", &p, 0, PrimaryTarget)
	for i, r := range p.Fallback.Rungs {
		target := r.Target
		if target == "" || r.Sort == RungPatch {
			target = PrimaryTarget
		}
		if r.Sort.Resends() {
			c.priced(fmt.Sprintf("fallback[%d]", i), &p, i+1, target)
		}
	}
	if p.Hedge.Max > 0 && p.Hedge.Target != "" {
		c.priced("hedge.target", &p, 0, p.Hedge.Target)
	}
}

// unsetNames are the names of an enum whose zero value leaves it to the preset.
func unsetNames(names []string) []string { return append([]string{"unset"}, names[1:]...) }

func (c *checker) price(at string, p Price) {
	for _, n := range []struct {
		key   string
		price float64
	}{{"input", p.Input}, {"cached", p.Cached}, {"cache-write", p.CacheWrite}, {"output", p.Output}, {"reasoning", p.Reasoning}} {
		if !(n.price >= 0 && n.price <= math.MaxFloat32) {
			c.refusef(NegativeValue, at+"."+n.key, "%v is no price", n.price)
		}
	}
}

// priced refuses a rung whose calls would be bounded in money and cost nobody knows what.
func (c *checker) priced(at string, p *Plan, rung int, target string) {
	t := TargetOf(p, target)
	if PriceOf(p, rung, &t.Price).IsKnown() {
		return
	}
	members := t.AnyOf
	for _, member := range t.AnyOf {
		if m := MemberOf(p, target, member); !m.Price.IsKnown() {
			target, members = member, nil
			break
		}
	}
	if cfg, _ := PurseOf(p, target); cfg == (PurseConfig{}) || len(members) > 0 {
		return
	}
	c.refusef(CostWithoutPrice, at, "what may be spent is bounded, and nothing says what the tokens of target %q cost", target)
}
