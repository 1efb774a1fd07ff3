package policy

import "time"

// The queue. Waiters are served by criticality: critical ones first, sheddable ones last, but one grant in ten goes to the least
// critical that waits, so that nobody starves behind the others. Within a class the order is first in, first out. From the moment
// the queue is full until it is empty it is last in, first out: then not all can be served in time, and it is better to
// serve some at once than all too late (Maurer, "Fail at Scale", ACM Queue, 2015).
//
// Who may join: sheddable calls only the first half of MaxQueue, so that the other half is there when something more important
// comes. A critical call that finds the queue full takes the place of the newest waiter of the least class below its own. The one
// who was displaced is not told: it gives up when its wait is over, as one who was not served.

// sheddableShare is the part of the queue that sheddable calls may use: 1/2.
const sheddableShare = 2

// favour is how many grants go by criticality before one goes the other way round.
const favour = 9

// share is what one tenant has of a bulkhead.
type share struct {
	held     int
	waiting  int
	queues   [criticalityCount - Critical]list // by criticality; oldest first
	overload bool
	favoured uint8 // grants by criticality since the last one the other way round
}

// idleShare reports whether a share is as good as a fresh one.
func idleShare(s *share, _ int64) bool { return s.held == 0 && s.waiting == 0 }

// classOf returns the criticality by which a call queues.
func classOf(c Criticality) Criticality {
	if c < Critical || c >= criticalityCount {
		return Normal
	}
	return c
}

// queue returns the waiters of that class.
func (s *share) queue(class Criticality) *list { return &s.queues[class-Critical] }

// ahead returns the number of waiters that are served before a new one of that class, while all goes well.
func (s *share) ahead(class Criticality) int {
	n := 0
	for c := Critical; c <= class; c++ {
		n += s.queue(c).n
	}
	return n
}

// enqueue lets a call wait, if there is room for its class and it is likely to be served before its deadline.
func (b *Bulkhead) enqueue(t int64, now time.Time, tenant uint32, c Claim) (Permit, BulkheadVerdict) {
	s, class := valueOfTenant(&b.tenants, tenant), classOf(c.Criticality)
	b.dropExpired(t, s)
	if class == Sheddable && s.waiting >= b.cfg.MaxQueue/sheddableShare {
		return Permit{}, Shed
	}
	until := t + int64(b.cfg.MaxWait)
	if !c.Deadline.IsZero() {
		end := t + int64(min(c.Deadline.Sub(now), longest))
		if end <= t || end < t+b.need(s.ahead(class)) {
			return Permit{}, Rejected
		}
		until = min(until, end)
	}
	if s.waiting >= b.cfg.MaxQueue && (class != Critical || !b.displace(s)) {
		return Permit{}, Rejected
	}
	n, p := takeSlot(&b.permits)
	p.value = permit{since: t, until: until, tenant: tenant, class: class, queued: true}
	pushSlot(&b.permits, s.queue(class), n)
	s.waiting++
	b.queued++
	s.overload = s.overload || s.waiting >= b.cfg.MaxQueue
	return Permit{slot: n, serial: p.serial}, Waiting
}

// need estimates the time from joining the queue behind so many to having been served: the wait behind them, then one's own service.
func (b *Bulkhead) need(ahead int) int64 {
	if b.service.samples() == 0 {
		return 0
	}
	service := float64(b.service.quantile(half05))
	return int64(service + service*float64(ahead)/float64(b.limit))
}

// displace drops the newest waiter of the least class below Critical, and reports whether there was one.
func (b *Bulkhead) displace(s *share) bool {
	for class := criticalityCount - 1; class > Critical; class-- {
		if n := s.queue(class).tail; n != 0 {
			b.leave(s, n)
			return true
		}
	}
	return false
}

// grant hands free permits to the next waiters: one, or more if the limit has grown.
func (b *Bulkhead) grant(t int64, s *share) (granted []Permit) {
	b.dropExpired(t, s)
	for s.waiting > 0 && s.held < b.limit {
		n := s.next()
		slot := &b.permits.slots[n]
		if slot.value.until < t {
			b.leave(s, n)
			continue
		}
		b.unqueue(s, n)
		slot.value.queued, slot.value.since = false, t
		b.hold(s, n)
		granted = append(granted, Permit{slot: n, serial: slot.serial})
	}
	return granted
}

// next returns the waiter whose turn it is. There is one.
func (s *share) next() uint32 {
	first, last := Critical, criticalityCount-1
	for s.queue(first).n == 0 {
		first++
	}
	for s.queue(last).n == 0 {
		last--
	}
	class := first
	switch {
	case first == last:
	case s.favoured >= favour:
		s.favoured, class = 0, last
	default:
		s.favoured++
	}
	if s.overload {
		return s.queue(class).tail
	}
	return s.queue(class).head
}

// dropExpired drops the oldest waiters whose time has passed.
func (b *Bulkhead) dropExpired(t int64, s *share) {
	if s.waiting == 0 {
		return
	}
	for class := Critical; class < criticalityCount; class++ {
		q := s.queue(class)
		for n := q.head; n != 0 && b.permits.slots[n].value.until < t; n = q.head {
			b.leave(s, n)
		}
	}
}

// leave takes a waiter out of the queue for good.
func (b *Bulkhead) leave(s *share, n uint32) {
	b.unqueue(s, n)
	giveSlot(&b.permits, n)
}

// unqueue takes a waiter out of the queue. The overload ends once nobody waits.
func (b *Bulkhead) unqueue(s *share, n uint32) {
	dropSlot(&b.permits, s.queue(b.permits.slots[n].value.class), n)
	s.waiting--
	b.queued--
	s.overload = s.overload && s.waiting > 0
}
