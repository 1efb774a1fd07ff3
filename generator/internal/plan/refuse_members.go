package plan

import (
	"slices"
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// refuseMembers refuses members that cannot be, and what only members, or targets that have some, can be given.
func (s *shared) refuseMembers(list *diag.List) {
	var affinity *source.Value // the first key
	for _, def := range s.targets {
		s.refuseAnyOf(def, list)
		if weight := def.tree.written("weight"); weight != nil && !s.isMember(def.name) {
			list.Add(diag.Diagnostic{
				Code: diag.WeightWithoutMembers, Span: source.Span{Pos: weight.Pos, Len: len(weight.Text)},
				What: "the target " + quoted(def.name) + " has a weight, and is no member of another",
				Why:  "a weight is a share of the calls of the target that lists its members in `any-of`",
				Fix:  "name it in the `any-of` of a target, or remove `weight`",
			})
		}
		if key := def.tree.written("affinity.key"); key != nil {
			if affinity == nil {
				affinity = key
			}
			s.refuseSecondKey(affinity, key, list)
		}
	}
}

// refuseAnyOf refuses members of a target that are no endpoints, and what a target without members has no use for.
func (s *shared) refuseAnyOf(def *definition, list *diag.List) {
	members := def.tree.written("any-of")
	if members == nil {
		for _, key := range []string{"affinity", "shared-keys"} {
			if v := def.tree.written(key); v != nil {
				list.Add(diag.Diagnostic{
					Code: diag.AffinityWithoutMembers, Span: source.Span{Pos: v.Pos, Len: len(v.Text)},
					What: "the target " + quoted(def.name) + " has `" + key + "`, and no members", Why: "it is about which of the members gets a call",
					Fix: "add `any-of: [...]` to the target, or remove `" + key + "`",
				})
			}
		}
		return
	}
	if len(members.List) > policy.MembersMost {
		list.Add(membersShape(members, "the target "+quoted(def.name)+" has "+strconv.Itoa(len(members.List))+" members",
			"a target has at most "+strconv.Itoa(policy.MembersMost), "put a load balancer in front of them, and give the target its address"))
	}
	for i := range members.List {
		m := &members.List[i]
		other := s.targets.find(m.Text)
		switch {
		case m.Text == def.name:
			list.Add(membersShape(m, "the target "+quoted(def.name)+" is a member of itself", "a member is an endpoint, and this one only a name for some",
				"give the endpoint a name of its own under `targets`, and list that"))
		case other != nil && other.tree.written("any-of") != nil:
			list.Add(membersShape(m, "the member "+quoted(m.Text)+" of the target "+quoted(def.name)+" has members itself",
				"members are endpoints: which of them gets a call is one choice, not two", "list its members in its place"))
		}
	}
	s.refuseHalfAffinity(def, list)
}

// refuseHalfAffinity refuses an affinity that lacks a key or a time.
func (*shared) refuseHalfAffinity(def *definition, list *diag.List) {
	v := def.tree.written("affinity")
	if v == nil || def.tree.written("affinity.key") != nil && def.tree.written("affinity.ttl") != nil {
		return
	}
	list.Add(diag.Diagnostic{
		Code: diag.AffinityWithoutMembers, Span: source.Span{Pos: v.Pos, Len: len(v.Text)},
		What: "the affinity of the target " + quoted(def.name) + " lacks `key` or `ttl`",
		Why:  "the key says to which conversation a call belongs, and the ttl for how long one that had to move stays where it is",
		Fix:  "write `affinity: {key: conversation, ttl: 5m}`",
	})
}

// refuseSecondKey refuses an affinity by another key than the first.
func (*shared) refuseSecondKey(first, key *source.Value, list *diag.List) {
	if key.Text == first.Text {
		return
	}
	list.Add(diag.Diagnostic{
		Code: diag.AffinityWithoutMembers, Span: source.Span{Pos: key.Pos, Len: len(key.Text)},
		What: "conversations are told by " + quoted(key.Text) + " here, and by " + quoted(first.Text) + " elsewhere",
		Why:  "a call belongs to one conversation, on whichever target it is answered", Fix: "write `key: " + first.Text + "`",
		Related: []diag.Related{{Span: source.Span{Pos: first.Pos, Len: len(first.Text)}, What: "the other is here"}},
	})
}

func membersShape(at *source.Value, what, why, fix string) diag.Diagnostic {
	return diag.Diagnostic{Code: diag.MembersShape, Span: source.Span{Pos: at.Pos, Len: len(at.Text)}, What: what, Why: why, Fix: fix}
}

// isMember reports whether some target lists the name among its members.
func (s *shared) isMember(name string) bool {
	return slices.ContainsFunc(s.targets, func(def *definition) bool {
		members := def.tree.written("any-of")
		return members != nil && slices.ContainsFunc(members.List, func(v source.Value) bool { return v.Text == name })
	})
}

// memberRungs warns of rungs that call a member of a target that was called before: when that is out, so is the member.
func (c *refusal) memberRungs() {
	before := []string{policy.PrimaryTarget}
	for i := range c.whole.Fallback.Rungs {
		r := &c.whole.Fallback.Rungs[i]
		if r.Sort != policy.RungTarget {
			continue
		}
		for _, group := range before {
			itself := group == r.Target || policy.Endpoints(&c.whole, r.Target)[0] != r.Target // the same once more, or no member
			if itself || !slices.Contains(policy.Endpoints(&c.whole, group), r.Target) {
				continue
			}
			c.list.Add(diag.Diagnostic{
				Code: diag.MemberAsRung, Severity: diag.Warning, Span: c.at("fallback[" + strconv.Itoa(i) + "].target"),
				What: "the rung " + quoted(r.Name) + " calls " + quoted(r.Target) + ", a member of " + quoted(group) + ", which was called before",
				Why:  "a call leaves " + quoted(group) + " when none of its members can serve, so that the rung has little to offer", Related: c.where(),
				Fix: "name another target, or take " + quoted(r.Target) + " out of the `any-of` of " + quoted(group),
			})
		}
		before = append(before, r.Target)
	}
}
