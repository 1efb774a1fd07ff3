package policy_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// validPlan is a plan with everything on and nothing wrong.
func validPlan() policy.Plan {
	p := policy.Recommended(false)
	p.Idempotency = policy.Safe
	p.Retry.On = policy.RetryOn(policy.Safe)
	p.Timeout = policy.Timeout{
		Total: 30 * time.Second, Attempt: 5 * time.Second, Idle: time.Second, ItemGap: time.Second, MaxStream: time.Minute,
	}
	p.Fallback.Rungs = []policy.Rung{
		{Name: "other", Sort: policy.RungTarget, Target: "secondary", When: []policy.Kind{policy.KindTimeout}, Level: policy.Alternate},
		{Name: "sorry", Sort: policy.RungStatic, When: []policy.Kind{policy.KindTransient}, Level: policy.Canned},
	}
	p.Targets = []policy.Target{{Name: policy.PrimaryTarget}, {Name: "secondary", Layered: true}}
	return p
}

type plan = policy.Plan

// brokenPlan is a change of validPlan and the problems that it makes.
type brokenPlan struct {
	change func(*plan)
	want   []string // "code field", and "warn" in front of a warning
}

func TestValidate(t *testing.T) {
	t.Parallel()
	checkPlans(t, map[string]brokenPlan{
		"nothing wrong":      {func(*plan) {}, nil},
		"the zero plan":      {func(p *plan) { *p = plan{} }, nil},
		"a negative timeout": {func(p *plan) { p.Timeout.Connect = -1 }, []string{"negative-value timeout.connect"}},
		"a negative queue":   {func(p *plan) { p.Bulkhead.MaxQueue = -1 }, []string{"negative-value bulkhead.max-queue"}},
		"negative attempts":  {func(p *plan) { p.Retry.Attempts = -2 }, []string{"negative-value retry.attempts"}},
		"an unknown jitter":  {func(p *plan) { p.Retry.Backoff.Jitter = 77 }, []string{"unknown-value retry.backoff.jitter"}},
		"an unknown kind":    {func(p *plan) { p.Retry.On = []policy.Kind{99} }, []string{"unknown-value retry.on"}},
		"an answer of no kind": {func(p *plan) {
			p.Errors.Answers = []policy.AnswerRule{{When: []policy.Match{{Pointer: "/error"}}}}
		}, []string{"unknown-value errors.when[0]"}},
		"every answer": {func(p *plan) {
			p.Errors.Answers = []policy.AnswerRule{{Kind: policy.KindTransient}}
		}, []string{"unknown-value errors.when[0]"}},
		"a kind of no error":  {func(p *plan) { p.Errors.Rules = []policy.ErrorRule{{}} }, []string{"unknown-value errors[0]"}},
		"a shrinking backoff": {func(p *plan) { p.Retry.Backoff.Multiplier = 0.5 }, []string{"backoff-shape retry.backoff.multiplier"}},
		"no number": {func(p *plan) {
			p.Retry.Backoff.Multiplier = math.NaN()
		}, []string{"backoff-shape retry.backoff.multiplier"}},
		"a cap below base": {func(p *plan) { p.Retry.Backoff.Max = ms }, []string{"backoff-shape retry.backoff.max"}},
		"retry of no use":  {func(p *plan) { p.Retry.On = []policy.Kind{policy.KindCaller} }, []string{"retry-not-retryable retry.on"}},
		"retry in doubt": {func(p *plan) {
			p.Idempotency = policy.None
			p.Retry.On = []policy.Kind{policy.KindConnect, policy.KindTimeout, policy.KindThrottle}
			p.Fallback.Rungs = nil
		}, []string{"retry-in-doubt retry.on"}},
		"no retry, no doubt": {func(p *plan) {
			p.Idempotency, p.Retry.Attempts = policy.None, 1
			p.Fallback.Rungs = nil
		}, nil},
		"a layered primary":      {func(p *plan) { p.Targets[0].Layered = true }, []string{"retry-layered retry.attempts"}},
		"a ratio above one":      {func(p *plan) { p.Budget.Ratio = 1.5 }, []string{"rate-out-of-range budget.ratio"}},
		"a ratio that is none":   {func(p *plan) { p.Budget.Ratio = math.NaN() }, []string{"rate-out-of-range budget.ratio"}},
		"a negative floor":       {func(p *plan) { p.Budget.MinPerSecond = -1 }, []string{"negative-value budget.min-per-second"}},
		"a failure rate of zero": {func(p *plan) { p.Breaker.FailureRate = 0 }, []string{"rate-out-of-range breaker.failure-rate"}},
		"a slow rate above one":  {func(p *plan) { p.Breaker.SlowRate = 80 }, []string{"rate-out-of-range breaker.slow-rate"}},
		"a slow rate of zero":    {func(p *plan) { p.Breaker.SlowRate = 0 }, nil},
		"a window of nothing": {func(p *plan) {
			p.Breaker.WindowCalls = 0
		}, []string{"window-shape breaker.window.calls", "window-shape breaker.min-calls"}},
		"a window of everything": {func(p *plan) { p.Breaker.WindowCalls = 1 << 40 }, []string{"window-shape breaker.window.calls"}},
		"a minimum out of reach": {func(p *plan) { p.Breaker.MinCalls = 201 }, []string{"window-shape breaker.min-calls"}},
		"an open that is not":    {func(p *plan) { p.Breaker.OpenFor = 0 }, []string{"open-shape breaker.open-for"}},
		"an open that shrinks":   {func(p *plan) { p.Breaker.OpenMax = time.Second }, []string{"open-shape breaker.open-max"}},
		"no probes":              {func(p *plan) { p.Breaker.Probes = 0 }, []string{"probes-zero breaker.probes"}},
		"nothing to close on":    {func(p *plan) { p.Breaker.CloseAfter = 0 }, []string{"probes-zero breaker.close-after"}},
		"a breaker that is off":  {func(p *plan) { p.Breaker = policy.BreakerConfig{} }, nil},
		"a target's breaker": {func(p *plan) {
			p.Targets[1].Breaker.Mode = 9
			p.Targets[1].Breaker.Consecutive = -1
		}, []string{
			"unknown-value targets.secondary.breaker.mode",
			"negative-value targets.secondary.breaker.consecutive",
			"rate-out-of-range targets.secondary.breaker.failure-rate",
			"window-shape targets.secondary.breaker.window.calls",
			"window-shape targets.secondary.breaker.min-calls",
			"open-shape targets.secondary.breaker.open-for",
			"probes-zero targets.secondary.breaker.probes",
			"probes-zero targets.secondary.breaker.close-after",
		}},
		"a target's queue": {func(p *plan) {
			p.Targets[1].Bulkhead.MaxWait = -1
		}, []string{"negative-value targets.secondary.bulkhead.max-wait"}},
		"two targets of one name": {func(p *plan) {
			p.Targets[1].Name = policy.PrimaryTarget
			p.Targets[1].Layered = false
		}, []string{"rung-twice targets.primary"}},
		"idle beyond the stream":  {func(p *plan) { p.Timeout.Idle = time.Minute }, []string{"stream-silence timeout.idle"}},
		"gaps beyond the stream":  {func(p *plan) { p.Timeout.ItemGap = 2 * time.Minute }, []string{"stream-silence timeout.item-gap"}},
		"a stream without an end": {func(p *plan) { p.Timeout.MaxStream = 0 }, nil},
		"a key from nowhere":      {func(p *plan) { p.Key.Source = policy.KeyParam }, []string{"key-source-missing key.param"}},
		"refuse with rungs":       {func(p *plan) { p.Fallback.Refuse = "money" }, []string{"refuse-with-rungs fallback.refuse"}},
		"a rung without anything": {func(p *plan) {
			p.Fallback.Rungs = []policy.Rung{{}}
		}, []string{"rung-incomplete fallback[0].name", "unknown-value fallback[0]", "rung-incomplete fallback[0].when"}},
		"two rungs of one name":   {func(p *plan) { p.Fallback.Rungs[1].Name = "other" }, []string{"rung-twice fallback[1].name"}},
		"a rung of no level":      {func(p *plan) { p.Fallback.Rungs[1].Level = 50 }, []string{"unknown-value fallback[1].level"}},
		"a negative reserve":      {func(p *plan) { p.Fallback.Rungs[1].Reserve = -1 }, []string{"negative-value fallback[1].reserve"}},
		"a rung that sends twice": {func(p *plan) { p.Idempotency = policy.Keyed }, []string{"rung-may-duplicate fallback[0].when"}},
		"a rung that may": {func(p *plan) {
			p.Idempotency = policy.Keyed
			p.Fallback.Rungs[0].MayDuplicate = "idempotent upstream"
		}, nil},
		"a rung that proves": {func(p *plan) {
			p.Idempotency = policy.Keyed
			p.Fallback.Rungs[0].When = []policy.Kind{policy.KindConnect}
		}, nil},
		"no time for a second": {func(p *plan) { p.Timeout.Total = 5400 * ms }, []string{"total-too-short timeout.total"}},
		"just enough":          {func(p *plan) { p.Timeout.Total = 5500 * ms }, []string{"warn attempts-exceed-total timeout.attempt"}},
		"the least backoff counts": {func(p *plan) {
			p.Timeout.Total = 5500 * ms
			p.Retry.Backoff.Jitter = policy.NoJitter
		}, []string{"total-too-short timeout.total"}},
		"reserves count": {func(p *plan) {
			p.Fallback.Rungs[1].Reserve = 25 * time.Second
		}, []string{"total-too-short timeout.total"}},
		"a static rung needs no time": {func(p *plan) {
			p.Timeout.Total, p.Retry.Attempts = 5*time.Second, 1
			p.Fallback.Rungs = p.Fallback.Rungs[1:]
		}, nil},
		"a lone attempt may take all": {func(p *plan) { p.Timeout.Total, p.Retry.Attempts, p.Fallback.Rungs = time.Second, 1, nil }, nil},
		"a reserve that proves nothing": {func(p *plan) {
			p.Fallback.Rungs[0].Reserve = time.Second
		}, []string{"warn reserve-below-slow fallback[0].reserve"}},
		"an endless need does not wrap": {func(p *plan) {
			p.Fallback.Rungs[0].Reserve, p.Fallback.Rungs[1].Reserve = policy.Forever, policy.Forever
		}, []string{"total-too-short timeout.total"}},
		"an unbounded total fits always": {func(p *plan) { p.Timeout.Total = 0; p.Fallback.Rungs[1].Reserve = time.Hour }, nil},
	})
}

func checkPlans(t *testing.T, tests map[string]brokenPlan) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := validPlan()
			tt.change(&p)
			var got []string
			for _, problem := range p.Validate() {
				text := string(problem.Code) + " " + problem.Field
				if problem.Warning {
					text = "warn " + text
				}
				got = append(got, text)
				if problem.Text == "" || problem.Error() != problem.Field+": "+problem.Text {
					t.Errorf("%s says %q", text, problem.Error())
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}
