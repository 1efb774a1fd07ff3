package policy

import "slices"

// The bound on the calls of a func rung: what stands in for a dependency is the next victim of its outage (trap T62). It is twice
// the operation's own, and where that has none, twice the recommended one.
const (
	funcRungFactor  = 2
	funcRungDefault = 64
)

// TargetOf returns a plan's policies of a target: its own where it has them, else the operation's.
func TargetOf(p *Plan, target string) Target {
	t := targetIn(p, target)
	at := PlanAt(p, target)
	t.inherit(&Target{Breaker: p.Breaker, Bulkhead: p.Bulkhead, Budget: p.Budget, Limit: at.Limit})
	t.Limit = limitOf(at, t.Limit)
	return t
}

// PlanAt returns a plan as it holds for what is sent to an endpoint: a target, or a member of one. It is the plan itself, but where the endpoint
// has a preset of its own.
func PlanAt(p *Plan, endpoint string) *Plan {
	preset := presetAt(p, endpoint)
	if preset == "" || preset == p.Errors.Preset {
		return p
	}
	at := *p
	at.Errors.Preset = preset
	if at.Limit.Headers == LimitHeadersOf(p.Errors.Preset) {
		at.Limit.Headers = LimitHeadersOf(preset)
	}
	return &at
}

// presetAt returns the preset of an endpoint; empty where it has none of its own.
func presetAt(p *Plan, endpoint string) string {
	if own := targetIn(p, endpoint).Preset; own != "" {
		return own
	}
	for i := range p.Targets {
		if slices.Contains(p.Targets[i].AnyOf, endpoint) {
			return p.Targets[i].Preset
		}
	}
	return ""
}

// inherit gives a target those policies of another that it does not have itself.
func (t *Target) inherit(from *Target) {
	if t.Breaker == (BreakerConfig{}) {
		t.Breaker = from.Breaker
	}
	if t.Bulkhead == (BulkheadConfig{}) {
		t.Bulkhead = from.Bulkhead
	}
	if t.Budget == (BudgetConfig{}) {
		t.Budget = from.Budget
	}
	if t.Limit == (LimitConfig{}) {
		t.Limit = from.Limit
	}
}

// MemberOf returns a plan's policies of a member of a target: its own where it has them, then those of the target, then the operation's.
func MemberOf(p *Plan, target, member string) Target {
	group, own := TargetOf(p, target), targetIn(p, member)
	own.inherit(&group)
	if !own.Price.IsKnown() {
		own.Price = group.Price
	}
	own.Layered = own.Layered || group.Layered
	own.Internal = own.Internal || group.Internal
	return own
}

// targetIn returns what a plan says of a target.
func targetIn(p *Plan, name string) Target {
	for i := range p.Targets {
		if p.Targets[i].Name == name {
			return p.Targets[i]
		}
	}
	return Target{Name: name}
}

// Endpoints returns the names of the targets that are called where one of that name is: its members, or itself.
func Endpoints(p *Plan, target string) []string {
	if t := targetIn(p, target); len(t.AnyOf) > 0 {
		return t.AnyOf
	}
	return []string{target}
}

// FuncBulkhead returns the bulkhead of a rung that runs a function of the program: twice the operation's MaxConcurrent, 128 where that is off,
// without a queue.
func FuncBulkhead(p *Plan) BulkheadConfig {
	calls := p.Bulkhead.MaxConcurrent
	if calls <= 0 {
		calls = funcRungDefault
	}
	return BulkheadConfig{MaxConcurrent: funcRungFactor * calls, Scope: ScopeOperation}
}
