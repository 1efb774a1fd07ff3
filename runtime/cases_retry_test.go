package runtime_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// C011: Retry-After as HTTP-date ignored. C013: unit mix-ups: fractional seconds and the millisecond header.
func TestC011_C013_EveryUnitOfRetryAfter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		header      func() []string
		least, most time.Duration
	}{
		"C011 a date": {func() []string {
			return []string{"Retry-After", time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat)}
		}, time.Second, 3500 * time.Millisecond},
		"C013 a fraction":       {func() []string { return []string{"Retry-After", "1.2"} }, 1200 * time.Millisecond, 2500 * time.Millisecond},
		"C013 seconds":          {func() []string { return []string{"Retry-After", "1"} }, time.Second, 1600 * time.Millisecond},
		"C013 milliseconds win": {func() []string { return []string{"Retry-After", "2", "Retry-After-Ms", "300"} }, 300 * time.Millisecond, 900 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := against(t, retrying(2, 10*time.Millisecond, time.Second), []playStep{fails(429, c.header()...), ok()})
				if err := s.get(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := s.gaps(); len(got) != 1 || got[0] < c.least || got[0] > c.most {
					t.Errorf("gaps %v, want one from %v to %v", got, c.least, c.most)
				}
			})
		})
	}
}

func TestC014_AHugeRetryAfterDoesNotFreezeTheCaller(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"412000", "412000.5", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		synctest.Test(t, func(t *testing.T) {
			s := against(t, retrying(3, 10*time.Millisecond, time.Second, func(p *policy.Plan) { p.Retry.RetryAfterMax = 2 * time.Second }),
				[]playStep{fails(429, "Retry-After", value)})
			start := time.Now()
			err := s.get(t.Context())
			var e *runtime.Error
			var status *wire.StatusError
			if !errors.As(err, &e) || !errors.As(err, &status) || status.Status != 429 || len(s.seen()) != 1 {
				t.Fatalf("%v after %d hits; want the 429 after one", err, len(s.seen()))
			}
			if time.Since(start) > 0 || e.NotBefore.Before(start.Add(412000*time.Second)) {
				t.Errorf("%s: after %v, not before %v; want it at once, with the whole wait", value, time.Since(start), e.NotBefore)
			}
		})
	}
}

func TestC016_NotEveryoneWakesAtTheHintedInstant(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const calls = 50
		// The answers wait until every call is there: a call that comes after the first 429 would wait for its pause.
		tooMany := slow(time.Millisecond, fails(429, "Retry-After", "1"))
		s := against(t, retrying(2, 10*time.Millisecond, time.Second), times(calls, tooMany, ok()))
		start := time.Now().Add(time.Millisecond)
		together(calls, func(int) {
			if err := s.get(t.Context()); err != nil {
				t.Error(err)
			}
		})
		var second []time.Duration
		for _, h := range s.seen()[calls:] {
			second = append(second, h.at.Sub(start))
		}
		first, last := slices.Min(second), slices.Max(second)
		if len(second) != calls || first < time.Second || last > 2*time.Second || last-first < 50*time.Millisecond {
			t.Errorf("%d second hits from %v to %v; want them spread over 50 ms or more between 1 s and 2 s", len(second), first, last)
		}
	})
}

// together runs f for 0 to n-1 at once and waits.
func together(n int, f func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

func TestC017_BackoffDoesNotOverflowIntoAHotLoop(t *testing.T) {
	t.Parallel()
	for _, jitter := range []policy.Jitter{policy.FullJitter, policy.EqualJitter, policy.DecorrelatedJitter} {
		synctest.Test(t, func(t *testing.T) {
			s := against(t, retrying(80, time.Millisecond, 5*time.Millisecond, func(p *policy.Plan) { p.Retry.Backoff.Jitter = jitter }),
				[]playStep{fails(503)})
			if err := s.get(t.Context()); !errors.Is(err, runtime.ErrTransient) {
				t.Fatal(err)
			}
			gaps := s.gaps()
			if len(gaps) != 79 {
				t.Fatalf("%d hits, want 80", len(gaps)+1)
			}
			if mean, most := meanOf(gaps[39:]), slices.Max(gaps); mean < 1250*time.Microsecond || most > 5*time.Millisecond {
				t.Errorf("jitter %d: mean %v, at most %v; want 1.25 ms or more, 5 ms or less", jitter, mean, most)
			}
		})
	}
}

func meanOf(all []time.Duration) time.Duration {
	var sum time.Duration
	for _, d := range all {
		sum += d
	}
	return sum / time.Duration(len(all))
}

func deviationOf(all []time.Duration) time.Duration {
	mean, sum := meanOf(all), 0.0
	for _, d := range all {
		sum += float64(d-mean) * float64(d-mean)
	}
	return time.Duration(math.Sqrt(sum / float64(len(all))))
}

func TestC019_ACancelEndsTheBackoff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // a timer or goroutine that is left would keep the bubble from its end
		s := against(t, retrying(3, 2*time.Second, 2*time.Second, func(p *policy.Plan) { p.Retry.Backoff.Jitter = policy.NoJitter }), []playStep{fails(503)})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		start := time.Now()
		err := s.get(ctx)
		if !errors.Is(err, context.Canceled) || time.Since(start) != 50*time.Millisecond || len(s.seen()) != 1 {
			t.Errorf("%v after %v and %d hits; want the cancel at 50 ms after one", err, time.Since(start), len(s.seen()))
		}
	})
}

