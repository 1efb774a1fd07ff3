package runtime

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Chaos says which attempts meet a fault that is made up, to see what the policies make of it. Package chaos has one. It is asked about each
// attempt at a target, and each hedge, when everything else was decided: after the limit, the bulkhead, the breaker, and the start of
// the attempt's time. Rungs that ask no target, and answers of caches, meet nothing. It must be safe for concurrent use, and quick.
type Chaos interface {
	// Fault returns what the attempt meets; nil is nothing.
	Fault(at ChaosAttempt) Fault
}

// ChaosAttempt is what a Chaos is told of an attempt.
type ChaosAttempt struct {
	// Client is the name of the client, and Operation the client and the operation: "llm.CreateChat".
	Client, Operation string
	// Target is the name of the target, or of its member.
	Target string
	// Tenant is for whom the call is made, as policy.TenantKey has it; empty is nobody.
	Tenant string
	// Preset is how the target writes its errors; empty is not known.
	Preset string
	// Number counts the attempts on the rung from 1, Rung is the number of the rung, and Hedge says that it is a copy beside another attempt.
	Number, Rung int
	Hedge        bool
	// Stream says that the answer comes item by item.
	Stream bool
}

// Fault is what one attempt meets. Its methods end when the context does, and leave nothing behind. RoundTrip is of operations that send
// requests; the other three are of operations that call a function, such as the methods of a wrapped value.
type Fault interface {
	// String says what it is in a few words, of which a plan has few: "status 503". Events and metrics have it.
	String() string
	// RoundTrip stands in for next, as an http.RoundTripper: it answers itself, or changes what next answers.
	RoundTrip(req *http.Request, next http.RoundTripper) (*http.Response, error)
	// Before is called before the function. Where it returns an error the function is not called, and that is what the attempt comes to.
	Before(ctx context.Context) error
	// After is called when the function has answered. Where it returns an error, that is what the attempt comes to, and the answer is dropped.
	After(ctx context.Context) error
	// Item is called before each item of a stream is waited for, with the number of those before it. An error ends the stream.
	Item(ctx context.Context, before int) error
}

// WithChaos has attempts meet the faults of c, to see what policies make of them; nil, and a pointer that is nil, are none, and cost
// nothing. What was made up is told as such by events: see FaultInjected and Event.Injected.
func WithChaos(c Chaos) EitherOption {
	if c == nil || isNil(c) {
		c = nil
	}
	return eitherOption{
		clientOption: func(h *HTTP) { h.chaos = c },
		wrapper:      func(w *Wrapper) { w.chaos = c },
	}
}

// injected is where is noted which fault an attempt met. An attempt of a call that is made inside another one tells that too.
type injected struct {
	fault atomic.Pointer[string]
	above *injected
}

// injectedKey finds it in the context of the attempt.
type injectedKey struct{}

// notes returns the context of an attempt with a place in it where faults are noted.
func notes(ctx context.Context) (context.Context, *injected) {
	above, _ := ctx.Value(injectedKey{}).(*injected)
	i := &injected{above: above}
	return context.WithValue(ctx, injectedKey{}, i), i
}

// note notes a fault. It may be nil.
func (i *injected) note(name string) {
	for ; i != nil; i = i.above {
		i.fault.Store(&name)
	}
}

// name returns which fault was noted; empty is none. It may be nil.
func (i *injected) name() string {
	if i == nil {
		return ""
	}
	if name := i.fault.Load(); name != nil {
		return *name
	}
	return ""
}

// fault asks what the attempt meets, tells of it, and returns it; nil is nothing. What asks no target meets nothing.
func (at Attempt) fault(ctx context.Context, streams bool) Fault {
	if at.op == nil || at.op.chaos == nil || at.recalls() {
		return nil
	}
	op := at.op
	if sort := op.sort(at.Rung); sort.Calls() || sort.IsAtHand() {
		return nil
	}
	target := at.Target
	if target == "" {
		target = policy.PrimaryTarget
	}
	asked := ChaosAttempt{
		Client: op.client, Operation: op.name, Target: target, Preset: policy.PlanAt(&op.plan, target).Errors.Preset,
		Number: at.Number, Rung: at.Rung, Hedge: at.Hedge, Stream: streams,
	}
	if at.scope != nil {
		asked.Tenant = at.scope.tenant
	}
	f := op.chaos.Fault(asked)
	if f == nil {
		return nil
	}
	name := f.String()
	met, _ := ctx.Value(injectedKey{}).(*injected)
	met.note(name)
	op.tell(ctx, op.now(), Event{What: FaultInjected, Rung: at.Rung, Attempt: at.Number, Hedge: at.Hedge, Target: at.Target, Injected: name})
	return f
}

