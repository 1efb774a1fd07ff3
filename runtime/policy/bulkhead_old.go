package policy

import "time"

// Acquire is Claim for a call without a tenant and of no criticality.
func (b *Bulkhead) Acquire(now, deadline time.Time, mayWait bool) (Permit, BulkheadVerdict) {
	return b.Claim(now, Claim{Deadline: deadline, MayWait: mayWait})
}

// Release is Return for a call of which nothing is known.
func (b *Bulkhead) Release(now time.Time, p Permit) []Permit { return b.Return(now, p, Outcome{}) }
