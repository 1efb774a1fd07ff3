package runtime

import (
	"fmt"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// groupOf returns the machines of a target that has members: its own are about calls, theirs about attempts.
func (op *Operation) groupOf(cfg *policy.Target, w Wiring) policy.Machines {
	g := op.groups[cfg.Name]
	if g == nil {
		g = op.newGroup(cfg, w)
		if op.groups == nil {
			op.groups = map[string]*policy.Members{}
		}
		op.groups[cfg.Name] = g
	}
	return policy.Machines{
		Target: cfg.Name, Layered: cfg.Layered, Members: g, Throttle: op.group.throttle(op.machineKey(cfg.Name, w), op.plan.Shed),
	}
}

// newGroup makes the members of a target.
func (op *Operation) newGroup(cfg *policy.Target, w Wiring) *policy.Members {
	members := make([]policy.MemberConfig, len(cfg.AnyOf))
	for i, name := range cfg.AnyOf {
		own := policy.MemberOf(&op.plan, cfg.Name, name)
		m, b := op.endpointOf(&own, w)
		m.Throttle = nil // it is the target's
		if b != nil {
			if op.members == nil {
				op.members = map[*policy.Breaker]*sharedBreaker{}
			}
			op.members[m.Breaker] = b
		}
		op.group.show(op.machineKey(name, w), own, m)
		members[i] = policy.MemberConfig{Machines: m, Weight: own.Weight}
	}
	return policy.NewMembers(members, cfg.Affinity, cfg.SharedKeys)
}

// machinesAt returns the machines that a decision is about: of a member of the rung's target, or of the rung.
func (op *Operation) machinesAt(rung int, member *policy.Machines) *policy.Machines {
	if member != nil {
		return member
	}
	return &op.rungs[rung]
}

// membersError is a rejection because no member of a target can be called.
type membersError struct {
	name    string
	members int
	until   time.Time
}

// Error names the target and says for how long it is out from now on.
func (e *membersError) Error() string {
	text := fmt.Sprintf("target %q: all %d members out", e.name, e.members)
	switch left := time.Until(e.until); {
	case e.until.IsZero():
		return text
	case left > 0:
		return text + ", the first of them for another " + brief(left)
	default:
		return text + ", or half-open with all probes out"
	}
}

// breakerOf returns the breaker of a decision, and the name of the target that it stops calls to.
func (op *Operation) breakerOf(n *policy.Note) (b *sharedBreaker, target string) {
	if n.To != nil {
		return op.members[n.Breaker], n.To.Target
	}
	b = op.breakers[n.Rung]
	if h := op.hedges[n.Rung]; h != nil && (b == nil || b.Breaker != n.Breaker) {
		return h, op.rungs[n.Rung].OfCopy(1).Target
	}
	return b, ""
}
