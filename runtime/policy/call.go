package policy

import "time"

// Call decides one logical call: which attempt on which rung, when, and when to give up. A driver tells it what happens and
// does what it answers; it decides everything, and does nothing itself.
//
//	                    ┌────────────── backoff, pause ──────────────┐
//	                    ▼                                            │
//	CallStarted ──▶ admission ──▶ (queue) ──▶ attempt ──▶ failed ──▶ retry?
//	                    │ rejected               │                   │ no
//	                    └───────────┬────────────┼───────────────────┘
//	                                ▼            ▼ answered
//	                            next rung?     FinishCall
//	                                │ none
//	                                ▼
//	                            FinishCall
//
// A rung begins with the target's throttle. Admission of each attempt is, in this order: a look at the breaker, the target's pause, its
// limit (both waited for while nothing is held), the bulkhead, the breaker's ticket. A refusal gives back what was taken.
//
// The first attempt on a rung may run in several copies, which are numbered: copy 0 is the first, a hedge is sent beside it when
// HedgeTimer fires, after an admission of its own that waits for nothing. The first answer ends the call, and the copies that still run
// are losers: CancelAttempt hands each what it holds, to be given back when its function returns. A failure waits for the copies that
// run; when all have failed, the most telling failure is the attempt's. Nothing that runs ends because a hedge is not sent.
//
// Invariants: at most Retry.Attempts attempts on a rung, the first in at most 1 + Hedge.Max copies, and each rung at most once; what was
// taken is given back once, whatever happens; FinishCall comes once, and no action after it; nothing is waited for beyond the deadline.
//
// Not safe for concurrent use: one driver owns it. The machines it uses are shared. The files: call.go (events and actions),
// call_step.go (what an event leads to), call_admit.go (the way to an attempt), call_limit.go (its limit), call_shed.go (who is shed),
// call_hedge.go (the way to a copy, and its losing), call_done.go (ends, and retries), call_ladder.go (rungs and their time),
// call_member.go (which member of a target), call_recall.go (what is remembered and what is exercised), fit.go (what
// a rung cannot take), call_held.go (what outlives the call).
type Call struct {
	plan  *Plan
	rungs []Machines
	req   Request
	rand  func() float64

	phase    phase
	end      time.Time // of the call: the caller's deadline or the total, whichever is earlier; zero is none
	attempts int
	doubt    bool // an attempt may have been executed
	first    Fall // how rung 0 failed
	via      KindSet
	own      bool // a limit of the caller's own is among what led to the present rung

	rung    int
	number  int           // attempts on this rung
	replays int           // what a transport added to them
	backoff int           // retries since the schedule began
	waited  time.Duration // the last wait, for decorrelated jitter
	paid    float64       // taken from the budget for a retry that was not sent yet
	keyed   time.Time     // when this rung's idempotency key was first sent
	share   time.Time     // end of this rung's share of the time; valid if shared
	shared  bool
	fall    Fall   // how this rung failed last
	member  member // where the present attempt goes, of a target that has members
	passage Passage
	passed  bool // the target's throttle let the call through, and waits for its end
	cut     bool // the copy that ended last had less time than an attempt gets

	// the attempt that runs
	flight flight        // the first copy
	copies []flight      // the others
	told   Result        // the most telling failure of its copies so far
	tried  int           // hedges that were due, sent or not
	delay  time.Duration // between them; valid while armed
	armed  bool          // HedgeTimer is set
	// what is exercised
	exercising bool // the call is on the rung that it began with
	risen      int  // that rung, once it has failed
	partial    bool // the rung has answered a part of what was asked for
	holder     int  // the copy that did last
	won        int  // the copy that answered
}

// phase is where a call stands.
type phase uint8

const (
	idle     phase = iota
	entering       // admission is next
	waiting        // for the backoff timer
	queued         // for a permit
	lined          // for its turn of a limit
	running
	recalling // what was remembered is read
	finished
)

// flight is what a copy of an attempt holds. The zero flight holds nothing.
type flight struct {
	machines *Machines   // of the target that it is sent to
	share    Reservation // of the target's limit
	stake    Stake       // of the purse
	price    *Price      // at which; valid with a stake
	cost     expectation // what it was expected to cost; valid where there is an estimate
	permit   Permit
	ticket   Ticket
	since    time.Time     // it was started; before that, since when it is in line
	took     time.Duration // to its answer, where that is held
	flying   bool          // it was started and has not ended
	full     bool          // it has all the time that an attempt gets
	lift     bool          // it probes a pause
	probe    bool          // it probes a breaker
}

