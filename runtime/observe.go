package runtime

import (
	"context"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Observer is told what happens. It must be safe for concurrent use, and quick: it runs on the goroutine of the call. It is called
// while no lock is held, for each call in the order in which things happened, and for each breaker in the order of its states. A
// panic in it is dropped: watching a call never changes it.
type Observer interface {
	Observe(ctx context.Context, e Event)
}

// ContextObserver is an Observer that gives what begins a context of its own: a tracer, one with a span in it. The function of an attempt
// runs with the context of the attempt, so that what it sends is below that span, and the events of the call, and of the attempt, are
// told with theirs.
type ContextObserver interface {
	Observer

	// Begin is told of CallStart and AttemptStart in place of Observe, and returns ctx, or a context made of it, which must not end before
	// ctx does. nil is ctx.
	Begin(ctx context.Context, e Event) context.Context
}

// ObserverFunc is a function as an Observer.
type ObserverFunc func(ctx context.Context, e Event)

// Observe calls f.
func (f ObserverFunc) Observe(ctx context.Context, e Event) { f(ctx, e) }

// Observers returns an observer that tells each of all, in order. Nil ones are left out; it returns nil if none is left.
func Observers(all ...Observer) Observer {
	kept := make(observers, 0, len(all))
	for _, o := range all {
		if o != nil {
			kept = append(kept, o)
		}
	}
	switch len(kept) {
	case 0:
		return nil
	case 1:
		return kept[0]
	default:
		return kept
	}
}

type observers []Observer

// Observe tells each observer; a panic of one does not keep the event from the others.
func (all observers) Observe(ctx context.Context, e Event) {
	for _, o := range all {
		tell(ctx, o, e)
	}
}

// Begin has each observer give a context, one made of the other.
func (all observers) Begin(ctx context.Context, e Event) context.Context {
	for _, o := range all {
		ctx = tellBegin(ctx, o, e) //nolint:fatcontext // there are few observers
	}
	return ctx
}

// clientMade counts with each observer that counts.
func (all observers) clientMade(name string, now time.Time) (made int, warn bool) {
	for _, o := range all {
		if c, ok := o.(clientCounter); ok {
			n, due := c.clientMade(name, now)
			made, warn = max(made, n), warn || due
		}
	}
	return made, warn
}

// tell gives one event to an observer that may be nil and may panic.
func tell(ctx context.Context, o Observer, e Event) {
	if o == nil {
		return
	}
	defer func() { _ = recover() }() // what an observer panics with is nobody's outcome (trap T74)
	o.Observe(ctx, e)
}

// tellBegin tells an observer that may panic of what begins, and returns the context for it.
func tellBegin(ctx context.Context, o Observer, e Event) (begun context.Context) {
	c, ok := o.(ContextObserver)
	if !ok {
		tell(ctx, o, e)
		return ctx
	}
	begun = ctx
	defer func() { _ = recover() }() // as in tell
	if made := c.Begin(ctx, e); made != nil {
		begun = made
	}
	return begun
}

// EventKind says what an Event tells of.
type EventKind uint8

// The events.
const (
	// CallStart is the start of a call.
	CallStart EventKind = iota + 1
	// CallEnd is its end: Kind (policy.KindNone for an answer), Rung, Level, Reason, Age, Attempts, Elapsed, Err.
	CallEnd
	// StreamEnd is the end of an answer that outlived its call: Kind (policy.KindNone for a whole answer, or one that the caller
	// closed), Elapsed since the call began, Err.
	StreamEnd
	// AttemptStart is the start of an attempt, after every wait.
	AttemptStart
	// AttemptEnd is its end: Kind, Status, Elapsed, Err. That of a copy that lost to another one is told when it loses, as
	// policy.KindCanceled, although its function may not have returned.
	AttemptEnd
	// RetryScheduled is a retry that will be made after Wait, because of Kind.
	RetryScheduled
	// Hedged is a copy of an attempt that will be sent to Target beside it, because it has run for Wait.
	Hedged
	// LoserPanicked is the panic of a copy of an attempt that had lost to another one: Err is a *PanicError. Its call is over.
	LoserPanicked
	// AttemptAbandoned is an attempt that was left behind when its context ended, and goes on: see policy.Plan.Abandon. Kind is
	// policy.KindTimeout whoever ended it.
	AttemptAbandoned
	// RungTaken is a step down the ladder, to Rung, because of Kind.
	RungTaken
	// RungUnfit is a rung that could not take the request (Kind says how) and was passed over.
	RungUnfit
	// Rejected is an attempt that a local policy did not let through: Kind, and Until where it is known.
	Rejected
	// BudgetDenied is a retry that the budget did not pay for.
	BudgetDenied
	// BreakerChanged is a breaker that went from one state to another: From, To, and Until while it is open.
	BreakerChanged
	// Paused is a target that asked for no requests before Until.
	Paused
	// Substituted is an answer of another (Served) than was asked for (Asked): the target, which is layered, asked somebody else.
	Substituted
	// CacheHit is an answer that was remembered and that the call is given: Rung, which is 0 for a fresh one, Age, and Similarity, which is 0
	// for an answer to the very question.
	CacheHit
	// StoreFailed is a store of a cache that was too slow, or failed: Err. The call goes on as if it had no answer.
	StoreFailed
	// LimitStoreFailed is a store of shared limits that was too slow, or failed: Err. Until it answers again the process has a part of Limit; it is
	// not asked before Until.
	LimitStoreFailed
	// LimitStoreBack is that store when it answers again: all processes share Limit.
	LimitStoreBack
	// EmbedderFailed is an embedder of a semantic cache that was too slow, or failed, or was not asked because of that: Err. The call goes on
	// without that cache.
	EmbedderFailed
	// ExerciseFailed is a rung that is broken, found out in normal times: Rung, Kind, Err. The caller has its answer, or will have
	// one by another way.
	ExerciseFailed
	// InnerRetry is a client inside an attempt, such as that of a wrapped SDK, that sent its request again by itself: Replays says how
	// often. Two layers that try again multiply; so the first of an operation has an Advice, which says what turns the inner one off.
	InnerRetry
	// TwoLayers is a warning, once for an operation: a client inside an attempt of a wrapper has policies that the wrapper has too, so that both
	// count each failure. Advice says which, and whose.
	TwoLayers
	// NotRepeatable is a call that is not tried again in doubt although its operation is repeatable: its request does not name all that it
	// writes. See policy.Plan.IDs.
	NotRepeatable
	// ManyClients is a warning: more clients of one name were made within a minute than make sense. Each has its own breakers
	// and budgets, which then never learn. Make a client once, or give them one Group.
	ManyClients
	// FaultInjected is a fault that an attempt meets and that is made up (Injected): no real outage. See WithChaos.
	FaultInjected
)

var eventNames = [...]string{
	CallStart: "call start", CallEnd: "call end", StreamEnd: "stream end", AttemptStart: "attempt start", AttemptEnd: "attempt end",
	RetryScheduled: "retry scheduled", Hedged: "hedged", LoserPanicked: "loser panicked",
	AttemptAbandoned: "attempt abandoned", RungTaken: "rung taken", RungUnfit: "rung unfit", Rejected: "rejected",
	Substituted: "substituted", CacheHit: "cache hit", StoreFailed: "store failed",
	LimitStoreFailed: "limit store failed", LimitStoreBack: "limit store back",
	EmbedderFailed: "embedder failed", ExerciseFailed: "exercise failed",
	InnerRetry: "inner retry", TwoLayers: "two layers",
	BudgetDenied: "budget denied", BreakerChanged: "breaker changed", Paused: "paused", NotRepeatable: "not repeatable", ManyClients: "many clients",
	FaultInjected: "fault injected",
}

// String returns the event's name as logs spell it.
func (k EventKind) String() string {
	if int(k) < len(eventNames) {
		return eventNames[k]
	}
	return "unknown event"
}

// Event is something that happened. Fields that its kind does not name are zero.
type Event struct {
	// What says what happened.
	What EventKind
	// Time is when.
	Time time.Time
	// Client is the name of the client.
	Client string
	// Operation is the client and the operation: "llm.CreateChat". Empty for ManyClients.
	Operation string
	// Target is the target concerned; empty for rungs that call none.
	Target string
	// Rung is the number of the rung concerned; 0 is the operation itself.
	Rung int
	// RungName is the name of that rung; empty for the operation itself.
	RungName string
	// Level is how good the answer of that rung is.
	Level Level
	// Attempt is the number of the attempt on its rung, from 1.
	Attempt int
	// Hedge says that the attempt is a copy, sent beside another one: it has that one's number.
	Hedge bool
	// Attempts is the number of attempts of the call so far, or of the clients for ManyClients.
	Attempts int
	// Kind is why.
	Kind Kind
	// Reason is why the operation itself did not answer, of a CallEnd with an answer of another rung: see Result.Reason.
	Reason Kind
	// Status is the status code of the response; 0 if there was none.
	Status int
	// Exercised says that the attempt, or the answer, is of a rung that is used although the operation itself has not failed: no
	// fallback, and nothing to be alarmed about.
	Exercised bool
	// Age is how old an answer is that was remembered.
	Age time.Duration
	// Similarity is how similar the question was whose answer was remembered, by cosine; 0 for the very question.
	Similarity float64
	// Replays is how often the request of the attempt was sent again although no policy said so: by net/http, or by a client that is
	// wrapped.
	Replays int
	// Elapsed is how long the attempt or the call took.
	Elapsed time.Duration
	// Wait is how long a retry waits, or how long an attempt had run when it was hedged.
	Wait time.Duration
	// Until is when a rejection or a pause ends; zero if that is not known.
	Until time.Time
	// Limit is the name of a shared limit.
	Limit string
	// From and To are the states of a breaker: "closed", "open", "half-open".
	From, To string
	// Served is who gave the answer, as it says itself; empty where that is not known. Asked is what was asked for, of Substituted.
	Served, Asked string
	// Usage is what an answer said that it used, and Cost what that costs, 0 where there is no price: of CallEnd, and of an answer that outlived
	// its call of StreamEnd instead. See Meta.
	Usage policy.Usage
	Cost  float64
	// Injected is the fault that was made up for the attempt, or for one of the attempts of the call or of the answer; empty for none, so that
	// whatever failed did so by itself. See WithChaos.
	Injected string
	// Advice says what to do about a warning; empty where there is nothing to do, or where it was said before.
	Advice string
	// Err is the error of an attempt or a call. Secrets in its text may not be redacted; Redact makes it fit for a log.
	Err error
}

// ClientCount is for observers to embed: it counts the clients that are made with the observer, so that a program that makes one
// for each request is warned by a ManyClients event. The zero value is ready. Safe for concurrent use.
type ClientCount struct {
	mu    sync.Mutex
	names map[string]clientMinute
}

// clientMinute counts the clients of one name in the minute that began at since.
type clientMinute struct {
	since time.Time
	made  int
}

// manyClients is how many clients of one name may be made in a minute before it is worth a warning.
const manyClients = 10

// clientMade counts a client and returns how many were made in its minute, and whether it is now that a warning is due.
func (c *ClientCount) clientMade(name string, now time.Time) (made int, warn bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.names == nil {
		c.names = map[string]clientMinute{}
	}
	m := c.names[name]
	if m.made == 0 || now.Sub(m.since) >= time.Minute {
		m = clientMinute{since: now}
	}
	m.made++
	c.names[name] = m
	return m.made, m.made == manyClients+1
}

// clientCounter is what an observer that embeds a ClientCount is.
type clientCounter interface {
	clientMade(name string, now time.Time) (made int, warn bool)
}
