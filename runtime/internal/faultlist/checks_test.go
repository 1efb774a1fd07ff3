package faultlist_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/testdata/providers"
	"github.com/resgen-go/resgen/testdata/providers/callers"
)

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
