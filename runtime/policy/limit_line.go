package policy

import "time"

// find returns the quota of a tenant, brought up to t, and a reservation that names it.
func (l *Limiter) find(tenant string, t int64) (*quota, Reservation) {
	q, r := &l.all, Reservation{}
	if l.partition == PerTenant {
		r.quota, _ = findTenant(&l.tenants, tenant, t)
		q = valueOfTenant(&l.tenants, r.quota)
		if r.quota != 0 {
			r.serial = l.tenants.values.slots[r.quota].serial
		}
	}
	l.advance(q, t)
	return q, r
}

// quotaOf returns the quota that a reservation names; nil if its tenant was forgotten: then it had all of it.
func (l *Limiter) quotaOf(r *Reservation) *quota {
	switch {
	case l.partition == PerAll:
		return &l.all
	case r.quota == 0:
		return &l.tenants.other
	case findSlot(&l.tenants.values, r.quota, r.serial) == nil:
		return nil
	default:
		return valueOfTenant(&l.tenants, r.quota)
	}
}

// isIdle reports whether a fresh quota would decide the same.
func (l *Limiter) isIdle(q *quota, t int64) bool {
	if q.line.n > 0 || q.asked > t {
		return false
	}
	l.advance(q, t)
	for i := range l.n {
		if b := &q.buckets[i]; b.used > 0 || b.until > t || b.shut > t {
			return false
		}
	}
	return true
}

// join puts a call at the end of the line.
func (l *Limiter) join(q *quota, s spend, at int64) Permit {
	n, slot := takeSlot(&l.places)
	slot.value = place{spend: s, at: at}
	pushSlot(&l.places, &q.line, n)
	for i := range l.n {
		q.buckets[i].ahead += s[i]
	}
	return Permit{slot: n, serial: slot.serial}
}

// leave takes a call out of the line.
func (l *Limiter) leave(q *quota, n uint32) {
	s := l.places.slots[n].value.spend
	dropSlot(&l.places, &q.line, n)
	giveSlot(&l.places, n)
	for i := range l.n {
		b := &q.buckets[i]
		if b.ahead -= s[i]; q.line.n == 0 {
			b.ahead = 0
		}
	}
}

// mostLooks is how far into the line a call looks for itself.
const mostLooks = 64

// aheadOf returns what those ahead of a call in line will take. Calls ask about when their turn comes, and so from near the head; who is
// not found there is taken for the last, and is roused when that proves too late.
func (l *Limiter) aheadOf(q *quota, n uint32) (s spend) {
	at := q.line.head
	for range mostLooks {
		if at == n {
			return s
		}
		p := &l.places.slots[at]
		for i := range l.n {
			s[i] += p.value.spend[i]
		}
		if at = p.next; at == 0 {
			return s
		}
	}
	s = q.ahead(l.n)
	own := &l.places.slots[n].value.spend
	for i := range l.n {
		s[i] = max(s[i]-own[i], 0)
	}
	return s
}

// sooner is by how much a turn must come earlier for its call to be roused.
const sooner = int64(10 * time.Microsecond)

// rouse returns the head of the line if its turn comes earlier than it was told.
func (l *Limiter) rouse(q *quota, t int64) Permit {
	n := q.line.head
	if n == 0 {
		return Permit{}
	}
	p := &l.places.slots[n]
	at, _ := l.due(q, t, &p.value.spend, &spend{})
	if at > p.value.at-sooner {
		return Permit{}
	}
	p.value.at, p.value.roused = at, true
	return Permit{slot: n, serial: p.serial}
}

// IsRoused reports whether a call in line is to ask again now. A driver that has made itself known as a waiter looks once, since it may
// have been roused before.
func (l *Limiter) IsRoused(p Permit) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := findSlot(&l.places, p.slot, p.serial)
	return s != nil && s.value.roused
}

// IsLow reports whether the tenant's quota is nearly used up: somebody waits, the target asked for a pause, or another call of that cost would
// leave less than a tenth of what a bucket holds. Hedges are not sent then (trap T51).
func (l *Limiter) IsLow(now time.Time, tenant string, cost Cost) bool {
	const tenth = 0.1
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.clock.tick(now)
	q, _ := l.find(tenant, t)
	s, _, ok := l.price(cost)
	if !ok || q.line.n > 0 {
		return true
	}
	for i := range l.n {
		c, b := &l.buckets[i], &q.buckets[i]
		if c.on && b.shut > t || c.rate > 0 && c.balance(b)-s[i] < c.most*tenth {
			return true
		}
	}
	return false
}
