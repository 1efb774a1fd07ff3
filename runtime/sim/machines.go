package sim

import (
	"math/rand/v2"
	"slices"

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

// builder makes the machines of a plan, one set for each target, as a live client does.
type builder struct {
	run      *run
	draw     func() float64
	machines map[string]policy.Machines
	hedgers  map[string]*policy.Hedger
	servers  map[string]*server
	purses   map[string]*policy.Purse
}

// build makes the rungs of the run's plan.
func (b *builder) build() {
	b.send(0, policy.PrimaryTarget)
	for i := range b.run.plan.Fallback.Rungs {
		switch r := &b.run.plan.Fallback.Rungs[i]; {
		case r.Sort.Resends():
			target := r.Target
			if target == "" {
				target = policy.PrimaryTarget
			}
			b.send(r.Sort, target)
		case r.Sort.IsAtHand():
			b.add(r.Sort, "", policy.Machines{})
		default:
			b.add(r.Sort, r.Name, b.function())
		}
	}
}

// send adds a rung that sends to a target, with the machines of the target that gets copies.
func (b *builder) send(sort policy.RungSort, target string) {
	m, hedge := b.target(target), target
	if cfg := &b.run.plan.Hedge; cfg.Max > 0 {
		m.Hedger = b.hedgers[target]
		if m.Hedger == nil {
			m.Hedger = policy.NewHedger(*cfg)
			b.hedgers[target] = m.Hedger
		}
		if cfg.Target != "" && cfg.Target != target {
			other := b.target(cfg.Target)
			m.Hedge, hedge = &other, cfg.Target
		}
	}
	b.add(sort, target, m)
	b.run.rungs[len(b.run.rungs)-1].hedge = b.server(hedge)
}

// add adds a rung whose attempts reach the server of that name.
func (b *builder) add(sort policy.RungSort, name string, m policy.Machines) {
	b.run.machines = append(b.run.machines, m)
	r := rung{sort: sort, server: b.server(name)}
	if m.Members != nil {
		for i := range m.Members.Len() {
			r.members = append(r.members, b.server(m.Members.Machines(i).Target))
		}
	}
	b.run.rungs = append(b.run.rungs, r)
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

// function returns the machines of a rung that runs a function of the program.
func (b *builder) function() policy.Machines {
	return policy.Machines{Bulkhead: policy.NewBulkhead(policy.FuncBulkhead(&b.run.plan)), Latency: new(policy.Latency)}
}

// target returns the machines of a target.
func (b *builder) target(name string) policy.Machines {
	m, ok := b.machines[name]
	if !ok {
		if cfg := policy.TargetOf(&b.run.plan, name); len(cfg.AnyOf) > 0 {
			m = b.group(&cfg)
		} else {
			m = b.newMachines(cfg)
		}
		b.machines[name] = m
	}
	return m
}

// group returns the machines of a target that has members.
func (b *builder) group(cfg *policy.Target) policy.Machines {
	members := make([]policy.MemberConfig, len(cfg.AnyOf))
	for i, name := range cfg.AnyOf {
		own := policy.MemberOf(&b.run.plan, cfg.Name, name)
		members[i] = policy.MemberConfig{Machines: b.newMachines(own), Weight: own.Weight}
		members[i].Machines.Throttle = nil // it is the target's
		b.run.members[name] = b.server(name)
	}
	m := policy.Machines{Target: cfg.Name, Layered: cfg.Layered, Members: policy.NewMembers(members, cfg.Affinity, cfg.SharedKeys)}
	if b.run.plan.Shed.Factor > 0 {
		m.Throttle = policy.NewThrottle(b.run.plan.Shed, b.draw)
	}
	return m
}

// purse returns the purse of a target; nil if there is none. One that is no target's own is the same for all.
func (b *builder) purse(target string) *policy.Purse {
	cfg, own := policy.PurseOf(&b.run.plan, target)
	if cfg == (policy.PurseConfig{}) {
		return nil
	}
	if !own {
		target = ""
	}
	if b.purses[target] == nil {
		b.purses[target] = policy.NewPurse(cfg)
	}
	return b.purses[target]
}

// newMachines makes the machines of a target.
func (b *builder) newMachines(t policy.Target) policy.Machines {
	plan, guard := &b.run.plan, policy.NewGuard()
	m := policy.Machines{Target: t.Name, Layered: t.Layered, Latency: new(policy.Latency)}
	if t.Breaker.Mode != policy.BreakerOff {
		m.Breaker = policy.NewBreaker(t.Breaker, plan.Timeout.Attempt, b.draw)
	}
	if t.Bulkhead.MaxConcurrent > 0 {
		m.Bulkhead = policy.NewBulkhead(t.Bulkhead)
	}
	if t.Budget != (policy.BudgetConfig{}) {
		m.Budget = policy.NewBudget(t.Budget)
	}
	if plan.Shed.Factor > 0 {
		m.Throttle = policy.NewThrottle(plan.Shed, b.draw)
	}
	if !t.Limit.IsOff() {
		m.Limit = policy.NewLimiter(t.Limit)
		m.Headers = t.Limit.Headers
	}
	m.Price = t.Price
	m.Purse = b.purse(t.Name)
	if t.Limit.CountsTokens() || m.Purse != nil {
		m.Estimate = policy.NewEstimator(policy.CountingOf(plan))
	}
	switch {
	case !policy.MakesPause(plan):
	case t.Limit.Per == policy.PerTenant:
		m.Pause = policy.NewTenantPause(t.Breaker.OpenMax)
	default:
		m.Pause = policy.NewPause(t.Breaker.OpenMax)
	}
	if b.run.apart {
		return m
	}
	m.Latency.Under(guard)
	if m.Breaker != nil {
		m.Breaker.Under(guard)
	}
	if m.Bulkhead != nil {
		m.Bulkhead.Under(guard)
	}
	return m
}
