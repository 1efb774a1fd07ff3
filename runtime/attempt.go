package runtime

import (
	"math"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// Attempt is what the function that makes an attempt is told about it.
type Attempt struct {
	// Number counts the attempts on the rung from 1.
	Number int
	// Rung is the number of the rung; 0 is the operation itself.
	Rung int
	// Hedge says that the attempt was sent beside another one that takes long.
	Hedge bool
	// Target is the name of the target to call, or of its member; empty for a rung that calls none.
	Target string
	// Key is the idempotency key to send; empty if there is none.
	Key string

	op    *Operation
	scope *scope
	sends *atomic.Int32 // nil where nobody pays
	// captured is where the last response is told; nil where nobody wants to know.
	captured *Meta
	meter    *meter           // nil where nothing is counted
	memo     *memo            // nil where nothing is remembered
	member   *policy.Machines // of the target's member that is called; nil where it has none
	batch    *batch           // nil where answers tell nothing of items
	made     func()           // told that the request is made; nil where nobody waits for that
}

// plan returns the plan of the operation; nil for an Attempt that no driver made.
func (at Attempt) plan() *policy.Plan {
	if at.op == nil {
		return nil
	}
	return &at.op.plan
}

// recalls reports whether the attempt reads what is remembered, and asks nobody.
func (at Attempt) recalls() bool { return at.memo != nil && at.memo.reads }

// streamed returns what the items of the operation's streams mean; nil for nothing.
func (at Attempt) streamed() *policy.StreamRules {
	if at.op == nil {
		return nil
	}
	if at.recalls() { // what is kept came from the primary target
		return at.op.at(policy.PrimaryTarget).streamed
	}
	return at.op.at(at.Target).streamed
}

// longest returns how long the stream may last that answers the request, by the most tokens that this allows; 0 is not bounded by that.
func (at Attempt) longest(req *wire.Request) time.Duration {
	plan := at.plan()
	if plan == nil || plan.Timeout.PerToken <= 0 {
		return 0
	}
	most, ok := at.op.allows(req)
	if !ok {
		return 0
	}
	return time.Duration(min(most*float64(plan.Timeout.PerToken), math.MaxInt64/2))
}

// header returns what the caller adds to each request; read only.
func (at Attempt) header() http.Header {
	if at.scope == nil {
		return nil
	}
	return at.scope.header
}

// next returns the URL of the page that is asked for instead of what the operation asks; empty for the operation's own.
func (at Attempt) next() string {
	if at.scope == nil {
		return ""
	}
	return at.scope.next
}

// meta returns where the attempt tells of its response; nil if nobody wants to know.
func (at Attempt) meta() *Meta { return at.captured }

// judged tells what is said of an answer that is good.
func (at Attempt) judged(said policy.Sentence) {
	if m := at.meta(); m != nil {
		m.Incomplete, m.IncompleteReason = said.Incomplete != "", said.Incomplete
	}
}

// isMade tells that the request is made, or that there will be none.
func (at Attempt) isMade() {
	if at.made != nil {
		at.made()
	}
}

// sent tells how often net/http sent the request of this attempt: it replays some on its own, and those are paid for too.
func (at Attempt) sent(times int) {
	if at.sends != nil {
		at.sends.Store(int32(times))
	}
}

// attempts returns how many attempts the rung may make, for the target to be told.
func (at Attempt) attempts() int {
	if at.op == nil {
		return 1
	}
	return max(at.op.plan.Retry.Attempts, at.Number, 1)
}
