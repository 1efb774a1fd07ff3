package chaos

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Effect is what a fault does.
type Effect uint8

// The effects.
const (
	// Slow has the target answer, and holds its answer back for Latency. Without a Latency it leaves the attempt alone.
	Slow Effect = iota
	// Answer answers with Status in place of the target.
	Answer
	// Refuse has the connection refused: proof that nothing was executed.
	Refuse
	// Reset has the connection break when the request was sent, so that it may have been executed.
	Reset
	// Hang takes the request and never answers: the attempt ends at its timeout.
	Hang
	// SlowStart lets the header of the answer pass at once, and holds the rest back for Latency: the first item of a stream comes late.
	SlowStart
	// Stall is silent after After items of a stream, for ever; of an answer that is whole, after its header.
	Stall
	// Cut breaks the connection after After items of a stream; of an answer that is whole, in its middle.
	Cut
	// Garble has the JSON malformed of the item of a stream that comes after After others; of an answer that is whole, its own.
	Garble
	// Fail fails with Err in place of the target.
	Fail
)

// Fault is what an attempt meets. The functions below make the usual ones. The zero value leaves the attempt alone.
type Fault struct {
	Effect Effect
	// Latency is how long it takes until the fault shows: until the answer comes, or the connection breaks.
	Latency time.Duration
	// Status is the status of an Answer, from 400 on.
	Status int
	// RetryAfter is the wait that an Answer asks for, where its provider writes that; 0 is none.
	RetryAfter time.Duration
	// Header are further headers of an Answer, and Body is its body; empty is one as the provider writes it, by the preset of errors.
	Header http.Header
	Body   string
	// After is the number of items of a stream that come before the stream stalls, breaks or is malformed, as they are sent: those before the first
	// content count too. Of a download, each read is one.
	After int
	// Err is what the attempt fails with: of a Go method, the error that its value would return, such as that of an SDK.
	Err error
}

// Latency has the target answer, d later.
func Latency(d time.Duration) Fault { return Fault{Latency: d} }

// Status answers with a status code, and a body as the provider writes it.
func Status(code int) Fault { return Fault{Effect: Answer, Status: code} }

// Throttle answers 429 and asks for a wait; 0 asks for none.
func Throttle(retryAfter time.Duration) Fault {
	return Fault{Effect: Answer, Status: http.StatusTooManyRequests, RetryAfter: retryAfter}
}

// Refused has the connection refused.
func Refused() Fault { return Fault{Effect: Refuse} }

// ResetByPeer has the connection break after the request was sent.
func ResetByPeer() Fault { return Fault{Effect: Reset} }

// BlackHole takes the request and never answers.
func BlackHole() Fault { return Fault{Effect: Hang} }

// SlowFirstItem has the first item of a stream come d later, its header at once.
func SlowFirstItem(d time.Duration) Fault { return Fault{Effect: SlowStart, Latency: d} }

// Stalled has a stream fall silent after so many items.
func Stalled(after int) Fault { return Fault{Effect: Stall, After: after} }

// Truncated has a stream break after so many items.
func Truncated(after int) Fault { return Fault{Effect: Cut, After: after} }

// Malformed has the JSON of an item malformed, after so many others.
func Malformed(after int) Fault { return Fault{Effect: Garble, After: after} }

// Failed fails with an error.
func Failed(err error) Fault { return Fault{Effect: Fail, Err: err} }

// isNone reports whether the fault leaves the attempt alone.
func (f *Fault) isNone() bool { return f.Effect == Slow && f.Latency == 0 }

var errNoError = errors.New("it fails without an Err")

// check returns what is wrong with the fault.
func (f *Fault) check() error {
	const first, last = http.StatusBadRequest, 599
	isAnswer := f.Effect == Answer
	switch {
	case f.Effect > Fail:
		return fmt.Errorf("no effect has the number %d", f.Effect)
	case f.Latency < 0 || f.RetryAfter < 0 || f.After < 0:
		return fmt.Errorf("%s: it has a number below zero", f)
	case f.Effect == SlowStart && f.Latency == 0:
		return fmt.Errorf("%s: it has no latency", f)
	case isAnswer && (f.Status < first || f.Status > last):
		return fmt.Errorf("%s: an answer has a status from %d to %d", f, first, last)
	case !isAnswer && (f.Status != 0 || f.RetryAfter != 0 || f.Header != nil || f.Body != ""):
		return fmt.Errorf("%s: only an Answer has a status, a wait, headers and a body", f)
	case f.After > 0 && f.Effect != Stall && f.Effect != Cut && f.Effect != Garble:
		return fmt.Errorf("%s: it does not come after items", f)
	case f.Effect == Fail && f.Err == nil:
		return errNoError
	case f.Effect != Fail && f.Err != nil:
		return fmt.Errorf("%s: only Fail has an Err", f)
	}
	return nil
}

// String says what the fault is, in a few words.
func (f *Fault) String() string {
	text := f.words()
	if f.Latency > 0 && f.Effect != Slow && f.Effect != SlowStart {
		text += " after " + f.Latency.String()
	}
	return text
}

func (f *Fault) words() string {
	switch f.Effect {
	case Slow:
		return "latency " + f.Latency.String()
	case Answer:
		text := fmt.Sprintf("status %d", f.Status)
		if f.RetryAfter > 0 {
			text += ", retry after " + f.RetryAfter.String()
		}
		return text
	case Refuse:
		return "connection refused"
	case Reset:
		return "connection reset"
	case Hang:
		return "black hole"
	case SlowStart:
		return "first item " + f.Latency.String() + " late"
	case Stall:
		return fmt.Sprintf("stalled at item %d", f.After+1)
	case Cut:
		return fmt.Sprintf("cut at item %d", f.After+1)
	case Garble:
		return fmt.Sprintf("malformed at item %d", f.After+1)
	case Fail:
		return "error" // its text is not bounded
	default:
		return "unknown fault"
	}
}
