package runtime_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// gaps returns the time between each attempt and the next.
func gaps(seen []runtimetest.Seen) []time.Duration {
	var all []time.Duration
	for i := 1; i < len(seen); i++ {
		all = append(all, seen[i].At.Sub(seen[i-1].At))
	}
	return all
}

func TestT17_NeverSleepPastTheDeadline(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change   func(*policy.Plan)
		err      error
		deadline time.Duration // of the caller; 0 is none
		attempts int
		elapsed  time.Duration
	}{
		"backoff beyond the caller's deadline": {
			func(p *policy.Plan) { p.Retry.Backoff.Base, p.Retry.Backoff.Max = 6*time.Second, 0 }, status(503), 5 * time.Second, 1, 0,
		},
		"backoff beyond our total": {
			func(p *policy.Plan) { p.Retry.Backoff.Base, p.Retry.Backoff.Max = 6*time.Second, 0 }, status(503), 0, 2, 6 * time.Second,
		},
		"Retry-After beyond the caller's deadline": {
			func(*policy.Plan) {}, status(429, "Retry-After", "30"), 300 * time.Millisecond, 1, 0,
		},
		"no time left for a useful attempt": {
			func(p *policy.Plan) { p.Timeout.Attempt = 4 * time.Second }, status(503), 450 * time.Millisecond, 1, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, _ := operation(t, plan(c.change))
				ctx := t.Context()
				if c.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, c.deadline)
					defer cancel()
				}
				start, script := time.Now(), play(step{Err: c.err})
				_, err := runtime.Do(ctx, op, script.Run)
				if n := len(script.Seen()); n != c.attempts || time.Since(start) != c.elapsed {
					t.Errorf("%d attempts in %v, want %d in %v", n, time.Since(start), c.attempts, c.elapsed)
				}
				var response *wire.StatusError
				if !errors.As(err, &response) || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v; want the real error, and that the deadline is why", err)
				}
			})
		})
	}
}

func TestT18_ALongRetryAfterIsNotShortened(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		long := step{Err: status(429, "Retry-After", "412000")}
		op, _ := operation(t, plan())
		start, script := time.Now(), play(long)
		_, err := runtime.Do(t.Context(), op, script.Run)
		var e *runtime.Error
		if !errors.As(err, &e) || e.Kind != policy.KindThrottle || !e.NotBefore.Equal(start.Add(412000*time.Second)) {
			t.Errorf("got %v; want a 429 that says until when", err)
		}
		if n := len(script.Seen()); n != 1 || time.Since(start) != 0 {
			t.Errorf("%d attempts in %v, want one, at once", n, time.Since(start))
		}
		next, _ := operation(t, plan(ladder(static("sorry"))))
		res, err := runtime.DoResult(t.Context(), next, play(long, step{Value: "sorry"}).Run)
		if err != nil || res.Rung != "sorry" || time.Since(start) != 0 {
			t.Errorf("got %+v, %v after %v; want the next rung at once", res, err, time.Since(start))
		}
	})
}

func TestT18_AWaitAboveTheCapPausesTheTarget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, plan(ladder(static("sorry"))))
		script := play(step{Err: status(429, "Retry-After", "3600")}, step{Value: "sorry"})
		for range 10 {
			if res, err := runtime.DoResult(t.Context(), op, script.Run); err != nil || res.Level != policy.Canned {
				t.Fatalf("got %+v, %v; want the static rung", res, err)
			}
		}
		if n := len(seen.Events(runtime.AttemptStart)); n != 1 {
			t.Errorf("%d real attempts in the pause, want 1", n)
		}
		sleep(61 * time.Second)
		for range 10 {
			_, _ = runtime.DoResult(t.Context(), op, play(step{Value: "answer"}).Run)
		}
		if n := len(seen.Events(runtime.AttemptStart)); n != 11 {
			t.Errorf("%d real attempts after a minute, want the probe to have ended the pause", n)
		}
	})
}

func TestT18_WithAnotherRungAWaitIsShort(t *testing.T) {
	t.Parallel()
	for after, want := range map[string]string{"1": "", "2": "sorry"} {
		synctest.Test(t, func(t *testing.T) {
			op, _ := operation(t, plan(ladder(static("sorry"))))
			res, err := runtime.DoResult(t.Context(), op, play(step{Err: status(429, "Retry-After", after)}, step{}).Run)
			if err != nil || res.Rung != want {
				t.Errorf("Retry-After %s: rung %q, %v; want %q", after, res.Rung, err, want)
			}
		})
	}
}