// Machines are what decides about one rung of an operation, shared with every call that uses the same target. A nil machine is off.
// They are made once for an operation, and read only afterwards.
type Machines struct {
	// Target is the name of the target; empty for a rung that calls none.
	Target string
	// Breaker stops calls to a target that fails; Lane is the operation's place in it.
	Breaker *Breaker
	Lane    Lane
	// Bulkhead bounds the calls in flight.
	Bulkhead *Bulkhead
	// Limit bounds what is sent in a span of time; Estimate says beforehand what that will be, and is nil where only requests count.
	Limit    *Limiter
	Estimate *Estimator
	// Headers are the response headers from which Limit learns.
	Headers LimitHeaders
	// Purse bounds what calls may cost, at Price; with it there is an Estimate.
	Purse *Purse
	Price Price
	// Throttle rejects calls to a target that does not take them.
	Throttle *Throttle
	// Budget pays for retries.
	Budget *Budget
	// Pause holds calls back after a 429.
	Pause *Pause
	// Latency is how long the operation's successes take.
	Latency *Latency
	// Layered says that the target itself retries: it gets one attempt.
	Layered bool
	// Hedger says when an attempt that takes long is copied, and pays for copies.
	Hedger *Hedger
	// Hedge are the machines of the target that copies are sent to; nil is this one.
	Hedge *Machines
	// Members are the endpoints behind the target, each with machines of its own; nil where it is one itself. Then what is about single
	// attempts is theirs, and off here: breaker, bulkhead, limit, budget, pause and latency.
	Members *Members
	// Member is the one of some Members whose machines these are; nil where they are nobody's.
	Member *Member
}

// OfCopy returns the machines of the target that gets the copy of that number.
func (m *Machines) OfCopy(n int) *Machines {
	if n == 0 || m.Hedge == nil {
		return m
	}
	return m.Hedge
}

// Request is what one call asks for beside its plan.
type Request struct {
	// Deadline is the caller's own; zero is none.
	Deadline time.Time
	// OneAttempt says that a layer above retries, and so this one must not, nor hedge.
	OneAttempt bool
	// NoFallback says that the caller wants no rung of the ladder.
	NoFallback bool
	// Worst is the worst level that the caller accepts.
	Worst Level
	// Tenant says for whom it is, to machines of which each tenant has a share; empty is a tenant of its own.
	Tenant string
	// Criticality says who is shed first; CriticalityUnset is the operation's own.
	Criticality Criticality
	// Size is what is known of what it sends, to limits of tokens.
	Size Size
	// Unfit says which rungs cannot take the request, by Misfits; nil for none.
	Unfit []Misfit
	// Hold says that the answer outlives the call: a success keeps its permit and its ticket, for Held.
	Hold bool
	// Fresh says that an answer is remembered that is fresh: the call takes it before anything else.
	Fresh bool
	// StaleUntil is until when an answer that is remembered, other than a fresh one, may serve a cache rung; zero is none that may.
	StaleUntil time.Time
	// Spent is how long was looked for what is remembered before CallStarted: the call's time runs since then.
	Spent time.Duration
	// NoWait says that the call waits for nothing before its attempt: neither in a queue nor for the end of a pause.
	NoWait bool
	// Affinity stands for the conversation that the call belongs to, by AffinityOf; 0 is none.
	Affinity uint64
	// Exercise is the rung that the call begins with, to serve its answer; 0 is the operation itself. See Exercise.
	Exercise int
}

// EventKind says what a driver tells a Call.
type EventKind uint8

// The events. At one instant they come in this order: the ends of attempts, a grant, the timers as they are numbered, the caller's end.
const (
	// CallStarted is the first event.
	CallStarted EventKind = iota
	// AttemptDone is the end of a Copy of an attempt, with its Result.
	AttemptDone
	// PermitGranted is the grant of the permit that the call waits for, or that its turn of a limit comes earlier.
	PermitGranted
	// TimerFired is a timer that was due.
	TimerFired
	// CallerEnded is the end of the caller. A driver that waits for the end of an attempt whatever happens tells it with that; to
	// others copies that run are losers.
	CallerEnded
	// CallAborted is the end of the driver itself: a panic, or runtime.Goexit. Everything is released. Copy is the one at fault, which
	// counts as a failure; others that run are losers.
	CallAborted
)

// Event is something that happened to a call.
type Event struct {
	// What says what happened.
	What EventKind
	// Copy is the number of the copy, of AttemptDone and CallAborted.
	Copy int
	// Timer is the timer that fired.
	Timer Timer
	// Ended is KindDeadline or KindCanceled once the caller has ended, else KindNone. It counts with CallStarted, AttemptDone
	// and CallerEnded.
	Ended Kind
	// Result is how an attempt ended.
	Result Result
}

