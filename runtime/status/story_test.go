package status_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/status"
	"github.com/resgen-go/resgen/runtime/wire"
)

// said is what the report says in words: its headline, its problems, and what came back.
func said(r status.Report) []string {
	lines := []string{string(r.State) + ": " + r.Headline}
	for _, p := range r.Problems {
		lines = append(lines, fmt.Sprintf("%s: %s", p.State, p.Text))
	}
	for _, b := range r.Recovered {
		lines = append(lines, "back: "+b.Text)
	}
	return lines
}

func (w *world) says(when string, want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(want, said(w.Report())); diff != "" {
		w.t.Errorf("%s (-want +got):\n%s", when, diff)
	}
}

// The primary goes down, the page says so in words and since when; it comes back, and the page says so.
func TestThePrimaryGoesDownAndComesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		op := w.operation("chat")
		w.says("before the first call", "ok: All is well")
		w.call(op, 20)
		w.says("all is well", "ok: All is well")

		sleep(9 * time.Second)
		w.down = answers(503)
		w.call(op, 2)
		sleep(time.Second)
		w.call(op, 18)
		sleep(2 * time.Second)
		w.says("down",
			"degraded: Degraded since 00:00:09 (3s)",
			`degraded: llm.chat: of 40 calls in the last minute 20 were answered by rung "europe" (alternate) because of transient, since 00:00:09 (3s).`,
			`degraded: llm: target "primary" is not called since 00:00:10 (2s): its breaker is open, 20 of 40 calls failed; probes in 3s.`)

		sleep(4 * time.Second) // a probe finds it down still: that is the same outage
		w.call(op, 1)
		w.says("down still",
			"degraded: Degraded since 00:00:09 (7s)",
			`degraded: llm.chat: of 41 calls in the last minute 21 were answered by rung "europe" (alternate) because of transient, since 00:00:09 (7s).`,
			`degraded: llm: target "primary" is not called since 00:00:10 (6s): its breaker is open, 1 of 1 call failed; probes in 5s.`)

		sleep(6 * time.Second)
		w.down = nil
		w.call(op, 2)
		w.says("the target is back, calls are watched a minute longer",
			"degraded: Degraded since 00:00:09 (13s)",
			`degraded: llm.chat: of 43 calls in the last minute 21 were answered by rung "europe" (alternate) because of transient, since 00:00:09 (13s).`,
			`back: llm: target "primary" is called again since 00:00:22 (0s): its breaker closed after 12s.`)
		sleep(2 * time.Minute)
		w.call(op, 1)
		w.says("back",
			"ok: All is well again since 00:00:22 (2m)",
			`back: llm.chat: calls are answered as asked since 00:00:22 (2m), after 13s.`,
			`back: llm: target "primary" is called again since 00:00:22 (2m): its breaker closed after 12s.`)
		sleep(20 * time.Minute)
		w.says("forgotten", "ok: All is well")
	})
}

// Calls that get no answer are worse than answers of a lower rung; what callers do wrong is nothing of note, and one in a thousand neither.
func TestFailingCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		op := w.operation("pay", alone, func(p *policy.Plan) { p.Breaker = policy.BreakerConfig{} })
		w.down = answers(404)
		w.call(op, 5)
		w.says("wrong requests", "ok: All is well")
		w.down = nil
		w.call(op, 994)
		w.down = answers(500)
		w.call(op, 1)
		w.says("one in a thousand", "ok: All is well")
		w.call(op, 19)
		w.says("one in fifty", "degraded: Degraded since 00:00:00 (0s)",
			"degraded: llm.pay: of 1019 calls in the last minute 20 failed (last: transient), since 00:00:00 (0s).")
		w.call(op, 200)
		w.says("one in six", "failing: Calls fail since 00:00:00 (0s)",
			"failing: llm.pay: of 1219 calls in the last minute 220 failed (last: transient), since 00:00:00 (0s).")
		sleep(3 * time.Minute)
		w.says("nobody calls any more", "ok: All is well again since 00:00:00 (3m)",
			"back: llm.pay: nobody called it since 00:00:00 (3m); the last call was not answered as asked.")
	})
}

