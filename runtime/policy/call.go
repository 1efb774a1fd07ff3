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
// Admission is, in this order: a look at the breaker, the target's pause (waited for while nothing is held), the bulkhead, the
// breaker's ticket. A refusal gives back what was taken.
//
// Invariants: at most Retry.Attempts attempts on a rung, and each rung at most once; what was taken is given back once, whatever
// happens; FinishCall comes once, and no action after it; nothing is waited for beyond the deadline.
//
// One attempt runs at a time. Hedges will make a list of flight, and give events and actions the number of their copy.
//
// Not safe for concurrent use: one driver owns it. The machines it uses are shared. The files: call.go (events and actions),
// call_admit.go (the way to an attempt), call_done.go (its end, and retries), call_ladder.go (rungs and their time),
// call_held.go (answers that outlive the call).
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

	rung    int
	number  int           // attempts on this rung
	replays int           // what a transport added to them
	backoff int           // retries since the schedule began
	waited  time.Duration // the last wait, for decorrelated jitter
	paid    float64       // taken from the budget for a retry that was not sent yet
	keyed   time.Time     // when this rung's idempotency key was first sent
	share   time.Time     // end of this rung's share of the time; valid if shared
	shared  bool
	fall    Fall // how this rung failed last
	flight  flight
}

// phase is where a call stands.
type phase uint8

const (
	idle     phase = iota
	entering       // admission is next
	waiting        // for the backoff timer
	queued         // for a permit
	running
	finished
)

// flight is what an attempt holds.
type flight struct {
	permit Permit
	ticket Ticket
	since  time.Time
	took   time.Duration // to its answer, where that is held
	full   bool          // it has all the time that an attempt gets
	lift   bool          // it probes a pause
	probe  bool          // it probes a breaker
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
	// Budget pays for retries.
	Budget *Budget
	// Pause holds calls back after a 429.
	Pause *Pause
	// Latency is how long the operation's successes take.
	Latency *Latency
	// Layered says that the target itself retries: it gets one attempt.
	Layered bool
}

// Request is what one call asks for beside its plan.
type Request struct {
	// Deadline is the caller's own; zero is none.
	Deadline time.Time
	// OneAttempt says that a layer above retries, and so this one must not.
	OneAttempt bool
	// NoFallback says that the caller wants no rung of the ladder.
	NoFallback bool
	// Worst is the worst level that the caller accepts.
	Worst Level
	// Hold says that the answer outlives the call: a success keeps its permit and its ticket, for Held.
	Hold bool
}

// EventKind says what a driver tells a Call.
type EventKind uint8

// The events. At one instant they come in this order: an attempt's end, a grant, a timer, the caller's end.
const (
	// CallStarted is the first event.
	CallStarted EventKind = iota
	// AttemptDone is the end of an attempt, with its Result.
	AttemptDone
	// PermitGranted is the grant of the permit that the call waits for.
	PermitGranted
	// TimerFired is a timer that was due.
	TimerFired
	// CallerEnded is the end of the caller while no attempt runs.
	CallerEnded
	// CallAborted is the end of the driver itself: a panic, or runtime.Goexit. Everything is released, and an attempt that was
	// running counts as a failure.
	CallAborted
)

// Event is something that happened to a call.
type Event struct {
	// What says what happened.
	What EventKind
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
	// Replays is how often a transport sent the request again on its own. They count as attempts, and the target's budget pays
	// for them as far as it can.
	Replays int
	// Final says that the dependency asked not to be tried again.
	Final bool
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
	// QueueTimer ends the wait for a permit.
	QueueTimer
)

// ActionKind says what a driver is to do.
type ActionKind uint8

// The actions.
const (
	// StartAttempt runs an attempt: Rung, Number, Until.
	StartAttempt ActionKind = iota
	// SetTimer sends TimerFired for Timer at Until, unless it is set again or stopped.
	SetTimer
	// StopTimer forgets Timer.
	StopTimer
	// AwaitGrant sends PermitGranted once Permit of Bulkhead is granted.
	AwaitGrant
	// WakeCall tells the call that awaits Permit of Bulkhead.
	WakeCall
	// TellNote gives Note to observers.
	TellNote
	// FinishCall ends the call with the answer of Rung, or with Fall. It is the last action.
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
	// Until is when a timer is due, or by when an attempt must end; zero is unbounded.
	Until time.Time
	// Bulkhead and Permit are what is awaited or granted.
	Bulkhead *Bulkhead
	Permit   Permit
	// Note is for observers.
	Note Note
	// Fall is how the call failed; its Kind is KindNone where it did not.
	Fall Fall
}

// NoteKind says what a Note tells of.
type NoteKind uint8

