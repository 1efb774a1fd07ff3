package policy_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestEachProviderHasItsFamilyOfLimitHeaders(t *testing.T) {
	t.Parallel()
	want := map[string]policy.LimitHeaders{
		"openai": policy.LimitHeadersOpenAI, "azure": policy.LimitHeadersAzure, "anthropic": policy.LimitHeadersAnthropic,
		"groq": policy.LimitHeadersGroq, "mistral": policy.LimitHeadersMistral, "together": policy.LimitHeadersTogether,
		"openrouter": policy.LimitHeadersOpenRouter, "openai-compatible": policy.LimitHeadersX,
	}
	for _, preset := range policy.Presets() {
		if got := policy.LimitHeadersOf(preset); got != want[preset] {
			t.Errorf("%s: %v, want %v", preset, got, want[preset])
		}
		delete(want, preset)
	}
	if len(want) > 0 {
		t.Errorf("no presets: %v", want)
	}
}

// TestLimitHeadersOfProviders reads what each provider sends, with its units and windows.
func TestLimitHeadersOfProviders(t *testing.T) {
	t.Parallel()
	const req, tok, in, out = policy.BucketRequests, policy.BucketTokens, policy.BucketInput, policy.BucketOutput
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		family policy.LimitHeaders
		lines  string
		want   policy.LimitReadings
	}{
		"openai": {policy.LimitHeadersOpenAI, `
			X-RateLimit-Limit-Requests: 500
			X-RateLimit-Remaining-Requests: 499
			X-RateLimit-Reset-Requests: 120ms
			X-RateLimit-Limit-Tokens: 30000
			X-RateLimit-Remaining-Tokens: 29000
			X-RateLimit-Reset-Tokens: 6m0s`, policy.LimitReadings{
			req: {Limit: 500, Remaining: 499, HasRemaining: true, Reset: 120 * time.Millisecond},
			tok: {Limit: 30000, Remaining: 29000, HasRemaining: true, Reset: 6 * time.Minute},
		}},
		"openai, by usage: what presses more": {policy.LimitHeadersOpenAI, `
			X-RateLimit-Limit-Tokens: 30000
			X-RateLimit-Remaining-Tokens: 29000
			X-RateLimit-Reset-Tokens: 2s
			X-RateLimit-Limit-Tokens_usage_based: 20000
			X-RateLimit-Remaining-Tokens_usage_based: 10
			X-RateLimit-Reset-Tokens_usage_based: 30s`, policy.LimitReadings{
			tok: {Limit: 20000, Remaining: 10, HasRemaining: true, Reset: 30 * time.Second},
		}},
		"azure": {policy.LimitHeadersAzure, `
			X-RateLimit-Limit-Requests: 60
			X-RateLimit-Remaining-Requests: 59
			X-RateLimit-Reset-Requests: 10
			X-RateLimit-Limit-Tokens: 30000
			X-RateLimit-Remaining-Tokens: 100
			X-Rate-Limit-Reset-Tokens: 60`, policy.LimitReadings{
			req: {Limit: 60, Remaining: 59, HasRemaining: true, Reset: 10 * time.Second},
			tok: {Limit: 30000, Remaining: 100, HasRemaining: true, Reset: time.Minute},
		}},
		"azure, unknown": {policy.LimitHeadersAzure, `
			X-RateLimit-Limit-Requests: -1
			X-RateLimit-Remaining-Requests: -1
			X-RateLimit-Reset-Requests: 0
			X-RateLimit-Limit-Tokens: 30000
			X-RateLimit-Remaining-Tokens: 0
			X-RateLimit-Reset-Tokens: 0`, policy.LimitReadings{tok: {Limit: 30000}}},
		"anthropic": {policy.LimitHeadersAnthropic, `
			Anthropic-RateLimit-Requests-Limit: 50
			Anthropic-RateLimit-Requests-Remaining: 49
			Anthropic-RateLimit-Requests-Reset: 2026-01-01T00:00:01Z
			Anthropic-RateLimit-Tokens-Limit: 60000
			Anthropic-RateLimit-Input-Tokens-Limit: 40000
			Anthropic-RateLimit-Input-Tokens-Remaining: 0
			Anthropic-RateLimit-Input-Tokens-Reset: 2026-01-01T00:01:00Z
			Anthropic-RateLimit-Output-Tokens-Remaining: 8000`, policy.LimitReadings{
			req: {Limit: 50, Window: time.Minute, Remaining: 49, HasRemaining: true, Reset: time.Second},
			tok: {Limit: 60000, Window: time.Minute},
			in:  {Limit: 40000, Window: time.Minute, HasRemaining: true, Reset: time.Minute},
			out: {Window: time.Minute, Remaining: 8000, HasRemaining: true},
		}},
		"groq: requests of a day, tokens of a minute": {policy.LimitHeadersGroq, `
			X-RateLimit-Limit-Requests: 14400
			X-RateLimit-Remaining-Requests: 14370
			X-RateLimit-Reset-Requests: 2m59.56s
			X-RateLimit-Limit-Tokens: 18000
			X-RateLimit-Remaining-Tokens: 17997
			X-RateLimit-Reset-Tokens: 7.66s`, policy.LimitReadings{
			req: {Limit: 14400, Window: day, Remaining: 14370, HasRemaining: true, Reset: 179560 * time.Millisecond},
			tok: {Limit: 18000, Window: time.Minute, Remaining: 17997, HasRemaining: true, Reset: 7660 * time.Millisecond},
		}},
		"mistral": {policy.LimitHeadersMistral, `
			X-RateLimit-Limit-Req-Minute: 60
			X-RateLimit-Remaining-Req-Minute: 0
			X-RateLimit-Limit-Tokens-Minute: 500000
			X-RateLimit-Remaining-Tokens-Minute: 499000`, policy.LimitReadings{
			req: {Limit: 60, Window: time.Minute, HasRemaining: true},
			tok: {Limit: 500000, Window: time.Minute, Remaining: 499000, HasRemaining: true},
		}},
		"together": {policy.LimitHeadersTogether, `
			X-RateLimit-Limit: 10
			X-RateLimit-Remaining: 9
			X-RateLimit-Reset: 1
			X-TokenLimit-Limit: 3000
			X-TokenLimit-Remaining: 2000
			X-TokenLimit-Reset: 1`, policy.LimitReadings{
			req: {Limit: 10, Window: time.Second, Remaining: 9, HasRemaining: true, Reset: time.Second},
			tok: {Limit: 3000, Window: time.Second, Remaining: 2000, HasRemaining: true, Reset: time.Second},
		}},
		"openrouter: milliseconds since 1970": {policy.LimitHeadersOpenRouter, `
			X-RateLimit-Limit: 20
			X-RateLimit-Remaining: 0
			X-RateLimit-Reset: 1767225660000`, policy.LimitReadings{req: {Limit: 20, HasRemaining: true, Reset: time.Minute}}},
		"openrouter, another unit": {policy.LimitHeadersOpenRouter, `
			X-RateLimit-Limit: 20
			X-RateLimit-Remaining: 0
			X-RateLimit-Reset: 60`, policy.LimitReadings{req: {Limit: 20, HasRemaining: true}}},
		"compatible: Together's names": {policy.LimitHeadersX, "X-TokenLimit-Limit: 3000", policy.LimitReadings{tok: {Limit: 3000}}},
		"another's names":              {policy.LimitHeadersMistral, "X-RateLimit-Limit-Requests: 5", policy.LimitReadings{}},
		"beyond the families":          {99, "X-RateLimit-Limit-Requests: 5", policy.LimitReadings{}},
	} {
		if diff := cmp.Diff(c.want, policy.ReadLimits(c.family, epoch(), headers(c.lines).Get)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestWhatSaysNothingChangesNoLimit gives every field of every family values that mean nothing.
func TestWhatSaysNothingChangesNoLimit(t *testing.T) {
	t.Parallel()
	families := []policy.LimitHeaders{
		policy.LimitHeadersX, policy.LimitHeadersOpenAI, policy.LimitHeadersAzure, policy.LimitHeadersAnthropic, policy.LimitHeadersGroq,
		policy.LimitHeadersMistral, policy.LimitHeadersTogether, policy.LimitHeadersOpenRouter, policy.LimitHeadersDraft,
	}
	for _, family := range families {
		for _, limit := range []string{"-1", "0", "-0.5", "1e9", "NaN", "Inf", "0x10", "99999999999999999999", "many", strings.Repeat("9", 100)} {
			for _, rest := range []string{"-1", "", "soon", "1e400", "5"} {
				get := func(name string) string {
					if strings.Contains(name, "-Limit-") && !strings.Contains(name, "X-Ratelimit-R") || strings.HasSuffix(name, "-Limit") {
						return limit
					}
					return rest
				}
				cfg := policy.LimitConfig{
					Requests: policy.Rate{Amount: 500, Per: time.Minute}, Tokens: policy.Rate{Amount: 30000, Per: time.Minute}, Headers: family,
				}
				l := policy.NewLimiter(cfg)
				before := l.Snapshot(at(0))
				said := policy.ReadLimits(family, epoch(), get)
				l.Learn(at(0), "", &said)
				if diff := cmp.Diff(before, l.Snapshot(at(0))); diff != "" {
					t.Errorf("%v, limit %q, rest %q (-before +after):\n%s", family, limit, rest, diff)
				}
			}
		}
	}
}

// What a token family says reaches the bucket of that kind, and nothing below one in a second.
func TestWhatProvidersSayLowersTheirBuckets(t *testing.T) {
	t.Parallel()
	h := http.Header{}
	for _, what := range []string{"Req", "Tokens"} {
		h.Set(fmt.Sprintf("X-RateLimit-Limit-%s-Minute", what), "60000")
		h.Set(fmt.Sprintf("X-RateLimit-Remaining-%s-Minute", what), "3")
	}
	h.Set("X-Ratelimit-Limit-Req-Minute", "6")
	l := policy.NewLimiter(policy.LimitConfig{
		Requests: policy.Rate{Amount: 600, Per: time.Minute}, Tokens: policy.Rate{Amount: 120_000, Per: time.Minute}, Headers: policy.LimitHeadersMistral,
	})
	said := policy.ReadLimits(policy.LimitHeadersMistral, epoch(), h.Get)
	l.Learn(at(0), "", &said)
	got := l.Snapshot(at(0))
	if got.Requests.PerSecond < 0.999 || got.Requests.PerSecond > 1.001 || got.Tokens.PerSecond < 999 || got.Tokens.PerSecond > 1001 || got.Tokens.Balance != 3 {
		t.Errorf("requests %+v, tokens %+v; want 1 and 1000 in a second, and 3 tokens left", got.Requests, got.Tokens)
	}
}
