package plan

import (
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/runtime/policy"
)

// aPrice is a price for fixes.
const aPrice = "price: {input: 2.50, output: 10}"

// costWithoutPrice refuses a bound on money for calls that cost nobody knows what.
func (c *refusal) costWithoutPrice(p policy.Problem) {
	target := policy.PrimaryTarget
	if i := rungOf(p.Field); i >= 0 && c.whole.Fallback.Rungs[i].Sort == policy.RungTarget {
		target = c.whole.Fallback.Rungs[i].Target
	} else if p.Field == "hedge.target" {
		target = c.whole.Hedge.Target
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.CostWithoutPrice, Span: c.at(p.Field, "limit.cost"), What: c.name() + ": " + p.Text,
		Why:     "what a call may cost is reserved before it is sent, so it must be known",
		Fix:     "say what 1,000,000 tokens cost there, `targets: {" + target + ": {" + aPrice + "}}`, or write `limit: {cost: null}`",
		Related: c.where(),
	})
}

// patchWithoutPrice refuses a patch that asks another model under a bound on money, and has no price of its own: its target's is that of the
// model that the operation asks.
func (c *refusal) patchWithoutPrice() {
	if cfg, _ := policy.PurseOf(&c.whole, policy.PrimaryTarget); cfg == (policy.PurseConfig{}) {
		return
	}
	for i := range c.whole.Fallback.Rungs {
		r := &c.whole.Fallback.Rungs[i]
		if r.Sort != policy.RungPatch || r.Price.IsKnown() || i >= len(c.r.facts.Rungs) {
			continue
		}
		for _, op := range c.r.facts.Rungs[i].Patch {
			if !namesModel(op.Path) {
				continue
			}
			c.list.Add(diag.Diagnostic{
				Code: diag.CostWithoutPrice, Span: c.at("fallback["+strconv.Itoa(i)+"].patch", "limit.cost"),
				What: c.name() + ": what may be spent is bounded, and the rung " + quoted(r.Name) + " asks another model without saying what that costs",
				Why:  "the price of the target is that of the model which the operation itself asks",
				Fix:  "add `" + aPrice + "` to the rung, or write `limit: {cost: null}`", Related: c.where(),
			})
			break
		}
	}
}

// namesModel reports whether a pointer into a request leads to the name of a model.
func namesModel(pointer string) bool {
	last := strings.ToLower(pointer[strings.LastIndexByte(pointer, '/')+1:])
	for _, name := range []string{"model", "engine", "deployment"} {
		if strings.Contains(last, name) {
			return true
		}
	}
	return false
}