func TestT19_EveryFormOfRetryAfter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := time.Now().Add(-time.Hour).UTC() // its clock is wrong
		date := server.Format(http.TimeFormat)
		in3s := server.Add(3 * time.Second)
		for name, c := range map[string]struct {
			header []string
			want   time.Duration
		}{
			"seconds":             {[]string{"Retry-After", "2"}, 2 * time.Second},
			"fraction":            {[]string{"Retry-After", "1.2"}, 1200 * time.Millisecond},
			"milliseconds first":  {[]string{"Retry-After", "2", "Retry-After-Ms", "300"}, 300 * time.Millisecond},
			"IMF-fixdate":         {[]string{"Date", date, "Retry-After", in3s.Format(http.TimeFormat)}, 3 * time.Second},
			"RFC 850":             {[]string{"Date", date, "Retry-After", in3s.Format("Monday, 02-Jan-06 15:04:05 GMT")}, 3 * time.Second},
			"asctime":             {[]string{"Date", date, "Retry-After", in3s.Format(time.ANSIC)}, 3 * time.Second},
			"a date in the past":  {[]string{"Date", date, "Retry-After", server.Add(-time.Hour).Format(http.TimeFormat)}, 0},
			"negative is absent":  {[]string{"Retry-After", "-1"}, 100 * time.Millisecond},
			"nonsense is absent":  {[]string{"Retry-After", "soon"}, 100 * time.Millisecond},
			"zero is at once":     {[]string{"Retry-After", "0"}, 0},
			"a pushback of gRPCs": {[]string{"Grpc-Retry-Pushback-Ms", "700"}, 700 * time.Millisecond},
		} {
			op, _ := operation(t, plan())
			script := play(step{Err: status(429, c.header...)}, step{})
			if _, err := runtime.Do(t.Context(), op, script.Run); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if diff := cmp.Diff([]time.Duration{c.want}, gaps(script.Seen())); diff != "" {
				t.Errorf("%s: waits (-want +got):\n%s", name, diff)
			}
		}
		for name, header := range map[string][]string{
			"too large for a Duration": {"Retry-After", "9999999999999"},
			"do not retry":             {"X-Should-Retry", "false"},
			"gRPC's stop":              {"Grpc-Retry-Pushback-Ms", "-1"},
		} {
			op, _ := operation(t, plan())
			script := play(step{Err: status(503, header...)})
			if _, err := runtime.Do(t.Context(), op, script.Run); err == nil || len(script.Seen()) != 1 {
				t.Errorf("%s: %d attempts, %v; want one", name, len(script.Seen()), err)
			}
		}
	})
}

func TestT20_JitterOnRetryAfterIsOnlyUpward(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op := operationIn(t, runtime.NewGroup(runtime.WithRand(rand.Float64)), plan(), nil)
		var wg sync.WaitGroup
		var mu sync.Mutex
		var waits []time.Duration
		for range 50 {
			wg.Go(func() {
				script := play(step{After: 10 * time.Millisecond, Err: status(429, "Retry-After", "1")}, step{})
				if _, err := runtime.Do(t.Context(), op, script.Run); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				waits = append(waits, gaps(script.Seen())...)
			})
		}
		wg.Wait()
		least, most := waits[0], waits[0]
		for _, w := range waits {
			least, most = min(least, w), max(most, w)
		}
		least, most = least-10*time.Millisecond, most-10*time.Millisecond // what the attempts took
		if least < time.Second || most > 1100*time.Millisecond || most-least < 50*time.Millisecond {
			t.Errorf("waits from %v to %v; want them spread over 1s to 1.1s", least, most)
		}
	})
}

func TestT21_RetryAfterReplacesTheScheduleNotTheCount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(func(p *policy.Plan) { p.Retry.Backoff.Multiplier, p.Retry.Attempts = 2, 5 }))
		busy := step{Err: status(503)}
		script := play(busy, busy, step{Err: status(429, "Retry-After", "1")}, busy, busy, busy)
		_, err := runtime.Do(t.Context(), op, script.Run)
		if err == nil {
			t.Error("want the 503")
		}
		want := []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, time.Second, 100 * time.Millisecond}
		if diff := cmp.Diff(want, gaps(script.Seen())); diff != "" {
			t.Errorf("waits (-want +got):\n%s", diff)
		}
	})
}

