package runtime

import (
	"context"
	"sync"

	"github.com/resgen-go/resgen/runtime/policy"
)

// inOrder tells observers the changes of one breaker in the order in which they happened, although the calls that brought them about
// tell them after the breaker's lock is gone, each on its own goroutine (trap T14). The zero value is ready.
type inOrder struct {
	mu      sync.Mutex
	telling bool
	from    policy.State // the state in which the next change begins
	pending []told
}

// told is a change that is to be told.
type told struct {
	ctx      context.Context //nolint:containedctx // it waits for its turn for as long as another call tells
	observer Observer
	event    Event
	change   policy.Transition
}

// mostPending is how many changes wait for one that comes before them; then it is taken to be lost, with the goroutine that had it.
const mostPending = 4

// tell tells the change, and those that have waited for it. If another call is telling, it is left to that call.
func (o *inOrder) tell(t told) {
	o.mu.Lock()
	o.pending = append(o.pending, t)
	if o.telling {
		o.mu.Unlock()
		return
	}
	o.telling = true
	o.mu.Unlock()
	done := false
	defer func() { // an observer may end the goroutine
		if !done {
			o.mu.Lock()
			o.telling = false
			o.mu.Unlock()
		}
	}()
	for {
		o.mu.Lock()
		next, ok := o.next()
		if !ok {
			o.telling, done = false, true
			o.mu.Unlock()
			return
		}
		o.mu.Unlock()
		tell(next.ctx, next.observer, next.event)
	}
}

// next takes the change that follows the one told last, if it is here.
func (o *inOrder) next() (told, bool) {
	first := -1
	for i, t := range o.pending {
		follows := t.change.From == o.from || len(o.pending) >= mostPending
		if follows && (first < 0 || t.change.At.Before(o.pending[first].change.At)) {
			first = i
		}
	}
	if first < 0 {
		return told{}, false
	}
	t := o.pending[first]
	o.pending = append(o.pending[:first], o.pending[first+1:]...)
	o.from = t.change.To
	return t, true
}
