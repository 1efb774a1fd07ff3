package conformance

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func halfOpenProbes() []probe {
	return []probe{
		{
			"T3", "T3", "the caller cancels the half-open probe", "the slot comes back at once, and nothing was learnt",
			guarded(settings{breaker: byThree()}, func(g *guard) finding {
				g.trip()
				time.Sleep(afterOpen)
				ctx, cancel := context.WithCancel(context.Background())
				time.AfterFunc(20*time.Millisecond, cancel)
				_ = g.do(ctx, hang)
				after, text := recovery(g)
				if g.windowed && after == afterOpen {
					return finding{choice, "half-open lets so many calls through in each open time, whatever becomes of them: " + text}
				}
				return judge(after == 0, "%s", text)
			}),
		},
		{
			"F4, C1", "T4", "the half-open probe panics", "the slot comes back",
			guarded(settings{breaker: byThree()}, func(g *guard) finding {
				g.trip()
				time.Sleep(afterOpen)
				apart(func() { _ = g.do(context.Background(), func(context.Context) error { panic("probe") }) })
				after, text := recovery(g)
				return judge(after >= 0, "%s", text)
			}),
		},
		{
			"G1", "T4", "the half-open probe ends its goroutine (runtime.Goexit)", "the slot comes back",
			guarded(settings{breaker: byThree()}, func(g *guard) finding {
				g.trip()
				time.Sleep(afterOpen)
				apart(func() {
					_ = g.do(context.Background(), func(context.Context) error {
						runtime.Goexit()
						return nil
					})
				})
				after, text := recovery(g)
				return judge(after >= 0, "%s", text)
			}),
		},
		{
			"F6", "T5", "a call that began while closed succeeds during half-open", "it does not count: half-open goes on", staleSuccess(1),
		},
		{
			"F17", "T5", "10 slots of half-open are taken, and 2 calls that began while closed end", "no further call is let through", staleSuccess(10),
		},
		{
			"T6", "T6", "10,000 callers come at once to a half-open breaker with one slot", "one call runs",
			guarded(settings{breaker: byThree()}, func(g *guard) finding {
				g.trip()
				time.Sleep(afterOpen)
				var ran atomic.Int32
				var all sync.WaitGroup
				for range 10000 {
					all.Go(func() {
						_ = g.do(context.Background(), func(context.Context) error {
							ran.Add(1)
							time.Sleep(time.Second)
							return nil
						})
					})
				}
				all.Wait()
				return judge(ran.Load() == 1, "%d run", ran.Load())
			}),
		},
		{
			"T7", "T7", "the half-open probe hangs and ignores its context", "within a minute another call is let through",
			guarded(settings{breaker: byThree()}, func(g *guard) finding {
				g.trip()
				time.Sleep(afterOpen)
				release := make(chan struct{})
				var all sync.WaitGroup
				all.Go(func() { _ = g.do(context.Background(), func(context.Context) error { <-release; return nil }) })
				time.Sleep(time.Second)
				after, text := recovery(g)
				close(release)
				all.Wait()
				return judge(after >= 0 && after <= time.Minute, "%s", text)
			}),
		},
	}
}

// recovery looks for a call that is let through: at once, after a second open time, within a minute, an hour. It returns -1 if there is
// none.
func recovery(g *guard) (time.Duration, string) {
	began := time.Now()
	for _, step := range []struct {
		wait time.Duration
		text string
	}{
		{0, "the next call is let through at once"},
		{afterOpen, "refused at once, let through after another open time"},
		{time.Minute - afterOpen, "let through within a minute"},
		{time.Hour, "let through within an hour"},
	} {
		time.Sleep(step.wait)
		if g.runs() {
			return time.Since(began).Round(time.Second), step.text
		}
	}
	return -1, "nothing is let through for an hour"
}

// staleSuccess has calls that began while the breaker was closed end while half-open is busy with its probes.
func staleSuccess(slots int) func(library) finding {
	s := settings{breaker: &breakerSettings{minCalls: 3, probes: slots}}
	return guarded(s, func(g *guard) finding {
		var all sync.WaitGroup
		endAt := func(d time.Duration) func(context.Context) error {
			return func(context.Context) error {
				time.Sleep(d)
				return nil
			}
		}
		for range 2 {
			all.Go(func() { _ = g.do(context.Background(), endAt(afterOpen+2*time.Second)) })
		}
		time.Sleep(time.Millisecond)
		for range 4 { // the calls in flight may be counted
			_ = g.do(context.Background(), fail)
		}
		time.Sleep(afterOpen)
		var probes atomic.Int32
		for range slots {
			all.Go(func() {
				_ = g.do(context.Background(), func(context.Context) error {
					probes.Add(1)
					time.Sleep(4 * time.Second)
					return nil
				})
			})
		}
		time.Sleep(3 * time.Second)
		extra := 0
		var mu sync.Mutex
		for range 5 {
			all.Go(func() {
				_ = g.do(context.Background(), func(context.Context) error {
					mu.Lock()
					extra++
					mu.Unlock()
					time.Sleep(500 * time.Millisecond)
					return nil
				})
			})
		}
		all.Wait()
		if int(probes.Load()) != slots {
			return judge(false, "%d of %d probes were let through", probes.Load(), slots)
		}
		return judge(extra == 0, "%d of 5 further calls are let through", extra)
	})
}
