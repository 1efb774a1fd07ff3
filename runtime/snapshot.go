package runtime

import (
	"cmp"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Machines is what a group shows of the machines that some operations use at one target. Operations of a target whose settings differ
// have machines of their own, and so a row of their own. Machines that are off are zero.
type Machines struct {
	// Client, Target and Operation say whose they are; Operation is empty where operations of the target share them. The bulkhead of a
	// func rung, which admits twice as many calls as that of its operation, has "func:" and the rung's name as its Target; that of an
	// operation rung "operation:" and its name.
	Client, Target, Operation string
	// Members are the names of the target's members, which have rows of their own: there are their breakers, bulkheads, limits, budgets and
	// pauses. Nil for a target without any.
	Members []string
	// Operations are the operations that use them, sorted.
	Operations []string
	// OwnBreaker and OwnBulkhead say that these are of this operation alone, although others call the target.
	OwnBreaker, OwnBulkhead bool
	// Repeats says which of the machines an earlier row of the snapshot shows: operations whose other settings differ share them. Who adds up rows
	// leaves these out.
	Repeats MachineSet
	// Breaker is what the breaker shows.
	Breaker policy.BreakerSnapshot
	// Bulkhead is what the bulkhead shows: calls in flight, queued, and their limits.
	Bulkhead policy.BulkheadSnapshot
	// Limit is what the limit shows: what is left, how fast it comes back, what the target's headers said, and how many calls wait.
	Limit policy.LimiterSnapshot
	// Estimates say how well the tokens of each operation were estimated, by its name; nil where no tokens are limited.
	Estimates map[string]policy.EstimateSnapshot
	// Spending is what the purse shows: what was spent of what may be.
	Spending policy.PurseSnapshot
	// Shed is what the throttle shows: what was asked of the target and what it took, and what is rejected of it now.
	Shed policy.ThrottleSnapshot
	// Budget is the number of retries that the budget pays for now, and BudgetMost how many it could at most; both are 0 where there is none.
	Budget, BudgetMost float64
	// BudgetRule is what the budget is given; zero where there is none.
	BudgetRule policy.BudgetConfig
	// Timeouts say how long a call of each operation may take, and each of its attempts, by its name. They stand with the primary target.
	Timeouts map[string]policy.Timeout
	// Hedges are the delay and the share of the hedges of each operation, by its name; nil where none is hedged.
	Hedges map[string]policy.HedgerSnapshot
	// Caches say what the cache of each operation gave, by its name; nil where none has one. It stands with the primary target.
	Caches map[string]policy.CacheSnapshot
	// Abandoned says what runs of each operation although nobody waits for it, by its name; nil where every attempt is waited for. It
	// stands with the primary target.
	Abandoned map[string]AbandonedSnapshot
	// InnerRetries say how many requests the clients that are wrapped sent again by themselves, by operation; nil where none is wrapped. With
	// the attempts they are what the target got. It stands with the primary target.
	InnerRetries map[string]uint64
	// PausedSince is when the pause that the target asked for began, and PausedUntil when it ends, of the last one where each tenant has its own;
	// zero if there is none.
	PausedSince, PausedUntil time.Time
	// PausedFor is the kind of failure that brought the pause about, and PauseProbe when the next call may go through all the same, to find out
	// whether the time that was named is right; zero for a pause that is short.
	PausedFor  Kind
	PauseProbe time.Time
}

// MachineSet says of each sort of machine whether it is in the set.
type MachineSet struct{ Breaker, Bulkhead, Limit, Spending, Shed, Budget, Pause bool }

// rowKey tells the rows of a snapshot apart: by whose the machines are, and by their settings.
type rowKey struct {
	machineKey

	breaker  policy.BreakerConfig
	bulkhead policy.BulkheadConfig
	budget   policy.BudgetConfig
	limit    policy.LimitConfig
	throttle *policy.Throttle
	purse    *policy.Purse
}

// row is one set of machines and the operations that use it.
type row struct {
	policy.Machines

	key        machineKey
	budget     policy.BudgetConfig
	timeouts   map[string]policy.Timeout
	operations []string
	own        MachineSet
	estimates  map[string]*policy.Estimator
	hedgers    map[string]*policy.Hedger
	caches     map[string]*cacheCounts
	abandoned  map[string]*abandoned
	inner      map[string]*atomic.Uint64
}

// show gives the machines that an operation uses at a target a row in snapshots.
func (g *Group) show(key machineKey, cfg policy.Target, m policy.Machines) {
	operation := key.operation
	cfg.Limit.Headers, cfg.Limit.Cost = policy.LimitHeadersNone, policy.Rate{} // as in the limiter's key
	ownBreaker := m.Breaker != nil && cfg.Breaker.Scope == policy.ScopeOperation
	ownBulkhead := m.Bulkhead != nil && cfg.Bulkhead.Scope == policy.ScopeOperation
	if !ownBreaker && !ownBulkhead {
		key.operation = ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	r := shared(g.rows, rowKey{key, cfg.Breaker, cfg.Bulkhead, cfg.Budget, cfg.Limit, m.Throttle, m.Purse}, func() *row {
		g.shown = append(g.shown, &row{Machines: m, key: key, budget: cfg.Budget, own: MachineSet{Breaker: ownBreaker, Bulkhead: ownBulkhead}})
		return g.shown[len(g.shown)-1]
	})
	if r.Pause == nil {
		r.Pause = m.Pause
	}
	if i, found := slices.BinarySearch(r.operations, operation); !found {
		r.operations = slices.Insert(r.operations, i, operation)
	}
	if m.Hedger != nil {
		if r.hedgers == nil {
			r.hedgers = map[string]*policy.Hedger{}
		}
		r.hedgers[operation] = m.Hedger
	}
	if m.Estimate != nil {
		if r.estimates == nil {
			r.estimates = map[string]*policy.Estimator{}
		}
		r.estimates[operation] = m.Estimate
	}
}

// rowOf returns the row of an operation at a target; nil if there is none. It is called with the lock held.
func (g *Group) rowOf(key machineKey) *row {
	for _, r := range g.shown {
		same := r.key.client == key.client && r.key.target == key.target && r.key.endpoint == key.endpoint
		if _, has := slices.BinarySearch(r.operations, key.operation); same && has {
			return r
		}
	}
	return nil
}

// showTimeout notes how long calls of the operation may take, in the row of its primary target.
func (g *Group) showTimeout(key machineKey, t policy.Timeout) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.rowOf(key)
	if r == nil {
		return
	}
	if r.timeouts == nil {
		r.timeouts = map[string]policy.Timeout{}
	}
	r.timeouts[key.operation] = t
}

// showCache returns what counts the operation's cache, in the row of its primary target.
func (g *Group) showCache(key machineKey) *cacheCounts {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.rowOf(key)
	if r == nil {
		return new(cacheCounts)
	}
	if r.caches == nil {
		r.caches = map[string]*cacheCounts{}
	}
	return shared(r.caches, key.operation, func() *cacheCounts { return new(cacheCounts) })
}

// showAbandoned returns what counts the attempts that the operation leaves behind, in the row of its primary target.
func (g *Group) showAbandoned(key machineKey) *abandoned {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.rowOf(key)
	if r == nil {
		return new(abandoned)
	}
	if r.abandoned == nil {
		r.abandoned = map[string]*abandoned{}
	}
	return shared(r.abandoned, key.operation, func() *abandoned { return new(abandoned) })
}

// showInner returns what counts what a wrapped client sent again by itself, in the row of the operation's primary target.
func (g *Group) showInner(key machineKey) *atomic.Uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.rowOf(key)
	if r == nil {
		return new(atomic.Uint64)
	}
	if r.inner == nil {
		r.inner = map[string]*atomic.Uint64{}
	}
	return shared(r.inner, key.operation, func() *atomic.Uint64 { return new(atomic.Uint64) })
}

