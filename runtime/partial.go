package runtime

import (
	"errors"
	"fmt"
	"strings"

	"github.com/resgen-go/resgen/runtime/policy"
)

// PartialError is a batch of which some items failed, and the others did not. The call returns its answer too: that of the first attempt, in
// which later attempts have put what became of the items that were sent again. It is no *Error: the answer counts. Find it with errors.As.
type PartialError struct {
	// Operation is the client and the operation: "store.UpsertPoints".
	Operation string
	// Total is the number of items that were sent; 0 where it is not known.
	Total int
	// Failed is the number of those that failed.
	Failed int
	// Indexes are their numbers in the request, from 0, ascending. Nil where the answer says no more than how many failed.
	Indexes []int
	// Items say why, of the first 100 of Indexes.
	Items []ItemError
	// Attempts is the number of attempts that were made.
	Attempts int
	// Cause is the failure of the last attempt to send the failed items again; nil where that answered, or none was made.
	Cause error
}

// ItemError says why an item of a batch failed.
type ItemError struct {
	// Index is its number in the request, from 0.
	Index int
	// Kind is what the answer says of it, by the rules for errors.
	Kind Kind
	// Text is what the answer says of it: JSON, of which at most 256 bytes are kept. It is the target's word.
	Text string
}

// Error says how many items failed, and why the first one did.
func (e *PartialError) Error() string {
	var b strings.Builder
	if e.Operation != "" {
		b.WriteString(e.Operation + ": ")
	}
	fmt.Fprintf(&b, "%d of", e.Failed)
	if e.Total > 0 {
		fmt.Fprintf(&b, " %d", e.Total)
	} else {
		b.WriteString(" the")
	}
	b.WriteString(" items failed")
	if len(e.Items) > 0 {
		fmt.Fprintf(&b, "; item %d, %s: %s", e.Items[0].Index, e.Items[0].Kind, Redact(e.Items[0].Text))
	}
	if e.Cause != nil {
		b.WriteString("; sending them again: " + e.Cause.Error())
	}
	return b.String()
}

// Unwrap returns Cause.
func (e *PartialError) Unwrap() error { return e.Cause }

// Is reports whether target is the sentinel of the kind of one of Items.
func (e *PartialError) Is(target error) bool {
	k, ok := target.(kindError)
	if !ok || Kind(k) == policy.KindNone {
		return false
	}
	for i := range e.Items {
		if e.Items[i].Kind == Kind(k) {
			return true
		}
	}
	return false
}

// batchError is an attempt whose answer says that items failed.
type batchError struct {
	PartialError

	result policy.Result
	status int
}

// Unwrap returns the PartialError.
func (e *batchError) Unwrap() error { return &e.PartialError }

// What is kept of the items of a batch.
const (
	mostItems   = 100
	longestText = 256
)

// partialOf returns the error of the items that failed.
func partialOf(fails []itemFault, total, lost int) *PartialError {
	e := &PartialError{Total: total, Failed: len(fails) + lost}
	for i := range fails {
		f := &fails[i]
		e.Indexes = append(e.Indexes, f.index)
		if i < mostItems {
			text := strings.ToValidUTF8(string(f.text[:min(len(f.text), longestText)]), "")
			e.Items = append(e.Items, ItemError{Index: f.index, Kind: f.finding.Kind, Text: text})
		}
	}
	return e
}

// left returns the error of a call that ends with an answer to a part of its items; nil for any other.
func (d *driver) left() error {
	if !d.batch.holds(d.served) {
		return d.nested
	}
	d.batch.mu.Lock()
	e := partialOf(d.batch.fails, d.batch.total, d.batch.lost)
	d.batch.mu.Unlock()
	e.Operation, e.Attempts = d.op.name, d.call.Attempts()
	if n := len(d.failed); n > 0 {
		if _, told := errors.AsType[*batchError](d.failed[n-1].Err); !told {
			e.Cause = &d.failed[n-1]
		}
	}
	return e
}

// answerOf returns the answer of a call that ends with one to a part of its items, else the one that it is given.
func answerOf[T any](d *driver, value T) T {
	if d.partial == nil || d.batch == nil {
		return value
	}
	if held, ok := d.batch.value.(T); ok {
		return held
	}
	return value
}

// partialIn returns the PartialError that an error is, or wraps: one inside an *Error is why a call has no answer at all.
func partialIn(err error) *PartialError {
	for err != nil {
		switch e := err.(type) { //nolint:errorlint // each is looked at on the way
		case *PartialError:
			return e
		case *Error:
			return nil
		}
		err = errors.Unwrap(err)
	}
	return nil
}

// judgePart says of a failed attempt that the call has an answer to a part of its items all the same. Of a call inside, which has tried what
// can be tried, the answer is this call's too.
func (d *driver) judgePart(f *flight, err error, r *policy.Result) {
	if d.batch.holds(f.at.Rung) {
		r.Partial = true
		return
	}
	if e := partialIn(err); e != nil && d.batch == nil && !d.hold {
		d.nested = err
		*r = policy.Result{Kind: policy.KindPermanent, Verdict: policy.Success, MayHaveActed: true, Partial: true, Final: true}
		if len(e.Items) > 0 {
			r.Kind = e.Items[0].Kind
		}
	}
}
