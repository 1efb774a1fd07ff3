package sim

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// rung is one rung of the plan in a run: its machines are those of the plan's list, and the server is what an attempt on it reaches.
type rung struct {
	sort    policy.RungSort // 0 is the operation itself
	server  *server
	hedge   *server // of copies
	members []*server
}

// of returns the server that the copy of that number reaches.
func (r *rung) of(number int) *server {
	if number > 0 {
		return r.hedge
	}
	return r.server
}

// reaches reports whether the server is that of the rung's target, or of one of its members.
func (r *rung) reaches(s *server) bool { return s == r.server || slices.Contains(r.members, s) }

// ServerOf returns the name of the server that attempts of a plan on a rung reach, of copies (hedges) too: the target of a rung that sends, the
// primary target for a rung that asks another operation, else the rung's own name. It is empty for a rung that reaches none.
func ServerOf(p *policy.Plan, number int, isCopy bool) string {
	target := policy.PrimaryTarget
	if number > 0 {
		switch r := &p.Fallback.Rungs[number-1]; {
		case r.Sort.IsAtHand():
			return ""
		case r.Sort == policy.RungOperation:
		case !r.Sort.Resends():
			return r.Name
		case r.Target != "":
			target = r.Target
		}
	}
	if isCopy && p.Hedge.Target != "" {
		return p.Hedge.Target
	}
	return target
}

// builder makes the machines of a run's operations. They are shared as those of a live client are: by target, or by target and operation,
// among operations that set them alike.
type builder struct {
	run       *run
	draw      func() float64
	op        *operation
	servers   map[string]*server
	groups    map[string]*policy.Members // of the operation
	breakers  map[key[policy.BreakerConfig]]*breaker
	bulkheads map[key[policy.BulkheadConfig]]*policy.Bulkhead
	budgets   map[key[policy.BudgetConfig]]*policy.Budget
	limiters  map[key[policy.LimitConfig]]*policy.Limiter
	throttles map[key[policy.ShedConfig]]*policy.Throttle
	estimates map[key[policy.Counting]]*policy.Estimator
	purses    map[key[policy.PurseConfig]]*policy.Purse
	pauses    map[key[policy.Partition]]*policy.Pause
	latencies map[key[none]]*policy.Latency
	hedgers   map[key[policy.HedgeConfig]]*policy.Hedger
	guards    map[string]*policy.Guard
}

// key says whose a machine is, and how it is set. operation is 0 where the operations of a target share the machine, else the operation's
// number from 1.
type key[C comparable] struct {
	target    string
	operation int
	cfg       C
}

// none is a setting of machines that have none.
type none struct{}

// breaker is a breaker with the lanes of the operations that share it.
type breaker struct {
	*policy.Breaker

	lanes map[laneKey]policy.Lane
}

type laneKey struct {
	operation int
	attempt   time.Duration
}

// build makes the operations of a run.
func build(r *run, ops []Operation) []*operation {
	b := builder{
		run: r, draw: r.spread, servers: map[string]*server{},
		breakers:  map[key[policy.BreakerConfig]]*breaker{},
		bulkheads: map[key[policy.BulkheadConfig]]*policy.Bulkhead{},
		budgets:   map[key[policy.BudgetConfig]]*policy.Budget{},
		limiters:  map[key[policy.LimitConfig]]*policy.Limiter{},
		throttles: map[key[policy.ShedConfig]]*policy.Throttle{},
		estimates: map[key[policy.Counting]]*policy.Estimator{},
		purses:    map[key[policy.PurseConfig]]*policy.Purse{},
		pauses:    map[key[policy.Partition]]*policy.Pause{},
		latencies: map[key[none]]*policy.Latency{},
		hedgers:   map[key[policy.HedgeConfig]]*policy.Hedger{},
		guards:    map[string]*policy.Guard{},
	}
	out := make([]*operation, len(ops))
	for i := range ops {
		o := &ops[i]
		out[i] = &operation{number: i, plan: o.Plan, size: o.Size, used: o.Used, latency: o.Latency, stream: o.Stream}
		b.op, b.groups = out[i], map[string]*policy.Members{}
		b.rungs()
		if x := policy.NewExercise(&out[i].plan); x != nil && x.Serves() {
			out[i].exercise = x
		}
	}
	return out
}

