package sdks_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/bench/sdks/model"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/testdata/providers"
)

// patience is the caller's deadline.
const patience = 2 * time.Minute

// fault is a row of the page: what the provider does at every request.
type fault struct {
	name   string // of the script
	stream bool
	does   string
	// wrong says whether what a caller saw is not what happened.
	wrong func(o outcome) bool
}

// What is wrong of an outcome.
var (
	silent  = func(o outcome) bool { return o.err == nil }                   // a failure that is not told
	alarmed = func(o outcome) bool { return o.err != nil }                   // a failure that was none
	again   = func(o outcome) bool { return o.err == nil || o.requests > 1 } // what is hopeless is not to be sent again
	waited  = func(o outcome) bool { return o.err == nil || o.took >= patience }
)

// faults are the rows of the page, for the shapes that have their scripts.
func faults() []fault {
	return []fault{
		{"eof", true, "The stream ends cleanly after two parts: no finish reason, no end marker.", silent},
		{"done", true, "The end marker comes, and no finish reason before it.", silent},
		{"cut", true, "The connection breaks after two parts.", silent},
		{"truncated-late", true, "The stream ends within a part.", silent},
		{"null-error", true, "Each item carries `\"error\": null`, as some compatible servers send it.", alarmed},
		{"failed-first", true, "`response.created`, then `response.failed`.", silent},
		{"failed", true, "Some text, then `response.failed`.", silent},
		{"preamble-quota", true, "The first event says nothing, the next one that the quota is used up.", again},
		{"preamble-error", true, "The first event says nothing, the next one is an error.", silent},
		{"first-error", true, "The first event is an error.", silent},
		{"mid-error", true, "Two parts, then an error.", silent},
		{"preamble-silence", true, "The first event says nothing, then nothing comes.", waited},
		{"silence", true, "Two parts, then nothing comes.", waited},
		{"filtered", true, "The provider's filter ends the answer.", silent},
		{"empty", false, "200 without any content.", silent},
		{"filtered", false, "200, and the filter took the answer.", silent},
		{"first-error", false, "200 with an error as its body.", silent},
		{"truncated", false, "200 whose JSON ends in the middle.", silent},
		{"html", false, "200 with a page of HTML.", silent},
		{"throttle-money", false, "429: the quota is used up; `Retry-After: 30`.", again},
		{"throttle-never", false, "429 that no wait can help.", again},
		{"throttle-long", false, "429, `Retry-After: 3600`.", func(o outcome) bool { return again(o) || waited(o) }},
		{"money", false, "400: no credit.", again},
		{"overloaded", false, "529.", silent},
	}
}

// outcome is what a caller saw, and what the provider did.
type outcome struct {
	text     string
	err      error
	requests int
	took     time.Duration
}

// play has a provider of a shape do something to a client, in virtual time.
func play(t *testing.T, shape string, f fault, a arm) (o outcome) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p, err := providers.New(shape)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(f.name)
		h, stop := providers.Serve(p)
		defer stop()
		m, err := a.make(h)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		began := time.Now()
		o.text, o.err = ask(ctx, m, f.stream)
		o.took, o.requests = time.Since(began), len(p.Requests())
	})
	return o
}

// ask asks, and reads to the end.
func ask(ctx context.Context, m model.OpenAI, stream bool) (text string, err error) {
	if !stream {
		return m.Complete(ctx, question)
	}
	for part, err := range m.Stream(ctx, question) {
		if err != nil {
			return text, err
		}
		text += part
	}
	return text, nil
}

// String returns the outcome as the page has it: nothing in it differs from run to run.
func (o outcome) String() string {
	var parts []string
	switch {
	case o.err == nil && o.text == "":
		parts = append(parts, "empty, no error")
	case o.err == nil:
		parts = append(parts, fmt.Sprintf("%q, no error", o.text))
	case o.text == "":
		parts = append(parts, errorOf(o.err))
	default:
		parts = append(parts, fmt.Sprintf("%q, then %s", o.text, errorOf(o.err)))
	}
	if o.requests != 1 {
		parts = append(parts, fmt.Sprintf("%d requests", o.requests))
	}
	if wait := o.took.Truncate(10 * time.Second); wait > 0 { // short waits are random
		parts = append(parts, fmt.Sprintf("after %.0fs", wait.Seconds()))
	}
	return strings.Join(parts, "; ")
}

// errorOf names an error: the kind of ours, the type of others'.
func errorOf(err error) string {
	if e, ok := errors.AsType[*runtime.Error](err); ok {
		return "error: " + e.Kind.String()
	}
	name := reflect.TypeOf(err).String()
	if errors.Is(err, context.DeadlineExceeded) {
		return "the caller's deadline"
	}
	return "`" + name + "`"
}
