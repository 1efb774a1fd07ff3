package policy

import "time"

// Verdict is what an attempt's end says about the dependency. Only a Failure is evidence against it. The zero value is Neutral.
type Verdict uint8

// The verdicts.
const (
	// Neutral says nothing: the caller went away, or a local policy rejected. It frees what was admitted and counts nowhere.
	Neutral Verdict = iota
	// Success is evidence for the dependency.
	Success
	// Answered is a right answer to a wrong request (KindCaller, KindRefused, KindContextTooLong): it fills the window as a
	// success and frees the slot, and does not reset the count of consecutive failures.
	Answered
	// Failure is evidence against the dependency.
	Failure
)

// Outcome is how an attempt ended, as shared machines see it.
type Outcome struct {
	// Verdict is what the end says about the dependency.
	Verdict Verdict
	// InFlight is how long the attempt was in flight, queue time excluded. An attempt in flight for the slow-call threshold
	// counts as slow whatever its verdict.
	InFlight time.Duration
	// Dropped says that the target did not take the attempt, or not in time: it asked for fewer requests (a 429, which is
	// Neutral otherwise), or an attempt timeout ran out. Adaptive bulkheads lower their limit for it.
	Dropped bool
}

// VerdictOf returns what a failure of that kind says about the dependency. KindNone is a Success.
func VerdictOf(k Kind) Verdict {
	switch k {
	case KindNone:
		return Success
	case KindCaller, KindRefused, KindContextTooLong:
		return Answered
	case KindThrottle, KindDeadline, KindCanceled: // a 529 is a Failure: its classifier says so
		return Neutral
	default:
		if k.Local() {
			return Neutral
		}
		return Failure
	}
}