// A target that asks for a pause, and one that is busy.
func TestPausesAndQueues(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		op := w.operation("chat", func(p *policy.Plan) { p.Retry.RetryAfterMax = time.Second })
		w.down = answers(429, "Retry-After", "600")
		w.call(op, 1)
		w.down = nil
		w.says("a pause", "degraded: Degraded since 00:00:00 (0s)",
			`degraded: llm.chat: of 1 call in the last minute 1 was answered by rung "europe" (alternate) because of throttle, since 00:00:00 (0s).`,
			`degraded: llm: target "primary" is not called since 00:00:00 (0s): it asked for no requests until 00:10:00, in 10m (throttle); one call probes it at 00:01:00.`)

		w = newWorld(t)
		op = w.operation("slow", alone, func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 1, MaxWait: 5 * time.Second}
			p.Timeout.Attempt = 5 * time.Second
		})
		for range 3 {
			go func() {
				_, _ = runtime.Do(t.Context(), op, func(_ context.Context, _ runtime.Attempt) (int, error) { sleep(4 * time.Second); return 1, nil })
			}()
		}
		synctest.Wait()
		w.says("a queue", "failing: Calls fail since 00:00:00 (0s)",
			`failing: llm.slow: of 1 call in the last minute 1 failed (bulkhead-full), since 00:00:00 (0s).`,
			`degraded: llm: target "primary" is busy since 00:00:00 (0s): 1 of 1 places are taken, 1 call waits, 1 attempt was not let through.`)
		sleep(10 * time.Second)
	})
}

// The phase of the instance is something to know.
func TestPhaseIsSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Enter(status.Stopping)
	w.says("stopping", "notice: All is well, with something to know", "notice: This instance is stopping: it is not ready for requests.")
}

// Without the observer the machines are shown all the same.
func TestWithoutObserver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := runtime.NewGroup(runtime.WithRand(func() float64 { return 0 }))
		s := status.New(g, nil, g)
		p := policy.Recommended(false)
		p.Operation, p.Idempotency, p.Retry, p.Breaker.Consecutive = "get", policy.Safe, policy.Retry{}, 1
		op, err := runtime.NewOperation(g, "llm", p, runtime.Wiring{})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) { return 0, &wire.StatusError{Status: 500} })
		sleep(time.Second)
		want := []string{
			"degraded: Degraded since 00:00:00 (1s)",
			`degraded: llm: target "primary" is not called since 00:00:00 (1s): its breaker is open, 1 of 1 call failed; probes in 4s.`,
		}
		if diff := cmp.Diff(want, said(s.Report())); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if r := s.Report(); r.Observed || len(r.Targets) != 1 {
			t.Errorf("observed %v, %d targets; want nobody who observes, and one target", r.Observed, len(r.Targets))
		}
	})
}

// Several rungs answer in one minute, one of which calls nothing: they are one sentence, and a failure says whose it is.
func TestSeveralRungs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		op := w.operation("chat", func(p *policy.Plan) {
			p.Fallback.Rungs = append(p.Fallback.Rungs, policy.Rung{Name: "own", Sort: policy.RungFunc, When: policy.Kinds(), Level: policy.Reduced})
		})
		for i := range 4 {
			_, _ = runtime.Do(t.Context(), op, func(_ context.Context, at runtime.Attempt) (int, error) {
				if at.Rung == 0 || at.Rung == 1 && i > 0 || at.Rung == 2 && i > 2 {
					return 0, answers(500)
				}
				return 1, nil
			})
		}
		r := w.Report()
		want := `llm.chat: of 4 calls in the last minute 3 were answered by lower rungs (1 by "europe", 2 by "own", the last because of transient) and ` +
			`1 failed (breaker-open), since 00:00:00 (0s).`
		if got := r.Problems[0].Text; got != want {
			t.Errorf("got\n%s, want\n%s", got, want)
		}
		var failed []string
		for _, f := range r.Failures {
			failed = append(failed, f.Text.Target)
		}
		if diff := cmp.Diff([]string{"eu", "primary", "rung own"}, failed); diff != "" {
			t.Errorf("who failed (-want +got):\n%s", diff)
		}
	})
}
