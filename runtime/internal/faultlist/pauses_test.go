package faultlist_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/testdata/providers"
)

const (
	shortWait  = 5 * time.Second  // the longest that the documents wait for
	probeAfter = 60 * time.Second // the time between two questions whether a long pause is over
)

// TestLongWaitsArePauses plays every cell whose provider names a time that nobody waits for: calls go to the second target at once, one
// probe goes to the primary each minute, and what it is answered ends the pause or not.
func TestLongWaitsArePauses(t *testing.T) {
	t.Parallel()
	n := 0
	for _, shape := range providers.Shapes() {
		for _, r := range table() {
			for _, stream := range []bool{false, true} {
				w := r.of(shape, stream)
				if w.pause <= shortWait {
					continue
				}
				n++
				c := cell{shape: shape, fault: r.fault, stream: stream, want: w}
				t.Run(c.name(), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, c.pause)
				})
			}
		}
	}
	if n == 0 {
		t.Error("no cell has a pause")
	}
}

// pause makes calls during a pause and after it.
func (c *cell) pause(t *testing.T) {
	s := c.set(t, providers.Right)
	asked := 0
	ask := func(when string, more int, kind policy.Kind) {
		t.Helper()
		asked += more
		o := s.call(t.Context(), "Hello?", c.stream)
		rung := "second"
		if kind == policy.KindNone {
			rung = ""
		}
		if o.Err != nil || o.Rung != rung || o.Reason != kind || o.Text != rightText {
			t.Errorf("%s: %q by %q after %v, %v; want it by %q after %v", when, o.Text, o.Rung, o.Reason, o.Err, rung, kind)
		}
		if got := len(s.first.Requests()); got != asked {
			t.Errorf("%s: the primary was asked %d times so far, want %d", when, got, asked)
		}
	}
	ask("at first", 1, c.want.kind)
	ask("at once after it", 0, policy.KindRateLimited)
	if c.want.pause < probeAfter {
		<-time.After(c.want.pause + time.Second)
		s.first.Play(providers.Right)
		ask("when the pause is over", 1, policy.KindNone)
		return
	}
	<-time.After(probeAfter + time.Second)
	ask("after a minute", 1, c.want.kind)
	ask("after that probe", 0, policy.KindRateLimited)
	<-time.After(probeAfter + time.Second)
	s.first.Play(providers.Right)
	ask("when the next probe is answered", 1, policy.KindNone)
	ask("after that", 1, policy.KindNone)
}
