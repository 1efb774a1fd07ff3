package plan

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// limitWithoutRate refuses a limit, or a burst, that bounds nothing.
func (c *refusal) limitWithoutRate(field string) {
	d := diag.Diagnostic{
		Code: diag.LimitWithoutRate, Span: c.at(field), What: quoted(field) + " bounds nothing",
		Why: "the other keys say how a limit is counted: without a rate, and without headers that say how many requests are left, there is none",
		Fix: "add `requests: 500/1m`, or what the provider's documentation says, or `headers: x-ratelimit`", Related: c.where(),
	}
	if strings.HasSuffix(field, ".burst") {
		d.Why = "a burst is one of requests, and nothing here bounds them"
		d.Fix = "add `requests: 500/1m`, or what the provider's documentation says, or remove `burst`"
	}
	c.list.Add(d)
}

// tokensNotCounted refuses a limit of tokens on an operation that does not say where they are counted.
func (c *refusal) tokensNotCounted(p policy.Problem) {
	usage := "{input: /usage/prompt_tokens, output: /usage/completion_tokens}"
	switch {
	case strings.HasSuffix(p.Field, ".input-tokens"):
		usage = "{input: /usage/prompt_tokens}"
	case strings.HasSuffix(p.Field, ".output-tokens"):
		usage = "{output: /usage/completion_tokens}"
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.TokensNotCounted, Span: c.at(p.Field), What: c.name() + " has a limit of tokens, and " + p.Text,
		Why:     "a limit of what is never counted bounds nothing",
		Fix:     "say where the answer holds them, `tokens: {usage: " + usage + "}`, or write `" + p.Field[len("limit."):] + ": null`",
		Related: slices.Concat(c.where(), c.related("tokens", "its tokens are described here")),
	})
}

// shedWindowShort warns of shedding that never sees the calls that hang.
func (c *refusal) shedWindowShort() {
	attempt := c.whole.Timeout.Attempt
	c.list.Add(diag.Diagnostic{
		Code: diag.ShedWindowShort, Severity: diag.Warning, Span: c.at("shed.window", "shed"),
		What:    c.name() + ": the window of its shedding, " + annot.Duration(c.whole.Shed.Window) + ", is shorter than an attempt, " + annot.Duration(attempt),
		Why:     "a call that hangs is out of the window before it is known to have failed, so a target that hangs is taken for well",
		Fix:     "write `window: " + annot.Duration(roundUp(2*attempt)) + "`, or a shorter `attempt` in the timeout class",
		Related: c.where(),
	})
}

// bulkheadBelowLimit warns of a bulkhead that rejects before the limit is used up.
func (c *refusal) bulkheadBelowLimit(p policy.Problem) {
	target, ofTarget := strings.CutPrefix(parent(parent(p.Field)), "targets.")
	b, l := c.whole.Bulkhead, c.whole.Limit
	places := []string{p.Field, "limit.requests", "use"}
	for i := range c.whole.Targets {
		t := &c.whole.Targets[i]
		if ofTarget && t.Name == target && t.Bulkhead != (policy.BulkheadConfig{}) {
			b = t.Bulkhead
		}
		if (ofTarget && t.Name == target || !ofTarget && t.Limit.Requests.Amount > l.Requests.Amount) && t.Limit != (policy.LimitConfig{}) {
			l, places[1] = t.Limit, "targets."+t.Name+".limit.requests"
		}
	}
	const share = 4
	need := math.Ceil(l.Requests.Amount / float64(max(l.Replicas, 1)) * (float64(c.whole.Timeout.Attempt) / share / float64(l.Requests.Per)))
	c.list.Add(diag.Diagnostic{
		Code: diag.BulkheadBelowLimit, Severity: diag.Warning, Span: c.at(places...),
		What: c.name() + ": a bulkhead of " + strconv.Itoa(b.MaxConcurrent) + " is full before the limit of " + rateWords(l.Requests, "request") + " is used up",
		Why:  "calls in flight are the rate times the time that each takes; with a quarter of the attempt timeout that is more than the bulkhead admits",
		Fix:  "write `max-concurrent: " + strconv.FormatFloat(need, 'f', -1, 64) + "`, or a lower limit", Related: c.where(),
	})
}

// countsTokens reports whether some rate of a limit is one of tokens.
func countsTokens(l policy.LimitConfig) bool {
	return l.Tokens != (policy.Rate{}) || l.InputTokens != (policy.Rate{}) || l.OutputTokens != (policy.Rate{})
}

// refuseUncounted refuses a target's limit of tokens that no operation counts against.
func (s *shared) refuseUncounted(plans []policy.Plan, list *diag.List) {
	for _, def := range s.targets {
		t := s.target(def.name)
		counts := func(p policy.Plan) bool {
			named := def.name == policy.PrimaryTarget || slices.ContainsFunc(p.Targets, func(t policy.Target) bool { return t.Name == def.name })
			return named && (p.Tokens.Input != "" || p.Tokens.Output != "")
		}
		if !countsTokens(t.Limit) || slices.ContainsFunc(plans, counts) {
			continue
		}
		var at *source.Value
		for _, key := range []string{"tokens", "input-tokens", "output-tokens"} {
			if v := def.tree.written("limit." + key); v != nil && at == nil {
				at = v
			}
		}
		list.Add(diag.Diagnostic{
			Code: diag.TokensNotCounted, Span: source.Span{Pos: at.Pos, Len: len(at.Text)},
			What: "the target " + quoted(def.name) + " has a limit of tokens, and no operation that calls it says how many it took",
			Why:  "a limit of what is never counted bounds nothing",
			Fix: "say where the answers hold them, `tokens: {usage: {input: /usage/prompt_tokens, output: /usage/completion_tokens}}`, at the " +
				"operations that have them",
		})
	}
}