func TestT31_IdempotencyGate(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	for name, c := range map[string]struct {
		idempotency policy.Idempotency
		err         error
		want        int // attempts
	}{
		"none, 503":                   {policy.None, status(503), 1},
		"none, reset":                 {policy.None, &wire.TransportError{Stage: wire.StageWait, Wrote: true, Err: syscall.ECONNRESET}, 1},
		"none, truncated":             {policy.None, io.ErrUnexpectedEOF, 1},
		"none, unreadable answer":     {policy.None, &wire.DecodeError{Status: 200, Err: io.ErrUnexpectedEOF}, 1},
		"none, 529":                   {policy.None, status(529), 1},
		"none, 429":                   {policy.None, status(429), 2},
		"none, connection refused":    {policy.None, refused, 2},
		"none, REFUSED_STREAM":        {policy.None, &wire.TransportError{Stage: wire.StageSend, Wrote: true, Refused: true, Err: io.EOF}, 2},
		"none, 409":                   {policy.None, status(409), 1},
		"keyed, 503":                  {policy.Keyed, status(503), 2},
		"keyed, reset":                {policy.Keyed, io.ErrUnexpectedEOF, 2},
		"keyed, 409 at first":         {policy.Keyed, status(409), 1},
		"idempotent, timeout of ours": {policy.Idempotent, context.DeadlineExceeded, 2},
		"safe, 400":                   {policy.Safe, status(400), 1},
		"safe, 501":                   {policy.Safe, status(501), 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				op, _ := operation(t, plan(func(p *policy.Plan) {
					p.Idempotency, p.Retry.On, p.Key.Header = c.idempotency, policy.RetryOn(c.idempotency), "Idempotency-Key"
				}))
				script := play(step{Err: c.err}, step{})
				_, err := runtime.Do(t.Context(), op, script.Run)
				if n := len(script.Seen()); n != c.want || (err == nil) != (c.want == 2) {
					t.Errorf("%d attempts, %v; want %d", n, err, c.want)
				}
			})
		})
	}
}

func TestT31_APlanThatRetriesInDoubtIsRefused(t *testing.T) {
	t.Parallel()
	p := plan(func(p *policy.Plan) { p.Idempotency = policy.None })
	if _, err := runtime.NewOperation(nil, "llm", p, runtime.Wiring{}); err == nil {
		t.Error("a POST that is retried on timeouts was accepted")
	}
}

func TestT31_TheErrorSaysWhyItWasNotRetried(t *testing.T) {
	t.Parallel()
	op, _ := operation(t, plan(func(p *policy.Plan) { p.Idempotency, p.Retry.On = policy.None, policy.RetryOn(policy.None) }))
	_, err := runtime.Do(t.Context(), op, play(step{Err: io.ErrUnexpectedEOF}).Run)
	want := "llm.Get: reset after 1 attempt, not retried because the request may have been processed: unexpected EOF"
	var e *runtime.Error
	if !errors.As(err, &e) || !e.MayHaveActed || e.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestT39_EveryAttemptsErrorIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := plan(func(p *policy.Plan) { p.Targets = []policy.Target{{Name: "eu"}} }, ladder(other("eu")))
		op, _ := operation(t, p)
		first, last, far := status(502), status(503), errors.New("far away")
		script := play(step{Err: first, After: time.Millisecond}, step{Hang: true}, step{Err: last}, step{Err: far})
		_, err := runtime.Do(t.Context(), op, script.Run)
		var e *runtime.Error
		if !errors.As(err, &e) {
			t.Fatalf("got %T, want *runtime.Error", err)
		}
		if !errors.Is(e.Cause, last) || e.Status != 503 || e.Attempts != 4 || e.Kind != policy.KindTransient {
			t.Errorf("got %+v; want the last real error of the operation itself", e)
		}
		if !errors.Is(err, far) || !errors.Is(err, runtime.ErrTransient) || errors.Is(err, runtime.ErrPermanent) {
			t.Errorf("errors.Is: far %v, transient %v, permanent %v", errors.Is(err, far), errors.Is(err, runtime.ErrTransient), errors.Is(err, runtime.ErrPermanent))
		}
		type failure struct {
			Rung, Number int
			Kind         policy.Kind
			Elapsed      time.Duration
		}
		var got []failure
		for _, f := range e.Failures() {
			got = append(got, failure{f.Rung, f.Number, f.Kind, f.Elapsed})
		}
		want := []failure{
			{0, 1, policy.KindTransient, time.Millisecond},
			{0, 2, policy.KindTimeout, time.Second},
			{0, 3, policy.KindTransient, 0},
			{1, 1, policy.KindPermanent, 0},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("failures (-want +got):\n%s", diff)
		}
	})
}

