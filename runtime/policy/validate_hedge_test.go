package policy_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestValidateHedge(t *testing.T) {
	t.Parallel()
	hedged := func(change func(*plan)) func(*plan) {
		return func(p *plan) {
			p.Hedge, p.Hedgeable = policy.WrittenInPart().Hedge, true
			p.Fallback.Rungs = nil // what rungs may do is no matter of hedges
			change(p)
		}
	}
	checkPlans(t, map[string]brokenPlan{
		"as usual":         {hedged(func(*plan) {}), nil},
		"off":              {func(p *plan) { p.Hedge, p.Idempotency = policy.HedgeConfig{ExtraLoad: 5}, policy.Idempotent }, nil},
		"a negative delay": {hedged(func(p *plan) { p.Hedge.Delay = -1 }), []string{"negative-value hedge.delay"}},
		"negative copies":  {hedged(func(p *plan) { p.Hedge.Max = -1 }), []string{"negative-value hedge.max"}},
		"four copies":      {hedged(func(p *plan) { p.Hedge.Max = 4 }), []string{"hedge-copies hedge.max"}},
		"three copies":     {hedged(func(p *plan) { p.Hedge.Max = 3 }), nil},
		"no extra load":    {hedged(func(p *plan) { p.Hedge.ExtraLoad = 0 }), []string{"rate-out-of-range hedge.extra-load"}},
		"too late":         {hedged(func(p *plan) { p.Hedge.Delay = 5 * time.Second }), []string{"warn hedge-too-late hedge.delay"}},
		"never too late":   {hedged(func(p *plan) { p.Hedge.Delay, p.Timeout.Attempt = time.Hour, 0 }), nil},
		"not to run twice": {hedged(func(p *plan) { p.Hedgeable = false }), []string{"hedge-not-hedgeable hedge"}},
		"another target":   {hedged(func(p *plan) { p.Hedge.Target = "secondary" }), nil},
		"none":             {hedged(func(p *plan) { p.Idempotency, p.Retry.On = policy.None, nil }), []string{"hedge-in-doubt hedge"}},
		"keyed":            {hedged(func(p *plan) { p.Idempotency = policy.Keyed }), []string{"hedge-key-busy hedge"}},
		"keyed at once":    {hedged(func(p *plan) { p.Idempotency, p.Key.Concurrent = policy.Keyed, true }), nil},
		"keyed at primary": {hedged(func(p *plan) { p.Idempotency, p.Key.Concurrent, p.Hedge.Target = policy.Keyed, true, "primary" }), nil},
		"keyed elsewhere": {hedged(func(p *plan) {
			p.Idempotency, p.Key.Concurrent, p.Hedge.Target = policy.Keyed, true, "secondary"
		}), []string{"hedge-may-duplicate hedge.target"}},
	})
}
