package runtime

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Operation is what the calls of one method share: its plan, and its place among the machines of its group. It is made once, with
// the client. Safe for concurrent use.
type Operation struct {
	client    string
	name      string // the client and the operation, for errors and events
	plan      policy.Plan
	rungs     []policy.Machines
	names     []string // of the rungs; empty for the operation itself
	breakers  []*sharedBreaker
	members   map[*policy.Breaker]*sharedBreaker // of the members of targets
	hedges    []*sharedBreaker                   // of the target that gets copies, where that is another one; nil where it is not
	affinity  func(context.Context) string
	groups    map[string]*policy.Members // by target
	group     *Group
	observer  Observer
	chaos     Chaos // nil where no fault is made up
	keyFunc   func(context.Context) (string, error)
	answers   *answers          // the cache; nil where there is none
	exercise  *policy.Exercise  // nil where no rung is ever exercised
	shadows   []*Operation      // by rung: what runs it beside a call
	shadowed  atomic.Bool       // one runs
	beside    bool              // it is one
	sends     bool              // its attempts go through Send
	wraps     bool              // its attempts are a wrapped value's
	inner     *atomic.Uint64    // counts what that sent again; nil where it is not wrapped
	warned    atomic.Bool       // of the first of them
	within    *scope            // of the calls that are made inside, where somebody is told of their policies; else nil
	layered   atomic.Bool       // they were told
	abandoned *abandoned        // nil where every attempt is waited for
	tellsKey  bool              // its attempts find their idempotency key in their context
	classify  func(error) Kind  // nil where nobody wired one
	epoch     time.Time         // when it was made: see now
	asks      []string          // where requests say how much they allow
	allowed   jsontext.Pointers // the same, for one walk
	sized     bool              // a limit, a price, or a rung needs to know the size of requests
	fits      []policy.Fit      // what the rungs can take; nil for everything
	space     *space            // nil where no vectors are checked
	unshared  error             // why a limit is not shared that is to be; else nil

	own      dialect             // what answers mean
	dialects map[string]*dialect // the same of endpoints that are other providers, by name; nil where all are one

	nameless   *Operation // makes the calls whose requests do not name all that they write; nil where all are alike
	isNameless bool       // it is one

	straight bool // calls may go straight

	// refused is the error of calls that the operation's own breaker rejects, made once for each opening.
	refused atomic.Pointer[refusal]
}

// Wiring is what an operation needs beside its plan. The zero value is an operation that nobody watches.
type Wiring struct {
	// Observer is told what happens; nil is none.
	Observer Observer
	// Key gives the idempotency key of a call where the plan says that a function does. It is asked once for each call and target, when
	// the first request is to be sent.
	Key func(context.Context) (string, error)
	// Classify says of which kind an error is that the function of an attempt returned, before the rules that hold for all errors do;
	// policy.KindNone leaves it to those. Nil leaves all to them. It must be safe for concurrent use.
	Classify func(error) Kind
	// Store keeps the answers of the cache; a plan with a cache needs one.
	Store Store
	// Meanings are the embedders and the store of semantic caches; a plan with one needs them.
	Meanings Meanings
	// Limits is the store of shared limits; a plan with one needs it.
	Limits LimitStore
	// Endpoints says, by the name of a target, what tells it from targets of the same name: an address, a credential's name. Only
	// clients that share a Group need it. It is never shown.
	Endpoints map[string]string
	// Chaos makes faults up that attempts meet; nil is none.
	Chaos Chaos
	// Affinity says to which conversation a call belongs, for a target that keeps it on one of its members; empty is none. What it returns
	// is used as a hash alone, and shown nowhere.
	Affinity func(context.Context) string
}

// errNoKeyFunc is a plan that takes its keys from a function that the client was not given.
var errNoKeyFunc = errors.New("the idempotency key comes from a function that was not wired")

