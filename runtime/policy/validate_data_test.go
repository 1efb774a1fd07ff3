package policy_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestValidateData(t *testing.T) {
	t.Parallel()
	classes := []string{"text", "names"}
	classified := func(change func(*plan)) func(*plan) {
		return func(p *plan) {
			p.Data = classes
			p.Fallback.Rungs, p.Hedge = nil, policy.HedgeConfig{}
			p.Targets = []policy.Target{{Name: "primary", Accepts: classes}, {Name: "eu", Accepts: classes}, {Name: "us", Accepts: classes[:1]}}
			change(p)
		}
	}
	rung := func(r policy.Rung) func(*plan) {
		r.Name, r.When, r.Level = "next", []policy.Kind{policy.KindThrottle}, policy.Reduced
		return classified(func(p *plan) { p.Fallback.Rungs = []policy.Rung{r} })
	}
	const refused = "data-not-accepted "
	checkPlans(t, map[string]brokenPlan{
		"nothing classified": {func(p *plan) { p.Data = nil }, nil},
		"primary accepts":    {classified(func(*plan) {}), nil},
		"primary does not":   {classified(func(p *plan) { p.Targets = nil }), []string{refused + "targets.primary.accepts"}},
		"a target accepts":   {rung(policy.Rung{Sort: policy.RungTarget, Target: "eu"}), nil},
		"a target accepts in part": {
			rung(policy.Rung{Sort: policy.RungTarget, Target: "us"}), []string{refused + "targets.us.accepts"},
		},
		"a patch accepts":              {rung(policy.Rung{Sort: policy.RungPatch, Accepts: classes}), nil},
		"a patch does not":             {rung(policy.Rung{Sort: policy.RungPatch}), []string{refused + "fallback[0].accepts"}},
		"a func does not":              {rung(policy.Rung{Sort: policy.RungFunc, Func: "f", Accepts: classes[:1]}), []string{refused + "fallback[0].accepts"}},
		"a static one is no exception": {rung(policy.Rung{Sort: policy.RungStatic}), []string{refused + "fallback[0].accepts"}},
		"members accept": {classified(func(p *plan) {
			p.Targets[0] = policy.Target{Name: "primary", AnyOf: []string{"eu"}}
		}), nil},
		"a member does not": {classified(func(p *plan) {
			p.Targets[0] = policy.Target{Name: "primary", AnyOf: []string{"eu", "us"}, Accepts: classes}
		}), []string{refused + "targets.us.accepts"}},
		"a hedge's target does not": {classified(func(p *plan) {
			p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Target: "us", ExtraLoad: 0.05}
		}), []string{refused + "targets.us.accepts"}},
		"a cache accepts": {classified(func(p *plan) {
			p.Cache = policy.CacheConfig{On: true, TTL: time.Minute, Accepts: classes}
		}), nil},
		"a cache does not": {classified(func(p *plan) {
			p.Cache = policy.CacheConfig{On: true, TTL: time.Minute}
		}), []string{refused + "cache.accepts"}},
	})
}
