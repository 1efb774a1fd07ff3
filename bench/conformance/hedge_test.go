package conformance

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"
)

func hedgeProbes() []probe {
	after := settings{hedge: 20 * time.Millisecond}
	return []probe{
		{
			"F2", "T46", "the hedge wins, and the slow loser answers later without regard to its context", "the loser's body is closed too",
			overHTTP(httpSettings{hedge: 20 * time.Millisecond}, func(c *client, s *server) finding {
				status, _ := c.send(context.Background(), http.MethodGet, nil)
				time.Sleep(time.Minute)
				synctest.Wait()
				opened, closed := s.bodies()
				return judge(status == http.StatusOK && opened == closed && opened == 2, "status %d; %d of %d bodies closed", status, closed, opened)
			}, answer{status: http.StatusOK, body: "slow", after: time.Second, deaf: true}, fine),
		},
		{
			"F8", "T49", "the hedge wins after 20 ms, and the loser ignores its context for 400 ms", "the call returns after 20 ms",
			guarded(after, func(g *guard) finding {
				var first atomic.Bool
				took := elapsed(func() {
					_ = g.do(context.Background(), func(context.Context) error {
						if first.CompareAndSwap(false, true) {
							time.Sleep(400 * time.Millisecond)
						}
						return nil
					})
				})
				time.Sleep(time.Second)
				return judge(took <= 30*time.Millisecond, "returns after %v", took)
			}),
		},
		{
			"F13", "T42", "300 instant errors, then 20 calls of 10 ms, with a delay that the library finds", "at most 2 copies: errors say nothing about latency",
			guarded(settings{hedgeAuto: true}, func(g *guard) finding {
				for range 300 {
					_ = g.do(context.Background(), fail)
				}
				var attempts atomic.Int32
				for range 20 {
					_ = g.do(context.Background(), func(context.Context) error {
						attempts.Add(1)
						time.Sleep(10 * time.Millisecond)
						return nil
					})
				}
				time.Sleep(time.Second)
				return judge(attempts.Load() <= 22, "%d attempts for 20 calls", attempts.Load())
			}),
		},
		{
			"T44", "T44", "the hedge fails at once, the first attempt succeeds later", "the call succeeds: a failure does not win",
			guarded(after, func(g *guard) finding {
				var n atomic.Int32
				err := g.do(context.Background(), func(context.Context) error {
					if n.Add(1) > 1 {
						return errBroken
					}
					time.Sleep(100 * time.Millisecond)
					return nil
				})
				time.Sleep(time.Second)
				return judge(err == nil, "answered: %v", err == nil)
			}),
		},
		{
			"T46", "T46", "100 hedged calls have ended", "no goroutine is left",
			guarded(after, func(g *guard) finding {
				before := runtime.NumGoroutine()
				for range 100 {
					var n atomic.Int32
					ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
					_ = g.do(ctx, func(ctx context.Context) error {
						if n.Add(1) == 1 {
							return hang(ctx)
						}
						return nil
					})
					cancel()
				}
				time.Sleep(time.Second)
				synctest.Wait()
				left := max(runtime.NumGoroutine()-before, 0)
				return judge(left < 10, "%d are left", left)
			}),
		},
		{
			"T47", "T47", "a copy panics", "the panic reaches the caller, who may recover",
			guarded(after, func(g *guard) finding {
				panicked := apart(func() {
					ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
					defer cancel()
					var n atomic.Int32
					_ = g.do(ctx, func(ctx context.Context) error {
						if n.Add(1) > 1 {
							panic("copy")
						}
						return hang(ctx)
					})
				})
				return judge(panicked != nil, "the caller sees it: %v", panicked != nil)
			}),
		},
		{
			"T50", "T50", "200 calls of 100 ms at once, hedged after 20 ms, with a budget of 10 % for copies", "every call succeeds: a copy that is denied harms nothing",
			guarded(settings{hedge: 20 * time.Millisecond, budget: .1}, func(g *guard) finding {
				var all sync.WaitGroup
				var answered, attempts atomic.Int32
				for range 200 {
					all.Go(func() {
						err := g.do(context.Background(), func(context.Context) error {
							attempts.Add(1)
							time.Sleep(100 * time.Millisecond)
							return nil
						})
						if err == nil {
							answered.Add(1)
						}
					})
				}
				all.Wait()
				time.Sleep(time.Second)
				return judge(answered.Load() == 200 && attempts.Load() < 300, "%d of 200 answered, %d attempts", answered.Load(), attempts.Load())
			}),
		},
		{
			"T47a", "T47", "a copy ends its goroutine (runtime.Goexit)", "the caller comes back",
			guarded(after, func(g *guard) finding {
				var n atomic.Int32
				back := elapsed(func() {
					apart(func() {
						ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
						defer cancel()
						_ = g.do(ctx, func(ctx context.Context) error {
							if n.Add(1) > 1 {
								runtime.Goexit()
							}
							return wait(ctx, time.Second, false)
						})
					})
				})
				return judge(back <= time.Second, "after %v", back)
			}),
		},
		{
			"T35a", "T35", "the hedge wins, and the second half of its body comes 1 s after the call returned", "the whole body is read",
			overHTTP(httpSettings{hedge: 20 * time.Millisecond}, func(c *client, s *server) finding {
				body, err := c.open(context.Background())
				if err != nil {
					return judge(false, "%v", err)
				}
				text, err := io.ReadAll(body)
				body.Close()
				time.Sleep(time.Minute)
				opened, closed := s.bodies()
				return judge(err == nil && len(text) == len("first second") && opened == closed,
					"%d of 12 bytes, %s; %d of %d bodies closed", len(text), errorText(err), closed, opened)
			}, answer{status: http.StatusOK, body: "first second", after: time.Second, deaf: true}, answer{status: http.StatusOK, body: "first second", late: time.Second}),
		},
		{
			"T50a", "T50", "a call of 100 ms, hedged after 20 ms, in a bulkhead for one call", "no copy is sent, and the call succeeds",
			guarded(settings{hedge: 20 * time.Millisecond, bulkhead: 1}, oneCall),
		},
		{
			"T51a", "T51", "the same through a half-open breaker with one slot", "no copy is sent, and the call succeeds",
			guarded(settings{hedge: 20 * time.Millisecond, breaker: byThree()}, func(g *guard) finding {
				g.trip()
				time.Sleep(afterOpen)
				return oneCall(g)
			}),
		},
		{
			"T51", "T51", "the caller cancels a hedged call", "every copy ends, and the error is the cancel",
			guarded(after, func(g *guard) finding {
				ctx, cancel := context.WithCancel(context.Background())
				time.AfterFunc(100*time.Millisecond, cancel)
				var running atomic.Int32
				err := g.do(ctx, func(ctx context.Context) error {
					running.Add(1)
					defer running.Add(-1)
					return hang(ctx)
				})
				time.Sleep(time.Second)
				is := errors.Is(err, context.Canceled)
				return judge(running.Load() == 0 && is, "%d copies run on; the error is the cancel: %v", running.Load(), is)
			}),
		},
	}
}

// oneCall makes a call of 100 ms.
func oneCall(g *guard) finding {
	var now, most atomic.Int32
	err := g.do(context.Background(), func(context.Context) error {
		if in := now.Add(1); in > most.Load() {
			most.Store(in)
		}
		defer now.Add(-1)
		time.Sleep(100 * time.Millisecond)
		return nil
	})
	time.Sleep(time.Second)
	return judge(err == nil && most.Load() == 1, "answered: %v, %d at once", err == nil, most.Load())
}
