package chaos

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Plan says which attempts meet which faults.
type Plan struct {
	// Name is what the environment names the plan by; see New. It must not be empty, nor have a comma or a space in it.
	Name string
	// Seed is what shares are drawn by: of two runs with one seed, the same attempts of each rule meet its fault, counted in the order in which
	// they come.
	Seed uint64
	// Lasts is how long after New, or Restart, the plan is over, so that one that was forgotten ends by itself; 0 is an hour.
	Lasts time.Duration
	// Rules are asked in order about each attempt; the first that has a fault for it counts.
	Rules []Rule
}

// Rule says when attempts meet a fault: those in a list, one after the other, or a share of all.
type Rule struct {
	// Operations are those whose attempts may meet the fault: "llm.CreateChat", or "llm.*", as path.Match has it; "*" is all. A rule without
	// any is refused.
	Operations []string
	// Targets are the names of the targets, or of their members, in the same form; none is all.
	Targets []string
	// Tenants are those for whom the calls are made (runtime.WithTenant), spelled out; none is all, also calls for nobody.
	Tenants []string
	// From and Until bound the time in which the rule holds, after New or Restart; 0 is from the start, and to the end.
	From, Until time.Duration
	// Script are the faults of the first attempts that the rule is asked about, in order, retries and hedges counted; the zero Fault leaves one
	// alone. Attempts after the last are left alone. With it, Share and Fault are empty.
	Script []Fault
	// Share is how many of the attempts meet Fault: above 0, and at most 1, which is all. It has no default, so that nothing is hit by mistake.
	Share float64
	Fault Fault
	// Most is how many faults the rule has in all; 0 is not bounded by that.
	Most int
}

// lastsUsually is how long a plan lasts that does not say it.
const lastsUsually = time.Hour

// check returns everything that is wrong with the plan.
func (p *Plan) check() error {
	var errs []error
	if p.Name == "" || slices.ContainsFunc([]rune(p.Name), isBetween) {
		errs = append(errs, fmt.Errorf("the name %q: it must have letters, and neither commas nor spaces", p.Name))
	}
	if p.Lasts < 0 {
		errs = append(errs, fmt.Errorf("it lasts %v", p.Lasts))
	}
	if len(p.Rules) == 0 {
		errs = append(errs, errors.New("it has no rules"))
	}
	for i := range p.Rules {
		if err := p.Rules[i].check(); err != nil {
			errs = append(errs, fmt.Errorf("rule %d: %w", i+1, err))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("chaos plan %q: %w", p.Name, errors.Join(errs...))
}

func (r *Rule) check() error {
	var errs []error
	if len(r.Operations) == 0 {
		errs = append(errs, errors.New(`it names no operations: "*" is all`))
	}
	for _, pattern := range slices.Concat(r.Operations, r.Targets) {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
			errs = append(errs, fmt.Errorf("%q is no pattern", pattern))
		}
	}
	if r.From < 0 || r.Until < 0 || r.Until > 0 && r.Until <= r.From {
		errs = append(errs, fmt.Errorf("it holds from %v until %v", r.From, r.Until))
	}
	if r.Most < 0 {
		errs = append(errs, fmt.Errorf("it has %d faults at most", r.Most))
	}
	for i := range r.Script {
		if err := r.Script[i].check(); err != nil {
			errs = append(errs, fmt.Errorf("fault %d: %w", i+1, err))
		}
	}
	switch drawn := r.Share != 0 || !r.Fault.isNone(); {
	case len(r.Script) > 0 && drawn:
		errs = append(errs, errors.New("it has a script, and a share or a fault beside it"))
	case len(r.Script) > 0:
	case !(r.Share > 0 && r.Share <= 1): // not a number is none of them
		errs = append(errs, fmt.Errorf("the share %v is not above 0 and at most 1", r.Share))
	case r.Fault.isNone():
		errs = append(errs, errors.New("it has no fault"))
	default:
		if err := r.Fault.check(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// holds reports whether the rule holds so long after the start.
func (r *Rule) holds(since time.Duration) bool {
	return since >= r.From && (r.Until == 0 || since < r.Until)
}

// isOf reports whether the rule is about the attempt.
func (r *Rule) isOf(at *runtime.ChaosAttempt) bool {
	return matches(r.Operations, at.Operation) && (len(r.Targets) == 0 || matches(r.Targets, at.Target)) &&
		(len(r.Tenants) == 0 || slices.ContainsFunc(r.Tenants, func(id string) bool { return policy.TenantKey(id) == at.Tenant }))
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	})
}
