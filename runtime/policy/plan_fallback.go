package policy

import "time"

// RungSort says by what means a rung answers.
type RungSort uint8

// The sorts.
const (
	// RungTarget sends the same request to another target.
	RungTarget RungSort = iota + 1
	// RungPatch sends a changed request to the primary target.
	RungPatch
	// RungStatic answers with a fixed value.
	RungStatic
	// RungFunc answers by a function that the client was made with.
	RungFunc
	// RungCache answers with what rung 0 answered to an equal request before: see CacheConfig.
	RungCache
	// RungOperation asks another operation, by whose own policies it is called; a function may say what that is asked, and what of its answer is
	// given.
	RungOperation
)

// Fallback is the ladder below the operation itself. The zero value is no ladder.
type Fallback struct {
	// Refuse is the reason why this operation never degrades. Empty: it may, by its rungs.
	Refuse string
	// Rungs are tried in order, each when it names the kind of the failure before it.
	Rungs []Rung
}

// Rung is one step of the ladder.
type Rung struct {
	// Name is how results, logs and metrics call it.
	Name string
	// Sort says by what means it answers.
	Sort RungSort
	// Target is the target that a RungTarget calls; empty means PrimaryTarget.
	Target string
	// Operation is the operation that a RungOperation asks.
	Operation string
	// Func is the name of the function of a RungFunc or a RungOperation, or of the value of a RungStatic that is wired in Go.
	Func string
	// When lists the kinds of failure that lead here, `any` written out. KindCaller and KindCanceled lead nowhere.
	When []Kind
	// Level says how good its answer is.
	Level Level
	// Reserve is the time that earlier rungs leave for this one. 0 means: nothing for static and cache, else ReservedTime.
	Reserve time.Duration
	// MayDuplicate is the author's reason why this rung may follow a failure that leaves execution in doubt, on an operation
	// that is not repeatable across targets. Empty: it may not.
	MayDuplicate string
	// SameSpace is the author's reason why the answer of this rung lives in the vector space of the operation's own, although it is of
	// another target or model: see Space. Empty: it does not.
	SameSpace string
	// Accepts are the classes of data that it may see; a RungTarget accepts what its target accepts.
	Accepts []string
	// MaxInput and Lacks are what the rung cannot take, beside what its target cannot: see Fit.
	MaxInput int64
	Lacks    []Match
	// Price is what the tokens of its answers cost, as where a patch asks another model; zero is its target's.
	Price Price
}

// Sends reports whether the rung sends something to a dependency: it can act there, and takes time.
func (s RungSort) Sends() bool { return s.Resends() || s == RungOperation }

// Resends reports whether the rung sends the operation's own request, as it is or changed, and so by the plan of that operation: to one of
// its targets, with its attempts, key and price.
func (s RungSort) Resends() bool { return s == RungTarget || s == RungPatch }

// Calls reports whether the rung calls a function, or another operation, which decide for themselves how often they try.
func (s RungSort) Calls() bool { return s == RungFunc || s == RungOperation }

// IsAtHand reports whether the rung answers with what it has: nobody is asked, and no time needs to be left for it.
func (s RungSort) IsAtHand() bool { return s == RungStatic || s == RungCache }