// Snapshot returns what the machines show now, sorted by client, target, operation, and the operations that use them; equal ones, such as
// those of one target at two addresses, in the order in which they were made.
func (g *Group) Snapshot() []Machines {
	now := time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	rows := slices.Clone(g.shown)
	slices.SortStableFunc(rows, func(a, b *row) int {
		return cmp.Or(
			cmp.Compare(a.key.client, b.key.client), cmp.Compare(a.key.target, b.key.target), cmp.Compare(a.key.operation, b.key.operation),
			slices.Compare(a.operations, b.operations),
		)
	})
	all, seen := make([]Machines, len(rows)), map[any]bool{}
	for i, r := range rows {
		all[i] = r.snapshot(now)
		all[i].Repeats = r.repeats(seen)
	}
	return all
}

// repeats says which machines of the row were seen before, and notes those that were not.
func (r *row) repeats(seen map[any]bool) MachineSet {
	again := func(is bool, machine any) bool {
		if !is {
			return false
		}
		before := seen[machine]
		seen[machine] = true
		return before
	}
	return MachineSet{
		Breaker:  again(r.Breaker != nil, r.Breaker),
		Bulkhead: again(r.Bulkhead != nil, r.Bulkhead),
		Limit:    again(r.Limit != nil, r.Limit),
		Spending: again(r.Purse != nil, r.Purse),
		Shed:     again(r.Throttle != nil, r.Throttle),
		Budget:   again(r.Budget != nil, r.Budget),
		Pause:    again(r.Pause != nil, r.Pause),
	}
}