func TestT39_TheLastRealErrorIsNotHiddenByTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan())
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		_, err := runtime.Do(ctx, op, play(step{Err: status(503)}, step{Hang: true}).Run)
		var response *wire.StatusError
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &response) || runtime.KindOf(err) != policy.KindDeadline {
			t.Errorf("got %v; want the deadline and the 503", err)
		}
		if want := "llm.Get: deadline after 2 attempts: status 503 Service Unavailable: context deadline exceeded"; err.Error() != want {
			t.Errorf("text %q, want %q", err, want)
		}
	})
}

func TestT40_AnAttemptTimeoutIsRetriedAndTheWaitIsTheCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(func(p *policy.Plan) { p.Retry.Backoff.Base, p.Retry.Backoff.Max = 3*time.Second, 0 }))
		start, script := time.Now(), play(step{Hang: true}, step{Hang: true}, step{Value: "third"})
		got, err := runtime.Do(t.Context(), op, script.Run)
		if got != "third" || err != nil || time.Since(start) != 8*time.Second {
			t.Errorf("got %q, %v after %v; want the third after two timeouts and two waits", got, err, time.Since(start))
		}
	})
}

func TestT40_TheLastAttemptGetsWhatIsLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(func(p *policy.Plan) { p.Timeout.Total = 2500 * time.Millisecond }))
		start := time.Now()
		_, err := runtime.Do(t.Context(), op, play(step{Hang: true}).Run)
		if time.Since(start) != 2500*time.Millisecond || !errors.Is(err, runtime.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v after %v; want a timeout at the total", err, time.Since(start))
		}
	})
}

func TestTheCallerEndsAWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(func(p *policy.Plan) { p.Retry.Backoff.Base, p.Retry.Backoff.Max = 2*time.Second, 0 }))
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("the user went away")
		time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
		start, script := time.Now(), play(step{Err: status(503)})
		_, err := runtime.Do(ctx, op, script.Run)
		if time.Since(start) != 50*time.Millisecond || len(script.Seen()) != 1 {
			t.Errorf("%d attempts in %v; want one, and an end with the caller", len(script.Seen()), time.Since(start))
		}
		var response *wire.StatusError
		if !errors.Is(err, context.Canceled) || !errors.Is(err, why) || !errors.Is(err, runtime.ErrCanceled) || !errors.As(err, &response) {
			t.Errorf("got %v; want the cancel, its cause, and the 503", err)
		}
	})
}

func TestAtOneInstantATimerComesBeforeTheCallersEnd(t *testing.T) {
	t.Parallel()
	for range 20 { // a bare select would pick one at random
		synctest.Test(t, func(t *testing.T) {
			op, _ := operation(t, plan())
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(100*time.Millisecond, cancel)
			script := play(step{Err: status(503)}, step{})
			if _, err := runtime.Do(ctx, op, script.Run); err != nil || len(script.Seen()) != 2 {
				t.Errorf("%d attempts, %v; want the second, which was due when the caller ended", len(script.Seen()), err)
			}
		})
	}
}

func TestACallerThatHasEndedCostsNothing(t *testing.T) {
	t.Parallel()
	op, _ := operation(t, plan(ladder(static("sorry"))))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	script := play(step{})
	if _, err := runtime.DoResult(ctx, op, script.Run); !errors.Is(err, context.Canceled) || len(script.Seen()) != 0 {
		t.Errorf("got %v with %d attempts; want the cancel and none, not even the static rung", err, len(script.Seen()))
	}
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	sorry := func(_ context.Context, at runtime.Attempt) (int, error) { return at.Rung, nil }
	if res, err := runtime.DoResult(late, op, sorry); err != nil || res.Rung != "sorry" {
		t.Errorf("after the deadline: %+v, %v; want the static rung", res, err)
	}
}
