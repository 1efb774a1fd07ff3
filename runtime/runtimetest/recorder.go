package runtimetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Recorder is an observer that keeps every event. The zero value is ready. Safe for concurrent use.
type Recorder struct {
	runtime.ClientCount

	mu     sync.Mutex
	events []runtime.Event
}

// Observe keeps the event.
func (r *Recorder) Observe(_ context.Context, e runtime.Event) {
	r.mu.Lock()
	r.events = append(r.events, e)
	r.mu.Unlock()
}

// Events returns the events of the given kinds so far, in order; all of them if no kind is given.
func (r *Recorder) Events(of ...runtime.EventKind) []runtime.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	var kept []runtime.Event
	for _, e := range r.events {
		if len(of) == 0 || slices.Contains(of, e.What) {
			kept = append(kept, e)
		}
	}
	return kept
}

// Reset forgets the events so far.
func (r *Recorder) Reset() {
	r.mu.Lock()
	r.events = nil
	r.mu.Unlock()
}

// Trace returns the events so far, one a line: the time since the first one, what happened, and the fields that say why. The text is
// meant to be compared.
func (r *Recorder) Trace() string {
	var b strings.Builder
	all := r.Events()
	for _, e := range all {
		fmt.Fprintf(&b, "%s %s", e.Time.Sub(all[0].Time), e.What)
		if e.RungName != "" {
			fmt.Fprintf(&b, " rung=%s", e.RungName)
		}
		if e.Attempt > 0 {
			fmt.Fprintf(&b, " attempt=%d", e.Attempt)
		}
		if e.Kind != policy.KindNone {
			fmt.Fprintf(&b, " kind=%s", e.Kind)
		}
		if e.What == runtime.RetryScheduled {
			fmt.Fprintf(&b, " wait=%s", e.Wait)
		}
		if e.To != "" {
			fmt.Fprintf(&b, " %s→%s", e.From, e.To)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