// flawedBy returns run for an operation with chaos; of one that sends requests, those meet its faults. end ends an answer that is dropped; nil
// where answers own nothing.
func flawedBy[T any](run func(context.Context, Attempt) (T, error), end func(T) error) func(context.Context, Attempt) (T, error) {
	return func(ctx context.Context, at Attempt) (T, error) {
		if at.op == nil || at.op.sends {
			return run(ctx, at)
		}
		f := at.fault(ctx, false)
		if f == nil {
			return run(ctx, at)
		}
		return flawedCall(ctx, f, func(ctx context.Context) (T, error) { return run(ctx, at) }, end)
	}
}

// flawedCall has the call of a function meet a fault.
func flawedCall[T any](ctx context.Context, f Fault, call func(context.Context) (T, error), end func(T) error) (value T, err error) {
	if err = f.Before(ctx); err != nil {
		return value, err
	}
	if value, err = call(ctx); err != nil {
		return value, err
	}
	if err = f.After(ctx); err == nil {
		return value, nil
	}
	if end != nil && !isNoAnswer(value) {
		_ = end(value) // nobody takes it
	}
	var none T
	return none, err
}

// flawedFlow has the function meet a fault that makes a flow, and its items: pulled returns how those are pulled. end ends what is dropped, beside
// its context; nil where that does.
func flawedFlow[T any](ctx context.Context, at Attempt, made func(context.Context) (T, error), end func(T) error) (value T, f Fault, err error) {
	if at.op != nil && at.op.chaos != nil {
		f = at.fault(ctx, true)
	}
	if f == nil {
		value, err = made(ctx)
		return value, nil, err
	}
	value, err = flawedCall(ctx, f, made, end)
	return value, f, err
}

// pulled returns how the items of a flow are pulled where it meets a fault.
func pulled[T any](ctx context.Context, f Fault, pull func() (T, error)) func() (T, error) {
	if f == nil {
		return pull
	}
	before := 0
	return func() (item T, err error) {
		if err = f.Item(ctx, before); err != nil {
			return item, err
		}
		before++
		return pull()
	}
}

// flawedBody is a body that a method returned, whose reads are items.
type flawedBody struct {
	io.ReadCloser

	ctx   context.Context //nolint:containedctx // it ends with the body
	fault Fault
	reads int
}

// Read reads on, or ends as the fault has it.
func (b *flawedBody) Read(p []byte) (int, error) {
	if err := b.fault.Item(b.ctx, b.reads); err != nil {
		return 0, err
	}
	b.reads++
	return b.ReadCloser.Read(p) //nolint:wrapcheck // a reader passes errors through
}

// chaosKey finds the fault of an attempt in the context of its request.
type chaosKey struct{}

// meets returns the context of a request to the target, with the fault in it that the attempt meets.
func (at Attempt) meets(ctx context.Context, t *httpTarget) context.Context {
	f := at.fault(ctx, at.op.streams())
	if f == nil {
		return ctx
	}
	return context.WithValue(ctx, chaosKey{}, &targetFault{Fault: f, of: t})
}

// targetFault is a fault that is met once: redirects are sent in the same context, and so may be what credentials are asked for by.
type targetFault struct {
	Fault

	of  *httpTarget
	met atomic.Bool
}

// chaosTransport is between the attempts at a target and its connections.
type chaosTransport struct {
	of   *httpTarget
	next http.RoundTripper
}

// RoundTrip has the fault answer, where there is one.
func (t *chaosTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if f, ok := req.Context().Value(chaosKey{}).(*targetFault); ok && f.of == t.of && !f.met.Swap(true) {
		return f.RoundTrip(req, t.next)
	}
	return t.next.RoundTrip(req) //nolint:wrapcheck // as above
}

// CloseIdleConnections closes those of what is behind it.
func (t *chaosTransport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
