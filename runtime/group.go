package runtime

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Group holds the machines that calls share: the breakers, limits, throttles, bulkheads, budgets and pauses of the targets. A client has one of its own
// unless it is given one; clients of one name that share a Group share their targets' machines. Safe for concurrent use. It starts
// nothing, so there is nothing to close.
type Group struct {
	rand  func() float64
	waits waits

	mu        sync.Mutex
	breakers  map[breakerKey]*sharedBreaker
	bulkheads map[bulkheadKey]*policy.Bulkhead
	budgets   map[budgetKey]*policy.Budget
	limiters  map[limitKey]*policy.Limiter
	shares    map[string]*sharedLimit // by their names
	links     map[*policy.Limiter]*limitLink
	throttles map[throttleKey]*policy.Throttle
	estimates map[estimateKey]*policy.Estimator
	purses    map[purseKey]*policy.Purse
	pauses    map[pauseKey]*policy.Pause
	latencies map[machineKey]*policy.Latency
	hedgers   map[hedgerKey]*policy.Hedger
	guards    map[machineKey]*policy.Guard
	rows      map[rowKey]*row
	shown     []*row // the same, in the order in which they were made
}

// machineKey says whose a machine is. endpoint tells apart targets of one name that lie elsewhere or use other credentials; operation is
// empty where the operations of a target share the machine.
type machineKey struct{ client, target, endpoint, operation string }

type breakerKey struct {
	machineKey

	cfg policy.BreakerConfig
}

type bulkheadKey struct {
	machineKey

	cfg policy.BulkheadConfig
}

type budgetKey struct {
	machineKey

	cfg policy.BudgetConfig
}

type limitKey struct {
	machineKey

	cfg policy.LimitConfig
}

type estimateKey struct {
	machineKey

	counting policy.Counting
}

type purseKey struct {
	machineKey

	cfg policy.PurseConfig
}

type throttleKey struct {
	machineKey

	cfg policy.ShedConfig
}

type pauseKey struct {
	machineKey

	per policy.Partition
}

type hedgerKey struct {
	machineKey

	cfg policy.HedgeConfig
}

// sharedBreaker is a breaker, the lanes of the operations that share it, and the order in which its changes are told.
type sharedBreaker struct {
	*policy.Breaker

	name  string
	lanes map[laneKey]policy.Lane
	order inOrder
}

type laneKey struct {
	operation string
	attempt   time.Duration
}

// NewGroup returns an empty group.
func NewGroup(opts ...GroupOption) *Group {
	g := &Group{
		rand:      rand.Float64,
		breakers:  map[breakerKey]*sharedBreaker{},
		bulkheads: map[bulkheadKey]*policy.Bulkhead{},
		budgets:   map[budgetKey]*policy.Budget{},
		limiters:  map[limitKey]*policy.Limiter{},
		shares:    map[string]*sharedLimit{},
		links:     map[*policy.Limiter]*limitLink{},
		throttles: map[throttleKey]*policy.Throttle{},
		estimates: map[estimateKey]*policy.Estimator{},
		purses:    map[purseKey]*policy.Purse{},
		pauses:    map[pauseKey]*policy.Pause{},
		latencies: map[machineKey]*policy.Latency{},
		hedgers:   map[hedgerKey]*policy.Hedger{},
		guards:    map[machineKey]*policy.Guard{},
		rows:      map[rowKey]*row{},
	}
	for _, o := range opts {
		o.applyGroup(g)
	}
	return g
}

