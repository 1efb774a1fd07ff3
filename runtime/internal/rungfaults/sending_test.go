package rungfaults_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// places are where the faults of what sends can be: at each rung, and at all that send.
var places = []string{primary, second, small, everywhere}

// cell is a fault at a place, in a form of the answer.
type cell struct {
	fault

	place  string
	stream bool
}

// outcome is what the table says of a cell. Rung is who answers, and empty where nobody does.
type outcome struct {
	rung           string
	broken         bool
	kind           policy.Kind // of the error, where there is one
	reason         policy.Kind
	attempts, most int
	took, over     time.Duration
}

// wants reads the table.
func (c *cell) wants() outcome {
	w := c.of(c.stream)
	at := slices.Index(places, c.place) // also the rung's place in the ladder
	if c.place == everywhere {
		at = 0
	}
	before := policy.KindTransient
	if c.before.handler != nil {
		before = policy.KindThrottle
	}
	o := outcome{attempts: 2*at + 1, took: time.Duration(at)*backoff + w.each} // those before made two attempts each, at once but for the backoff
	if at > 0 {
		o.reason = before
	}
	follows := ladders[c.stream][at+1]
	if c.place == everywhere {
		follows = passages
	}
	switch w.how {
	case answered:
		o.rung = c.at()
	case breaks:
		o.rung, o.broken, o.kind = c.at(), true, w.kind
	case stops:
		o.kind, o.reason = w.kind, policy.KindNone
	case ends:
		if at == 0 {
			o.kind = w.kind
		} else {
			o.rung = follows
			o.attempts++
		}
	case again, next:
		o.leads(c, &w, follows, at == 0)
	}
	o.most = max(o.most, o.attempts)
	return o
}

// leads is wants for what leads to another rung.
func (o *outcome) leads(c *cell, w *want, follows string, first bool) {
	o.rung = follows
	if first {
		o.reason = w.kind
	}
	wait := w.wait
	if wait == 0 {
		wait = backoff
	}
	once := *o
	if w.how == again {
		o.attempts++
		o.took += w.each + wait
		o.over += w.over
	}
	switch {
	case c.place == everywhere && w.all != nil:
		o.attempts, o.most, o.took, o.over = w.all.attempts, w.all.most, w.all.took, w.all.over
	case c.place == everywhere:
		o.attempts *= len(places) - 1
		o.took += 2 * (o.took - once.took + w.each)
	}
	o.attempts++ // of who answers
	if o.most > 0 {
		o.most++
	}
}

// at is the first rung that meets the fault.
func (c *cell) at() string {
	if c.place == everywhere {
		return primary
	}
	return c.place
}

func (c *cell) name() string {
	form := "/plain"
	if c.stream {
		form = "/stream"
	}
	return c.fault.name + "/" + c.place + form
}

// cells are all of the table, those that are left out too.
func cells() []cell {
	var all []cell
	for _, f := range sending() {
		for _, place := range places {
			all = append(all, cell{f, place, false}, cell{f, place, true})
		}
	}
	return all
}

// TestSending plays every fault at every rung that sends: with the time that the plan gives, with a deadline of the caller's that the same
// rungs can keep if they leave one another time, and with one that is shorter than what one attempt may take.
func TestSending(t *testing.T) {
	t.Parallel()
	for _, c := range cells() {
		if c.of(c.stream).why != "" {
			continue
		}
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { c.check(t, c.play(t, total)) })
		})
		t.Run(c.name()+"/3s", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { c.checkAnswer(t, c.play(t, 3*time.Second)) })
		})
		t.Run(c.name()+"/700ms", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { c.checkSome(t, c.play(t, 700*time.Millisecond)) })
		})
	}
}

// play makes the call of a cell, after and beside those that belong to it.
func (c *cell) play(t *testing.T, deadline time.Duration) *seen {
	t.Helper()
	s := newStage(t, newStore())
	c.set(s)
	warm := c.warm
	if warm > 0 && c.place == everywhere {
		warm--
	}
	for range warm {
		honest(t, s.ask(t.Context(), "Hello?", c.stream), total)
	}
	ctx := t.Context()
	if deadline < total {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, deadline)
		defer cancel()
	}
	if c.cancel {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		timer := time.AfterFunc(c.wants().took, cancel)
		defer timer.Stop()
		defer cancel()
	}
	var wg sync.WaitGroup
	for range c.others {
		wg.Go(func() {
			<-time.After(backoff / 2)
			honest(t, s.ask(t.Context(), "Hello?", c.stream), total)
		})
	}
	asked := s.asked()
	o := s.ask(ctx, "Hello?", c.stream)
	wg.Wait()
	honest(t, o, deadline)
	if asked = s.asked() - asked; c.others == 0 && asked != o.meta.Attempts {
		t.Errorf("%d attempts are told, and %d were made", o.meta.Attempts, asked)
	}
	synctest.Wait()
	s.leavesNothing(t)
	return o
}

// set has the rungs do what the cell says: those before its place fail, and those after it are well.
func (c *cell) set(s *stage) {
	before := c.before
	if before.handler == nil {
		before = down
	}
	for _, name := range []string{primary, second, small} {
		switch {
		case name == c.place, c.place == everywhere:
			s.parties[name].play(c.does)
			if name == c.place {
				return
			}
		default:
			s.parties[name].play(before)
		}
	}
}

// check compares all that the table says.
func (c *cell) check(t *testing.T, o *seen) {
	t.Helper()
	c.checkAnswer(t, o)
	want := c.wants()
	if o.took < want.took || o.took > want.took+want.over {
		t.Errorf("it took %v, want %v (or %v more)", o.took, want.took, want.over)
	}
	if got := o.meta.Attempts; got < want.attempts || got > want.most {
		t.Errorf("%d attempts, want %d to %d", got, want.attempts, want.most)
	}
}

// checkAnswer compares who answered, and why.
func (c *cell) checkAnswer(t *testing.T, o *seen) {
	t.Helper()
	want := c.wants()
	rung := o.tag.Rung
	if o.opened && rung == "" {
		rung = primary
	}
	if rung != want.rung || o.tag.Reason != want.reason || (o.opened && o.err != nil) != want.broken {
		t.Errorf("%q answered because of %v, error %v; want %q because of %v", rung, o.tag.Reason, o.err, want.rung, want.reason)
	}
	if got := kindOf(o.err); got != want.kind {
		t.Errorf("error of the kind %v, want %v: %v", got, want.kind, o.err)
	}
}

// checkSome checks that a whole answer came, from whatever rung, unless the request itself or the caller is what ends the call, or a stream broke
// that had begun.
func (c *cell) checkSome(t *testing.T, o *seen) {
	t.Helper()
	want := c.wants()
	if c.cancel { // another rung may have answered before
		return
	}
	if want.rung != "" && o.err != nil && (!want.broken || !o.opened) {
		t.Errorf("nobody answered: %v", o.err)
	}
	if want.rung == "" && kindOf(o.err) != want.kind {
		t.Errorf("%v, want an error of the kind %v", o.err, want.kind)
	}
}

// kindOf is the kind of an error.
func kindOf(err error) policy.Kind {
	if err == nil {
		return policy.KindNone
	}
	return runtime.KindOf(err)
}
