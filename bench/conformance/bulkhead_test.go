package conformance

import (
	"context"
	"runtime"
	"sync"
	"time"
)

func bulkheadProbes() []probe {
	return []probe{
		{
			"F5", "T4", "the only call that a bulkhead admits panics", "its permit comes back",
			guarded(settings{bulkhead: 1}, func(g *guard) finding {
				apart(func() { _ = g.do(context.Background(), func(context.Context) error { panic("call") }) })
				return permitBack(g)
			}),
		},
		{
			"F5a", "T4", "the only call that a bulkhead admits ends its goroutine (runtime.Goexit)", "its permit comes back",
			guarded(settings{bulkhead: 1}, func(g *guard) finding {
				apart(func() {
					_ = g.do(context.Background(), func(context.Context) error {
						runtime.Goexit()
						return nil
					})
				})
				return permitBack(g)
			}),
		},
		{
			"F12", "T8", "a full bulkhead inside a breaker rejects 5 calls", "the breaker stays closed",
			guarded(settings{breaker: byThree(), bulkhead: 1}, func(g *guard) finding {
				var all sync.WaitGroup
				all.Go(func() {
					_ = g.do(context.Background(), func(context.Context) error { time.Sleep(time.Second); return nil })
				})
				time.Sleep(time.Millisecond)
				for range 5 {
					_ = g.do(context.Background(), succeed)
				}
				all.Wait()
				return judge(g.runs(), "%s", openOr(g))
			}),
		},
		{
			"T53a", "T53", "a caller's deadline passes at the very instant at which its turn comes, or just before or after", "no permit is lost: the next call is let through",
			guarded(settings{bulkhead: 1, queue: 2, maxWait: time.Minute}, func(g *guard) finding {
				for round := range 60 {
					var all sync.WaitGroup
					all.Go(func() {
						_ = g.do(context.Background(), func(context.Context) error { time.Sleep(time.Second); return nil })
					})
					time.Sleep(time.Millisecond)
					off := time.Duration(round%3-1) * time.Nanosecond
					ctx, cancel := context.WithTimeout(context.Background(), time.Second-time.Millisecond+off)
					_ = g.do(ctx, succeed)
					cancel()
					all.Wait()
					ctx, cancel = context.WithTimeout(context.Background(), time.Second)
					ran := false
					_ = g.do(ctx, func(context.Context) error { ran = true; return nil })
					cancel()
					if !ran {
						return judge(false, "lost in round %d", round)
					}
				}
				return judge(true, "none is lost in 60 rounds")
			}),
		},
		{
			"T53b", "T53", "1,000 callers at once, a bulkhead for 10", "never more than 10 run",
			guarded(settings{bulkhead: 10}, func(g *guard) finding {
				var all sync.WaitGroup
				var mu sync.Mutex
				now, most := 0, 0
				for range 1000 {
					all.Go(func() {
						_ = g.do(context.Background(), func(context.Context) error {
							mu.Lock()
							now++
							most = max(most, now)
							mu.Unlock()
							time.Sleep(10 * time.Millisecond)
							mu.Lock()
							now--
							mu.Unlock()
							return nil
						})
					})
				}
				all.Wait()
				return judge(most == 10, "%d at most", most)
			}),
		},
		{
			"T53", "T53", "a caller gives up its place in the bulkhead's queue", "it returns at once, and the next in the queue gets the permit",
			guarded(settings{bulkhead: 1, queue: 2, maxWait: time.Minute}, func(g *guard) finding {
				var all sync.WaitGroup
				all.Go(func() {
					_ = g.do(context.Background(), func(context.Context) error { time.Sleep(10 * time.Second); return nil })
				})
				time.Sleep(time.Millisecond)
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				defer cancel()
				waited := elapsed(func() { _ = g.do(ctx, succeed) })
				got := g.runs()
				all.Wait()
				return judge(waited <= time.Second && got, "returns after %v; the next gets it: %v", waited, got)
			}),
		},
	}
}

func permitBack(g *guard) finding {
	if g.runs() {
		return judge(true, "the next call is let through")
	}
	time.Sleep(time.Hour)
	if g.runs() {
		return judge(false, "it comes back within an hour")
	}
	return judge(false, "full for ever")
}
