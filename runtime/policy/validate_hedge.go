package policy

// mostCopies is the number of copies beyond which a hedge is load and no help.
const mostCopies = 3

func (c *checker) hedge(p Plan) {
	h := p.Hedge
	c.durations(span{"hedge.delay", h.Delay})
	c.numbers(number{"hedge.max", h.Max})
	if h.Max <= 0 {
		return
	}
	if h.Max > mostCopies {
		c.refusef(HedgeCopies, "hedge.max", "%d is not from 1 to %d", h.Max, mostCopies)
	}
	c.share("hedge.extra-load", h.ExtraLoad, false)
	c.twice(p)
	if p.Timeout.Attempt > 0 && h.Delay >= p.Timeout.Attempt {
		c.warnf(HedgeTooLate, "hedge.delay", "an attempt is over after %v, before a copy is sent at %v", p.Timeout.Attempt, h.Delay)
	}
}

// twice refuses hedges of what must not run twice at once. The first reason counts.
func (c *checker) twice(p Plan) {
	elsewhere := p.Hedge.Target != "" && p.Hedge.Target != PrimaryTarget
	switch {
	case p.Idempotency == None:
		c.refusef(HedgeInDoubt, "hedge", "the operation may not be executed twice, and both copies may be")
	case p.Idempotency == Keyed && elsewhere:
		c.refusef(HedgeMayDuplicate, "hedge.target", "%q does not know the idempotency key of the first copy", p.Hedge.Target)
	case p.Idempotency == Keyed && !p.Key.Concurrent:
		c.refusef(HedgeKeyBusy, "hedge", "the server does not handle two requests with one key at the same time")
	case !p.Hedgeable:
		c.refusef(HedgeNotHedgeable, "hedge", "the operation is not to run twice at once")
	}
}