// breaker returns the breaker of that configuration, and the operation's lane in it; nil if it is off.
func (g *Group) breaker(key machineKey, cfg policy.BreakerConfig, attempt time.Duration) (*sharedBreaker, policy.Lane) {
	if cfg.Mode == policy.BreakerOff {
		return nil, 0
	}
	lane := laneKey{operation: key.operation, attempt: attempt}
	if cfg.Scope == policy.ScopeTarget {
		key.operation = ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	b, ok := g.breakers[breakerKey{key, cfg}]
	if !ok {
		b = &sharedBreaker{Breaker: policy.NewBreaker(cfg, attempt, g.rand).Under(g.guard(key)), name: key.name(), lanes: map[laneKey]policy.Lane{lane: 0}}
		g.breakers[breakerKey{key, cfg}] = b
	}
	n, ok := b.lanes[lane]
	if !ok {
		n = b.Lane(attempt)
		b.lanes[lane] = n
	}
	return b, n
}

// bulkhead returns the bulkhead of that configuration; nil if it is off.
func (g *Group) bulkhead(key machineKey, cfg policy.BulkheadConfig) *policy.Bulkhead {
	if cfg.MaxConcurrent <= 0 {
		return nil
	}
	if cfg.Scope == policy.ScopeTarget {
		key.operation = ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return shared(g.bulkheads, bulkheadKey{key, cfg}, func() *policy.Bulkhead { return policy.NewBulkhead(cfg).Under(g.guard(key)) })
}

// budget returns the target's budget of that configuration; nil if it is off.
func (g *Group) budget(key machineKey, cfg policy.BudgetConfig) *policy.Budget {
	if cfg == (policy.BudgetConfig{}) {
		return nil
	}
	key.operation = ""
	g.mu.Lock()
	defer g.mu.Unlock()
	return shared(g.budgets, budgetKey{key, cfg}, func() *policy.Budget { return policy.NewBudget(cfg) })
}

// limiter returns the target's limiter of that configuration; nil if it is off.
func (g *Group) limiter(key machineKey, cfg policy.LimitConfig) *policy.Limiter {
	if cfg.IsOff() {
		return nil
	}
	key.operation = ""
	headers := cfg.Headers
	cfg.Headers, cfg.Cost = policy.LimitHeadersNone, policy.Rate{} // operations that differ in these share the limit all the same
	g.mu.Lock()
	defer g.mu.Unlock()
	l := shared(g.limiters, limitKey{key, cfg}, func() *policy.Limiter { return policy.NewLimiter(cfg) })
	if headers != policy.LimitHeadersNone {
		l.Learns()
	}
	return l
}

// throttle returns the target's throttle of that configuration; nil if it is off.
func (g *Group) throttle(key machineKey, cfg policy.ShedConfig) *policy.Throttle {
	if cfg.Factor <= 0 {
		return nil
	}
	key.operation = ""
	g.mu.Lock()
	defer g.mu.Unlock()
	return shared(g.throttles, throttleKey{key, cfg}, func() *policy.Throttle { return policy.NewThrottle(cfg, g.rand) })
}

// estimator returns what estimates the operation's tokens at the target.
func (g *Group) estimator(key machineKey, c policy.Counting) *policy.Estimator {
	g.mu.Lock()
	defer g.mu.Unlock()
	return shared(g.estimates, estimateKey{key, c}, func() *policy.Estimator { return policy.NewEstimator(c) })
}

// purse returns the purse of that configuration; nil if there is none. One that is no target's own is the same whatever target is called.
func (g *Group) purse(key machineKey, cfg policy.PurseConfig, own bool) *policy.Purse {
	if cfg == (policy.PurseConfig{}) {
		return nil
	}
	key.operation = ""
	if !own {
		key.target, key.endpoint = "", ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return shared(g.purses, purseKey{key, cfg}, func() *policy.Purse { return policy.NewPurse(cfg) })
}

// pause returns the target's pause, or that of its tenants where each has a limit of its own.
func (g *Group) pause(key machineKey, openMax time.Duration, per policy.Partition) *policy.Pause {
	key.operation = ""
	g.mu.Lock()
	defer g.mu.Unlock()
	return shared(g.pauses, pauseKey{key, per}, func() *policy.Pause {
		if per == policy.PerTenant {
			return policy.NewTenantPause(openMax)
		}
		return policy.NewPause(openMax)
	})
}

// latency returns the operation's latency at the target.
func (g *Group) latency(key machineKey) *policy.Latency {
	g.mu.Lock()
	defer g.mu.Unlock()
	return shared(g.latencies, key, func() *policy.Latency { return new(policy.Latency).Under(g.guard(key)) })
}

// hedger returns the operation's hedger at the target.
func (g *Group) hedger(key machineKey, cfg policy.HedgeConfig) *policy.Hedger {
	g.mu.Lock()
	defer g.mu.Unlock()
	return shared(g.hedgers, hedgerKey{key, cfg}, func() *policy.Hedger { return policy.NewHedger(cfg) })
}

// guard returns the lock of the target's machines, which calls ask one after the other. The group is locked.
func (g *Group) guard(key machineKey) *policy.Guard {
	key.operation = ""
	return shared(g.guards, key, policy.NewGuard)
}

// shared returns the machine under the key, made if there is none. The group is locked.
func shared[K comparable, M any](machines map[K]*M, key K, first func() *M) *M {
	m, ok := machines[key]
	if !ok {
		m = first()
		machines[key] = m
	}
	return m
}

// name returns how errors and snapshots call the machine: the client, and the target where it is not the primary one, or the operation.
func (k machineKey) name() string {
	name := k.client
	if k.target != policy.PrimaryTarget {
		name += "/" + k.target
	}
	if k.operation != "" {
		name += "." + k.operation
	}
	return name
}
