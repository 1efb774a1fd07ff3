package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// single is a plan of one attempt, with a breaker.
func single(b policy.BreakerConfig, change ...func(*policy.Plan)) policy.Plan {
	return once(append([]func(*policy.Plan){func(p *policy.Plan) { p.Breaker = b }}, change...)...)
}

// quick is a breaker that one failure opens, for that long.
func quick(open time.Duration) policy.BreakerConfig {
	b := breaker(1)
	b.OpenFor, b.OpenMax = open, open
	return b
}

func TestC037_ACallersCancelDoesNotTripTheBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := against(t, single(breaker(5)), times(50, slow(500*time.Millisecond, ok()), ok()))
		together(50, func(i int) {
			ctx, cancel := context.WithCancel(t.Context())
			if i%2 == 0 {
				ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
			} else {
				time.AfterFunc(20*time.Millisecond, cancel)
			}
			defer cancel()
			if err := s.get(ctx); err == nil {
				t.Error("a call that was given up has an answer")
			}
		})
		if m := s.machines().Breaker; m.State != policy.StateClosed || m.Calls != 0 || m.InFlight != 0 {
			t.Errorf("breaker %+v; want it closed, without evidence", m)
		}
		if err := s.get(t.Context()); err != nil {
			t.Errorf("the plain call: %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) { // the control: our own attempt timeout is evidence
		s := against(t, single(breaker(5), func(p *policy.Plan) { p.Timeout.Attempt = 20 * time.Millisecond }), []playStep{hangs})
		for range 5 {
			_ = s.get(t.Context())
		}
		if m := s.machines().Breaker; m.State != policy.StateOpen {
			t.Errorf("breaker %+v after five timeouts; want it open", m)
		}
	})
}

func TestC038_AClientErrorDoesNotOpenTheBreaker(t *testing.T) {
	t.Parallel()
	var clients []playStep
	for i := range 20 {
		clients = append(clients, fails([]int{400, 404, 422}[i%3]))
	}
	fifth := append(times(4, fails(500)), fails(404), fails(500), ok())
	for name, c := range map[string]struct {
		steps []playStep
		calls int
		want  policy.State
		hits  int
	}{
		"400, 404, 422":                    {append(clients, ok()), 21, policy.StateClosed, 21},
		"500":                              {[]playStep{fails(500)}, 21, policy.StateOpen, 5},
		"a 404 wipes no count of failures": {fifth, 7, policy.StateOpen, 6},
		"429":                              {[]playStep{fails(429)}, 21, policy.StateClosed, 21},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := against(t, single(breaker(5)), c.steps)
				for range c.calls {
					_ = s.get(t.Context())
				}
				if m := s.machines().Breaker; m.State != c.want || len(s.seen()) != c.hits {
					t.Errorf("%s after %d hits, want %s after %d", m.State, len(s.seen()), c.want, c.hits)
				}
			})
		})
	}
}

func TestC040_AProbeThatPanicsGivesItsSlotBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, retrying(3, time.Millisecond, time.Millisecond, func(p *policy.Plan) {
			p.Breaker, p.Bulkhead.MaxConcurrent = quick(50*time.Millisecond), 1
		}), nil)
		script := play(step{Err: status(500)}, step{Then: func(context.Context, runtime.Attempt) (string, error) { panic("boom") }}, step{Value: "ok"})
		got := func() (p any) {
			defer func() { p = recover() }()
			_, _ = runtime.Do(t.Context(), op, script.Run)
			return nil
		}
		first := got()
		sleep(100 * time.Millisecond)
		if second := got(); first != nil || second != "boom" {
			t.Errorf("panics %v, %v; want none, then its own value", first, second)
		}
		sleep(100 * time.Millisecond)
		v, err := runtime.Do(t.Context(), op, script.Run)
		m := g.Snapshot()[0]
		if v != "ok" || err != nil || m.Breaker.State != policy.StateClosed || m.Breaker.InFlight != 0 || m.Bulkhead.InFlight != 0 {
			t.Errorf("%q, %v, %+v; want an answer that closes the breaker, and nothing in flight", v, err, m)
		}
	})
}

func TestC041_AProbeThatNeverSettlesLosesItsSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := against(t, single(quick(100*time.Millisecond)), []playStep{fails(500), slow(3*time.Minute, ok()), ok()})
		_ = s.get(t.Context())
		sleep(200 * time.Millisecond)
		late := make(chan error, 1)
		go func() { late <- s.get(t.Context()) }()
		sleep(time.Second)
		if err := s.get(t.Context()); !errors.Is(err, runtime.ErrBreakerOpen) {
			t.Errorf("while the probe is out: %v", err)
		}
		sleep(time.Minute)
		if err := s.get(t.Context()); err != nil {
			t.Errorf("after the lease: %v; want another probe to be let through", err)
		}
		before := s.machines().Breaker
		if err := <-late; err != nil {
			t.Error(err)
		}
		after := s.machines().Breaker
		if before.State != policy.StateClosed || after.State != policy.StateClosed || after.Calls != 0 {
			t.Errorf("before the late outcome %+v, after it %+v; want both closed, without evidence of it", before, after)
		}
	})
}