func (r *row) snapshot(now time.Time) Machines {
	m := Machines{
		Client: r.key.client, Target: r.key.target, Operation: r.key.operation, Operations: slices.Clone(r.operations),
		OwnBreaker: r.own.Breaker, OwnBulkhead: r.own.Bulkhead,
	}
	if r.Members != nil {
		for i := range r.Members.Len() {
			m.Members = append(m.Members, r.Members.Machines(i).Target)
		}
	}
	if r.Breaker != nil {
		m.Breaker = r.Breaker.State(now)
	}
	if r.Bulkhead != nil {
		m.Bulkhead = r.Bulkhead.Snapshot(now)
	}
	if r.Limit != nil {
		m.Limit = r.Limit.Snapshot(now)
	}
	if r.Purse != nil {
		m.Spending = r.Purse.Snapshot(now)
	}
	if len(r.estimates) > 0 {
		m.Estimates = make(map[string]policy.EstimateSnapshot, len(r.estimates))
		for operation, e := range r.estimates {
			m.Estimates[operation] = e.Snapshot()
		}
	}
	if r.Throttle != nil {
		m.Shed = r.Throttle.Snapshot(now)
	}
	if r.Budget != nil {
		m.Budget, m.BudgetMost, m.BudgetRule = r.Budget.Balance(now), r.Budget.Capacity(now), r.budget
	}
	if len(r.hedgers) > 0 {
		m.Hedges = make(map[string]policy.HedgerSnapshot, len(r.hedgers))
		for operation, h := range r.hedgers {
			m.Hedges[operation] = h.Snapshot(now)
		}
	}
	if r.Pause != nil {
		p := r.Pause.Snapshot(now)
		m.PausedSince, m.PausedUntil, m.PausedFor, m.PauseProbe = p.Since, p.Until, p.Reason, p.Probe
	}
	r.snapshotCounts(&m)
	return m
}

// snapshotCounts puts in what is known and counted of operations.
func (r *row) snapshotCounts(m *Machines) {
	m.Timeouts = maps.Clone(r.timeouts)
	if len(r.caches) > 0 {
		m.Caches = make(map[string]policy.CacheSnapshot, len(r.caches))
		for operation, c := range r.caches {
			m.Caches[operation] = c.snapshot()
		}
	}
	if len(r.inner) > 0 {
		m.InnerRetries = make(map[string]uint64, len(r.inner))
		for operation, n := range r.inner {
			m.InnerRetries[operation] = n.Load()
		}
	}
	if len(r.abandoned) > 0 {
		m.Abandoned = make(map[string]AbandonedSnapshot, len(r.abandoned))
		for operation, a := range r.abandoned {
			m.Abandoned[operation] = a.snapshot()
		}
	}
}
