package policy_test

import (
	"math"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// perMinute is a rate of n a minute.
func perMinute(n float64) policy.Rate { return policy.Rate{Amount: n, Per: time.Minute} }

func TestValidateLimit(t *testing.T) {
	t.Parallel()
	checkPlans(t, map[string]brokenPlan{
		"requests alone": {func(p *plan) { p.Limit = policy.LimitConfig{Requests: perMinute(500), Burst: 5, Replicas: 3} }, nil},
		"headers alone":  {func(p *plan) { p.Limit.Headers = policy.LimitHeadersX }, nil},
		"tenants alone":  {func(p *plan) { p.Limit.Per = policy.PerTenant }, []string{"limit-without-rate limit"}},
		"a burst of what is not bounded": {func(p *plan) {
			p.Limit = policy.LimitConfig{Headers: policy.LimitHeadersDraft, Burst: 4}
		}, []string{"limit-without-rate limit.burst"}},
		"no amount":         {func(p *plan) { p.Limit.Requests = policy.Rate{Per: 1} }, []string{"rate-out-of-range limit.requests"}},
		"no span":           {func(p *plan) { p.Limit.Requests = policy.Rate{Amount: 1} }, []string{"rate-out-of-range limit.requests"}},
		"no number":         {func(p *plan) { p.Limit.Requests = perMinute(math.NaN()) }, []string{"rate-out-of-range limit.requests"}},
		"an endless amount": {func(p *plan) { p.Limit.Requests = perMinute(math.Inf(1)) }, []string{"rate-out-of-range limit.requests"}},
		"nonsense beside a rate": {func(p *plan) {
			p.Limit = policy.LimitConfig{Requests: perMinute(5), Burst: -1, Replicas: -1, Per: 9, Headers: 99}
		}, []string{
			"negative-value limit.burst", "negative-value limit.replicas", "unknown-value limit.per", "unknown-value limit.headers",
		}},
		"tokens that are counted": {func(p *plan) {
			p.Limit = policy.LimitConfig{Tokens: perMinute(9), InputTokens: perMinute(9), OutputTokens: perMinute(9)}
			p.Tokens = policy.Tokens{Input: "/usage/in", Output: "/usage/out"}
		}, nil},
		"tokens that are not": {func(p *plan) {
			p.Limit = policy.LimitConfig{Tokens: perMinute(9), InputTokens: perMinute(9), OutputTokens: perMinute(9)}
			p.Tokens.Max = "/max_tokens"
		}, []string{"tokens-not-counted limit.tokens", "tokens-not-counted limit.input-tokens", "tokens-not-counted limit.output-tokens"}},
		"one side is enough for both together": {func(p *plan) {
			p.Limit, p.Tokens.Input = policy.LimitConfig{Tokens: perMinute(9)}, "/usage/in"
		}, nil},
		"the other side is counted": {func(p *plan) {
			p.Limit, p.Tokens.Input = policy.LimitConfig{OutputTokens: perMinute(9)}, "/usage/in"
		}, []string{"tokens-not-counted limit.output-tokens"}},
		"a target's tokens are counted for those who have them": {func(p *plan) {
			p.Targets[1].Limit = policy.LimitConfig{Tokens: perMinute(9)}
		}, nil},
		"a target's limit": {func(p *plan) {
			p.Targets[1].Limit = policy.LimitConfig{Requests: policy.Rate{Amount: -1, Per: time.Second}}
		}, []string{"rate-out-of-range targets.secondary.limit.requests"}},
	})
}

func TestValidateLoad(t *testing.T) {
	t.Parallel()
	whole := policy.WrittenInPart().Shed
	checkPlans(t, map[string]brokenPlan{
		"shedding as usual":           {func(p *plan) { p.Shed = whole }, nil},
		"shedding that is off":        {func(p *plan) { p.Shed.MaxReject = 2 }, nil},
		"what is accepted":            {func(p *plan) { p.Shed = whole; p.Shed.Factor = 0.9 }, []string{"shed-shape shed.factor"}},
		"a window of nothing":         {func(p *plan) { p.Shed = whole; p.Shed.Window = 0 }, []string{"shed-shape shed.window"}},
		"a window as short as a call": {func(p *plan) { p.Shed = whole; p.Shed.Window = 5 * time.Second }, nil},
		"a window shorter than a call": {func(p *plan) {
			p.Shed = whole
			p.Shed.Window = 4 * time.Second
		}, []string{"warn shed-window-short shed.window"}},
		"no trickle":             {func(p *plan) { p.Shed = whole; p.Shed.MaxReject = 1 }, []string{"shed-shape shed.max-reject"}},
		"no rejection":           {func(p *plan) { p.Shed = whole; p.Shed.MaxReject = 0 }, []string{"shed-shape shed.max-reject"}},
		"a negative rate":        {func(p *plan) { p.Shed = whole; p.Shed.MinPerSecond = -1 }, []string{"negative-value shed.min-per-second"}},
		"an unknown criticality": {func(p *plan) { p.Criticality = 9 }, []string{"unknown-value criticality"}},
		"adaptive":               {func(p *plan) { p.Bulkhead.Adaptive, p.Bulkhead.Per = true, policy.PerTenant }, nil},
		"adaptive without an end": {func(p *plan) {
			p.Bulkhead = policy.BulkheadConfig{Adaptive: true}
		}, []string{"adaptive-unbounded bulkhead.max-concurrent"}},
		"an unknown partition": {func(p *plan) { p.Bulkhead.Per = 9 }, []string{"unknown-value bulkhead.per"}},
	})
}

// The attempt takes 5s at most, so a quarter of that is the time that a call is taken to last, and 64 calls serve 51.2 a second.
func TestValidateRoom(t *testing.T) {
	t.Parallel()
	limit := func(perSecond float64) policy.LimitConfig {
		return policy.LimitConfig{Requests: policy.Rate{Amount: perSecond, Per: time.Second}}
	}
	own := []string{"warn bulkhead-below-limit bulkhead.max-concurrent"}
	checkPlans(t, map[string]brokenPlan{
		"just enough":         {func(p *plan) { p.Limit = limit(51) }, nil},
		"not enough":          {func(p *plan) { p.Limit = limit(52) }, own},
		"a part of it":        {func(p *plan) { p.Limit = limit(100); p.Limit.Replicas = 2 }, nil},
		"no bulkhead":         {func(p *plan) { p.Limit, p.Bulkhead = limit(1000), policy.BulkheadConfig{} }, nil},
		"no attempt":          {func(p *plan) { p.Limit, p.Timeout.Attempt = limit(1000), 0 }, nil},
		"shared otherwise":    {func(p *plan) { p.Limit = limit(1000); p.Limit.Per = policy.PerTenant }, nil},
		"one each":            {func(p *plan) { p.Limit = limit(1000); p.Limit.Per, p.Bulkhead.Per = policy.PerTenant, policy.PerTenant }, own},
		"a target's limit":    {func(p *plan) { p.Targets[1].Limit = limit(52) }, own},
		"primary has its own": {func(p *plan) { p.Limit, p.Targets[0].Bulkhead = limit(52), policy.BulkheadConfig{MaxConcurrent: 65} }, nil},
		"a target's bulkhead": {func(p *plan) {
			p.Limit, p.Targets[1].Bulkhead = limit(5), policy.BulkheadConfig{MaxConcurrent: 6}
		}, []string{"warn bulkhead-below-limit targets.secondary.bulkhead.max-concurrent"}},
	})
}
