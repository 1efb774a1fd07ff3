package runtime_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// noCredit is what Anthropic answers where nothing is left on the account. With the status alone it is a mistake of the caller's.
func noCredit() error {
	return &wire.StatusError{Status: http.StatusBadRequest, Header: http.Header{}, Body: []byte(
		`{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}`,
	)}
}

// twoProviders is a plan for one provider whose second target is another, itself or as a member.
func twoProviders(change ...func(*policy.Plan)) policy.Plan {
	return plan(append([]func(*policy.Plan){
		noRetry, ladder(other("second"), static("sorry")),
		func(p *policy.Plan) {
			p.Errors.Preset, p.Breaker = "openai", breaker(9)
			p.Targets = []policy.Target{{Name: "second", Preset: "anthropic"}}
		},
	}, change...)...)
}

func byMembers(p *policy.Plan) {
	p.Targets = []policy.Target{{Name: "second", AnyOf: []string{"a"}, Preset: "anthropic"}, {Name: "a"}}
}

// TestATargetIsReadByItsOwnPreset fails both targets with what means something to the second one's provider alone.
func TestATargetIsReadByItsOwnPreset(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan policy.Plan
		want [2]policy.Kind // of the first failure, and of the second
	}{
		"of its own":  {twoProviders(), [2]policy.Kind{policy.KindTransient, policy.KindUnusable}},
		"of a member": {twoProviders(byMembers), [2]policy.Kind{policy.KindTransient, policy.KindUnusable}},
		"none": {
			twoProviders(func(p *policy.Plan) { p.Targets[0].Preset = "" }),
			[2]policy.Kind{policy.KindTransient, policy.KindCaller},
		},
		"rules come first": {
			twoProviders(func(p *policy.Plan) {
				p.Errors.Rules = []policy.ErrorRule{{Kind: policy.KindThrottle, Status: 400}}
			}),
			[2]policy.Kind{policy.KindTransient, policy.KindThrottle},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, seen := operation(t, c.plan)
				_, err := runtime.DoResult(t.Context(), op, func(_ context.Context, at runtime.Attempt) (string, error) {
					switch at.Rung {
					case 0:
						return "", status(503)
					case 1:
						return "", noCredit()
					}
					return "sorry", nil
				})
				if err != nil {
					t.Fatal(err)
				}
				var got [2]policy.Kind
				for i, e := range seen.Events(runtime.AttemptEnd) {
					got[min(i, 1)] = e.Kind
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("kinds (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// callTwo makes a client of two targets that one server plays.
func callTwo(t *testing.T, p policy.Plan, s *server, opts ...runtime.ClientOption) *caller {
	t.Helper()
	c := &caller{http: runtime.NewHTTP(
		runtime.HTTPSpec{Name: "llm", BaseURL: "http://first.test", Targets: []policy.Target{{Name: "second", BaseURL: "http://second.test"}}},
		append([]runtime.ClientOption{runtime.WithHTTPClient(&http.Client{Transport: s}), runtime.WithGroup(still())}, opts...)...,
	)}
	if c.op = c.http.Operation(p); c.http.Err() != nil {
		t.Fatal(c.http.Err())
	}
	return c
}

// TestUsageIsReadByItsOwnPreset answers in the form of the second target's provider, which counts cached tokens on top of the others.
func TestUsageIsReadByItsOwnPreset(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := steps(reply(503, "{}"), reply(200, `{"text":"hi","usage":{"input_tokens":10,"cache_read_input_tokens":4,"output_tokens":3}}`))
		c := callTwo(t, twoProviders(ladder(other("second"))), s)
		var meta runtime.Meta
		if _, err := c.ask(runtime.Capture(t.Context(), &meta), 100); err != nil {
			t.Fatal(err)
		}
		if want := (policy.Usage{Input: 10, Cached: 4, Output: 3}); meta.Usage != want || !meta.Counting.CachedOnTop {
			t.Errorf("%+v by %+v, want %+v with what is cached on top", meta.Usage, meta.Counting, want)
		}
	})
}

// TestAnAnswerIsJudgedByItsOwnPreset gives an answer of success that the second target's provider alone would call refused.
func TestAnAnswerIsJudgedByItsOwnPreset(t *testing.T) {
	t.Parallel()
	for preset, want := range map[string]policy.Kind{"anthropic": policy.KindRefused, "": policy.KindNone} {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := steps(reply(503, "{}"), reply(200, `{"type":"message","content":[],"stop_reason":"refusal","text":"no"}`))
				p := twoProviders(ladder(other("second")), func(p *policy.Plan) { p.Errors.Judge, p.Targets[0].Preset = true, preset })
				seen := new(runtimetest.Recorder)
				c := callTwo(t, p, s, runtime.WithObserver(seen))
				_, _ = c.ask(t.Context(), 100)
				ends := seen.Events(runtime.AttemptEnd)
				if len(ends) != 2 || ends[1].Kind != want {
					t.Errorf("attempts %v, want the second %v", ends, want)
				}
			})
		})
	}
}

func TestAPresetThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	p := twoProviders(func(p *policy.Plan) { p.Targets[0].Preset = "antropic" })
	if _, err := runtime.NewOperation(nil, "llm", p, runtime.Wiring{}); err == nil {
		t.Error("an operation was made whose target is of an unknown provider")
	}
}