// Result is how an attempt ended.
type Result struct {
	// Kind is KindNone for a success.
	Kind Kind
	// Verdict is what the end says about the dependency.
	Verdict Verdict
	// Expired says that the attempt ended because its time was over (Action.Until). Where it had less time than an attempt
	// gets, that is no evidence against the dependency (trap T2).
	Expired bool
	// MayHaveActed says that the dependency may have executed the request. False is a proof that it did not.
	MayHaveActed bool
	// Used is what the answer says that it used, as far as it does; Items is the number of its items.
	Used  Usage
	Items int64
	// Replays is how often a transport sent the request again on its own. They count as attempts, and the target's budget pays
	// for them as far as it can.
	Replays int
	// Partial says that the call has an answer to a part of what it asked for: where nothing is tried again, it ends with that, and on
	// no other rung.
	Partial bool
	// Final says that the dependency asked not to be tried again.
	Final bool
	// Once says that one more attempt may help, and a third will not.
	Once bool
	// Pushback says that the dependency asked for a wait, and RetryAfter for which; 0 is at once.
	Pushback   bool
	RetryAfter time.Duration
}

// Timer names a timer of a call.
type Timer uint8

// The timers.
const (
	// BackoffTimer ends a wait before an attempt.
	BackoffTimer Timer = iota
	// QueueTimer ends the wait for a permit, or for a turn of a limit.
	QueueTimer
	// HedgeTimer is when an attempt that runs is copied. It is set before the attempt is started, so that a driver knows how to.
	HedgeTimer

	// Timers is the number of timers.
	Timers = iota
)

// ActionKind says what a driver is to do.
type ActionKind uint8

// The actions.
const (
	// StartAttempt runs a copy of an attempt: Rung, Number, Copy, To, Until. A Copy above 0 is a hedge; Machines.OfCopy knows its target.
	StartAttempt ActionKind = iota
	// CancelAttempt cancels a Copy that runs, and waits for nothing: it has lost. What it holds is Lost, to be released when its function
	// returns. Fall.Kind is KindNone where another copy has answered, else how the caller ended.
	CancelAttempt
	// SetTimer sends TimerFired for Timer at Until, unless it is set again or stopped.
	SetTimer
	// StopTimer forgets Timer.
	StopTimer
	// AwaitGrant sends PermitGranted once Permit of Bulkhead is granted, or Permit, a place in the line of Limiter, is roused.
	AwaitGrant
	// WakeCall tells the call that awaits Permit of Bulkhead or Limiter.
	WakeCall
	// AskStore asks the store of the shared limit of Limiter what its Demand for Tenant says, beside the call, and tells it of the answer.
	AskStore
	// TellNote gives Note to observers.
	TellNote
	// FinishCall ends the call with the answer of Rung and Copy, or with Fall. It is the last action.
	FinishCall
)

// Action is something that a driver is to do, in the order in which Step returns them.
type Action struct {
	// Do says what.
	Do ActionKind
	// Timer is the timer to set or stop.
	Timer Timer
	// Rung and Number are the attempt's, or the rung that answered.
	Rung, Number int
	// Copy is the number of the copy.
	Copy int
	// To are the machines of the target's member that gets the attempt; nil where the target has no members.
	To *Machines
	// Remembered says that the attempt reads the answer that is remembered, and sends nothing.
	Remembered bool
	// Until is when a timer is due, or by when an attempt must end; zero is unbounded.
	Until time.Time
	// Bulkhead or Limiter, and Permit, are what is awaited or granted.
	Bulkhead *Bulkhead
	Limiter  *Limiter
	Permit   Permit
	// Tenant is whose quota of Limiter the store is asked for.
	Tenant string
	// Note is for observers.
	Note Note
	// Fall is how the call failed; its Kind is KindNone where it did not.
	Fall Fall
	// Lost is what a copy that lost still holds.
	Lost *Held
}

// NewCall returns the machine of one call. rungs[0] belongs to the operation itself, rungs[i] to plan.Fallback.Rungs[i-1]. rand
// returns numbers in [0, 1).
func NewCall(plan *Plan, rungs []Machines, req Request, rand func() float64) Call {
	return Call{plan: plan, rungs: rungs, req: req, rand: rand}
}

// Init is NewCall for a zero Call that has its place already: a Call is large.
func (c *Call) Init(plan *Plan, rungs []Machines, req *Request, rand func() float64) {
	c.plan, c.rungs, c.req, c.rand = plan, rungs, *req, rand
}

// Attempts returns the number of attempts so far, on all rungs, hedges included; fixed answers are none.
func (c *Call) Attempts() int { return c.attempts }

// MayHaveActed reports whether a target may have executed the request so far.
func (c *Call) MayHaveActed() bool { return c.doubt }

// Reason returns the kind of the failure of rung 0, KindNone while it has not failed.
func (c *Call) Reason() Kind { return c.first.Kind }
