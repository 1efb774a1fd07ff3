package policy

import "time"

// HedgeConfig sends copies of a call that takes long, and takes the first answer (Dean and Barroso, "The Tail at Scale", CACM 2013). The
// zero value is off.
type HedgeConfig struct {
	// Max is the number of copies beside the first, at most 3. 0 is off.
	Max int
	// Delay is how long an attempt runs before it is copied, and between one copy and the next. 0 finds the delay from the latencies seen:
	// see Hedger.
	Delay time.Duration
	// ExtraLoad is the share of calls that may be copied, in (0, 1].
	ExtraLoad float64
	// Target is where copies go. Empty is the rung's own target.
	Target string
	// SameSpace is the author's reason why the answers of Target live in the vector space of the operation's own: see Space. Empty: they
	// may not.
	SameSpace string
}
