package runtime

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/internal/requests"
	"github.com/resgen-go/resgen/runtime/policy"
)

// watchedContext is the context of an attempt whose function may have a client of its own, such as that of an SDK: net/http finds in it where
// to report the requests that are made. What that takes is made when it looks.
type watchedContext struct {
	attemptContext

	watch atomic.Pointer[requests.Watch]
	meter *meter // of the attempt; nil where nothing is counted
	blind bool   // requests are not watched
}

// Value returns what net/http is to report to, and what the attempt's context has.
func (c *watchedContext) Value(key any) any {
	if requests.TraceKey != nil && key == requests.TraceKey && !c.blind {
		return watchOf(&c.watch, c.Context, &c.sends).Trace()
	}
	if _, ok := key.(meterKey); ok {
		return c.meter
	}
	return c.attemptContext.Value(key)
}

// watchOf returns the watch, made if there is none.
func watchOf(at *atomic.Pointer[requests.Watch], parent context.Context, sends *atomic.Int32) *requests.Watch {
	if w := at.Load(); w != nil {
		return w
	}
	at.CompareAndSwap(nil, requests.New(parent, sends))
	return at.Load()
}

// watches reports whether attempts on the rung are a function's that may have a client of its own, or another operation's, so that calls inside
// report what they came to.
func (op *Operation) watches(rung int) bool { return op.wraps || op.sort(rung).Calls() }

// newContext makes the context of an attempt on the rung. watched is nil where nobody watches it; else it is the context to be given on, with
// own in it.
func (op *Operation) newContext(ctx context.Context, rung int, inner *scope) (own *attemptContext, watched *watchedContext) {
	if !op.watches(rung) {
		return &attemptContext{Context: ctx, inner: inner}, nil
	}
	watched = &watchedContext{attemptContext: attemptContext{Context: ctx, inner: inner}}
	watched.blind = op.sort(rung) == policy.RungOperation // its attempts are watched themselves, and it may try again
	return &watched.attemptContext, watched
}

// watch returns what was seen of the requests of the attempt; nil if nobody watched, or net/http made none.
func (f *flight) watch() *requests.Watch {
	switch {
	case f.watched != nil:
		return f.watched.watch.Load()
	case f.copied != nil:
		return f.copied.watch.Load()
	default:
		return nil
	}
}

// tellInner tells of requests that the function's own client sent again during the attempt, and counts them. The first of an operation is a
// warning.
func (d *driver) tellInner(now time.Time, f *flight, w *requests.Watch, replays int) {
	if w == nil || replays == 0 {
		return
	}
	if d.op.inner != nil {
		d.op.inner.Add(uint64(replays))
	}
	if !d.watched() {
		return
	}
	e := Event{What: InnerRetry, Replays: replays}
	if d.op.warned.CompareAndSwap(false, true) {
		e.Advice = adviceFor(w.Agent())
	}
	d.tellAttempt(now, f, e)
}

// innerAdvice is what turns the retries of well-known clients off, by how they name themselves in User-Agent.
var innerAdvice = [...]struct{ agent, advice string }{
	{"OpenAI/Go ", "openai-go: option.WithMaxRetries(0)"},
	{"Anthropic/Go ", "anthropic-sdk-go: option.WithMaxRetries(0)"},
	{"aws-sdk-go-v2/", "aws-sdk-go-v2: Retryer of aws.Config as func() aws.Retryer { return aws.NopRetryer{} }"},
	{"aws-sdk-go/", "aws-sdk-go: MaxRetries of aws.Config as aws.Int(0)"},
	{"google-genai-sdk/", "genai: no RetryOptions in HTTPOptions"},
	{"github.com/cohere-ai/cohere-go", "cohere-go: client.WithMaxAttempts(1)"},
	{"azsdk-go-", "azure-sdk-for-go: MaxRetries of policy.RetryOptions as -1"},
	{"gcloud-golang", "cloud.google.com/go: storage.WithPolicy(storage.RetryNever), gax.WithRetry(nil)"},
}

// adviceFor returns what turns the retries of a client off. The name that it sends is text of somebody else's, and is not repeated.
func adviceFor(agent string) string {
	const layers = "the wrapped client tries again by itself, and two layers multiply: turn its retries off"
	for _, a := range innerAdvice {
		if strings.Contains(agent, a.agent) {
			return layers + " (" + a.advice + ")"
		}
	}
	return layers
}
