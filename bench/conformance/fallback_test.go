package conformance

import (
	"context"
	"sync"
	"time"
)

func fallbackProbes() []probe {
	return []probe{
		{
			"T63", "T63", "the caller cancels a call that has a fallback", "no fallback: the caller is told about the cancel",
			guarded(settings{fallback: true}, func(g *guard) finding {
				ctx, cancel := context.WithCancel(context.Background())
				time.AfterFunc(20*time.Millisecond, cancel)
				err := g.do(ctx, hang)
				if err == nil {
					return judge(false, "the fallback answers")
				}
				return judge(true, "no fallback")
			}),
		},
		{
			"T62", "T62", "1,000 calls at once fail, and fall back to a function that takes 1 s", "the function is bounded: it is the next victim",
			func(lib library) finding {
				var mu sync.Mutex
				now, most := 0, 0
				s := settings{instead: func(context.Context) error {
					mu.Lock()
					now++
					most = max(most, now)
					mu.Unlock()
					time.Sleep(time.Second)
					mu.Lock()
					now--
					mu.Unlock()
					return nil
				}}
				return guarded(s, func(g *guard) finding {
					var all sync.WaitGroup
					for range 1000 {
						all.Go(func() { _ = g.do(context.Background(), fail) })
					}
					all.Wait()
					return judge(most < 1000, "%d at once", most)
				})(lib)
			},
		},
		{
			"T64", "T64", "the call hangs; its deadline is 1 s; the fallback is a function that takes 100 ms", "time is kept for it: it answers within the deadline",
			guarded(settings{reserve: 200 * time.Millisecond, instead: func(ctx context.Context) error { return wait(ctx, 100*time.Millisecond, false) }},
				func(g *guard) finding {
					ctx, cancel := context.WithTimeout(context.Background(), time.Second)
					defer cancel()
					var err error
					took := elapsed(func() { err = g.do(ctx, hang) })
					return judge(err == nil && took <= time.Second, "answered: %v, after %v", err == nil, took.Round(10*time.Millisecond))
				}),
		},
		{
			"T9a", "T9", "a fallback below an open breaker", "it answers at once",
			guarded(settings{breaker: byThree(), fallback: true}, func(g *guard) finding {
				g.trip()
				var err error
				took := elapsed(func() { err = g.do(context.Background(), fail) })
				return judge(err == nil && took == 0, "answered: %v, after %v", err == nil, took)
			}),
		},
	}
}