func TestC043_ALateOutcomeOfAnEarlierStateDoesNotCount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, c playStep
		want policy.State // when A has ended
	}{
		"a late failure does not open":  {slow(600*time.Millisecond, fails(500)), ok(), policy.StateClosed},
		"a late success does not close": {slow(600*time.Millisecond, ok()), slow(time.Second, ok()), policy.StateHalfOpen},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := against(t, single(quick(100*time.Millisecond)), []playStep{c.a, fails(500), c.c, ok()})
				go func() { _ = s.get(t.Context()) }() // A
				synctest.Wait()
				_ = s.get(t.Context()) // B
				sleep(250 * time.Millisecond)
				go func() { _ = s.get(t.Context()) }() // C
				sleep(400 * time.Millisecond)
				if m := s.machines().Breaker; m.State != c.want {
					t.Errorf("%s after A has ended, want %s", m.State, c.want)
				}
				sleep(time.Second)
				if err := s.get(t.Context()); err != nil || len(s.seen()) != 4 {
					t.Errorf("D: %v after %d hits; want it to reach the server", err, len(s.seen()))
				}
			})
		})
	}
}

func TestC044_OldFailuresAgeOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		every time.Duration
		good  int // answers after each failure
		want  policy.State
	}{
		"one each 400 ms":             {400 * time.Millisecond, 0, policy.StateClosed},
		"one each 400 ms, mixed":      {80 * time.Millisecond, 4, policy.StateClosed},
		"the control: five in 300 ms": {60 * time.Millisecond, 0, policy.StateOpen},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := breaker(0)
				b.WindowAge, b.MinCalls, b.FailureRate, b.OpenFor, b.OpenMax = time.Second, 5, 0.5, time.Hour, time.Hour
				var n atomic.Int64
				s := against(t, single(b), []playStep{func(w http.ResponseWriter, r *http.Request) {
					if int(n.Add(1)-1)%(c.good+1) == 0 {
						fails(500)(w, r)
					} else {
						ok()(w, r)
					}
				}})
				for range 20 * (c.good + 1) {
					_ = s.get(t.Context())
					sleep(c.every)
				}
				if m := s.machines().Breaker; m.State != c.want {
					t.Errorf("%+v, want %s", m, c.want)
				}
			})
		})
	}
}

func TestC046_WaitersThatGaveUpLeakNoPermit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int64
		step := func(w http.ResponseWriter, r *http.Request) {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			slow(300*time.Millisecond, ok())(w, r)
			now.Add(-1)
		}
		s := against(t, once(func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 5, MaxQueue: 100, MaxWait: 50 * time.Millisecond}
		}), []playStep{step})
		var rejected atomic.Int64
		start := time.Now()
		together(100, func(int) {
			if err := s.get(t.Context()); err != nil {
				if took := time.Since(start); !errors.Is(err, runtime.ErrBulkheadFull) || took < 50*time.Millisecond || took > 120*time.Millisecond {
					t.Errorf("%v after %v; want a full bulkhead after 50 to 120 ms", err, took)
				}
				rejected.Add(1)
			}
		})
		if rejected.Load() != 95 || most.Load() != 5 {
			t.Errorf("%d rejected, %d at once; want 95 and 5", rejected.Load(), most.Load())
		}
		sleep(time.Second)
		start = time.Now()
		together(5, func(int) {
			if err := s.get(t.Context()); err != nil || time.Since(start) != 300*time.Millisecond {
				t.Errorf("afterwards: %v after %v; want all five at once", err, time.Since(start))
			}
		})
		if m := s.machines().Bulkhead; most.Load() != 5 || m.InFlight != 0 || m.Queued != 0 {
			t.Errorf("%d at once, %+v; want 5, and nothing left", most.Load(), m)
		}
	})
}

func TestC047_APanicLosesNoPermit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, once(func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 2 }))
		for range 100 {
			func() {
				defer func() {
					if recover() != "boom" {
						t.Error("the panic is not the function's own")
					}
				}()
				_, _ = runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) { panic("boom") })
			}()
		}
		var done atomic.Int64
		for range 2 {
			go func() {
				if _, err := runtime.Do(t.Context(), op, play(step{After: time.Second}).Run); err == nil {
					done.Add(1)
				}
			}()
		}
		synctest.Wait()
		if _, err := runtime.Do(t.Context(), op, play(step{}).Run); !errors.Is(err, runtime.ErrBulkheadFull) {
			t.Errorf("the third: %v; want the bulkhead full", err)
		}
		sleep(2 * time.Second)
		if done.Load() != 2 {
			t.Errorf("%d of two were let through", done.Load())
		}
	})
}

// C041 at scale: of ten thousand callers at once a half-open breaker lets its probes through, and no more.
func TestT06_TenThousandCallersAtAHalfOpenBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		b := quick(time.Second)
		b.Probes, b.CloseAfter = 3, 3
		op := operationIn(t, g, single(b, func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 100 }), nil)
		trip(t, op)
		sleep(2 * time.Second)
		var sent, rejected atomic.Int64
		together(10_000, func(int) {
			_, err := runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) {
				sent.Add(1)
				sleep(100 * time.Millisecond)
				return 0, nil
			})
			if errors.Is(err, runtime.ErrBreakerOpen) || errors.Is(err, runtime.ErrBulkheadFull) {
				rejected.Add(1)
			}
		})
		m := g.Snapshot()[0]
		if sent.Load() != 3 || rejected.Load() != 9997 || m.Breaker.State != policy.StateClosed || m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 {
			t.Errorf("%d sent, %d rejected, %+v; want three probes that close it", sent.Load(), rejected.Load(), m)
		}
	})
}
