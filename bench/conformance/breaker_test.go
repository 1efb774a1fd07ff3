package conformance

import (
	"context"
	"errors"
	"time"
)

func breakerProbes() []probe {
	threeTimes := func(s settings, call func(g *guard)) func(library) finding {
		return guarded(s, func(g *guard) finding {
			for range 3 {
				call(g)
			}
			if g.runs() {
				return judge(true, "closed")
			}
			return judge(false, "open")
		})
	}
	canceled := func(g *guard, fn func(context.Context) error) {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		_ = g.do(ctx, fn)
	}
	return []probe{
		{
			"F3, G3", "T1", "the caller cancels 3 calls", "the breaker stays closed",
			threeTimes(settings{breaker: byThree()}, func(g *guard) { canceled(g, hang) }),
		},
		{
			"T1a", "T1", "the caller cancels 3 calls, and the transport makes another error of it", "the breaker stays closed",
			threeTimes(settings{breaker: byThree()}, func(g *guard) {
				canceled(g, func(ctx context.Context) error {
					<-ctx.Done()
					return errClosed
				})
			}),
		},
		{
			"T1b", "T1", "our own attempt timeout ends 3 calls", "the breaker opens",
			guarded(settings{breaker: byThree(), timeout: 100 * time.Millisecond}, func(g *guard) finding {
				for range 3 {
					_ = g.do(context.Background(), hang)
				}
				return judge(!g.runs(), "%s", openOr(g))
			}),
		},
		{
			"T2", "T2", "the caller's deadline, much shorter than the timeout, ends 3 calls", "the breaker stays closed",
			threeTimes(settings{breaker: byThree()}, func(g *guard) {
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
				defer cancel()
				_ = g.do(ctx, hang)
			}),
		},
		{
			"C2", "T10", "30 calls answer after the timeout, without regard to their context",
			"callers get their answers, and the breaker stays closed unless a rule for slow calls was asked for",
			guarded(settings{breaker: byThree(), timeout: 100 * time.Millisecond}, func(g *guard) finding {
				answered := 0
				for range 30 {
					if g.do(context.Background(), func(context.Context) error { time.Sleep(150 * time.Millisecond); return nil }) == nil {
						answered++
					}
				}
				if answered == 0 {
					return without("the caller gets errors instead")
				}
				return judge(answered == 30, "%d of 30 callers got their answer; %s", answered, openOr(g))
			}),
		},
		{
			"T10a", "T10", "30 calls succeed, slowly", "a rule for slow calls opens the breaker",
			guarded(settings{breaker: byThree(), slow: time.Second}, func(g *guard) finding {
				for range 30 {
					_ = g.do(context.Background(), func(context.Context) error { time.Sleep(2 * time.Second); return nil })
				}
				return judge(!g.runs(), "%s", openOr(g))
			}),
		},
		{
			"T10b", "T10", "30 calls hang, and none has ended", "they count as slow while they hang: the next call is refused",
			guarded(settings{breaker: byThree(), slow: time.Second}, func(g *guard) finding {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				for range 30 {
					go func() { _ = g.do(ctx, hang) }()
				}
				time.Sleep(3 * time.Second)
				return judge(!g.runs(), "%s", openOr(g))
			}),
		},
		{
			"T12", "T12", "20 breakers open at the same instant", "they do not all ask again at the same instant", jitteredOpen,
		},
		{
			"G2", "T14", "a callback about a change asks for the state", "it is answered: no lock is held while calling out",
			func(lib library) finding {
				var g *guard
				changes := 0
				return guarded(settings{breaker: byThree(), onChange: func() { changes++; g.inspect() }}, func(made *guard) finding {
					g = made
					g.trip()
					return judge(changes == 1, "%d callbacks, all answered", changes)
				})(lib)
			},
		},
		{
			"T74", "T74", "a callback about a change panics", "the call has its own outcome",
			guarded(settings{breaker: byThree(), onChange: func() { panic("callback") }}, func(g *guard) finding {
				var last error
				panicked := apart(func() {
					for range 3 {
						last = g.do(context.Background(), fail)
					}
				})
				if panicked != nil {
					return judge(false, "the call panics")
				}
				return judge(errors.Is(last, errBroken), "the call fails with its own error")
			}),
		},
		{
			"T16", "T16", "2 failures, an hour of silence, a success and a failure", "the breaker stays closed: the window was emptied",
			guarded(settings{breaker: byThree()}, func(g *guard) finding {
				_ = g.do(context.Background(), fail)
				_ = g.do(context.Background(), fail)
				time.Sleep(time.Hour)
				_ = g.do(context.Background(), succeed)
				_ = g.do(context.Background(), fail)
				if g.runs() {
					return judge(true, "closed")
				}
				return judge(false, "open")
			}),
		},
	}
}

// openOr says in a word how the breaker is.
func openOr(g *guard) string {
	if g.runs() {
		return "closed"
	}
	return "open"
}

// jitteredOpen looks for the instant at which each of 20 breakers lets a call through again.
func jitteredOpen(lib library) finding {
	const many = 20
	return guarded(settings{breaker: byThree()}, func(*guard) finding {
		var all []*guard
		for range many {
			g, _ := lib.guard(settings{breaker: byThree()})
			g.trip()
			all = append(all, g)
		}
		first := map[time.Duration]int{}
		for at := time.Duration(0); len(all) > 0 && at < 2*afterOpen; at += 10 * time.Millisecond {
			var closed []*guard
			for _, g := range all {
				if g.runs() {
					first[at]++
					continue
				}
				closed = append(closed, g)
			}
			all = closed
			time.Sleep(10 * time.Millisecond)
		}
		if len(first) == 1 {
			return judge(false, "all at the same instant")
		}
		return judge(len(first) > many/2, "at %d different instants", len(first))
	})(lib)
}
