package policy

import (
	"math"
	"slices"
)

// members checks a target's place among members: its own, and the one that it is.
func (c *checker) members(p Plan, t Target) {
	at := "targets." + t.Name
	if t.Weight != 0 && !(t.Weight > 0 && t.Weight <= math.MaxFloat32) {
		c.refusef(WeightShape, at+".weight", "%v is no share: it must be above 0", t.Weight)
	}
	if len(t.AnyOf) == 0 {
		c.alone(at, t)
		return
	}
	if len(t.AnyOf) > MembersMost {
		c.refusef(MembersShape, at+".any-of", "%d members are more than %d", len(t.AnyOf), MembersMost)
	}
	for i, name := range t.AnyOf {
		switch {
		case name == t.Name:
			c.refusef(MembersShape, at+".any-of", "%q is a member of itself", name)
		case len(targetIn(&p, name).AnyOf) > 0:
			c.refusef(MembersShape, at+".any-of", "%q has members of its own", name)
		case slices.Contains(t.AnyOf[:i], name):
			c.refusef(MembersShape, at+".any-of", "%q is listed twice", name)
		}
	}
	if a := t.Affinity; a.isOn() && a.TTL <= 0 || !a.isOn() && a.TTL != 0 {
		c.refusef(AffinityShape, at+".affinity", "a conversation needs a key, and a time above 0 for which it stays: %q, %v", a.Key, a.TTL)
	}
}

// alone checks a target without members.
func (c *checker) alone(at string, t Target) {
	if t.Affinity != (AffinityConfig{}) {
		c.refusef(AffinityShape, at+".affinity", "it has no members to keep a conversation on")
	}
	if t.SharedKeys {
		c.refusef(MembersShape, at+".shared-keys", "it has no members that could share anything")
	}
}
