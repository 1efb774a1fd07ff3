package runtime_test

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// judged is a plan whose answers are judged by a preset.
func judged(preset string) func(*policy.Plan) {
	return func(p *policy.Plan) { p.Errors = policy.Errors{Preset: preset, Judge: true} }
}

// What an answer of success says decides what the call comes to, how often it is tried, and what is told beside it.
func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	const (
		good     = `{"choices":[{"finish_reason":"stop","message":{"content":"a"}}]}`
		filtered = `{"choices":[{"finish_reason":"content_filter","message":{"content":""}}]}`
		empty    = `{"choices":[{"finish_reason":"stop","message":{"content":""}}]}`
		cut      = `{"choices":[{"finish_reason":"length","message":{"content":"a"}}]}`
		credit   = `{"error":{"code":402,"message":"no credit"}}`
		failed   = `{"object":"response","status":"failed","error":{"code":"server_error","message":"no"}}`
	)
	for name, c := range map[string]struct {
		plan     func(*policy.Plan)
		bodies   []string
		want     policy.Kind
		requests int
		reason   string
	}{
		"good":                      {judged("openai"), []string{good}, policy.KindNone, 1, ""},
		"filtered":                  {judged("openai"), []string{filtered}, policy.KindRefused, 1, ""},
		"empty, then good":          {judged("openai"), []string{empty, good}, policy.KindNone, 2, ""},
		"empty is tried once more":  {judged("openai"), []string{empty}, policy.KindDecode, 2, ""},
		"cut":                       {judged("openai"), []string{cut}, policy.KindNone, 1, "length"},
		"cut, whole at the next":    {judged("openai"), []string{failed, good}, policy.KindNone, 2, ""},
		"by its code, as a status":  {judged("openrouter"), []string{credit}, policy.KindUnusable, 1, ""},
		"failed, by its code":       {judged("openai"), []string{failed}, policy.KindTransient, 3, ""},
		"the record of what failed": {func(p *policy.Plan) { p.Errors.Preset = "openai" }, []string{failed}, policy.KindNone, 1, ""},
		"another provider":          {judged("gemini"), []string{`{"promptFeedback":{"blockReason":"OTHER"}}`}, policy.KindRefused, 1, ""},
		"no preset":                 {judged("generic"), []string{empty}, policy.KindNone, 1, ""},
		"a rule of the user":        {userRule, []string{`{"items":[{"state":"ok"},{"state":"held"}],"done":true}`}, policy.KindRefused, 1, ""},
		"a rule of which half fits": {userRule, []string{`{"items":[{"state":"held"}],"done":false}`}, policy.KindNone, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &server{}
				for _, body := range c.bodies {
					s.steps = append(s.steps, reply(http.StatusOK, body))
				}
				meta := runtime.Meta{Incomplete: true, IncompleteReason: "of an earlier call"}
				_, err := newCaller(t, plan(c.plan), s).create(runtime.Capture(t.Context(), &meta), "GET")
				if got := runtime.KindOf(err); got != c.want {
					t.Fatalf("%v, want %v: %v", got, c.want, err)
				}
				equal(t, "requests", meta.Attempts, c.requests)
				if err == nil {
					equal(t, "why it is not whole", meta.IncompleteReason, c.reason)
					equal(t, "incomplete", meta.Incomplete, c.reason != "")
				}
			})
		})
	}
}

func userRule(p *policy.Plan) {
	p.Errors.Answers = []policy.AnswerRule{{Kind: policy.KindRefused, When: []policy.Match{
		{Pointer: "/items/*/state", Values: []string{"blocked", "held"}}, {Pointer: "/done", Values: []string{"true"}},
	}}}
}

// A wait in a body counts as Retry-After does; one that is hostile changes nothing.
func TestWaitsInBodies(t *testing.T) {
	t.Parallel()
	retryInfo := func(delay string) string {
		return `{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"` + delay + `"}]}}`
	}
	for delay, want := range map[string]time.Duration{
		"46s": 46 * time.Second, "0.5s": 500 * time.Millisecond, "-5s": 0, "99999999s": 0, "soon": 0, "0s": 0, "1e400s": 0,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{steps: []func(*http.Request) (*http.Response, error){reply(http.StatusTooManyRequests, retryInfo(delay))}}
			start := time.Now()
			_, err := newCaller(t, plan(noRetry, func(p *policy.Plan) { p.Errors.Preset = "gemini" }), s).create(t.Context(), "GET")
			e, ok := errors.AsType[*runtime.Error](err)
			if !ok {
				t.Fatal(err)
			}
			got := time.Duration(0)
			if !e.NotBefore.IsZero() {
				got = e.NotBefore.Sub(start)
			}
			equal(t, delay, got, want)
		})
	}
}

// What a target says about retries never overrides what may be sent twice; where it says no, that holds.
func TestShouldRetryOverridesNothing(t *testing.T) {
	t.Parallel()
	for advice, want := range map[string]int{"true": 3, "false": 1} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{steps: []func(*http.Request) (*http.Response, error){reply(http.StatusServiceUnavailable, "", "X-Should-Retry", advice)}}
			var meta runtime.Meta
			_, _ = newCaller(t, plan(judged("openai")), s).create(runtime.Capture(t.Context(), &meta), "GET")
			equal(t, "safe, "+advice, meta.Attempts, want)
			none := plan(judged("openai"), func(p *policy.Plan) { p.Idempotency, p.Retry.On = policy.None, policy.RetryOn(policy.None) })
			_, _ = newCaller(t, none, s).create(runtime.Capture(t.Context(), &meta), "POST")
			equal(t, "not to be repeated, "+advice, meta.Attempts, 1)
		})
	}
}
