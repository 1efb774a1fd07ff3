package sim

import "github.com/resgen-go/resgen/runtime/policy"

// straighten has calls go straight where they may, as a live driver does that nobody watches: see policy.Straight. It must make no
// difference.
func (r *run) straighten() {
	r.straight = len(r.rungs) == 1 && r.exercise == nil && r.plan.Stream.Format == policy.NoStream &&
		r.plan.Idempotency != policy.Keyed && policy.IsStraight(&r.plan, &r.machines[0])
}

// goStraight starts a call that may go straight, and reports whether it does.
func (r *run) goStraight(c *call, req policy.Request) bool {
	if !r.straight || r.hasEnded(c) != policy.KindNone {
		return false
	}
	claim := policy.Claim{Tenant: req.Tenant, Criticality: req.Criticality}
	if claim.Criticality == policy.CriticalityUnset {
		claim.Criticality = r.plan.Criticality
	}
	m := &r.machines[0]
	if !c.way.Enter(r.time(r.now), req.Deadline, &r.plan, m, &claim) {
		r.obeyAll(c, c.way.Left(m))
		return false
	}
	c.goes, c.req = true, req
	r.obey(c, policy.Action{Do: policy.StartAttempt, Number: 1, Until: c.way.Until()})
	return true
}

// answerStraight ends a call with the answer of its first attempt, if it still goes straight.
func (r *run) answerStraight(c *call, res policy.Result) bool {
	if !c.goes || res.Kind != policy.KindNone {
		return false
	}
	r.obeyAll(c, c.way.Answer(r.time(r.now).Sub(c.way.Since())))
	r.obey(c, policy.Action{Do: policy.FinishCall})
	return true
}

// leaveWay has the machine take over a call that went straight so far.
func (r *run) leaveWay(c *call) {
	if c.goes {
		c.goes = false
		c.way.Resume(&c.machine, &r.plan, r.machines, &c.req, r.draw)
	}
}

func (r *run) obeyAll(c *call, actions []policy.Action) {
	for _, a := range actions {
		r.obey(c, a)
	}
}
