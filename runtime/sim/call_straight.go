package sim

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// straighten has calls go straight where they may, as a live driver does that nobody watches: see policy.Straight. It must make no
// difference.
func (r *run) straighten() {
	for _, o := range r.ops {
		o.straight = o.exercise == nil && !o.plan.Stream.Format.Streams() &&
			o.plan.Idempotency != policy.Keyed && policy.IsStraight(&o.plan, &o.machines[0])
	}
}

// goStraight starts a call that may go straight, and reports whether it does.
func (r *run) goStraight(c *call, req policy.Request) bool {
	if !c.op.straight || r.hasEnded(c) != policy.KindNone {
		return false
	}
	claim := policy.Claim{Tenant: req.Tenant, Criticality: req.Criticality}
	if claim.Criticality == policy.CriticalityUnset {
		claim.Criticality = c.op.plan.Criticality
	}
	left := time.Duration(0)
	if !req.Deadline.IsZero() {
		left = req.Deadline.Sub(r.time(r.now))
	}
	m := &c.op.machines[0]
	c.way.Size = req.Size
	if !c.way.Enter(&r.base, time.Duration(r.now), left, &c.op.plan, m, &claim) {
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
		c.way.Resume(&c.machine, &c.op.plan, c.op.machines, &c.req, r.draw)
	}
}

func (r *run) obeyAll(c *call, actions []policy.Action) {
	for _, a := range actions {
		r.obey(c, a)
	}
}