// NewOperation returns the operation of a client with that name. The plan is copied and must not be changed afterwards in what it
// refers to. It fails if the plan contradicts itself, or if its key comes from a function that is not wired. A nil group is one of
// the operation's own.
func NewOperation(g *Group, client string, plan policy.Plan, w Wiring) (*Operation, error) {
	op := &Operation{
		client: client, name: plan.Operation, plan: plan, group: g, observer: w.Observer, epoch: time.Now(), keyFunc: w.Key,
		chaos: w.Chaos, classify: w.Classify, space: newSpace(&plan), own: dialectOf(&plan), dialects: dialectsOf(&plan),
	}
	places := policy.TokenPlacesOf(&plan)
	op.asks = places.Max
	op.allowed = jsontext.Compile(places.Max...)
	op.affinity = w.Affinity
	if op.fits = policy.FitsOf(&plan); op.fits != nil {
		op.sized = true
	}
	if client != "" {
		op.name = client + "." + plan.Operation
	}
	if err := op.check(); err != nil {
		return nil, err
	}
	if plan.Idempotency == policy.Keyed && plan.Key.Source == policy.KeyFunc && w.Key == nil {
		return nil, fmt.Errorf("%s: %w: %q", op.name, errNoKeyFunc, plan.Key.From)
	}
	if g == nil {
		op.group = NewGroup()
	}
	op.addRung("", policy.PrimaryTarget, w)
	op.group.showTimeout(op.machineKey(policy.PrimaryTarget, w), plan.Timeout)
	for i := range plan.Fallback.Rungs {
		switch r := &plan.Fallback.Rungs[i]; {
		case r.Sort.Resends():
			target := r.Target
			if target == "" {
				target = policy.PrimaryTarget
			}
			op.addRung(r.Name, target, w)
		case r.Sort.Calls():
			op.addFunc(r)
		case r.Sort.IsAtHand():
			op.add(r.Name, policy.Machines{}, nil)
		default:
			return nil, fmt.Errorf("%s: rung %q is of no known sort: %d", op.name, r.Name, r.Sort)
		}
	}
	if op.unshared != nil {
		return nil, fmt.Errorf("%s: %w", op.name, op.unshared)
	}
	if err := op.remember(w); err != nil {
		return nil, fmt.Errorf("%s: %w", op.name, err)
	}
	if plan.Abandon {
		op.abandoned = op.group.showAbandoned(op.machineKey(policy.PrimaryTarget, w))
	}
	op.shadow()
	op.straight = op.goesStraight()
	op.splitOff()
	return op, nil
}

// check refuses a plan that contradicts itself. The generator does so too; plans are also written by hand.
func (op *Operation) check() error {
	for _, p := range op.plan.Validate() {
		if !p.Warning {
			return fmt.Errorf("%s: %w", op.name, p)
		}
	}
	presets := []string{op.plan.Errors.Preset}
	for i := range op.plan.Targets {
		presets = append(presets, op.plan.Targets[i].Preset)
	}
	for _, name := range presets {
		if !policy.HasPreset(name) {
			return fmt.Errorf("%s: no preset of errors is called %q", op.name, name)
		}
	}
	return nil
}

// now returns the time as the monotonic clock shows it: time.Now reads the wall clock too, which costs as much again, twice a call. As a
// wall clock it is off by what that was set since the operation was made, so observers are given, and dates compared with, time.Now.
func (op *Operation) now() time.Time {
	if op.observer != nil {
		return time.Now()
	}
	return op.epoch.Add(time.Since(op.epoch))
}

// Name returns the client and the operation: "llm.CreateChat".
func (op *Operation) Name() string { return op.name }

// streams reports whether the answers come item by item.
func (op *Operation) streams() bool { return op.plan.Stream.Format.Streams() }

// Refuse returns the error of a call that is not made because its request cannot be sent: kind policy.KindCaller, no attempt. Generated
// methods with a ladder return it, so that no rung answers a wrong request.
func (op *Operation) Refuse(err error) error {
	return &Error{Operation: op.name, Kind: policy.KindCaller, Cause: err}
}

