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
	// Shed means that there is no permit, and no room to wait for one because the call is Sheddable: the rest of the queue is for
	// others.
	Shed
)

// Permit is the right to one call, or a place in the queue for it. Comparable and unique within its bulkhead: a driver may use it
// as the key of whom to wake. The zero Permit is that of a bulkhead that is off, and of a rejection.
type Permit struct {
	slot, serial uint32
}

// Claim is what a call says when it asks for a permit.
type Claim struct {
	// Tenant is for whom the call is made. It counts where the bulkhead is PerTenant.
	Tenant string
	// Criticality says who may wait, and who is served first. CriticalityUnset is Normal.
	Criticality Criticality
	// Deadline is the caller's; zero is none. It is one for what the permit is held for: a stream that may outlive it has none.
	Deadline time.Time
	// MayWait says that the answer may be Waiting. A hedge copy only tries.
	MayWait bool
}

// Bulkhead bounds the calls in flight, and lets a bounded number wait for a bounded time.
//
//	Acquire ──▶ Admitted ───────────────▶ Release
//	       └──▶ Waiting ──grant──▶ held ──▶ Release
//	       │            └─ Abandon, or MaxWait or the deadline passes: gone
//	       └──▶ Rejected: queue full, or a deadline that cannot be met
//	       └──▶ Shed: the part of the queue that is open to the call is full
//
// Invariants: never more than MaxConcurrent permits are held; while one waits, all are held; each permit that comes back goes to
// the next waiter whose time has not passed, in the same step.
//
// Where it is PerTenant, all this holds for each tenant: its calls compete with one another alone. In memory it keeps 10,000
// tenants, of which it forgets those that hold nothing; those for whom there is no place are one tenant together.
//
// Where it is Adaptive, the number of permits follows the latency between 1 and MaxConcurrent, and starts with 20. There is one such
// number, learned from all calls, and each tenant has that many permits: who makes the target slow is held back, who uses fewer
// is not. A permit that was given out is never taken back, so after a fall there may be more for a while; and after a rise a
// tenant's waiters may have to wait until one of its own permits comes back.
//
// The order of the queue is in bulkhead_queue.go.
//
// Safe for concurrent use. It blocks nobody: waiting is an answer, and the driver wakes whom a call grants.
type Bulkhead struct {
	cfg BulkheadConfig

	mu      *sync.Mutex // of the guard
	clock   *clock      // as mu
	limit   int         // permits that each tenant has now
	permits table[permit]
	held    list // oldest first
	queued  int
	tenants tenants[share] // only the shared one where all are one
	service histogram      // how long permits were held
	learner *adaptive      // nil where the limit is fixed
}

// permit is what a bulkhead remembers of a Permit.
type permit struct {
	since   int64 // when it was held, or queued
	until   int64 // the last instant at which a waiter may be served
	tenant  uint32
	class   Criticality
	queued  bool
	sampled bool // the learner knows how long the answer took
}

// NewBulkhead returns a bulkhead with all permits free. With MaxConcurrent 0 it admits everything and counts nothing. With MaxQueue
// or MaxWait 0 nobody waits.
func NewBulkhead(cfg BulkheadConfig) *Bulkhead {
	cfg.MaxWait = min(cfg.MaxWait, longest)
	b := &Bulkhead{cfg: cfg, limit: cfg.MaxConcurrent, tenants: makeTenants(idleShare)}
	b.Under(NewGuard())
	if cfg.Adaptive && cfg.MaxConcurrent > 0 {
		b.learner = newAdaptive(cfg.MaxConcurrent)
		b.limit = b.learner.permits()
	}
	return b
}

// Acquire asks for a permit. A call that would have to wait is rejected at once if there is no room, or if its deadline comes before
// it is likely to have been served, by the median time that permits were held.
func (b *Bulkhead) Acquire(now time.Time, c Claim) (Permit, BulkheadVerdict) {
	if b.cfg.MaxConcurrent <= 0 {
		return Permit{}, Admitted
	}
	b.mu.Lock()
	p, verdict := b.claim(b.clock.tick(now), now, &c)
	b.mu.Unlock()
	return p, verdict
}

// claim is Acquire with the lock held, of a bulkhead that is on. t is now by its clock.
func (b *Bulkhead) claim(t int64, now time.Time, c *Claim) (Permit, BulkheadVerdict) {
	tenant := b.tenantOf(t, c)
	if p, ok := b.free(t, tenant); ok {
		return p, Admitted
	}
	if !c.MayWait || b.cfg.MaxWait <= 0 {
		return Permit{}, Rejected
	}
	return b.enqueue(t, now, tenant, *c)
}

// tenantOf returns the number of the tenant whose permits a call takes.
func (b *Bulkhead) tenantOf(t int64, c *Claim) uint32 {
	if b.cfg.Per != PerTenant {
		return 0
	}
	tenant, _ := findTenant(&b.tenants, c.Tenant, t)
	return tenant
}

// free takes a permit of the tenant's, if one is free, with the lock held.
func (b *Bulkhead) free(t int64, tenant uint32) (Permit, bool) {
	s := valueOfTenant(&b.tenants, tenant)
	if s.held >= b.limit {
		return Permit{}, false
	}
	n, p := takeSlot(&b.permits)
	p.value.since, p.value.tenant = t, tenant
	b.hold(s, n)
	return Permit{slot: n, serial: p.serial}, true
}

