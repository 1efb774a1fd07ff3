package conformance

import (
	"context"
	"errors"
	"slices"
	"time"
)

func retryProbes() []probe {
	return []probe{
		{
			"T9", "T9", "a retry around an open breaker", "the call fails at once: an open breaker is not retried",
			guarded(settings{breaker: byThree(), attempts: 4, backoff: time.Second}, func(g *guard) finding {
				for range 3 {
					_ = g.do(context.Background(), fail)
				}
				ran := 0
				took := elapsed(func() {
					_ = g.do(context.Background(), func(context.Context) error {
						ran++
						return errBroken
					})
				})
				return judge(took == 0 && ran == 0, "fails after %v, %d attempts", took, ran)
			}),
		},
		{
			"T17", "T17", "the wait before the retry, 10 s, does not fit into the deadline, 300 ms", "the call fails at once, with the real error",
			guarded(settings{attempts: 3, backoff: 10 * time.Second}, func(g *guard) finding {
				ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
				defer cancel()
				var err error
				took := elapsed(func() { err = g.do(ctx, fail) })
				return judge(took == 0 && errors.Is(err, errBroken), "fails after %v; the real error is kept: %v", took, errors.Is(err, errBroken))
			}),
		},
		{
			"T22", "T22", "80 attempts, backoff from 1 s to 10 s", "no wait overflows: later ones stay around the cap",
			guarded(settings{attempts: 80, backoff: time.Second, backoffMax: 10 * time.Second}, func(g *guard) finding {
				gaps := failing(g)
				late := gaps[min(20, len(gaps)):]
				var sum time.Duration
				for _, w := range late {
					sum += w
				}
				mean := (sum / time.Duration(max(len(late), 1))).Round(time.Second)
				return judge(len(gaps) == 79 && mean >= 3*time.Second && mean <= 13*time.Second, "%d waits, %v on average", len(gaps), mean)
			}),
		},
		{
			"T23", "T23", "the same, with jitter", "no wait exceeds the cap",
			guarded(settings{attempts: 80, backoff: time.Second, backoffMax: 10 * time.Second}, func(g *guard) finding {
				most := slices.Max(failing(g))
				if most <= 10*time.Second {
					return judge(true, "none does")
				}
				return finding{choice, "up to 25 % above it: the base is capped, then jittered"}
			}),
		},
		{
			"T30", "T30", "three layers of 3 attempts each, all failing", "one layer retries: 3 attempts",
			func(lib library) finding {
				s := settings{attempts: 3, backoff: time.Millisecond}
				return guarded(s, func(outer *guard) finding {
					middle, _ := lib.guard(s)
					inner, _ := lib.guard(s)
					attempts := 0
					_ = outer.do(context.Background(), func(ctx context.Context) error {
						return middle.do(ctx, func(ctx context.Context) error {
							return inner.do(ctx, func(context.Context) error {
								attempts++
								return errBroken
							})
						})
					})
					return judge(attempts == 3, "%d attempts", attempts)
				})(lib)
			},
		},
		{
			"T39", "T39", "3 attempts fail", "errors.Is finds the last attempt's error",
			guarded(settings{attempts: 3, backoff: time.Millisecond}, func(g *guard) finding {
				err := g.do(context.Background(), fail)
				return judge(errors.Is(err, errBroken), "found: %v", errors.Is(err, errBroken))
			}),
		},
		{
			"T40", "T40", "an attempt runs into its timeout of 100 ms, the retry comes after a wait of 1 s", "the wait is the call's: the retry is made and succeeds",
			guarded(settings{attempts: 3, backoff: time.Second, timeout: 100 * time.Millisecond}, func(g *guard) finding {
				attempts := 0
				err := g.do(context.Background(), func(ctx context.Context) error {
					if attempts++; attempts == 1 {
						return hang(ctx)
					}
					return ctx.Err()
				})
				return judge(err == nil && attempts == 2, "%d attempts, answered: %v", attempts, err == nil)
			}),
		},
		{
			"T63a", "T63", "the caller has ended before it calls", "the function is not run",
			guarded(settings{attempts: 3, backoff: time.Millisecond}, func(g *guard) finding {
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				ran := 0
				_ = g.do(ctx, func(ctx context.Context) error {
					ran++
					return ctx.Err()
				})
				return judge(ran == 0, "run %d times", ran)
			}),
		},
		{
			"F9", "T49", "a function runs 300 ms and ignores its context; the timeout is 100 ms", "the caller gets its result after 100 ms",
			guarded(settings{timeout: 100 * time.Millisecond}, func(g *guard) finding {
				var err error
				took := elapsed(func() {
					err = g.do(context.Background(), func(context.Context) error { time.Sleep(300 * time.Millisecond); return nil })
				})
				text := "it is waited for, and its answer is dropped"
				if err == nil {
					text = "it is waited for, and its answer is given to the caller"
				}
				if took > 100*time.Millisecond {
					return finding{choice, text + ": a function that is left behind is a goroutine that is leaked"}
				}
				return judge(true, "it is left behind")
			}),
		},
	}
}

// failing returns the waits between the attempts of a call that fails always.
func failing(g *guard) []time.Duration {
	var seen []time.Time
	_ = g.do(context.Background(), func(context.Context) error {
		seen = append(seen, time.Now())
		return errBroken
	})
	var gaps []time.Duration
	for i := 1; i < len(seen); i++ {
		gaps = append(gaps, seen[i].Sub(seen[i-1]))
	}
	return gaps
}
