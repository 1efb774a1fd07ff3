package status

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Check is a question that a program asks of itself, or of what it calls.
type Check struct {
	// Name is what answers call it.
	Name string
	// Run asks; nil is that all is well. Its context ends at the timeout. Calls of resgen clients in it take no rung but the operation itself: a
	// ladder would hide what the check is to find.
	Run func(ctx context.Context) error
	// Timeout bounds a run; 0 is the default of the endpoint.
	Timeout time.Duration
}

// Outcome is what came of a Check, as JSON.
type Outcome struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	// Why is "failed", "timed out", "panicked", "still running" (since an earlier time) or "no function".
	Why            string  `json:"why,omitempty"`
	ElapsedSeconds float64 `json:"elapsed_seconds"`
	// Kind is the kind of failure, and Error its text, redacted; only /deepz says them.
	Kind  string `json:"kind,omitempty"`
	Error string `json:"error,omitempty"`
}

// errPanicked is the outcome of a check that did not return.
var errPanicked = errors.New("the check panicked, or ended its goroutine")

// runner runs checks, one run at a time for all who wait. The zero value is ready.
type runner struct {
	mu   sync.Mutex
	last *run
	busy map[int]bool // checks that have not returned
}

// run is one run of checks.
type run struct {
	done     chan struct{} // closed when it is over
	ended    time.Time
	outcomes []Outcome
}

// get returns a run that ended less than keep ago, or waits for the one that goes on or a new one. It fails when the context ends, which the
// run does not mind: others may wait for it.
func (r *runner) get(ctx context.Context, checks []Check, usual, keep time.Duration) (*run, error) {
	r.mu.Lock()
	now := r.last
	if now == nil || now.over() && time.Since(now.ended) >= keep {
		now = &run{done: make(chan struct{})}
		r.last = now
		go r.run(runtime.WithoutFallback(context.WithoutCancel(ctx)), now, checks, usual)
	}
	r.mu.Unlock()
	select {
	case <-now.done:
		return now, nil
	case <-ctx.Done():
		return nil, ctx.Err() //nolint:wrapcheck // nobody reads it: who asked has gone
	}
}

func (n *run) over() bool {
	select {
	case <-n.done:
		return true
	default:
		return false
	}
}

// run asks all checks at once.
func (r *runner) run(ctx context.Context, into *run, checks []Check, usual time.Duration) {
	into.outcomes = make([]Outcome, len(checks))
	var all sync.WaitGroup
	for i := range checks {
		c := checks[i]
		if c.Timeout <= 0 {
			c.Timeout = usual
		}
		all.Go(func() { into.outcomes[i] = r.ask(ctx, i, &c) })
	}
	all.Wait()
	into.ended = time.Now()
	close(into.done)
}

// ask asks one check, for no longer than its timeout. A check that ignores its context is left behind, and is not asked again until it returns.
func (r *runner) ask(ctx context.Context, i int, c *Check) Outcome {
	out := Outcome{Name: clean(c.Name)}
	switch {
	case c.Run == nil:
		out.Why = "no function"
		return out
	case !r.take(i):
		out.Why = "still running"
		return out
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	began, answer := time.Now(), make(chan error, 1)
	go func() {
		err := errPanicked
		defer func() {
			_ = recover() // it must not end the program
			r.giveBack(i)
			answer <- err
		}()
		err = c.Run(ctx)
	}()
	var err error
	select {
	case err = <-answer:
	case <-ctx.Done():
		err = ctx.Err()
	}
	out.ElapsedSeconds = time.Since(began).Seconds()
	switch {
	case err == nil:
		out.OK = true
		return out
	case errors.Is(err, errPanicked):
		out.Why = "panicked"
	case ctx.Err() != nil:
		out.Why, out.Kind = "timed out", policy.KindTimeout.String()
		err = fmt.Errorf("it took longer than %s: %w", c.Timeout, err)
	default:
		out.Why, out.Kind = "failed", runtime.KindOf(err).String()
	}
	out.Error = runtime.Redact(err.Error())
	return out
}

// take marks a check as running, unless it is.
func (r *runner) take(i int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy[i] {
		return false
	}
	if r.busy == nil {
		r.busy = map[int]bool{}
	}
	r.busy[i] = true
	return true
}

func (r *runner) giveBack(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.busy, i)
}
