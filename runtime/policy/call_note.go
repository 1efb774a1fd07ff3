package policy

import "time"

// NoteKind says what a Note tells of.
type NoteKind uint8

// The notes.
const (
	// NoteRetry is a retry that will be made after Wait, because of Kind.
	NoteRetry NoteKind = iota
	// NoteRung is a step down the ladder, because of Kind.
	NoteRung
	// NoteUnfit is a rung that could not take the request: Kind. With KindUnfit it was passed over, and nothing was sent.
	NoteUnfit
	// NoteRejected is an attempt that was not let through: Kind, Until.
	NoteRejected
	// NoteBudget is a retry that the budget did not pay for.
	NoteBudget
	// NoteBreaker is a Change of a breaker.
	NoteBreaker
	// NotePause is a target that asked for no requests before Until.
	NotePause
	// NoteHedge is a copy that is sent because the first has run for Wait.
	NoteHedge
	// NoteExercise is a rung that was exercised and failed: Kind.
	NoteExercise
)

// Note is something that observers are told.
type Note struct {
	// What says what it is.
	What NoteKind
	// Rung is the rung concerned.
	Rung int
	// To are the machines of the target's member that is concerned; nil where the target has no members, or all are.
	To *Machines
	// Kind is why.
	Kind Kind
	// Wait is how long a retry waits, or the first copy has run.
	Wait time.Duration
	// Until is when a rejection or a pause ends; zero if that is not known.
	Until time.Time
	// Limit and Bucket are the limit that did not let an attempt through; nil unless one did not.
	Limit  *Limiter
	Bucket LimitBucket
	// Purse is the one that held too little for an attempt; nil unless one did.
	Purse *Purse
	// Throttle is the one that rejected the call; nil unless one did. Where Kind is KindShed without one, the bulkhead did.
	Throttle *Throttle
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
	// Limit and Bucket are the limit that did not let it through; nil unless one did not.
	Limit  *Limiter
	Bucket LimitBucket
	// Purse is the one that held too little for it; nil unless one did.
	Purse *Purse
	// throttle is the one that rejected the call; own says that it was a bulkhead of the caller's own that did. at is the member that did;
	// nil where the rung's machines did.
	throttle *Throttle
	own      bool
	at       *Machines
}
