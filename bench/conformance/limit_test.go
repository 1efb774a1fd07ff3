package conformance

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

func limitProbes() []probe {
	return []probe{
		{
			"F14", "T55", "a limit of 10 a second; 10 callers give up after 1 ms of waiting", "the next caller waits 100 ms: they are refunded",
			guarded(settings{rate: 10}, func(g *guard) finding {
				_ = g.do(context.Background(), succeed)
				var all sync.WaitGroup
				for range 10 {
					all.Go(func() {
						ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
						defer cancel()
						_ = g.do(ctx, succeed)
					})
				}
				all.Wait()
				ran := false
				waited := elapsed(func() { _ = g.do(context.Background(), func(context.Context) error { ran = true; return nil }) })
				return judge(ran && waited >= 50*time.Millisecond && waited <= 200*time.Millisecond, "waits %v, let through: %v", waited.Round(10*time.Millisecond), ran)
			}),
		},
		{
			"T55", "T55", "a limit of 10 a second; 40 callers at once", "at most 11 start in any second, and all are served within 4 s",
			guarded(settings{rate: 10}, func(g *guard) finding {
				var all sync.WaitGroup
				var mu sync.Mutex
				var starts []time.Duration
				began := time.Now()
				for range 40 {
					all.Go(func() {
						_ = g.do(context.Background(), func(context.Context) error {
							mu.Lock()
							defer mu.Unlock()
							starts = append(starts, time.Since(began))
							return nil
						})
					})
				}
				all.Wait()
				most := 0
				for _, from := range starts {
					in := 0
					for _, at := range starts {
						if at >= from && at < from+time.Second {
							in++
						}
					}
					most = max(most, in)
				}
				return judge(len(starts) == 40 && most <= 11 && time.Since(began) <= 4*time.Second,
					"%d served within %v, %d in one second", len(starts), time.Since(began).Round(10*time.Millisecond), most)
			}),
		},
		{
			"T55a", "2.C", "a limit of 10 a second, and a call that is retried 3 times", "each attempt counts: they are 100 ms apart",
			guarded(settings{rate: 10, attempts: 4, backoff: time.Millisecond}, func(g *guard) finding {
				gaps := failing(g)
				return judge(len(gaps) == 3 && slices.Min(gaps) >= 90*time.Millisecond, "%d retries, %v apart at least", len(gaps), slices.Min(gaps))
			}),
		},
		{
			"T54", "T54", "a limit of 1 a second is used up; the caller's deadline is 300 ms away", "the call fails at once",
			guarded(settings{rate: 1}, func(g *guard) finding {
				_ = g.do(context.Background(), succeed)
				ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
				defer cancel()
				ran := false
				took := elapsed(func() { _ = g.do(ctx, func(context.Context) error { ran = true; return nil }) })
				return judge(!ran && took == 0, "fails after %v", took)
			}),
		},
		{
			"F15", "T36", "100 calls a second for 5 minutes to a dependency that fails each", "a trickle goes through, and most are rejected",
			guarded(settings{throttle: true}, func(g *guard) finding {
				ran := throttled(g, 5*time.Minute, func() error { return errBroken })
				share := float64(ran) / 30000
				return judge(share > .05 && share < .35, "%.0f %% go through", 100*share)
			}),
		},
		{
			"T36", "T36", "then 100 calls a second for 5 minutes that all succeed", "at the end all go through again",
			guarded(settings{throttle: true}, func(g *guard) finding {
				throttled(g, 2*time.Minute, func() error { return errBroken })
				throttled(g, 5*time.Minute, func() error { return nil })
				ran := throttled(g, 10*time.Second, func() error { return nil })
				return judge(ran >= 990, "%.0f %% go through", float64(ran)/10)
			}),
		},
		{
			"T36a", "T36", "100 calls a second, 5 % of which fail", "none is rejected",
			guarded(settings{throttle: true}, func(g *guard) finding {
				r := rand.New(rand.NewPCG(1, 2))
				ran := throttled(g, 2*time.Minute, func() error {
					if r.Float64() < .05 {
						return errBroken
					}
					return nil
				})
				return judge(ran == 12000, "%d of 12000 go through", ran)
			}),
		},
	}
}

// throttled makes 100 calls a second and returns how many ran.
func throttled(g *guard, span time.Duration, answer func() error) int {
	var ran atomic.Int32
	for range int(span / (10 * time.Millisecond)) {
		_ = g.do(context.Background(), func(context.Context) error {
			ran.Add(1)
			return answer()
		})
		time.Sleep(10 * time.Millisecond)
	}
	return int(ran.Load())
}
