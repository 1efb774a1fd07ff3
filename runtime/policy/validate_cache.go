package policy

import (
	"fmt"
	"slices"
)

func (c *checker) cache(p Plan) {
	c.durations(span{"cache.ttl", p.Cache.TTL}, span{"cache.stale-if-error", p.Cache.StaleIfError})
	rung := slices.IndexFunc(p.Fallback.Rungs, func(r Rung) bool { return r.Sort == RungCache })
	at := fmt.Sprintf("fallback[%d]", rung)
	if !p.Cache.On {
		if rung >= 0 {
			c.refusef(RungWithoutCache, at, "the operation has no cache, so there is nothing to answer with")
		}
		return
	}
	if p.Idempotency != Safe {
		c.refusef(CacheNotSafe, "cache", "the operation is not safe: a remembered answer would be one without its effect")
	}
	c.semantic(p)
	switch {
	case p.Cache.TTL == 0 && p.Cache.StaleIfError == 0:
		c.refusef(CacheKeepsNothing, "cache", "without ttl and stale-if-error no answer is given again")
	case p.Cache.StaleIfError > 0 && rung < 0:
		c.refusef(StaleWithoutRung, "cache.stale-if-error", "no cache rung serves what is older than its ttl")
	case p.Cache.StaleIfError == 0 && rung >= 0:
		c.warnf(CacheRungIdle, at, "without stale-if-error the rung has only what the cache gives before anything fails")
	}
}

func (c *checker) exercise(p Plan) {
	e := p.Exercise
	c.known("exercise.mode", exerciseModeNames, uint8(e.Mode))
	c.numbers(number{"exercise.max-per-minute", e.MaxPerMinute})
	c.share("exercise.share", e.Share, true)
	if e.Share <= 0 {
		return
	}
	switch {
	case p.Idempotency == None || p.Idempotency == Keyed:
		c.refusef(ExerciseNotSafe, "exercise", "the operation is %v: a rung beside it would do again what it does", p.Idempotency)
		return
	case p.Fallback.Refuse != "":
		c.refusef(ExerciseNotSafe, "exercise", "the operation never degrades, so there is nothing to exercise")
		return
	case p.Criticality == Critical:
		c.refusef(ExerciseNotSafe, "exercise", "the operation is critical, and an exercise is a risk to it")
		return
	case len(p.Fallback.Rungs) == 0:
		c.refusef(ExerciseWithoutRungs, "exercise", "the operation has no rungs")
		return
	}
	c.exercised(e, p.Fallback.Rungs)
}

// exercised checks the rungs that are named, and that there is one to serve where one is to be.
func (c *checker) exercised(e ExerciseConfig, rungs []Rung) {
	serves := false
	for i, name := range e.Rungs {
		field := fmt.Sprintf("exercise.rungs[%d]", i)
		at := slices.IndexFunc(rungs, func(r Rung) bool { return r.Name == name })
		switch {
		case at < 0:
			c.refusef(ExerciseUnknownRung, field, "no rung is called %q", name)
		case e.Mode == ExerciseServe && !rungs[at].servesEqually():
			c.refusef(ServeNotEqual, field, "the rung %q answers by %v with level %v: only rungs that send a request and are equal are served",
				name, rungs[at].Sort, rungs[at].Level)
		}
	}
	for _, r := range rungs {
		serves = serves || r.servesEqually()
	}
	if e.Mode == ExerciseServe && len(e.Rungs) == 0 && !serves {
		c.refusef(ServeNotEqual, "exercise.mode", "no rung sends a request and is equal, so nothing can be served")
	}
}

// servesEqually reports whether an exercise may serve the rung's answer.
func (r Rung) servesEqually() bool { return r.Sort.Sends() && r.Level == Equal }
