package policy

import (
	"sync"
	"time"
)

// BulkheadVerdict is a bulkhead's answer to a call. The zero value is Rejected.
type BulkheadVerdict uint8

// The verdicts.
const (
	// Rejected means that there is no permit and no room, or no time, to wait for one.
	Rejected BulkheadVerdict = iota
	// Admitted means that the permit is held, until Release.
	Admitted
	// Waiting means that the permit is queued: it comes back among the granted ones of a Release or an Abandon, or the caller
	// gives it up with Abandon.
	Waiting
)

// Permit is the right to one call, or a place in the queue for it. Comparable and unique within its bulkhead: a driver may use it
// as the key of whom to wake. The zero Permit is that of a bulkhead that is off, and of a rejection.
type Permit struct {
	slot, serial uint32
}

// Bulkhead bounds the calls in flight, and lets a bounded number wait for a bounded time.
//
//	Acquire ──▶ Admitted ───────────────▶ Release
//	       └──▶ Waiting ──grant──▶ held ──▶ Release
//	       │            └─ Abandon, or MaxWait or the deadline passes: gone
//	       └──▶ Rejected: queue full, or a deadline that cannot be met
//
// Invariants: never more than MaxConcurrent permits are held; while one waits, all are held; each permit that comes back goes to
// the next waiter whose time has not passed, in the same step.
//
// The queue is first in, first out. From the moment it is full until it is empty it is last in, first out: then not all can be
// served in time, and it is better to serve some at once than all too late (Maurer, "Fail at Scale", ACM Queue, 2015).
//
// Safe for concurrent use. It blocks nobody: waiting is an answer, and the driver wakes whom a call grants.
type Bulkhead struct {
	cfg BulkheadConfig

	mu       sync.Mutex
	clock    clock
	permits  table[permit]
	held     list // oldest first
	queue    list // oldest first
	overload bool
	service  histogram // how long permits were held
}

// permit is what a bulkhead remembers of a Permit.
type permit struct {
	since  int64 // when it was held, or queued
	until  int64 // the last instant at which a waiter may be served
	queued bool
}

// NewBulkhead returns a bulkhead with all permits free. With MaxConcurrent 0 it admits everything and counts nothing. With MaxQueue
// or MaxWait 0 nobody waits.
func NewBulkhead(cfg BulkheadConfig) *Bulkhead {
	cfg.MaxWait = min(cfg.MaxWait, longest)
	return &Bulkhead{cfg: cfg}
}

