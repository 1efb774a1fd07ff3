package sdkerror

import (
	"net/http"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Answer is what an error says of the answer that it was made of.
type Answer struct {
	// Status is the status code of HTTP; 0 for an error inside an answer that had begun well. Where it is StandIn, it stands for a code of
	// gRPC, and nobody sent it.
	Status  int
	StandIn bool
	// Header is the answer's header; nil if it is not known. It belongs to the error.
	Header http.Header
	// Body is the answer's body, or one made of what the error says of it, in the form that the provider gives it. It is
	// bounded, and may be cut.
	Body []byte
	// Otherwise is what the error means where nothing that knows the provider matches; policy.KindNone leaves it to the status.
	Otherwise policy.Kind
	// Wait is how long the answer asks to wait, where Waits says that it does. The header is not in it.
	Wait  time.Duration
	Waits bool
	// Unanswered says that the error may be of the client's own making, such as the end of a context.
	Unanswered bool
	// Unsent says that there was no connection to send the request by.
	Unsent bool
	// Cause is an error that the error has in a field and does not unwrap to; nil for none. It says what happened where there is no answer.
	Cause error
}

const (
	// mostErrors is how many errors of a tree are looked at.
	mostErrors = 64
	// mostBytes is how much of a body is kept.
	mostBytes = 64 << 10
)

// Is reports whether anything is known of the answer itself.
func (a *Answer) Is() bool {
	return a.Status > 0 || len(a.Body) > 0 || a.Otherwise != policy.KindNone || a.Waits || a.Header != nil
}

// found is what was read so far. Errors that are further out come first; what they say is not overwritten.
type found struct {
	left   int // how many more errors may be looked at
	status int
	header http.Header
	raw    []byte // the body as it came
	bare   bool   // raw may be what stands inside the provider's "error"
	fields object // what the error says of its body in fields
	typed  bool   // and among them the type of the error, as OpenAI's form has it
	grpc   *grpcStatus
	name   string // as AWS names failures
	fault  fault
	wait   time.Duration
	waits  bool
	cause  error
}

// Read reads an error, and what it wraps. It reports false where none is of a known shape.
func Read(err error) (Answer, bool) {
	f := found{left: mostErrors}
	f.walk(err)
	return f.answer()
}

// walk looks at an error and at what it wraps, outermost first.
func (f *found) walk(err error) {
	if err == nil || f.left == 0 {
		return
	}
	f.left--
	f.visit(err)
	for _, inner := range unwrap(err) {
		f.walk(inner)
	}
}

// unwrap returns what an error wraps.
func unwrap(err error) (inner []error) {
	defer func() { _ = recover() }() // an odd type wraps nothing
	switch e := err.(type) {         //nolint:errorlint // it walks the tree itself
	case interface{ Unwrap() error }:
		return []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	default:
		return nil
	}
}

// visit looks at one error.
func (f *found) visit(err error) {
	defer func() { _ = recover() }() // an odd type says no more than it did
	f.readMethods(err)
	f.readStatus(err)
	if v, ok := structOf(err); ok {
		f.readFields(v)
	}
}

// answer returns what was read, and whether it is of an answer.
func (f *found) answer() (Answer, bool) {
	a := Answer{Status: f.status, Header: f.header, Body: f.body(), Wait: f.wait, Waits: f.waits, Cause: f.cause}
	switch {
	case f.grpc != nil:
		f.grpc.tell(&a)
	case f.name != "":
		f.tellAWS(&a)
	case a.Status == 0 && f.waits: // all that it says is when to come again
		a.Status, a.StandIn = http.StatusTooManyRequests, true
	}
	if a.Status < http.StatusBadRequest {
		a.Status = 0 // the answer had begun well
	}
	known := a.Status > 0 || f.name != "" || len(a.Body) > 0
	return a, known || f.cause != nil
}
