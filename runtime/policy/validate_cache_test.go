package policy_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestValidateCache(t *testing.T) {
	t.Parallel()
	rung := func(p *plan) {
		p.Fallback.Rungs = append(p.Fallback.Rungs, policy.Rung{
			Name: "remembered", Sort: policy.RungCache, When: []policy.Kind{policy.KindTimeout}, Level: policy.Stale,
		})
	}
	fresh := policy.CacheConfig{On: true, TTL: time.Minute}
	stale := policy.CacheConfig{On: true, TTL: time.Minute, StaleIfError: time.Hour}
	checkPlans(t, map[string]brokenPlan{
		"fresh answers":       {func(p *plan) { p.Cache = fresh }, nil},
		"and stale ones":      {func(p *plan) { p.Cache = stale; rung(p) }, nil},
		"only stale ones":     {func(p *plan) { p.Cache = stale; p.Cache.TTL = 0; rung(p) }, nil},
		"a negative ttl":      {func(p *plan) { p.Cache = fresh; p.Cache.TTL = -1 }, []string{"negative-value cache.ttl"}},
		"nothing is kept":     {func(p *plan) { p.Cache = policy.CacheConfig{On: true} }, []string{"cache-keeps-nothing cache"}},
		"no rung":             {func(p *plan) { p.Cache = stale }, []string{"stale-without-rung cache.stale-if-error"}},
		"an idle rung":        {func(p *plan) { p.Cache = fresh; rung(p) }, []string{"warn cache-rung-idle fallback[2]"}},
		"no cache":            {rung, []string{"rung-without-cache fallback[2]"}},
		"a call with effects": {func(p *plan) { p.Cache, p.Idempotency = fresh, policy.Idempotent }, []string{"cache-not-safe cache"}},
	})
}

func TestValidateExercise(t *testing.T) {
	t.Parallel()
	on := func(change func(*plan)) func(*plan) {
		return func(p *plan) {
			p.Exercise = policy.WrittenInPart().Exercise
			change(p)
		}
	}
	serve := func(level policy.Level, rungs ...string) func(*plan) {
		return on(func(p *plan) {
			p.Exercise.Mode, p.Exercise.Rungs, p.Fallback.Rungs[0].Level = policy.ExerciseServe, rungs, level
		})
	}
	checkPlans(t, map[string]brokenPlan{
		"as usual":          {on(func(*plan) {}), nil},
		"named rungs":       {on(func(p *plan) { p.Exercise.Rungs = []string{"sorry", "other"} }), nil},
		"off":               {func(p *plan) { p.Exercise.Rungs = []string{"nobody"} }, nil},
		"too large a share": {on(func(p *plan) { p.Exercise.Share = 1.5 }), []string{"rate-out-of-range exercise.share"}},
		"an unknown mode":   {on(func(p *plan) { p.Exercise.Mode = 9 }), []string{"unknown-value exercise.mode"}},
		"a negative bound":  {on(func(p *plan) { p.Exercise.MaxPerMinute = -1 }), []string{"negative-value exercise.max-per-minute"}},
		"no rungs":          {on(func(p *plan) { p.Fallback.Rungs = nil }), []string{"exercise-without-rungs exercise"}},
		"an unknown rung":   {on(func(p *plan) { p.Exercise.Rungs = []string{"sorry", "sory"} }), []string{"exercise-unknown-rung exercise.rungs[1]"}},
		"a critical call":   {on(func(p *plan) { p.Criticality = policy.Critical }), []string{"exercise-not-safe exercise"}},
		"a call that refuses": {on(func(p *plan) {
			p.Fallback = policy.Fallback{Refuse: "money"}
		}), []string{"exercise-not-safe exercise"}},
		"a keyed call": {on(func(p *plan) {
			p.Idempotency, p.Fallback.Rungs = policy.Keyed, p.Fallback.Rungs[1:]
		}), []string{"exercise-not-safe exercise"}},
		"a call that is none": {on(func(p *plan) {
			p.Idempotency, p.Retry.On, p.Fallback.Rungs = policy.None, nil, p.Fallback.Rungs[1:]
		}), []string{"exercise-not-safe exercise"}},
		"serve what is equal":        {serve(policy.Equal, "other"), nil},
		"serve whatever is equal":    {serve(policy.Equal), nil},
		"serve what is less":         {serve(policy.Alternate, "other"), []string{"serve-not-equal exercise.rungs[0]"}},
		"serve a fixed answer":       {serve(policy.Equal, "sorry"), []string{"serve-not-equal exercise.rungs[0]"}},
		"nothing that can be served": {serve(policy.Reduced), []string{"serve-not-equal exercise.mode"}},
	})
}
