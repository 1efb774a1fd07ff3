package policy

// The bound on the calls of a func rung: what stands in for a dependency is the next victim of its outage (trap T62). It is twice
// the operation's own, and where that has none, twice the recommended one.
const (
	funcRungFactor  = 2
	funcRungDefault = 64
)

// TargetOf returns a plan's policies of a target: its own where it has them, else the operation's.
func TargetOf(p *Plan, target string) Target {
	t := Target{Name: target}
	for _, own := range p.Targets {
		if own.Name == target {
			t = own
		}
	}
	if t.Breaker == (BreakerConfig{}) {
		t.Breaker = p.Breaker
	}
	if t.Bulkhead == (BulkheadConfig{}) {
		t.Bulkhead = p.Bulkhead
	}
	if t.Budget == (BudgetConfig{}) {
		t.Budget = p.Budget
	}
	if t.Limit == (LimitConfig{}) {
		t.Limit = p.Limit
	}
	return t
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