func TestC020_AnAttemptTimeoutIsNoCancelOfTheCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := against(t, retrying(3, 10*time.Millisecond, time.Second, func(p *policy.Plan) { p.Timeout.Attempt = 100 * time.Millisecond }),
			[]playStep{hangs, hangs, ok()})
		start := time.Now()
		err := s.get(t.Context())
		if took := time.Since(start); err != nil || len(s.seen()) != 3 || took < 200*time.Millisecond || took > 900*time.Millisecond {
			t.Errorf("%v after %v and %d hits; want an answer of the third within 200 to 900 ms", err, took, len(s.seen()))
		}
	})
}

func TestC022_TheLastRealErrorIsNotLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := against(t, retrying(3, 10*time.Millisecond, time.Second), []playStep{fails(503), hangs})
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		err := s.get(ctx)
		var payload *wire.PayloadError[fault]
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &payload) || payload.Payload.Error.Code != "x1" {
			t.Errorf("got %v; want the deadline and the 503 before it", err)
		}
	})
}

func TestC023_BackoffDoesNotMarchInStep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const calls = 100
		p := retrying(3, 100*time.Millisecond, time.Second)
		gaps := make([][]time.Duration, calls)
		together(calls, func(i int) {
			op := operationIn(t, runtime.NewGroup(), p, nil)
			script := play(step{Err: status(503)}, step{Err: status(503)}, step{})
			if _, err := runtime.Do(t.Context(), op, script.Run); err != nil {
				t.Error(err)
			}
			seen := script.Seen()
			for k := 1; k < len(seen); k++ {
				gaps[i] = append(gaps[i], seen[k].At.Sub(seen[k-1].At))
			}
		})
		var first []time.Duration
		for _, g := range gaps {
			if len(g) != 2 || g[0] < 0 || g[0] > 100*time.Millisecond || g[1] < 0 || g[1] > 200*time.Millisecond {
				t.Fatalf("gaps %v, want two within their caps", g)
			}
			first = append(first, g[0])
		}
		if d := deviationOf(first); d < 10*time.Millisecond {
			t.Errorf("the first gaps deviate by %v, want 10 ms or more", d)
		}
	})
}

func TestC025_529IsTransient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := against(t, retrying(3, 10*time.Millisecond, time.Second), []playStep{fails(529), ok()})
		if err := s.get(t.Context()); err != nil || len(s.seen()) != 2 {
			t.Errorf("%v after %d hits; want an answer of the second", err, len(s.seen()))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		_, eu := serve(t, ok())
		s := against(t, retrying(3, 10*time.Millisecond, time.Second, func(p *policy.Plan) { p.Breaker = breaker(9) }, ladder(other("eu"))), []playStep{fails(529)},
			runtime.WithTarget("eu", runtime.WithHTTPClient(eu), runtime.WithCredential("bearer", "other")))
		res, err := s.call(t.Context(), http.MethodGet)
		var status *wire.StatusError
		if err != nil || res.Rung != "eu" || !errors.As(res.Cause, &status) || status.Status != 529 {
			t.Errorf("got %+v, %v; want the answer of eu, and the 529 as its cause", res, err)
		}
		if m := s.machines().Breaker; m.Failures != 3 || m.Calls != 3 {
			t.Errorf("evidence %+v, want three failures", m)
		}
	})
}