// addRung adds a rung that sends to a target, with the machines of that target, and those of the target that gets copies.
func (op *Operation) addRung(name, target string, w Wiring) {
	m, b := op.machinesOf(target, w)
	var hedge *sharedBreaker
	if hedges := &op.plan.Hedge; hedges.Max > 0 {
		m.Hedger = op.group.hedger(op.machineKey(target, w), *hedges)
		if hedges.Target != "" && hedges.Target != target {
			other, its := op.machinesOf(hedges.Target, w)
			op.group.show(op.machineKey(hedges.Target, w), policy.TargetOf(&op.plan, hedges.Target), other)
			m.Hedge, hedge = &other, its
		}
	}
	op.group.show(op.machineKey(target, w), policy.TargetOf(&op.plan, target), m)
	op.add(name, m, b)
	op.hedges[len(op.hedges)-1] = hedge
}

// machineKey says whose the machines of the operation at a target are.
func (op *Operation) machineKey(target string, w Wiring) machineKey {
	return machineKey{client: op.client, target: target, endpoint: w.Endpoints[target], operation: op.plan.Operation}
}

// machinesOf returns the machines of a target.
func (op *Operation) machinesOf(target string, w Wiring) (policy.Machines, *sharedBreaker) {
	cfg := policy.TargetOf(&op.plan, target)
	if len(cfg.AnyOf) > 0 {
		return op.groupOf(&cfg, w), nil
	}
	return op.endpointOf(&cfg, w)
}

// endpointOf returns the machines of a target that is one endpoint.
func (op *Operation) endpointOf(cfg *policy.Target, w Wiring) (policy.Machines, *sharedBreaker) {
	target, key := cfg.Name, op.machineKey(cfg.Name, w)
	b, lane := op.group.breaker(key, cfg.Breaker, op.plan.Timeout.Attempt)
	m := policy.Machines{
		Target: target, Lane: lane, Layered: cfg.Layered,
		Bulkhead: op.group.bulkhead(key, cfg.Bulkhead),
		Throttle: op.group.throttle(key, op.plan.Shed),
		Budget:   op.group.budget(key, cfg.Budget),
		Latency:  op.group.latency(key),
	}
	if b != nil {
		m.Breaker = b.Breaker
	}
	m.Limit, m.Headers = op.limiter(key, cfg.Limit, w.Limits), cfg.Limit.Headers
	m.Price = cfg.Price
	purse, own := policy.PurseOf(&op.plan, target)
	m.Purse = op.group.purse(key, purse, own)
	said := op.at(target)
	if cfg.Limit.CountsTokens() || m.Purse != nil || op.fits != nil || said.counted != nil && (m.Price.IsKnown() || op.plan.PricesRungs()) {
		m.Estimate, op.sized = op.group.estimator(key, said.counting), true
	}
	if policy.MakesPause(&op.plan) {
		m.Pause = op.group.pause(key, cfg.Breaker.OpenMax, cfg.Limit.Per)
	}
	return m, b
}

// addFunc adds a rung that runs a function, or calls another operation.
func (op *Operation) addFunc(r *policy.Rung) {
	key := machineKey{client: op.client, target: r.Sort.String() + ":" + r.Name, operation: op.plan.Operation}
	cfg := policy.FuncBulkhead(&op.plan)
	m := policy.Machines{Bulkhead: op.group.bulkhead(key, cfg), Latency: op.group.latency(key)}
	op.group.show(key, policy.Target{Bulkhead: cfg}, m)
	op.add(r.Name, m, nil)
}

func (op *Operation) add(name string, m policy.Machines, b *sharedBreaker) {
	op.rungs = append(op.rungs, m)
	op.names = append(op.names, name)
	op.breakers = append(op.breakers, b)
	op.hedges = append(op.hedges, nil)
}

// sort returns the sort of a rung; 0 is the operation itself.
func (op *Operation) sort(rung int) policy.RungSort {
	if rung == 0 {
		return 0
	}
	return op.plan.Fallback.Rungs[rung-1].Sort
}

// level returns how good the answer of a rung is.
func (op *Operation) level(rung int) Level {
	if rung == 0 {
		return policy.Equal
	}
	return op.plan.Fallback.Rungs[rung-1].Level
}

// machineName returns how errors call the machines of a rung, or of a member of its target.
func (op *Operation) machineName(rung int, member *policy.Machines) string {
	key := machineKey{client: op.client, target: op.machinesAt(rung, member).Target}
	if key.target == "" {
		key.target = op.names[rung]
	}
	return key.name()
}
