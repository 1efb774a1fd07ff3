package faultlist_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/testdata/providers"
	"github.com/resgen-go/resgen/testdata/providers/callers"
)

// usageOf is what the right answers of the shapes say that they used, and what their streams have said when they break.
var usageOf = map[string][2]policy.Usage{
	"chat":      {{Input: 12, Cached: 4, Output: 6, Reasoning: 2}, {}},
	"responses": {{Input: 12, Cached: 4, Output: 6, Reasoning: 2}, {}},
	"messages":  {{Input: 12, Cached: 4, CacheWrite: 3, Output: 6}, {Input: 12, Cached: 4, CacheWrite: 3, Output: 1}},
	"gemini":    {{Input: 12, Cached: 4, Output: 6}, {Input: 12, Cached: 4}},
	"cohere":    {{Input: 12, Cached: 4, Output: 6}, {}},
}

// cutBy is what the APIs say of an answer that reaches the most tokens that were asked for.
var cutBy = map[string]string{
	"chat": "length", "responses": "max_output_tokens", "messages": "max_tokens", "gemini": "MAX_TOKENS", "cohere": "MAX_TOKENS",
}

// TestTable holds every script to a cell, and every empty cell to a reason.
func TestTable(t *testing.T) {
	t.Parallel()
	cells, empty := 0, 0
	for _, shape := range providers.Shapes() {
		names, plain, stream, err := providers.Faults(shape)
		must(t, err)
		known := map[string]bool{}
		for _, r := range table() {
			if known[r.fault] {
				t.Errorf("%s has two rows", r.fault)
			}
			known[r.fault] = true
			for _, form := range []struct {
				stream bool
				played map[string]bool
			}{{false, plain}, {true, stream}} {
				w := r.of(shape, form.stream)
				if form.played[r.fault] != (w.why == "") {
					t.Errorf("%s %s, stream %v: a script: %v, but the table says %q", shape, r.fault, form.stream, form.played[r.fault], w.why)
				}
				if w.why == "" {
					cells++
				} else {
					empty++
				}
			}
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s: the script %q has no row", shape, name)
			}
		}
	}
	if all := len(providers.Shapes()) * len(table()) * 2; cells+empty != all || cells < leastCells {
		t.Errorf("%d cells and %d with a reason why not, of %d; want at least %d cells", cells, empty, all, leastCells)
	}
	fmt.Fprintf(os.Stdout, "fault list: %d shapes, %d faults, %d cells, %d that cannot be\n", len(providers.Shapes()), len(table()), cells, empty)
}

// leastCells only ever grows.
const leastCells = 351

// TestFaults plays every cell with a second target that is well, and with one that does what the primary does; and what is retried with a
// primary that does it once.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, shape := range providers.Shapes() {
		for _, r := range table() {
			for _, stream := range []bool{false, true} {
				w := r.of(shape, stream)
				if w.why != "" {
					continue
				}
				c := cell{shape: shape, fault: r.fault, stream: stream, want: w}
				t.Run(c.name(), func(t *testing.T) {
					t.Parallel()
					pending(t)
					synctest.Test(t, c.oneIsWell)
				})
				if w.how == retried {
					t.Run(c.name()+"/once", func(t *testing.T) {
						t.Parallel()
						pending(t)
						synctest.Test(t, c.onlyOnce)
					})
				}
				t.Run(c.name()+"/both", func(t *testing.T) {
					t.Parallel()
					pending(t)
					synctest.Test(t, c.noneIsWell)
				})
			}
		}
	}
}

// cell is a fault of a shape.
type cell struct {
	shape, fault string
	stream       bool
	want         want
}

func (c *cell) name() string {
	if c.stream {
		return c.shape + "/" + c.fault + "/stream"
	}
	return c.shape + "/" + c.fault + "/plain"
}

// stage is a client and its two providers.
type stage struct {
	call          callers.Call
	group         *runtime.Group
	first, second *providers.Provider
}

// set makes a client whose primary target does the fault.
func (c *cell) set(t *testing.T, second string) *stage {
	t.Helper()
	s := &stage{group: runtime.NewGroup()}
	var err error
	s.first, err = providers.New(c.shape)
	must(t, err)
	s.second, err = providers.New(c.shape)
	must(t, err)
	s.first.Play(c.fault)
	s.second.Play(second)
	toFirst, stopFirst := providers.Serve(s.first)
	toSecond, stopSecond := providers.Serve(s.second)
	t.Cleanup(stopFirst)
	t.Cleanup(stopSecond)
	s.call, err = callers.New(c.shape,
		runtime.WithGroup(s.group), runtime.WithHTTPClient(toFirst), runtime.WithBaseURL("http://first.test"),
		runtime.WithTarget("second", runtime.WithHTTPClient(toSecond), runtime.WithBaseURL("http://second.test")),
	)
	must(t, err)
	return s
}