// rungs makes the rungs of an operation.
func (b *builder) rungs() {
	b.send(0, 0, policy.PrimaryTarget)
	for i := range b.op.plan.Fallback.Rungs {
		name := ServerOf(&b.op.plan, i+1, false)
		switch r := &b.op.plan.Fallback.Rungs[i]; {
		case r.Sort.Resends():
			b.send(i+1, r.Sort, name)
		case r.Sort.IsAtHand():
			b.add(r.Sort, "", policy.Machines{})
		default:
			b.add(r.Sort, name, b.function(r))
		}
	}
}

// send adds a rung that sends to a target, with the machines of the target that gets copies.
func (b *builder) send(number int, sort policy.RungSort, target string) {
	m, hedge := b.target(target), target
	if cfg := b.op.plan.Hedge; cfg.Max > 0 {
		m.Hedger = shared(b.hedgers, key[policy.HedgeConfig]{target, b.own(), cfg}, func() *policy.Hedger { return policy.NewHedger(cfg) })
		if hedge = ServerOf(&b.op.plan, number, true); hedge != target {
			other := b.target(hedge)
			m.Hedge = &other
		}
	}
	b.add(sort, target, m)
	b.op.rungs[len(b.op.rungs)-1].hedge = b.server(hedge)
}

// add adds a rung whose attempts reach the server of that name.
func (b *builder) add(sort policy.RungSort, name string, m policy.Machines) {
	b.op.machines = append(b.op.machines, m)
	r := rung{sort: sort, server: b.server(name)}
	if m.Members != nil {
		for i := range m.Members.Len() {
			r.members = append(r.members, b.server(m.Members.Machines(i).Target))
		}
	}
	b.op.rungs = append(b.op.rungs, r)
}

// server returns the server of that name.
func (b *builder) server(name string) *server {
	s, ok := b.servers[name]
	if !ok {
		cfg := Server{Target: name}
		for _, v := range b.run.scenario.Servers {
			if v.Target == name {
				cfg = v
			}
		}
		s = newServer(cfg, rand.New(rand.NewPCG(b.run.seed, serverStream+uint64(len(b.servers)))))
		b.servers[name] = s
	}
	return s
}

// own is the operation's number in keys of what it shares with no other.
func (b *builder) own() int { return b.op.number + 1 }

// of is the operation in the key of a machine of that scope.
func (b *builder) of(s policy.Scope) int {
	if s == policy.ScopeTarget {
		return 0
	}
	return b.own()
}

// shared returns the machine under the key, made if there is none.
func shared[K comparable, M any](machines map[K]*M, at K, first func() *M) *M {
	m, ok := machines[at]
	if !ok {
		m = first()
		machines[at] = m
	}
	return m
}

// function returns the machines of a rung that runs a function of the program.
func (b *builder) function(r *policy.Rung) policy.Machines {
	name, cfg := r.Sort.String()+":"+r.Name, policy.FuncBulkhead(&b.op.plan)
	return policy.Machines{
		Bulkhead: shared(b.bulkheads, key[policy.BulkheadConfig]{name, b.own(), cfg}, func() *policy.Bulkhead { return policy.NewBulkhead(cfg) }),
		Latency:  shared(b.latencies, key[none]{name, b.own(), none{}}, func() *policy.Latency { return new(policy.Latency) }),
	}
}

// target returns the machines of a target.
func (b *builder) target(name string) policy.Machines {
	cfg := policy.TargetOf(&b.op.plan, name)
	if len(cfg.AnyOf) == 0 {
		return b.endpoint(&cfg)
	}
	g := b.groups[name]
	if g == nil {
		g = b.group(&cfg)
		b.groups[name] = g
	}
	return policy.Machines{Target: cfg.Name, Layered: cfg.Layered, Members: g, Throttle: b.throttle(cfg.Name)}
}

// group returns the members of a target.
func (b *builder) group(cfg *policy.Target) *policy.Members {
	members := make([]policy.MemberConfig, len(cfg.AnyOf))
	for i, name := range cfg.AnyOf {
		own := policy.MemberOf(&b.op.plan, cfg.Name, name)
		members[i] = policy.MemberConfig{Machines: b.endpoint(&own), Weight: own.Weight}
		members[i].Machines.Throttle = nil // it is the target's
		b.run.members[name] = b.server(name)
	}
	return policy.NewMembers(members, cfg.Affinity, cfg.SharedKeys)
}

func (b *builder) throttle(target string) *policy.Throttle {
	cfg := b.op.plan.Shed
	if cfg.Factor <= 0 {
		return nil
	}
	return shared(b.throttles, key[policy.ShedConfig]{target, 0, cfg}, func() *policy.Throttle { return policy.NewThrottle(cfg, b.draw) })
}

