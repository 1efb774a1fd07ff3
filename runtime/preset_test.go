package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// Each sample of each preset is sent as a real answer to an operation with retries, a breaker, a pause and a ladder. What must come of it is
// the line of its kind in the table of kinds: the code under test is not asked.
func TestPresetsEndToEnd(t *testing.T) {
	t.Parallel()
	for _, s := range presetSamples(t) {
		if s.Want.Kind == "" {
			continue // a right answer: TestPresetAnswersEndToEnd
		}
		t.Run(s.preset+"/"+s.row, func(t *testing.T) {
			t.Parallel()
			for name, c := range presetRuns(t, s) {
				synctest.Test(t, func(t *testing.T) {
					time.Sleep(time.Until(presetTime)) // in a synctest bubble
					if diff := cmp.Diff(c.want, runPreset(t, s, c.plan)); diff != "" {
						t.Errorf("%s (-want +got):\n%s", name, diff)
					}
				})
			}
		})
	}
}

// presetRun is one call that is answered with a sample, and what comes of it.
type presetRun struct {
	plan policy.Plan
	want presetOutcome
}

// presetOutcome is what came of a call.
type presetOutcome struct {
	Kind      string // of the error, or of what the rung stood in for
	Rung      string // that answered; empty for none
	Attempts  int
	Calls     int // that the breaker judged
	Failures  int // that it took for failures
	NotBefore time.Duration
	Paused    time.Duration
}

// presetRuns are the calls that each sample is the answer to.
func presetRuns(t *testing.T, s *presetSample) map[string]presetRun {
	t.Helper()
	const longest, briefly = 30 * time.Second, time.Second
	m, kind, wait := s.meaning(t), s.kind(t), s.wait(t)
	outcome := func(attempts int, rung string) presetOutcome {
		o := presetOutcome{Kind: s.Want.Kind, Rung: rung, Attempts: attempts}
		switch s.evidence(t) {
		case "failure":
			o.Calls, o.Failures = attempts, attempts
		case "answered", "success":
			o.Calls = attempts
		}
		return o
	}
	named := static("sorry")
	named.When = []policy.Kind{kind}

	single := outcome(1, "")
	single.NotBefore = wait
	if kind == policy.KindThrottle || kind == policy.KindUnusable || wait > longest {
		single.Paused = wait
	}
	onAnyRung := ""
	if m.ladder == onAny {
		onAnyRung = named.Name
	}
	runs := map[string]presetRun{
		"one attempt":         {presetPlan(s, 1), single},
		"retries":             {presetPlan(s, 3), outcome(s.attempts(t, longest), "")},
		"a rung for any kind": {presetPlan(s, 3, ladder(static(named.Name))), outcome(s.attempts(t, briefly), onAnyRung)},
	}
	if m.ladder != onNone {
		runs["a rung for this one"] = presetRun{presetPlan(s, 3, ladder(named)), outcome(s.attempts(t, briefly), named.Name)}
	}
	return runs
}

// presetPlan is a plan with the sample's preset, of an operation that may be repeated.
func presetPlan(s *presetSample, attempts int, change ...func(*policy.Plan)) policy.Plan {
	return plan(append([]func(*policy.Plan){func(p *policy.Plan) {
		if !s.Safe {
			p.Idempotency = policy.Idempotent
		}
		p.Timeout = policy.Timeout{Attempt: time.Second, Total: 5 * time.Minute}
		p.Retry.Attempts, p.Retry.On = attempts, policy.RetryOn(p.Idempotency)
		p.Errors.Preset, p.Errors.Judge, p.Breaker = s.preset, s.isAnswer(), breaker(9)
		if s.Status == 0 {
			p.Stream = policy.Stream{Format: policy.SSE, ErrorEvent: "error"}
		}
	}}, change...)...)
}

// runPreset makes a call that is answered with the sample, as often as it asks, and says what came of it.
func runPreset(t *testing.T, s *presetSample, p policy.Plan) presetOutcome {
	t.Helper()
	c := against(t, p, []playStep{s.step(t)})
	call := c.callSample
	if s.Status == 0 {
		call = c.openSample
	}
	var o presetOutcome
	kind, rung, err := call(t.Context())
	now := time.Now()
	if e, ok := errors.AsType[*runtime.Error](err); ok {
		kind = e.Kind
		if p.Retry.Attempts == 1 && !e.NotBefore.IsZero() {
			o.NotBefore = e.NotBefore.Sub(now)
		}
	}
	m := c.machines()
	o.Kind, o.Rung, o.Attempts, o.Calls, o.Failures = kind.String(), rung, len(c.seen()), m.Breaker.Calls, m.Breaker.Failures
	if p.Retry.Attempts == 1 && !m.PausedUntil.IsZero() {
		o.Paused = m.PausedUntil.Sub(now)
	}
	return o
}

// callSample makes a call, and returns what its rung stood in for, and which that was.
func (c *played) callSample(ctx context.Context) (policy.Kind, string, error) {
	r := wire.NewRequest(http.MethodPut, "/things")
	res, err := runtime.DoResult(ctx, c.op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
		if at.Rung > 0 {
			return &thing{}, nil
		}
		return runtime.Send(ctx, c.http, at, r, readThing)
	}, r)
	return res.Reason, res.Rung, err
}

// openSample is callSample for a stream.
func (c *played) openSample(ctx context.Context) (policy.Kind, string, error) {
	res, err := runtime.OpenResult(ctx, c.op, func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[thing], error) {
		if at.Rung > 0 {
			return runtime.StreamOf(thing{}), nil
		}
		return runtime.SendStream(ctx, c.http, at, wire.NewRequest(http.MethodPut, "/s"), func(r *wire.Response) (*wire.Items[thing], error) {
			return wire.JSONItems[thing](r, policy.Stream{Format: policy.SSE, ErrorEvent: "error"})
		})
	})
	if res.Value != nil {
		_ = res.Value.Close()
	}
	return res.Reason, res.Rung, err
}