// primary returns what the machines of the primary target show that have seen calls of the form.
func (s *stage) primary(t *testing.T) runtime.Machines {
	t.Helper()
	var found runtime.Machines
	for _, m := range s.group.Snapshot() {
		if m.Target == policy.PrimaryTarget && (found.Target == "" || m.Breaker.Calls > found.Breaker.Calls || m.PausedUntil.After(found.PausedUntil)) {
			found = m
		}
	}
	if found.Target == "" {
		t.Fatal("no machines of the primary target")
	}
	return found
}

// oneIsWell makes a call while the second target is well.
func (c *cell) oneIsWell(t *testing.T) {
	s := c.set(t, providers.Right)
	var meta runtime.Meta
	o := s.call(runtime.Capture(t.Context(), &meta), "Hello?", c.stream)
	w := c.want

	asked, second := 1, 0
	if w.how == retried {
		asked = 2
	}
	rung, level, reason, text := "", policy.Equal, policy.KindNone, w.text
	if w.how == retried || w.how == next {
		second, rung, level, reason, text = 1, "second", policy.Alternate, w.kind, rightText
	}
	if got := [2]int{len(s.first.Requests()), len(s.second.Requests())}; got != [2]int{asked, second} {
		t.Errorf("requests: %v, want %v", got, [2]int{asked, second})
	}
	c.checkError(t, &o)
	c.checkItems(t, &o)
	if w.how != ends {
		got := callers.Outcome{Began: o.Began, Rung: o.Rung, Level: o.Level, Reason: o.Reason, Text: o.Text}
		want := callers.Outcome{Began: true, Rung: rung, Level: level, Reason: reason, Text: text}
		if diff := cmp.Diff(want, got, cmpopts.EquateErrors()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if w.how == broken && o.Partial != w.text {
		t.Errorf("Partial shows %q, want %q", o.Partial, w.text)
	}
	c.checkMeta(t, &meta, rung)
	c.checkMachines(t, s)
	c.checkWait(t, s)
}

// checkItems checks that a stream that came to its end yielded every item of its answer once: those before the first content too, and none
// of an attempt before it.
func (c *cell) checkItems(t *testing.T, o *callers.Outcome) {
	t.Helper()
	if !c.stream || o.Err != nil {
		return
	}
	fault := c.fault
	if c.want.how != answered {
		fault = providers.Right
	}
	want, err := providers.Items(c.shape, fault)
	must(t, err)
	if o.Items != want {
		t.Errorf("%d items, want %d", o.Items, want)
	}
}

// checkError compares what the call failed with.
func (c *cell) checkError(t *testing.T, o *callers.Outcome) {
	t.Helper()
	w := c.want
	if w.how != ends && w.how != broken {
		if o.Err != nil {
			t.Errorf("error %v, want none", o.Err)
		}
		return
	}
	typed, ok := errors.AsType[*runtime.Error](o.Err)
	if !ok {
		t.Fatalf("error %v, want an *Error", o.Err)
	}
	if typed.Kind != w.kind || !typed.MayHaveActed && w.how == broken {
		t.Errorf("kind %v, may have acted %v; want %v: %v", typed.Kind, typed.MayHaveActed, w.kind, o.Err)
	}
	if w.kind == policy.KindReset && !errors.Is(o.Err, io.ErrUnexpectedEOF) {
		t.Errorf("%v is not io.ErrUnexpectedEOF", o.Err)
	}
	if w.kind == policy.KindTimeout && !errors.Is(o.Err, context.DeadlineExceeded) {
		t.Errorf("%v is not context.DeadlineExceeded", o.Err)
	}
	if w.how == broken && !errors.Is(o.Afterward, o.Err) {
		t.Errorf("ranging again gives %v, want the same error as before", o.Afterward)
	}
}

// checkMeta compares what the caller is told beside the answer.
func (c *cell) checkMeta(t *testing.T, meta *runtime.Meta, rung string) {
	t.Helper()
	if w := c.want; w.used != usedAny {
		want := usageOf[c.shape][w.used]
		if diff := cmp.Diff(want, meta.Usage); diff != "" {
			t.Errorf("usage (-want +got):\n%s", diff)
		}
	}
	why := ""
	if c.want.incomplete {
		why = cutBy[c.shape]
		if c.fault == "odd-incomplete" {
			why = "incomplete"
		}
	}
	if meta.Incomplete != c.want.incomplete || meta.IncompleteReason != why {
		t.Errorf("incomplete: %v by %q, want %v by %q", meta.Incomplete, meta.IncompleteReason, c.want.incomplete, why)
	}
	if c.want.how != ends && meta.Rung != rung {
		t.Errorf("Meta.Rung %q, want %q", meta.Rung, rung)
	}
}

// checkMachines compares what the primary target's breaker and pause have come to.
func (c *cell) checkMachines(t *testing.T, s *stage) {
	t.Helper()
	m, w := s.primary(t), c.want
	if got := [2]int{m.Breaker.Calls, m.Breaker.Failures}; got != w.evidence || m.Breaker.State != policy.StateClosed || m.Breaker.InFlight != 0 {
		t.Errorf("breaker: %d results, %d failures, %v, %d in flight; want %v, closed", got[0], got[1], m.Breaker.State, m.Breaker.InFlight, w.evidence)
	}
	requests := s.first.Requests()
	last := requests[len(requests)-1].At
	switch got := m.PausedUntil.Sub(last); {
	case w.pause == 0 && !m.PausedUntil.IsZero():
		t.Errorf("paused for %v, want no pause", got)
	case w.pause > 0 && (got < w.pause || got > w.pause+time.Second):
		t.Errorf("paused for %v, want %v", got, w.pause)
	}
}

// checkWait checks that a retry waits as long as the target asked.
func (c *cell) checkWait(t *testing.T, s *stage) {
	t.Helper()
	requests := s.first.Requests()
	asked := max(c.want.pause, c.want.waits)
	if c.want.how != retried || asked == 0 || len(requests) < 2 {
		return
	}
	if waited := requests[1].At.Sub(requests[0].At); waited < asked || waited > asked+time.Second {
		t.Errorf("the retry came after %v, want %v", waited, asked)
	}
}

// onlyOnce makes a call of which the primary fails the first attempt alone: the second answers, and nobody else is asked.
func (c *cell) onlyOnce(t *testing.T) {
	s := c.set(t, providers.Right)
	s.first.Play(c.fault, providers.Right)
	o := s.call(t.Context(), "Hello?", c.stream)
	if got := [2]int{len(s.first.Requests()), len(s.second.Requests())}; got != [2]int{2, 0} {
		t.Errorf("requests: %v, want two to the primary", got)
	}
	if o.Err != nil || o.Rung != "" || o.Reason != policy.KindNone || o.Text != rightText {
		t.Errorf("%q by %q after %v, %v; want %q by the primary", o.Text, o.Rung, o.Reason, o.Err, rightText)
	}
	c.checkItems(t, &o)
	m := s.primary(t)
	want := [2]int{c.want.evidence[0]/2 + 1, c.want.evidence[1] / 2}
	if got := [2]int{m.Breaker.Calls, m.Breaker.Failures}; got != want {
		t.Errorf("breaker: %v results and failures, want %v", got, want)
	}
}

// noneIsWell makes a call while both targets do the same. What leads on leads to the apology, which streams have not.
func (c *cell) noneIsWell(t *testing.T) {
	s := c.set(t, c.fault)
	o := s.call(t.Context(), "Hello?", c.stream)
	w := c.want
	asked, second := 1, 0
	switch w.how {
	case retried:
		asked, second = 2, 2
	case next:
		second = 1
	case answered, ends, broken:
	}
	if got := [2]int{len(s.first.Requests()), len(s.second.Requests())}; got != [2]int{asked, second} {
		t.Errorf("requests: %v, want %v", got, [2]int{asked, second})
	}
	switch {
	case second == 0:
		c.checkError(t, &o)
	case !c.stream:
		got := callers.Outcome{Began: o.Began, Err: o.Err, Rung: o.Rung, Level: o.Level, Reason: o.Reason, Text: o.Text}
		want := callers.Outcome{Began: true, Rung: "apology", Level: policy.Canned, Reason: w.kind, Text: sorryText}
		if diff := cmp.Diff(want, got, cmpopts.EquateErrors()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	default:
		c.checkBoth(t, s, o.Err)
	}
}

// checkBoth checks the error of a call that both targets failed: it is the primary's, with that of the second in it.
func (c *cell) checkBoth(t *testing.T, s *stage, err error) {
	t.Helper()
	typed, ok := errors.AsType[*runtime.Error](err)
	if !ok {
		t.Fatalf("error %v, want an *Error", err)
	}
	attempts := len(s.first.Requests()) + len(s.second.Requests())
	if typed.Kind != c.want.kind || typed.Attempts != attempts || len(typed.Unwrap()) < 2 {
		t.Errorf("kind %v after %d attempts with %d errors, want %v after %d with that of each target: %v",
			typed.Kind, typed.Attempts, len(typed.Unwrap()), c.want.kind, attempts, err)
	}
	if c.want.pause == 0 {
		return
	}
	requests := s.first.Requests()
	if wait := typed.NotBefore.Sub(requests[len(requests)-1].At); wait < c.want.pause || wait > c.want.pause+time.Second {
		t.Errorf("not before %v after the last request to the primary, want %v", wait, c.want.pause)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
