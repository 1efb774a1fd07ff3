package chaos

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime"
)

// Variable is the variable of the environment that switches plans on: their names, with commas or spaces between. Names, rather than a yes,
// so that what was set for one plan does not switch another one on that is deployed later.
const Variable = "RESGEN_CHAOS"

// Chaos makes faults up by a plan: a runtime.Chaos, for runtime.WithChaos. nil is one that is off; its methods do nothing. Clients may share one;
// then they share what it counts. Safe for concurrent use. It starts nothing, and has no clock but that of calls.
type Chaos struct {
	plan Plan

	mu      sync.Mutex
	start   time.Time
	stopped bool
	rules   []count
}

// count is what a rule has come to.
type count struct{ asked, injected int }

// New returns the chaos of a plan that starts now, if the environment names it in RESGEN_CHAOS, and else nil, which is off. It fails where the
// plan contradicts itself, on or off. There is no other way to switch one on, in tests neither: they set the variable (testing.T.Setenv,
// or os.Setenv in TestMain).
func New(plan Plan) (*Chaos, error) {
	if err := plan.check(); err != nil {
		return nil, err
	}
	if !slices.Contains(strings.FieldsFunc(os.Getenv(Variable), isBetween), plan.Name) {
		return nil, nil //nolint:nilnil // nil is off
	}
	if plan.Lasts == 0 {
		plan.Lasts = lastsUsually
	}
	c := &Chaos{plan: plan}
	c.Restart()
	return c, nil
}

// isBetween reports whether a character stands between two names.
func isBetween(r rune) bool { return r == ',' || r == ' ' }

// IsOn reports whether faults are made up now: the plan is switched on, has not been stopped, and is not over.
func (c *Chaos) IsOn() bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.goesOn(time.Since(c.start))
}

// goesOn reports whether the plan does, so long after its start. c.mu is held.
func (c *Chaos) goesOn(since time.Duration) bool { return !c.stopped && since < c.plan.Lasts }

// Stop ends the plan at once, for new attempts; those that wait in a fault wait on. It is what aborts a game day.
func (c *Chaos) Stop() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
}

// Restart starts the plan again, now, with nothing counted.
func (c *Chaos) Restart() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.start, c.stopped, c.rules = time.Now(), false, make([]count, len(c.plan.Rules))
}

// RuleReport is what a rule has come to.
type RuleReport struct {
	// Asked is how many attempts the rule was asked about: they were its operations', targets' and tenants', in its time. None, where there should be
	// some, is a name that is misspelled.
	Asked int
	// Injected is how many of them met a fault.
	Injected int
}

// Report returns what each rule has come to since the start.
func (c *Chaos) Report() []RuleReport {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]RuleReport, len(c.rules))
	for i, n := range c.rules {
		all[i] = RuleReport{Asked: n.asked, Injected: n.injected}
	}
	return all
}

// Fault returns what an attempt meets; nil is nothing.
func (c *Chaos) Fault(at runtime.ChaosAttempt) runtime.Fault {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	since := time.Since(c.start)
	if !c.goesOn(since) {
		return nil
	}
	for i := range c.plan.Rules {
		r := &c.plan.Rules[i]
		if !r.holds(since) || !r.isOf(&at) {
			continue
		}
		n := &c.rules[i]
		n.asked++
		if r.Most > 0 && n.injected >= r.Most {
			continue
		}
		if f := c.drawn(i, n.asked-1); f != nil {
			n.injected++
			return &injection{plan: c.plan.Name, fault: f, at: at}
		}
	}
	return nil
}

// drawn returns what a rule has for the attempt of that number, from 0; nil is nothing.
func (c *Chaos) drawn(rule, number int) *Fault {
	r := &c.plan.Rules[rule]
	f := &r.Fault
	switch {
	case len(r.Script) == 0:
		if draw(c.plan.Seed, uint64(rule), uint64(number)) >= r.Share {
			return nil
		}
	case number >= len(r.Script):
		return nil
	default:
		f = &r.Script[number]
	}
	if f.isNone() {
		return nil
	}
	return f
}

// draw returns a number in [0, 1) that depends on nothing else: SplitMix64 (Steele, Lea and Flood 2014), once for each of the three.
func draw(seed, rule, number uint64) float64 {
	const bits = 53
	z := mix(mix(mix(seed)+rule) + number)
	return float64(z>>(64-bits)) / (1 << bits)
}

func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// injection is the fault of one attempt: a runtime.Fault.
type injection struct {
	plan  string
	fault *Fault
	at    runtime.ChaosAttempt
}

// String returns what the fault is.
func (in *injection) String() string { return in.fault.String() }

// Error is what an attempt failed with that met a fault. What it wraps is what a real one would be.
type Error struct {
	// Plan is the name of the plan, and Fault what it made up.
	Plan, Fault string
	// Err is the error of the fault.
	Err error
}

// Error says that it was made up.
func (e *Error) Error() string { return fmt.Sprintf("injected by chaos plan %q: %v", e.Plan, e.Err) }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// failed returns an error as one that was made up.
func (in *injection) failed(err error) error {
	return &Error{Plan: in.plan, Fault: in.String(), Err: err}
}
