package main

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// watcher keeps what became of the calls of a row, and what its breaker did.
type watcher struct {
	row   *row
	begun time.Time

	mu        sync.Mutex
	calls     map[int]*call
	failed    map[runtime.Kind]int
	probing   int // attempts at the primary that began while its breaker was not closed
	probes    int // the most of them
	notClosed bool
	openUntil time.Duration // of the last opening before the primary came back
}

// call is one call.
type call struct {
	at, took time.Duration
	touched  atomic.Bool // it made an attempt at the primary
	rung     int         // that answered; below 0 it failed
}

type callKey struct{}

// touched notes that the call of the context makes an attempt at the primary.
func touched(ctx context.Context) {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		c.touched.Store(true)
	}
}

func (w *watcher) start(n int) *call {
	c := &call{at: time.Since(w.begun)}
	w.mu.Lock()
	w.calls[n] = c
	w.mu.Unlock()
	return c
}

func (w *watcher) end(c *call, rung int, err error) {
	w.mu.Lock()
	if err != nil {
		w.failed[runtime.KindOf(err)]++
	}
	c.rung, c.took = rung, time.Since(w.begun)-c.at
	w.mu.Unlock()
}

// Observe follows the breaker of the primary.
func (w *watcher) Observe(_ context.Context, e runtime.Event) {
	if e.Target != policy.PrimaryTarget {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e.What {
	case runtime.AttemptStart:
		if w.notClosed {
			w.probing++
			w.probes = max(w.probes, w.probing)
		}
	case runtime.AttemptEnd:
		w.probing = max(0, w.probing-1)
	case runtime.BreakerChanged:
		if w.notClosed = e.To != "closed"; e.To == "open" {
			w.probing = 0 // what is in flight began before
			if at := e.Time.Sub(w.begun); at < holeTo+attemptTimeout {
				w.openUntil = e.Until.Sub(w.begun)
			}
		}
	default:
	}
}

// outcome counts.
func (w *watcher) outcome() outcome {
	w.mu.Lock()
	defer w.mu.Unlock()
	const p99 = 2.326 // standard deviations
	slow := time.Duration(float64(median) * math.Exp(p99*sigma))
	back := max(w.openUntil, holeTo) + attemptTimeout + 3*slow + time.Second
	o := outcome{probes: w.probes, failed: w.failed}
	var away, answered, late, skipped, after, onPrimary int
	for _, c := range w.calls {
		o.slowest = max(o.slowest, c.took)
		if c.took > w.row.deadline+100*time.Millisecond {
			o.overdue++
		}
		switch {
		case c.at >= holeFrom && c.at < holeTo:
			away++
			if c.rung == 1 || w.row.pooled && c.rung == 0 {
				answered++
			}
			if c.at >= holeFrom+attemptTimeout+time.Second {
				late++
				if !c.touched.Load() {
					skipped++
				}
			}
		case c.at >= back:
			after++
			if c.rung == 0 {
				onPrimary++
			}
		}
	}
	o.answered, o.skipped, o.onPrimary = percent(answered, away), percent(skipped, late), percent(onPrimary, after)
	return o
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
