package policy

// IsNamed reports whether the operation is repeatable only in calls whose request names what it writes: see Plan.IDs.
func (p Plan) IsNamed() bool { return len(p.IDs) > 0 && p.Idempotency == Idempotent }

// Nameless returns the plan of calls of the operation whose request does not name all that it writes: they are not repeatable, so nothing is
// sent again in doubt, and nothing beside.
func Nameless(p *Plan) Plan {
	n := *p
	n.IDs, n.Idempotency, n.Hedgeable = nil, None, false
	n.Hedge, n.Exercise = HedgeConfig{}, ExerciseConfig{}
	return n
}

func (c *checker) ids(p Plan) {
	if len(p.IDs) > 0 && p.Idempotency != Idempotent {
		c.refusef(IDsUnused, "ids", "the operation is %v whatever its requests name", p.Idempotency)
	}
}
