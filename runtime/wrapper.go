package runtime

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// WrapperSpec is what the annotations of a Go interface say of it as a whole. Generated code holds it as a literal.
type WrapperSpec struct {
	// Name is the interface's name: the prefix of errors, events and breakers.
	Name string
	// Targets are the targets that policies name. The primary one, which is the wrapped value, need not be among them.
	Targets []policy.Target
}

// Wrapper is the wiring of a generated wrapper: the implementations that it calls, one for each target, and what rungs need. Make it with
// NewWrapper, then its operations, then ask Err; after that it does not change.
type Wrapper struct {
	spec     WrapperSpec
	group    *Group
	observer Observer
	chaos    Chaos // nil where no fault is made up
	store    Store
	limits   LimitStore
	meanings Meanings
	wired    map[string]any
	targets  map[string]any // by name; nil where none was given
	errs     []error
}

// WrapperOption is an option for a generated wrapper: WithGroup, WithObserver and WithStore return one.
type WrapperOption interface{ applyWrapper(w *Wrapper) }

// EitherOption is an option for clients and for wrappers.
type EitherOption interface {
	ClientOption
	WrapperOption
}

// eitherOption holds one form for each.
type eitherOption struct {
	clientOption

	wrapper func(w *Wrapper)
}

func (o eitherOption) applyWrapper(w *Wrapper) { o.wrapper(w) }

var errNilNext = errors.New("the value to be wrapped is nil")

// NewWrapper applies the options to the wrapper of next, which is its primary target. It calls nothing; what is wrong or missing is for
// Err to say. Options that are nil are left out.
func NewWrapper[O ~func(*Wrapper)](spec WrapperSpec, next any, opts ...O) *Wrapper {
	w := &Wrapper{spec: spec, wired: map[string]any{}, targets: map[string]any{policy.PrimaryTarget: next}}
	for _, t := range spec.Targets {
		if t.Name != policy.PrimaryTarget {
			w.targets[t.Name] = nil
		}
	}
	if next == nil {
		w.fail(errNilNext)
	}
	for _, o := range opts {
		if o != nil {
			o(w)
		}
	}
	if w.group == nil {
		w.group = NewGroup()
	}
	countClient(w.observer, spec.Name)
	return w
}

// countClient tells an observer that counts that a client of that name was made.
func countClient(o Observer, name string) {
	c, ok := o.(clientCounter)
	if !ok {
		return
	}
	now := time.Now()
	if made, warn := c.clientMade(name, now); warn {
		tell(context.Background(), o, Event{What: ManyClients, Time: now, Client: name, Attempts: made})
	}
}

func (w *Wrapper) fail(err error) { w.errs = append(w.errs, err) }

// lookup returns what was wired under a name.
func (w *Wrapper) lookup(name string) (any, bool) {
	v, ok := w.wired[name]
	return v, ok
}

func (*Wrapper) giver() string { return "give the wrapper its option of that name" }

// Apply applies options of the runtime.
func (w *Wrapper) Apply(opts ...WrapperOption) {
	for _, o := range opts {
		if o != nil {
			o.applyWrapper(w)
		}
	}
}

// Wire gives the wrapper the function or the value that a rung, or the source of a key, names. It replaces what was given before. A
// function must be safe for concurrent use.
func (w *Wrapper) Wire(name string, v any) { w.wired[name] = v }

// WireTarget gives a target the implementation that calls to it go to: another value of the wrapped interface. A name that no annotation
// declares, and nil, are for Err to say.
func (w *Wrapper) WireTarget(name string, target any) {
	switch _, known := w.targets[name]; {
	case !known:
		w.fail(fmt.Errorf("there is no target %q", name))
	case target == nil:
		w.fail(fmt.Errorf("target %q is nil", name))
	default:
		w.targets[name] = target
	}
}

// implementation returns what calls to a target go to; nil where nothing was given. The first member of the primary target is the wrapped
// value where it was given no other: that is called whatever the policies say.
func (w *Wrapper) implementation(name string) any {
	given := w.targets[name]
	if given != nil {
		return given
	}
	for i := range w.spec.Targets {
		if t := &w.spec.Targets[i]; t.Name == policy.PrimaryTarget && len(t.AnyOf) > 0 && t.AnyOf[0] == name {
			return w.targets[policy.PrimaryTarget]
		}
	}
	return nil
}

// WiredTarget returns the implementation of a target. What is missing is for Err to say.
func WiredTarget[T any](w *Wrapper, name string) T {
	given := w.implementation(name)
	v, ok := given.(T)
	if !ok && given != nil {
		w.fail(fmt.Errorf("target %q is a %T: it must be %s", name, given, reflect.TypeFor[T]()))
	}
	return v
}

// Operation makes the operation of one method from its plan. classify says of which kind an error of the method is, before the rules that
// hold for all errors do; policy.KindNone leaves it to those. Operation is never nil; what is wrong with it is for Err to say.
func (w *Wrapper) Operation(plan policy.Plan, classify ...func(error) policy.Kind) *Operation {
	wiring := Wiring{Observer: w.observer, Chaos: w.chaos, Store: w.store, Limits: w.limits, Meanings: w.meanings}
	if len(classify) > 0 {
		wiring.Classify = classify[0]
	}
	if plan.Key.Source == policy.KeyFunc {
		wiring.Key, _ = w.wired[plan.Key.From].(func(context.Context) (string, error))
	}
	for _, target := range targetsOf(&plan) {
		for _, name := range policy.Endpoints(&plan, target) {
			if w.implementation(name) == nil && name != policy.PrimaryTarget {
				w.fail(fmt.Errorf("%s: target %q is not wired: give the wrapper an implementation for it", plan.Operation, name))
			}
		}
	}
	wiring.Affinity = affinityOf(w, &plan)
	op, err := NewOperation(w.group, w.spec.Name, plan, wiring)
	if err != nil {
		w.fail(err)
		return &Operation{}
	}
	op.tellsKey = plan.Idempotency == policy.Keyed
	op.watchLayers()
	op.wraps, op.inner = true, op.group.showInner(op.machineKey(policy.PrimaryTarget, wiring))
	op.straight = op.goesStraight()
	return op
}

// Err returns everything that is wrong: a target or a function that was not wired, a plan that contradicts itself. Each error is told once.
func (w *Wrapper) Err() error {
	if len(w.errs) == 0 {
		return nil
	}
	seen := map[string]bool{}
	var errs []error
	for _, err := range w.errs {
		if text := err.Error(); !seen[text] {
			seen[text] = true
			errs = append(errs, err)
		}
	}
	return fmt.Errorf("%s: %w", w.spec.Name, errors.Join(errs...))
}
