package faultlist_test

import (
	"testing"
	"testing/synctest"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/testdata/providers"
)

// inARow is how many failures in a row open the breaker of the documents.
const inARow = 5

// TestEvidenceOpensTheBreaker plays every cell again and again: what counts against the target takes it out after five, and what does not
// never does. Where the target is left alone for a time that it named, that comes first: see TestLongWaitsArePauses.
func TestEvidenceOpensTheBreaker(t *testing.T) {
	t.Parallel()
	for _, shape := range providers.Shapes() {
		for _, r := range table() {
			for _, stream := range []bool{false, true} {
				w := r.of(shape, stream)
				if w.why != "" || w.pause > 0 {
					continue
				}
				c := cell{shape: shape, fault: r.fault, stream: stream, want: w}
				t.Run(c.name(), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, c.again)
				})
			}
		}
	}
}

// again makes one call more than it takes.
func (c *cell) again(t *testing.T) {
	s := c.set(t, providers.Right)
	asked, state := inARow, policy.StateOpen
	if c.want.evidence[1] == 0 {
		asked, state = inARow+1, policy.StateClosed
		if c.want.how == retried {
			asked *= 2
		}
	}
	for range inARow {
		s.call(t.Context(), "Hello?", c.stream)
	}
	o := s.call(t.Context(), "Hello?", c.stream)
	if got := len(s.first.Requests()); got != asked {
		t.Errorf("the primary was asked %d times, want %d", got, asked)
	}
	if got := s.primary(t).Breaker.State; got != state {
		t.Errorf("the breaker is %v, want %v", got, state)
	}
	if open := state == policy.StateOpen; open && (o.Err != nil || o.Reason != policy.KindBreakerOpen || o.Rung != "second" || o.Text != rightText) {
		t.Errorf("the last call: %q by %q after %v, %v; want the second target, as the breaker is open", o.Text, o.Rung, o.Reason, o.Err)
	}
}
