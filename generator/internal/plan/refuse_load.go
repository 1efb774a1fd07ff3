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

// limit turns a problem of a limit into a diagnostic.
func (c *refusal) limit(p policy.Problem) {
	switch p.Code {
	case policy.LimitWithoutRate:
		c.limitWithoutRate(p.Field)
	case policy.SharedShape:
		c.sharedWithoutRate(p)
	case policy.CostWithoutPrice:
		c.costWithoutPrice(p)
	default:
		c.tokensNotCounted(p)
	}
}

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
	limited := "tokens"
	if strings.HasSuffix(p.Field, ".cost") {
		limited = "money"
	}
	switch {
	case strings.HasSuffix(p.Field, ".input-tokens"):
		usage = "{input: /usage/prompt_tokens}"
	case strings.HasSuffix(p.Field, ".output-tokens"):
		usage = "{output: /usage/completion_tokens}"
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.TokensNotCounted, Span: c.at(p.Field), What: c.name() + " has a limit of " + limited + ", and " + p.Text,
		Why:     "a limit of what is never counted bounds nothing",
		Fix:     "say where the answer holds them, `tokens: {usage: " + usage + "}`, or write `limit: {" + p.Field[len("limit."):] + ": null}`",
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
		Fix:     "write `window: " + annot.Duration(min(roundUp(times(2, attempt)), annot.LongestDuration)) + "`, or a shorter `attempt` in the timeout class",
		Related: c.where(),
	})
}

// bulkheadBelowLimit warns of a bulkhead that rejects before the limit is used up.
func (c *refusal) bulkheadBelowLimit(p policy.Problem) {
	b, l, limitAt := c.meeting(parent(p.Field))
	const share, most = 4, 1_000_000
	need := math.Ceil(perNano(l) * float64(c.whole.Timeout.Attempt) / share)
	fix := "write a lower limit"
	if need <= most {
		fix = "write `max-concurrent: " + strconv.FormatFloat(need, 'f', -1, 64) + "`, or a lower limit"
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.BulkheadBelowLimit, Severity: diag.Warning, Span: c.at(p.Field, limitAt, "use"),
		What: c.name() + ": a bulkhead of " + strconv.Itoa(b.MaxConcurrent) + " is full before the limit of " + rateWords(l.Requests, "request") + " is used up",
		Why:  "calls in flight are the rate times the time that each takes; with a quarter of the attempt timeout that is more than the bulkhead admits",
		Fix:  fix, Related: c.where(),
	})
}

// meeting returns the bulkhead at a path, and of the limits that hold for what it admits the widest, with its place.
func (c *refusal) meeting(at string) (b policy.BulkheadConfig, l policy.LimitConfig, place string) {
	const ofOperation = "limit.requests"
	b, place = c.whole.Bulkhead, ofOperation
	own := true // the operation's limit and bulkhead meet at the primary target, unless that has one of its own
	for i := range c.whole.Targets {
		t := &c.whole.Targets[i]
		if at == "targets."+t.Name+".bulkhead" {
			if t.Limit == (policy.LimitConfig{}) {
				return t.Bulkhead, c.whole.Limit, ofOperation
			}
			return t.Bulkhead, t.Limit, "targets." + t.Name + ".limit.requests"
		}
		bare := t.Bulkhead == (policy.BulkheadConfig{})
		own = own && (t.Name != policy.PrimaryTarget || bare && t.Limit == (policy.LimitConfig{}))
		if bare && t.Limit.Per == b.Per && perNano(t.Limit) > perNano(l) {
			l, place = t.Limit, "targets."+t.Name+".limit.requests"
		}
	}
	if own && c.whole.Limit.Per == b.Per && perNano(c.whole.Limit) > perNano(l) {
		return b, c.whole.Limit, ofOperation
	}
	return b, l, place
}

// perNano is how many requests a limit lets this process send in a nanosecond.
func perNano(l policy.LimitConfig) float64 {
	if l.Requests.Per <= 0 {
		return 0
	}
	return l.Requests.Amount / float64(l.Requests.Per) / float64(max(l.Replicas, 1))
}

// uncounted is a rate of tokens with what must be counted for it.
type uncounted struct {
	key     string
	rate    policy.Rate
	counted func(t *policy.TokenPlaces) bool
	usage   string
}

func tokenRates(l *policy.LimitConfig) []uncounted {
	input := func(t *policy.TokenPlaces) bool { return len(t.Input) > 0 }
	output := func(t *policy.TokenPlaces) bool { return len(t.Output) > 0 }
	return []uncounted{
		{"tokens", l.Tokens, func(t *policy.TokenPlaces) bool { return input(t) || output(t) }, "{input: /usage/prompt_tokens, output: /usage/completion_tokens}"},
		{"input-tokens", l.InputTokens, input, "{input: /usage/prompt_tokens}"},
		{"output-tokens", l.OutputTokens, output, "{output: /usage/completion_tokens}"},
	}
}

// refuseUncounted refuses a target's limit of tokens that no operation counts against.
func (s *shared) refuseUncounted(plans []policy.Plan, list *diag.List) {
	for _, def := range s.targets {
		limit := s.target(def.name).Limit
		for _, u := range tokenRates(&limit) {
			counts := func(p policy.Plan) bool {
				named := def.name == policy.PrimaryTarget || slices.ContainsFunc(p.Targets, func(t policy.Target) bool { return t.Name == def.name })
				places := policy.TokenPlacesOf(&p)
				return named && u.counted(&places)
			}
			at := def.tree.written("limit." + u.key)
			if at == nil || slices.ContainsFunc(plans, counts) {
				continue
			}
			list.Add(diag.Diagnostic{
				Code: diag.TokensNotCounted, Span: source.Span{Pos: at.Pos, Len: len(at.Text)},
				What: "the target " + quoted(def.name) + " has a limit of " + strings.ReplaceAll(u.key, "-", " ") +
					", and no operation that calls it says how many it took",
				Why: "a limit of what is never counted bounds nothing",
				Fix: "say where the answers hold them, `tokens: {usage: " + u.usage + "}`, at the operations that have them, or write `limit: {" +
					u.key + ": null}` at the target",
			})
		}
	}
}
