package conformance

import (
	"context"
	"sync"
	"time"
)

func budgetProbes() []probe {
	return []probe{
		{
			"F11", "T27", "100 calls at once fail, with a budget of 10 %", "at most 10 retries are in flight",
			guarded(settings{attempts: 2, backoff: time.Millisecond, budget: .1}, func(g *guard) finding {
				var all sync.WaitGroup
				var mu sync.Mutex
				now, most := 0, 0
				for range 100 {
					all.Go(func() {
						tries := 0
						_ = g.do(context.Background(), func(context.Context) error {
							tries++
							mu.Lock()
							if tries > 1 {
								now++
								most = max(most, now)
							}
							mu.Unlock()
							time.Sleep(100 * time.Millisecond)
							mu.Lock()
							if tries > 1 {
								now--
							}
							mu.Unlock()
							return errBroken
						})
					})
				}
				all.Wait()
				return judge(most <= 10, "%d at most", most)
			}),
		},
		{
			"T27", "T27", "1,000 calls fail at once, one after the other, 4 attempts, with a budget of 10 %", "at most 1,150 attempts",
			guarded(settings{attempts: 4, backoff: time.Millisecond, budget: .1}, func(g *guard) finding {
				attempts := exhaust(g, 1000)
				return judge(attempts <= 1150, "%d attempts", attempts)
			}),
		},
		{
			"T26", "T26", "after that, 500 calls succeed, and one fails", "it is retried: every first attempt refills the budget",
			guarded(settings{attempts: 4, backoff: time.Millisecond, budget: .1}, func(g *guard) finding {
				exhaust(g, 1000)
				for range 500 {
					_ = g.do(context.Background(), succeed)
				}
				attempts := exhaust(g, 1)
				return judge(attempts > 1, "%d attempts", attempts)
			}),
		},
		{
			"T25", "T25", "200 calls fail at once, with a budget of 10 % and a wait of 1 s", "a call that gets no retry does not sleep first",
			guarded(settings{attempts: 2, backoff: time.Second, budget: .1}, func(g *guard) finding {
				var all sync.WaitGroup
				var mu sync.Mutex
				denied, slept := 0, 0
				for range 200 {
					all.Go(func() {
						attempts := 0
						took := elapsed(func() {
							_ = g.do(context.Background(), func(context.Context) error {
								attempts++
								return errBroken
							})
						})
						mu.Lock()
						defer mu.Unlock()
						if attempts == 1 {
							denied++
							if took > 0 {
								slept++
							}
						}
					})
				}
				all.Wait()
				if denied == 0 {
					return judge(false, "no retry is denied")
				}
				return judge(slept == 0, "%d are denied, %d of them sleep first", denied, slept)
			}),
		},
	}
}

// exhaust makes calls that fail, and returns the attempts.
func exhaust(g *guard, calls int) int {
	attempts := 0
	for range calls {
		_ = g.do(context.Background(), func(context.Context) error {
			attempts++
			return errBroken
		})
	}
	return attempts
}
