package policy

import "time"

// pass asks the throttle of the present rung's target, once for all attempts on the rung, and reports whether the call may go on.
func (c *Call) pass(now time.Time, m *Machines) bool {
	if m.Throttle == nil || c.passed {
		return true
	}
	c.passage, c.passed = m.Throttle.Admit(now, c.criticality())
	return c.passed
}

// passOn tells the throttle how the rung ended. An attempt that had less time than attempts get says nothing when that is over.
func (c *Call) passOn(now time.Time, k Kind) {
	if !c.passed {
		return
	}
	if k == KindTimeout && c.cut {
		k = KindDeadline
	}
	c.rungs[c.rung].Throttle.End(now, c.passage, k)
	c.passage, c.passed = Passage{}, false
}

// criticality returns how important the call is: as the caller says, else as the operation is.
func (c *Call) criticality() Criticality {
	if own := c.req.Criticality; own != CriticalityUnset {
		return own
	}
	return c.plan.Criticality
}

// claim returns what a bulkhead is to know of the call.
func (c *Call) claim() Claim { return Claim{Tenant: c.req.Tenant, Criticality: c.criticality()} }

// patientClaim is the claim of a copy that may wait for its permit.
func (c *Call) patientClaim(now time.Time) Claim {
	claim := c.claim()
	claim.Deadline, claim.MayWait = c.bound(now), true
	return claim
}

// crowded returns why a bulkhead has no permit for the call.
func crowded(m *Machines, verdict BulkheadVerdict) Fall {
	if verdict == Shed {
		return Fall{Kind: KindShed, own: m.Bulkhead.PerTenant()}
	}
	return Fall{Kind: KindBulkheadFull, own: m.Bulkhead.PerTenant()}
}

// outcome returns what the end of a copy says to shared machines.
func (f *flight) outcome(now time.Time, r *Result) Outcome {
	o := Outcome{Verdict: r.Verdict, InFlight: now.Sub(f.since), Dropped: r.Kind == KindThrottle}
	if r.Expired && !f.full {
		o.Verdict = Neutral
	}
	return o
}
