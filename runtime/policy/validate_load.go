package policy

import (
	"math"
	"strings"
)

func (c *checker) limit(at string, l LimitConfig) {
	if l == (LimitConfig{}) {
		return
	}
	c.rate(at+".requests", l.Requests)
	c.rate(at+".tokens", l.Tokens)
	c.rate(at+".input-tokens", l.InputTokens)
	c.rate(at+".output-tokens", l.OutputTokens)
	c.rate(at+".cost", l.Cost)
	c.durations(span{"tokens.counts.slice", l.Slice})
	c.numbers(number{at + ".burst", l.Burst}, number{at + ".replicas", l.Replicas})
	c.known(at+".per", partitionNames, uint8(l.Per))
	c.known(at+".headers", limitHeadersNames, uint8(l.Headers))
	switch {
	case l.Requests == (Rate{}) && !l.countsTokens() && l.Cost == (Rate{}) && l.Headers == LimitHeadersNone:
		c.refusef(LimitWithoutRate, at, "neither requests nor tokens are bounded, and no headers say how")
	case l.Shared != "" && !sharedNameOK(l.Shared):
		c.refusef(SharedShape, at+".shared", "%q is no name: it takes up to %d letters, digits, and any of .-_:", l.Shared, longestShared)
	case l.Shared != "" && l.Cost != (Rate{}):
		c.refusef(SharedShape, at+".cost", "money is not kept in a store")
	case l.Shared != "" && l.Requests == (Rate{}) && !l.countsTokens():
		c.refusef(SharedShape, at+".shared", "nothing is bounded that processes could share")
	case l.Requests == (Rate{}) && l.Burst > 0:
		c.refusef(LimitWithoutRate, at+".burst", "it is one of requests, which are not bounded")
	}
}

// longestShared is the longest name of a shared limit.
const longestShared = 100

// sharedNameOK reports whether a shared limit may be called that: the name is a part of keys in a store, and "/" is what targets come after.
func sharedNameOK(name string) bool {
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(".-_:", r):
		default:
			return false
		}
	}
	return len(name) <= longestShared
}

// rate checks an amount in a span of time; the zero value is no bound.
func (c *checker) rate(field string, r Rate) {
	if r == (Rate{}) {
		return
	}
	if !r.amountOK() {
		c.refusef(RateOutOfRange, field, "%v is no amount: it must be above 0", r.Amount)
	}
	if r.Per <= 0 {
		c.refusef(RateOutOfRange, field, "%v is no span of time", r.Per)
	}
}

func (r Rate) amountOK() bool { return r.Amount > 0 && r.Amount <= math.MaxFloat32 }

// countsTokens reports whether some rate is one of tokens.
func (l LimitConfig) countsTokens() bool {
	return l.Tokens != (Rate{}) || l.InputTokens != (Rate{}) || l.OutputTokens != (Rate{})
}

// counted refuses limits of tokens that nothing would ever be counted against. A target's own limit counts what those operations
// say that have tokens.
func (c *checker) counted(p Plan) {
	places := TokenPlacesOf(&p)
	input, output := len(places.Input) > 0, len(places.Output) > 0
	for _, l := range []struct {
		key     string
		rate    Rate
		counted bool
		what    string
	}{
		{"tokens", p.Limit.Tokens, input || output, "input or output"},
		{"input-tokens", p.Limit.InputTokens, input, "input"},
		{"output-tokens", p.Limit.OutputTokens, output, "output"},
		{"cost", p.Limit.Cost, input || output, "input or output"},
	} {
		if l.rate != (Rate{}) && !l.counted {
			c.refusef(TokensNotCounted, "limit."+l.key, "nothing says how many %s tokens an answer took", l.what)
		}
	}
}

func (c *checker) shed(p Plan) {
	s := p.Shed
	if s.Factor == 0 {
		return
	}
	if !(s.Factor >= 1 && s.Factor <= math.MaxFloat32) {
		c.refusef(ShedShape, "shed.factor", "%v rejects what is accepted: it must be at least 1", s.Factor)
	}
	if s.Window <= 0 {
		c.refusef(ShedShape, "shed.window", "%v is no span to judge", s.Window)
	} else if s.Window < p.Timeout.Attempt {
		c.warnf(ShedWindowShort, "shed.window", "a call that hangs ends after %v, when it is no longer in the window of %v", p.Timeout.Attempt, s.Window)
	}
	if !(s.MaxReject > 0 && s.MaxReject < 1) {
		c.refusef(ShedShape, "shed.max-reject", "%v must be above 0, and below 1 so that a trickle finds out when the target is well", s.MaxReject)
	}
	if !(s.MinPerSecond >= 0 && s.MinPerSecond <= math.MaxFloat32) {
		c.refusef(NegativeValue, "shed.min-per-second", "%v is no rate", s.MinPerSecond)
	}
}

// room warns of bulkheads that reject before a limit is used up: by Little's law calls in flight are the rate times the time that
// each takes, and a quarter of the attempt timeout is a usual time.
func (c *checker) room(p Plan) {
	own := false // whether the primary target has a bulkhead or a limit of its own, and so the operation's two never meet
	for _, t := range p.Targets {
		if t.Bulkhead == (BulkheadConfig{}) && t.Limit == (LimitConfig{}) {
			continue
		}
		own = own || t.Name == PrimaryTarget
		at, b, l := "targets."+t.Name+".bulkhead", t.Bulkhead, t.Limit
		if b == (BulkheadConfig{}) {
			at, b = "bulkhead", p.Bulkhead
		}
		if l == (LimitConfig{}) {
			l = p.Limit
		}
		c.roomFor(at, b, l, p.Timeout)
	}
	if !own {
		c.roomFor("bulkhead", p.Bulkhead, p.Limit, p.Timeout)
	}
}

func (c *checker) roomFor(at string, b BulkheadConfig, l LimitConfig, t Timeout) {
	if b.MaxConcurrent <= 0 || !l.Requests.amountOK() || l.Requests.Per <= 0 || t.Attempt <= 0 || b.Per != l.Per {
		return
	}
	const share = 4
	need := l.Requests.Amount / float64(max(l.Replicas, 1)) * (float64(t.Attempt) / share / float64(l.Requests.Per))
	if float64(b.MaxConcurrent) < need {
		c.warnf(BulkheadBelowLimit, at+".max-concurrent", "%d calls in flight do not use up %v requests in %v: that takes %.0f",
			b.MaxConcurrent, l.Requests.Amount, l.Requests.Per, math.Ceil(need))
	}
}
