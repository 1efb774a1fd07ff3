package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Run plays a scenario against the plan of an operation and says what became of it. It fails if the scenario or the plan contradicts
// itself. Equal arguments give equal reports.
func Run(s Scenario, plan policy.Plan, seed uint64, opts ...Option) (Report, error) {
	return RunAll(s, []Operation{{Plan: plan}}, seed, opts...)
}

// RunAll plays a scenario against the operations of one client, which share their targets' machines as those of a live client do. Which of
// them a call is of is drawn by their weights, unless the scenario's client names one.
func RunAll(s Scenario, ops []Operation, seed uint64, opts ...Option) (Report, error) {
	if err := s.Validate(); err != nil {
		return Report{}, fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	if err := validate(s, ops); err != nil {
		return Report{}, fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	r := newRun(s, ops, seed, opts)
	if !r.play() {
		return Report{}, fmt.Errorf("scenario %s: %w", s.Name, ErrStopped)
	}
	return r.count.report(r), nil
}

// ErrStopped is a run that was given up: see WithStop.
var ErrStopped = errors.New("the run was given up")

// Option changes how a run is made.
type Option func(*run)

// WithTrace calls tell with each line of the run's trace, in order.
func WithTrace(tell func(Line)) Option { return func(r *run) { r.tell = tell } }

// WithRand gives the machines and the calls another source of randomness than Rand(seed).
func WithRand(draw func() float64) Option { return func(r *run) { r.draw = draw } }

// WithoutSpread makes breakers that stay open for exactly as long as they say, for comparisons with simulations whose breakers draw no
// jitter.
func WithoutSpread() Option { return func(r *run) { r.spread = func() float64 { return 0 } } }

// WithStop has a run ask, every few thousand things that happen, whether it is to be given up; RunAll then returns ErrStopped.
func WithStop(stop func() bool) Option { return func(r *run) { r.stop = stop } }

// Rand returns the source of randomness that the machines and calls of a run with that seed draw from. It is not safe for concurrent use.
func Rand(seed uint64) func() float64 { return rand.New(rand.NewPCG(seed, policyStream)).Float64 }

// The sources of randomness of a run are streams of one seed: the second word of each generator.
const (
	policyStream uint64 = 1 + iota
	arrivalStream
	mixStream
	serverStream = 1 << 32
)

// base is when runs begin. Any instant will do; it has no monotonic reading, and nothing compares it with a clock.
func base() time.Time { return time.Unix(0, 0).UTC() }

// run is a scenario being played.
type run struct {
	scenario Scenario
	ops      []*operation
	mix      mix
	seed     uint64
	draw     func() float64
	spread   func() float64 // of breakers; nil is draw
	tell     func(Line)     // nil: nobody wants the trace
	stop     func() bool    // nil: nobody stops it

	base    time.Time
	now     int64 // nanoseconds since base
	agenda  agenda
	clients []*arrivals
	members map[string]*server // by the name of the member
	waits   map[waiting]*call
	calls   int     // that have arrived
	gone    []*call // whose memory is used again
	actions []policy.Action
	count   counter
	apart   bool    // each machine has a lock of its own, which must make no difference
	watch   watcher // nil outside tests
}

// watcher sees what a run does to its calls, for tests that check what must hold.
type watcher interface {
	acted(r *run, c *call, a policy.Action)
	ended(r *run, c *call, number int, res policy.Result)
	released(r *run, c *call)
}

// waiting is what a call waits for.
type waiting struct {
	bulkhead *policy.Bulkhead
	limiter  *policy.Limiter
	permit   policy.Permit
}

func newRun(s Scenario, ops []Operation, seed uint64, opts []Option) *run {
	r := &run{scenario: s, seed: seed, base: base(), waits: map[waiting]*call{}, draw: Rand(seed), members: map[string]*server{}}
	for _, o := range opts {
		o(r)
	}
	if r.spread == nil {
		r.spread = r.draw
	}
	r.ops = build(r, ops)
	r.mix = newMix(ops, rand.New(rand.NewPCG(seed, mixStream)))
	r.count = newCounter(s)
	for i, c := range s.Clients {
		r.clients = append(r.clients, newArrivals(c, rand.New(rand.NewPCG(seed, arrivalStream+uint64(i)<<16))))
		r.invite(i)
	}
	return r
}

// invite enters the next arrival of a client.
func (r *run) invite(client int) {
	if at, ok := r.clients[client].next(int64(r.scenario.Length)); ok {
		r.agenda.enter(entry{at: at, rank: callArrives, from: client})
	}
}

// stopEvery is how many things happen before a run asks again whether to stop.
const stopEvery = 1 << 13

// play takes the agenda to its end, and reports whether it came there. A call that waits for nothing that will ever come stays unfinished.
func (r *run) play() bool {
	for n := 1; ; n++ {
		e, ok := r.agenda.next()
		if !ok {
			return true
		}
		if n%stopEvery == 0 && r.stop != nil && r.stop() {
			return false
		}
		if e.call != nil && !e.call.expects(&e) {
			continue
		}
		r.now = e.at
		r.happen(&e)
	}
}

// happen lets an entry happen.
func (r *run) happen(e *entry) {
	switch e.rank {
	case attemptEnds:
		r.attemptEnds(e.call, int(e.copy))
	case grantComes:
		e.call.grant = 0
		r.step(e.call, policy.Event{What: policy.PermitGranted})
	case timerFires:
		e.call.timers[e.timer] = 0
		r.forget(e.call)
		r.step(e.call, policy.Event{What: policy.TimerFired, Timer: e.timer})
	case callerEnds:
		r.callerEnds(e.call)
	case callArrives:
		r.invite(e.from)
		r.arrive(e.from)
	}
}

// time returns the instant as machines want it.
func (r *run) time(at int64) time.Time { return r.base.Add(time.Duration(at)) }

// nanosOf returns the instant as the agenda wants it.
func (r *run) nanosOf(t time.Time) int64 { return int64(t.Sub(r.base)) }