// Acquire asks for a permit. deadline is the caller's; the zero time is none. Where mayWait is false the answer is never
// Waiting: a hedge copy only tries. A caller that would have to wait is rejected at once if the queue is full, or if
// its deadline comes before it is likely to have been served, by the median time that permits were held. The deadline is therefore
// one for what the permit is held for: a stream that may outlive it gives none.
func (b *Bulkhead) Acquire(now, deadline time.Time, mayWait bool) (Permit, BulkheadVerdict) {
	if b.cfg.MaxConcurrent <= 0 {
		return Permit{}, Admitted
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.clock.tick(now)
	if b.held.n < b.cfg.MaxConcurrent {
		n, s := b.permits.take()
		s.value.since = t
		b.permits.push(&b.held, n)
		return Permit{slot: n, serial: s.serial}, Admitted
	}
	if !mayWait || b.cfg.MaxWait <= 0 {
		return Permit{}, Rejected
	}
	b.dropExpired(t)
	if b.queue.n >= b.cfg.MaxQueue {
		return Permit{}, Rejected
	}
	until := t + int64(b.cfg.MaxWait)
	if !deadline.IsZero() {
		end := t + int64(min(deadline.Sub(now), longest))
		if end <= t || end < t+b.need() {
			return Permit{}, Rejected
		}
		until = min(until, end)
	}
	n, s := b.permits.take()
	s.value = permit{since: t, until: until, queued: true}
	b.permits.push(&b.queue, n)
	if b.queue.n >= b.cfg.MaxQueue {
		b.overload = true
	}
	return Permit{slot: n, serial: s.serial}, Waiting
}

// need estimates the time from joining the queue to having been served: the wait behind those queued, then one's own service.
func (b *Bulkhead) need() int64 {
	if b.service.samples() == 0 {
		return 0
	}
	service := float64(b.service.quantile(half05))
	return int64(service + service*float64(b.queue.n)/float64(b.cfg.MaxConcurrent))
}

// WaitUntil returns when a caller that Acquire told to wait at now must give up.
func (b *Bulkhead) WaitUntil(now, deadline time.Time) time.Time {
	until := now.Add(b.cfg.MaxWait)
	if !deadline.IsZero() && deadline.Before(until) {
		return deadline
	}
	return until
}

// Release gives a permit back after the call, by defer, and returns the waiter that it was granted to, if there is one. Only the
// first release of a permit counts. A permit with which no call was made is abandoned instead: it would pass for a short call.
func (b *Bulkhead) Release(now time.Time, p Permit) (granted []Permit) { return b.end(now, p, true) }

// Abandon gives up a permit without a call: it takes a waiter out of the queue; a permit that is held, or was granted in the
// meantime, goes on to the next waiter, who is returned. One that has expired or is unknown is no error.
func (b *Bulkhead) Abandon(now time.Time, p Permit) (granted []Permit) { return b.end(now, p, false) }

// end takes a permit back, whether it is held or waits. used says that a call was made with it.
func (b *Bulkhead) end(now time.Time, p Permit, used bool) []Permit {
	if p.slot == 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.clock.tick(now)
	s := b.permits.find(p.slot, p.serial)
	switch {
	case s == nil:
		return nil
	case s.value.queued:
		b.leave(p.slot)
		return nil
	default:
		if used {
			b.service.record(t, time.Duration(t-s.value.since))
		}
		b.permits.drop(&b.held, p.slot)
		b.permits.give(p.slot)
		return b.grant(t)
	}
}

// grant hands the free permit to the next waiter.
func (b *Bulkhead) grant(t int64) []Permit {
	b.dropExpired(t)
	for b.queue.n > 0 {
		n := b.queue.head
		if b.overload {
			n = b.queue.tail
		}
		s := &b.permits.slots[n]
		if s.value.until < t {
			b.leave(n)
			continue
		}
		b.permits.drop(&b.queue, n)
		b.calm()
		s.value = permit{since: t}
		b.permits.push(&b.held, n)
		return []Permit{{slot: n, serial: s.serial}}
	}
	return nil
}

// dropExpired drops the oldest waiters whose time has passed.
func (b *Bulkhead) dropExpired(t int64) {
	for n := b.queue.head; n != 0 && b.permits.slots[n].value.until < t; n = b.queue.head {
		b.leave(n)
	}
}

// leave takes a waiter out of the queue for good.
func (b *Bulkhead) leave(n uint32) {
	b.permits.drop(&b.queue, n)
	b.permits.give(n)
	b.calm()
}

// calm ends the overload once nobody waits.
func (b *Bulkhead) calm() {
	if b.queue.n == 0 {
		b.overload = false
	}
}

// BulkheadSnapshot is what a bulkhead shows of itself.
type BulkheadSnapshot struct {
	// InFlight is the number of permits held, of MaxConcurrent.
	InFlight, MaxConcurrent int
	// Queued is the number of waiters, of MaxQueue.
	Queued, MaxQueue int
	// Oldest is the age of the permit that is held longest: one that keeps growing was leaked.
	Oldest time.Duration
	// Overload says that the queue is last in, first out.
	Overload bool
}

// Snapshot returns what the bulkhead shows at now.
func (b *Bulkhead) Snapshot(now time.Time) BulkheadSnapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.clock.tick(now)
	b.dropExpired(t)
	s := BulkheadSnapshot{
		InFlight: b.held.n, MaxConcurrent: b.cfg.MaxConcurrent, Queued: b.queue.n, MaxQueue: b.cfg.MaxQueue, Overload: b.overload,
	}
	if n := b.held.head; n != 0 {
		s.Oldest = time.Duration(t - b.permits.slots[n].value.since)
	}
	return s
}
