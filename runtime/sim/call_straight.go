package sim

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// straighten has calls go straight where they may, as a live driver does that nobody watches: see policy.Straight. It must make no
// difference.
func (r *run) straighten() {
	r.straight = r.exercise == nil && !r.plan.Stream.Format.Streams() &&
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
	left := time.Duration(0)
	if !req.Deadline.IsZero() {
		left = req.Deadline.Sub(r.time(r.now))
	}
	m := &r.machines[0]
	c.way.Size = req.Size
	if !c.way.Enter(&r.base, time.Duration(r.now), left, &r.plan, m, &claim) {
		r.obeyAll(c, c.way.Left(m))
		return false
	}
	c.goes, c.req = true, req
	start := policy.Action{Do: policy.StartAttempt, Number: 1}
	if lasts := c.way.Lasts(); lasts > 0 {
		start.Until = r.time(r.now + int64(lasts))
	}
	r.obey(c, start)
	return true
}

// answerStraight ends a call with the answer of its first attempt, if it still goes straight.
func (r *run) answerStraight(c *call, res policy.Result) bool {
	if !c.goes || res.Kind != policy.KindNone {
		return false
	}
	r.obeyAll(c, c.way.Answer(time.Duration(r.now)-c.way.Began(), res.Used, res.Items))
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