// The notes.
const (
	// NoteRetry is a retry that will be made after Wait, because of Kind.
	NoteRetry NoteKind = iota
	// NoteRung is a step down the ladder, because of Kind.
	NoteRung
	// NoteUnfit is a rung that could not take the request: Kind.
	NoteUnfit
	// NoteRejected is an attempt that was not let through: Kind, Until.
	NoteRejected
	// NoteBudget is a retry that the budget did not pay for.
	NoteBudget
	// NoteBreaker is a Change of a breaker.
	NoteBreaker
	// NotePause is a target that asked for no requests before Until.
	NotePause
)

// Note is something that observers are told.
type Note struct {
	// What says what it is.
	What NoteKind
	// Rung is the rung concerned.
	Rung int
	// Kind is why.
	Kind Kind
	// Wait is how long a retry waits.
	Wait time.Duration
	// Until is when a rejection or a pause ends; zero if that is not known.
	Until time.Time
	// Change is that of Breaker; nil unless there is one.
	Change  *Transition
	Breaker *Breaker
}

// Fall is how a rung, or the call, failed.
type Fall struct {
	// Kind says what happened.
	Kind Kind
	// Stop says why it was not tried again.
	Stop Stop
	// Local is the kind of the local rejection that kept it from being tried again; KindNone if none did.
	Local Kind
	// NotBefore is when trying again may help, as far as is known.
	NotBefore time.Time
}

// NewCall returns the machine of one call. rungs[0] belongs to the operation itself, rungs[i] to plan.Fallback.Rungs[i-1]. rand
// returns numbers in [0, 1).
func NewCall(plan *Plan, rungs []Machines, req Request, rand func() float64) Call {
	return Call{plan: plan, rungs: rungs, req: req, rand: rand}
}

// Step takes an event and appends what is to be done to out. An event that does not fit, such as a timer that fires after it was
// stopped, changes nothing.
func (c *Call) Step(now time.Time, ev Event, out []Action) []Action {
	out = c.take(now, ev, out)
	for c.phase == entering {
		out = c.admit(now, out)
	}
	return out
}

// take takes an event, up to the next admission.
func (c *Call) take(now time.Time, ev Event, out []Action) []Action {
	switch {
	case ev.What == CallStarted && c.phase == idle:
		return c.begin(now, ev.Ended, out)
	case ev.What == AttemptDone && c.phase == running:
		return c.done(now, ev, out)
	case ev.What == PermitGranted && c.phase == queued:
		return c.ticket(now, append(out, Action{Do: StopTimer, Timer: QueueTimer}))
	case ev.What == TimerFired && ev.Timer == BackoffTimer && c.phase == waiting:
		c.phase = entering
		return out
	case ev.What == TimerFired && ev.Timer == QueueTimer && c.phase == queued:
		out = c.abandon(now, out)
		return c.reject(now, Fall{Kind: KindBulkheadFull}, out)
	case ev.What == CallerEnded && (c.phase == waiting || c.phase == queued):
		return c.callerEnded(now, ev.Ended, out)
	case ev.What == CallAborted && c.phase != finished:
		return c.abort(now, out)
	default:
		return out
	}
}

// begin starts the call.
func (c *Call) begin(now time.Time, ended Kind, out []Action) []Action {
	c.end = c.req.Deadline
	if t := c.plan.Timeout.Total; t > 0 && (c.end.IsZero() || now.Add(t).Before(c.end)) {
		c.end = now.Add(t)
	}
	if ended != KindNone {
		c.fall = Fall{Kind: ended}
		return c.leave(now, out)
	}
	c.phase = entering
	return out
}

// callerEnded gives up what the call waits for.
func (c *Call) callerEnded(now time.Time, ended Kind, out []Action) []Action {
	if c.phase == queued {
		out = c.abandon(now, out)
	}
	c.refund(now)
	c.fall.Kind = ended
	return c.leave(now, out)
}

// abort gives up everything.
func (c *Call) abort(now time.Time, out []Action) []Action {
	switch c.phase {
	case queued:
		out = c.abandon(now, out)
	case running:
		out = c.settle(now, Outcome{Verdict: Failure, InFlight: now.Sub(c.flight.since)}, out)
	case idle, entering, waiting, finished:
	}
	c.refund(now)
	c.phase = finished
	return out
}

// Attempts returns the number of attempts so far, on all rungs; fixed answers are none.
func (c *Call) Attempts() int { return c.attempts }

// MayHaveActed reports whether a target may have executed the request so far.
func (c *Call) MayHaveActed() bool { return c.doubt }

// Reason returns the kind of the failure of rung 0, KindNone while it has not failed.
func (c *Call) Reason() Kind { return c.first.Kind }