// hold counts the permit in slot n as held.
func (b *Bulkhead) hold(s *share, n uint32) {
	pushSlot(&b.permits, &b.held, n)
	s.held++
	if b.learner != nil {
		b.learner.window.peak = max(b.learner.window.peak, s.held)
	}
}

// WaitUntil returns when a caller that Acquire told to wait at now must give up.
func (b *Bulkhead) WaitUntil(now, deadline time.Time) time.Time {
	until := now.Add(b.cfg.MaxWait)
	if !deadline.IsZero() && deadline.Before(until) {
		return deadline
	}
	return until
}

// Sample tells an adaptive bulkhead how the call with that permit went before the permit comes back: a stream's first item is the
// sample, not its end.
func (b *Bulkhead) Sample(now time.Time, p Permit, o Outcome) {
	if b.learner == nil || p.slot == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.clock.tick(now)
	if s := findSlot(&b.permits, p.slot, p.serial); s != nil && !s.value.queued && !s.value.sampled {
		s.value.sampled = true
		b.learner.record(t, s.value.since, o)
		b.limit = b.learner.permits()
	}
}

// Release gives a permit back after the call, by defer, with how the call went, and returns the waiters that were granted one. Only
// the first release of a permit counts. A permit with which no call was made is abandoned instead: it would pass for a short call.
func (b *Bulkhead) Release(now time.Time, p Permit, o Outcome) (granted []Permit) {
	return b.end(now, p, o, true)
}

// Abandon gives up a permit without a call: it takes a waiter out of the queue; a permit that is held, or was granted in the
// meantime, goes on to the next waiter, who is returned. One that has expired or is unknown is no error.
func (b *Bulkhead) Abandon(now time.Time, p Permit) (granted []Permit) {
	return b.end(now, p, Outcome{}, false)
}

// end takes a permit back, whether it is held or waits. used says that a call was made with it.
func (b *Bulkhead) end(now time.Time, p Permit, o Outcome, used bool) []Permit {
	if p.slot == 0 {
		return nil
	}
	b.mu.Lock()
	granted := b.takeBack(b.clock.tick(now), p, o, used)
	b.mu.Unlock()
	return granted
}

// takeBack is end with the lock held.
func (b *Bulkhead) takeBack(t int64, p Permit, o Outcome, used bool) []Permit {
	slot := findSlot(&b.permits, p.slot, p.serial)
	if slot == nil {
		return nil
	}
	ended := slot.value
	s := valueOfTenant(&b.tenants, ended.tenant)
	if ended.queued {
		b.leave(s, p.slot)
		return nil
	}
	if used && b.cfg.MaxWait > 0 { // else nobody asks how long that takes
		b.service.record(t, time.Duration(t-ended.since))
	}
	dropSlot(&b.permits, &b.held, p.slot)
	giveSlot(&b.permits, p.slot)
	s.held--
	if used && b.learner != nil && !ended.sampled {
		b.learner.record(t, ended.since, o)
		b.limit = b.learner.permits()
	}
	if s.waiting == 0 {
		return nil
	}
	return b.grant(t, s)
}

// Holds reports whether the permit is held: it was admitted, or granted, and not yet released. A driver that has made itself known
// as a waiter asks once, since the grant may have come before.
func (b *Bulkhead) Holds(p Permit) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := findSlot(&b.permits, p.slot, p.serial)
	return s != nil && !s.value.queued
}

// PerTenant reports whether each tenant has a bulkhead of its own.
func (b *Bulkhead) PerTenant() bool { return b.cfg.Per == PerTenant }

// BulkheadSnapshot is what a bulkhead shows of itself. Tenants are counted, never named.
type BulkheadSnapshot struct {
	// InFlight is the number of permits held, by all tenants, and Limit how many each may hold now: MaxConcurrent, or less where
	// the bulkhead is adaptive.
	InFlight, Limit, MaxConcurrent int
	// Queued is the number of waiters of all tenants; each may have MaxQueue.
	Queued, MaxQueue int
	// Oldest is the age of the permit that is held longest: one that keeps growing was leaked.
	Oldest time.Duration
	// Overload says that the queue is last in, first out; where there are tenants, that of those who have no place of their own.
	Overload bool
	// Tenants is the number of tenants that are told apart, and Spilled how often one came for whom there was no place.
	Tenants int
	Spilled uint64
}

// Snapshot returns what the bulkhead shows at now.
func (b *Bulkhead) Snapshot(now time.Time) BulkheadSnapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.clock.tick(now)
	all := valueOfTenant(&b.tenants, 0)
	b.dropExpired(t, all)
	s := BulkheadSnapshot{
		InFlight: b.held.n, Limit: b.limit, MaxConcurrent: b.cfg.MaxConcurrent, Queued: b.queued, MaxQueue: b.cfg.MaxQueue,
		Overload: all.overload, Tenants: countTenants(&b.tenants), Spilled: b.tenants.spilled,
	}
	if n := b.held.head; n != 0 {
		s.Oldest = time.Duration(t - b.permits.slots[n].value.since)
	}
	return s
}
