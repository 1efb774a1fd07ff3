package rungfaults_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// honest holds a call, whatever came of it, to what all calls are held to: it ended by its deadline, an answer is whole and says who gave
// it and why, and what is not whole is an error.
func honest(t *testing.T, o *seen, deadline time.Duration) {
	t.Helper()
	if o.took > deadline {
		t.Errorf("it took %v, and %v were allowed", o.took, deadline)
	}
	if o.err != nil {
		honestError(t, o)
	}
	if !o.opened {
		if o.err == nil {
			t.Error("neither an answer nor an error")
		}
		return
	}
	honestTag(t, o)
	switch said := whole[o.by]; {
	case o.err == nil && (o.text == "" || o.text != said):
		t.Errorf("%s says %q, which is passed for a whole answer; want %q", o.by, o.text, said)
	case o.err != nil && (o.text == said || !strings.HasPrefix(said, o.text)):
		t.Errorf("%s says %q before %v; want a part of %q", o.by, o.text, o.err, said)
	case o.err != nil && !errors.Is(o.meta.Broke, o.err):
		t.Errorf("Meta.Broke is %v, want %v", o.meta.Broke, o.err)
	}
}

// honestError checks that a failure can be told from others.
func honestError(t *testing.T, o *seen) {
	t.Helper()
	typed, ok := errors.AsType[*runtime.Error](o.err)
	switch {
	case !ok:
		t.Errorf("%v is no *Error", o.err)
	case typed.Kind == policy.KindNone:
		t.Errorf("%v is of no kind", o.err)
	case !o.opened && o.tag != (runtime.Result[struct{}]{Attempts: o.tag.Attempts}):
		t.Errorf("a failed call has the tag of an answer: %+v", o.tag)
	}
}

// honestTag checks that the tag is that of who answered, as the answer says itself.
func honestTag(t *testing.T, o *seen) {
	t.Helper()
	by, tag, meta := o.tag.Rung, o.tag, &o.meta
	if by == "" {
		by = primary
	}
	if said := o.by; said != by && (by != remembered || said != primary) {
		t.Errorf("%s answered, and the tag says %q", said, tag.Rung)
	}
	fell := by != primary
	if tag.Level != levels[by] || tag.Degraded != (tag.Level != policy.Equal) {
		t.Errorf("level %v, degraded %v of %s; want %v", tag.Level, tag.Degraded, by, levels[by])
	}
	if (tag.Reason != policy.KindNone) != fell || (tag.Cause != nil) != fell {
		t.Errorf("%s answered because of %v, %v", by, tag.Reason, tag.Cause)
	}
	if (tag.Age > 0) != (by == remembered) || tag.Exercised {
		t.Errorf("%s answered, age %v, exercised %v", by, tag.Age, tag.Exercised)
	}
	if fell && runtime.KindOf(tag.Cause) == policy.KindNone {
		t.Errorf("the cause %v is of no kind", tag.Cause)
	}
	if meta.Rung != tag.Rung || meta.Level != tag.Level || meta.Degraded != tag.Degraded || meta.Reason != tag.Reason ||
		meta.Age != tag.Age || meta.Attempts != tag.Attempts || (meta.Cause != nil) != fell {
		t.Errorf("Meta says %q, %v, %v, %v, %v after %d attempts, caused by %v; the result says %+v",
			meta.Rung, meta.Level, meta.Degraded, meta.Reason, meta.Age, meta.Attempts, meta.Cause, tag)
	}
}

// leavesNothing checks that no call holds anything.
func (s *stage) leavesNothing(t *testing.T) {
	t.Helper()
	for _, m := range s.group.Snapshot() {
		if m.Breaker.InFlight != 0 || m.Bulkhead.InFlight != 0 {
			t.Errorf("%s: %d and %d are in flight", m.Target, m.Breaker.InFlight, m.Bulkhead.InFlight)
		}
	}
}
