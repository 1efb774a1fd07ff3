package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// library is a library under test. A nil function is something that it does not do at all.
type library struct {
	name   string
	module string
	// guard builds a guard for calls of a function; missing says what the library lacks for it.
	guard func(s settings) (g *guard, missing string)
	// http builds a client on a transport.
	http func(s httpSettings, via http.RoundTripper) (c *client, missing string)
}

// libraries returns the columns of the page.
func libraries() []library {
	return []library{resgenLibrary(), failsafeLibrary(), gobreakerLibrary(), circuitLibrary(), retryableLibrary()}
}

// settings is what a probe needs. Zero fields are off, or the library's default.
type settings struct {
	breaker  *breakerSettings
	bulkhead int           // calls in flight
	queue    int           // that may wait
	maxWait  time.Duration // in the queue
	timeout  time.Duration // of an attempt

	attempts   int // tries in all
	backoff    time.Duration
	backoffMax time.Duration
	budget     float64 // the share of calls that may be retried

	hedge     time.Duration                   // after which a copy is sent
	hedgeAuto bool                            // the library finds the delay
	fallback  bool                            // to a fixed answer
	instead   func(ctx context.Context) error // a function to fall back to
	reserve   time.Duration                   // that is kept for it
	rate      int                             // calls a second
	throttle  bool                            // rejects calls while most fail
	slow      time.Duration                   // from which a call is a slow one, for a breaker that counts them

	onChange func() // called when the breaker changes
}

// breakerSettings is a breaker that opens by failure rate.
type breakerSettings struct {
	minCalls int
	probes   int // in half-open
}

// What every breaker of a probe has.
const (
	failureRate = .5
	window      = 10 * time.Second
	openFor     = 5 * time.Second
	// afterOpen is when an open breaker is half-open in every library: open times may be jittered.
	afterOpen = 7 * time.Second
)

// byThree opens after three failures.
func byThree() *breakerSettings { return &breakerSettings{minCalls: 3, probes: 1} }

// guard is what guards calls.
type guard struct {
	do func(ctx context.Context, fn func(ctx context.Context) error) error
	// windowed says that half-open lets so many calls through in each open time, whatever becomes of them.
	windowed bool
	// inspect asks for the breaker's state, as a callback of a user might.
	inspect func()
}

// Errors that functions return.
var (
	// errBroken is a dependency that fails in a way that every library retries.
	errBroken = fmt.Errorf("broken: %w", io.ErrUnexpectedEOF)
	// errClosed is what a transport may make of a cancel.
	errClosed = errors.New("use of closed network connection")
)

func succeed(context.Context) error { return nil }
func fail(context.Context) error    { return errBroken }

// hang ends with its context.
func hang(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// runs reports whether a call is let through.
func (g *guard) runs() bool {
	ran := false
	_ = g.do(context.Background(), func(context.Context) error {
		ran = true
		return nil
	})
	return ran
}

// trip fails three times.
func (g *guard) trip() {
	for range 3 {
		_ = g.do(context.Background(), fail)
	}
}

// httpSettings is what a probe needs of a client.
type httpSettings struct {
	attempts   int
	backoff    time.Duration
	backoffMax time.Duration
	timeout    time.Duration // of an attempt
	hedge      time.Duration
}

// client sends requests.
type client struct {
	// send sends and reads the answer; the status is 0 if there was none.
	send func(ctx context.Context, method string, body io.Reader) (status int, err error)
	// open sends a GET and leaves the body to the probe.
	open func(ctx context.Context) (io.ReadCloser, error)
	// plain is a client whose requests the probe makes; nil where there is no such thing.
	plain http.RoundTripper
	// end gives back what the client lives on; nil if that is nothing.
	end func()
}

// elapsed returns how long f takes.
func elapsed(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}

// apart runs f on a goroutine of its own, which may panic or end, and waits for it.
func apart(f func()) (panicked any) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		f()
	}()
	<-done
	return panicked
}
