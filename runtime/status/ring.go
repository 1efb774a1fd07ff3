package status

import (
	"slices"
	"time"

	"github.com/resgen-go/resgen/runtime"
)

const (
	// ringSize is how many events are remembered.
	ringSize = 64
	// lookBack is among how many of the latest events one like the next is looked for.
	lookBack = 16
)

// happening is an event, and how often in a row it happened.
type happening struct {
	what                            runtime.EventKind
	client, operation, target, rung string
	level                           runtime.Level
	kind                            runtime.Kind
	from, to                        string
	fault                           string
	first, last                     time.Time
	until                           time.Time
	count                           uint64
}

// ring remembers the latest events. One that happens again within a minute is counted, so that a fallback of each call does not push out when
// the breaker opened. The zero value is empty.
type ring struct {
	all  []happening
	next int // where the next one goes once it is full
}

// note remembers an event. Nothing of its texts is kept.
func (r *ring) note(e *runtime.Event) {
	if e.What != runtime.BreakerChanged {
		for i := 1; i <= min(lookBack, len(r.all)); i++ {
			if h := &r.all[(r.next-i+len(r.all))%len(r.all)]; h.again(e) {
				h.last, h.until = e.Time, e.Until
				h.count++
				return
			}
		}
	}
	h := happening{
		what: e.What, client: e.Client, operation: e.Operation, target: e.Target, rung: e.RungName, level: e.Level, kind: e.Kind,
		from: e.From, to: e.To, fault: e.Injected, first: e.Time, last: e.Time, until: e.Until, count: 1,
	}
	if len(r.all) < ringSize {
		r.all = append(r.all, h)
		r.next = len(r.all) % ringSize
		return
	}
	r.all[r.next] = h
	r.next = (r.next + 1) % ringSize
}

// again reports whether the event is the same thing once more.
func (h *happening) again(e *runtime.Event) bool {
	return h.what == e.What && h.kind == e.Kind && h.operation == e.Operation && h.target == e.Target && h.rung == e.RungName &&
		h.client == e.Client && h.fault == e.Injected && e.Time.Sub(h.last) <= calm
}

// latest returns what is remembered, the latest first.
func (r *ring) latest() []happening {
	all := slices.Clone(r.all)
	slices.SortStableFunc(all, func(a, b happening) int { return b.last.Compare(a.last) })
	return all
}
