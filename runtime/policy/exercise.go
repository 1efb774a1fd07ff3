package policy

import (
	"slices"
	"sync"
	"time"
)

// Exercise decides which calls use a rung in normal times, so that an outage is not the first to find out that the rung is broken: a
// ladder that nothing ever takes is dead code (trap T66). It takes the rungs in turn.
//
//	draw < share ──▶ spaced? ──▶ primary healthy? ──▶ next rung in turn that is healthy
//	      │ no          │ no           │ no                   │ none
//	      └─────────────┴──────────────┴──────────────────────┴──▶ the call goes its usual way
//
// Healthy is: the breaker is closed, the target asked for no pause, and the budget pays for a retry. An exercise takes nothing from the
// budget; that there is something in it says that the target has room. Safe for concurrent use.
type Exercise struct {
	cfg    ExerciseConfig
	rungs  []int // that may be exercised
	ladder []Rung

	mu   sync.Mutex
	next int       // in rungs
	last time.Time // when a rung was picked; zero is never
}

// NewExercise returns the machine of a plan; nil where nothing is ever exercised: without a share or a rung for it, and for operations that
// are keyed, none or critical, or refuse to degrade.
func NewExercise(p *Plan) *Exercise {
	x := &Exercise{cfg: p.Exercise, ladder: p.Fallback.Rungs}
	if !(x.cfg.Share > 0) || p.Fallback.Refuse != "" || p.Criticality == Critical || p.Idempotency == None || p.Idempotency == Keyed {
		return nil
	}
	for i, r := range x.ladder {
		named := len(x.cfg.Rungs) == 0 || slices.Contains(x.cfg.Rungs, r.Name)
		if named && (x.cfg.Mode == ExerciseShadow || r.servesEqually()) {
			x.rungs = append(x.rungs, i+1)
		}
	}
	if len(x.rungs) == 0 {
		return nil
	}
	return x
}

// Serves reports whether the answers of exercised rungs are given to the callers.
func (x *Exercise) Serves() bool { return x.cfg.Mode == ExerciseServe }

// Pick decides about a call that starts now: which rung it exercises; 0 is none. draw is a random number in [0, 1). A critical call exercises
// nothing; a caller that wants no fallback, or none of the rung's level, gets none here either. remembered says that there is an answer that
// a cache rung could give.
func (x *Exercise) Pick(now time.Time, rungs []Machines, req Request, draw float64, remembered bool) int {
	if !(draw < x.cfg.Share) || req.NoFallback || req.misfits(0) || req.Criticality == Critical || !rungs[0].healthy(now, req.Tenant) {
		return 0
	}
	x.mu.Lock()
	first := x.next
	x.mu.Unlock()
	for i := range x.rungs {
		at := (first + i) % len(x.rungs)
		rung := x.rungs[at]
		switch r := &x.ladder[rung-1]; {
		case r.Level > req.Worst, r.Sort == RungCache && !remembered, req.misfits(rung), !rungs[rung].healthy(now, req.Tenant):
		case x.take(now, at):
			return rung
		default:
			return 0
		}
	}
	return 0
}

// take takes the rung at that place in turn, unless another was taken too short a time ago.
func (x *Exercise) take(now time.Time, at int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if most := x.cfg.MaxPerMinute; most > 0 && !x.last.IsZero() && now.Sub(x.last) < time.Minute/time.Duration(most) {
		return false
	}
	x.next, x.last = (at+1)%len(x.rungs), now
	return true
}

// healthy reports whether the target of these machines is well enough for a call that need not be made.
func (m *Machines) healthy(now time.Time, tenant string) bool {
	switch {
	case m.Members != nil:
		return m.Members.healthy(now, tenant)
	case m.Breaker != nil && m.Breaker.State(now).State != StateClosed:
		return false
	case m.Pause != nil && !m.Pause.Of(now, tenant).Until(now).IsZero():
		return false
	default:
		return m.Budget == nil || m.Budget.off || m.Budget.Balance(now) >= RetryCost
	}
}