// purse returns the purse of a target; nil if there is none. One that is no target's own is the same for all.
func (b *builder) purse(target string) *policy.Purse {
	cfg, own := policy.PurseOf(&b.op.plan, target)
	if cfg == (policy.PurseConfig{}) {
		return nil
	}
	if !own {
		target = ""
	}
	return shared(b.purses, key[policy.PurseConfig]{target, 0, cfg}, func() *policy.Purse { return policy.NewPurse(cfg) })
}

// limiter returns the limiter of a target; nil if there is none.
func (b *builder) limiter(target string, cfg policy.LimitConfig) *policy.Limiter {
	if cfg.IsOff() {
		return nil
	}
	headers := cfg.Headers
	cfg.Headers, cfg.Cost = policy.LimitHeadersNone, policy.Rate{} // operations that differ in these share the limit all the same
	l := shared(b.limiters, key[policy.LimitConfig]{target, 0, cfg}, func() *policy.Limiter { return policy.NewLimiter(cfg) })
	if headers != policy.LimitHeadersNone {
		l.Learns()
	}
	return l
}

// breaker adds the breaker of a target, and the operation's lane in it.
func (b *builder) breaker(m *policy.Machines, cfg policy.BreakerConfig) {
	if cfg.Mode == policy.BreakerOff {
		return
	}
	attempt := b.op.plan.Timeout.Attempt
	lane := laneKey{b.own(), attempt}
	s := shared(b.breakers, key[policy.BreakerConfig]{m.Target, b.of(cfg.Scope), cfg}, func() *breaker {
		made := policy.NewBreaker(cfg, attempt, b.draw)
		if g := b.guard(m.Target); g != nil {
			made.Under(g)
		}
		return &breaker{Breaker: made, lanes: map[laneKey]policy.Lane{lane: 0}}
	})
	n, ok := s.lanes[lane]
	if !ok {
		n = s.Lane(attempt)
		s.lanes[lane] = n
	}
	m.Breaker, m.Lane = s.Breaker, n
}

// guard returns the lock of a target's machines; nil where each has one of its own.
func (b *builder) guard(target string) *policy.Guard {
	if b.run.apart {
		return nil
	}
	return shared(b.guards, target, policy.NewGuard)
}

// endpoint returns the machines of a target that is one endpoint.
func (b *builder) endpoint(t *policy.Target) policy.Machines {
	plan := &b.op.plan
	m := policy.Machines{Target: t.Name, Layered: t.Layered, Throttle: b.throttle(t.Name)}
	m.Latency = shared(b.latencies, key[none]{t.Name, b.own(), none{}}, func() *policy.Latency {
		made := new(policy.Latency)
		if g := b.guard(t.Name); g != nil {
			made.Under(g)
		}
		return made
	})
	b.breaker(&m, t.Breaker)
	if cfg := t.Bulkhead; cfg.MaxConcurrent > 0 {
		m.Bulkhead = shared(b.bulkheads, key[policy.BulkheadConfig]{t.Name, b.of(cfg.Scope), cfg}, func() *policy.Bulkhead {
			made := policy.NewBulkhead(cfg)
			if g := b.guard(t.Name); g != nil {
				made.Under(g)
			}
			return made
		})
	}
	if cfg := t.Budget; cfg != (policy.BudgetConfig{}) {
		m.Budget = shared(b.budgets, key[policy.BudgetConfig]{t.Name, 0, cfg}, func() *policy.Budget { return policy.NewBudget(cfg) })
	}
	m.Limit, m.Headers, m.Price, m.Purse = b.limiter(t.Name, t.Limit), t.Limit.Headers, t.Price, b.purse(t.Name)
	if t.Limit.CountsTokens() || m.Purse != nil {
		counting := policy.CountingOf(policy.PlanAt(plan, t.Name))
		m.Estimate = shared(b.estimates, key[policy.Counting]{t.Name, b.own(), counting}, func() *policy.Estimator { return policy.NewEstimator(counting) })
	}
	if policy.MakesPause(plan) {
		m.Pause = shared(b.pauses, key[policy.Partition]{t.Name, 0, t.Limit.Per}, func() *policy.Pause {
			if t.Limit.Per == policy.PerTenant {
				return policy.NewTenantPause(t.Breaker.OpenMax)
			}
			return policy.NewPause(t.Breaker.OpenMax)
		})
	}
	return m
}
