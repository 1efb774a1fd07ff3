package policy

import (
	"fmt"
	"time"
)

// Ticket is the right to one call, from Admit to Report. It names the generation that admitted it. The zero Ticket is one that
// nobody counts. Comparable.
type Ticket struct {
	generation   uint64
	slot, serial uint32
}

// Generation returns the generation of the breaker that admitted the call.
func (t Ticket) Generation() uint64 { return t.generation }

// Admission is a breaker's answer to a call.
type Admission struct {
	// OK says that the call may go on, and must be reported.
	OK bool
	// Probe says that the call is one of half-open's: its timeout is ProbeTimeout, and it is not hedged.
	Probe bool
	// NotBefore is when the breaker may be asked again, where it rejects. A time in the past means any time: the probes are out.
	// Zero means never: it is forced open.
	NotBefore time.Time
	// Why says why the breaker rejects. It is shared by all calls that one generation rejects. In shadow mode it is set
	// although OK, where BreakerOn would have rejected.
	Why *OpenError
	// Changed lists the transitions that the question brought about, oldest first. It is nil nearly always.
	Changed []Transition
}

// Transition is a change of state, for observers.
type Transition struct {
	// From and To are the states.
	From, To State
	// At is the instant of the change.
	At time.Time
	// NotBefore is when probes begin, where To is StateOpen.
	NotBefore time.Time
	// Calls, Failures and Slow are the results that decided: the window's, or half-open's.
	Calls, Failures, Slow int
}

// OpenError is why a breaker rejects. It is read only.
type OpenError struct {
	// State is StateOpen, or StateHalfOpen with every probe out.
	State State
	// Forced says that the breaker was forced open.
	Forced bool
	// NotBefore is as in Admission.
	NotBefore time.Time
	// Calls, Failures and Slow are the results that opened it.
	Calls, Failures, Slow int
}

// Error says what is open and what opened it.
func (e *OpenError) Error() string {
	switch {
	case e.Forced:
		return "breaker forced open"
	case e.State == StateHalfOpen:
		return "breaker half-open, all probes out" + e.counts()
	default:
		return "breaker open" + e.counts()
	}
}

func (e *OpenError) counts() string {
	if e.Slow > e.Failures {
		return fmt.Sprintf(" (%d of %d calls slow)", e.Slow, e.Calls)
	}
	return fmt.Sprintf(" (%d of %d calls failed)", e.Failures, e.Calls)
}
