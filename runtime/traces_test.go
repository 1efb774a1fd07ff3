package runtime_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
	"github.com/resgen-go/resgen/runtime/sim/tracetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// TestTraces plays the stories of the simulator with the live driver: given the same answers at the same instants and the same random
// numbers, it does the same, time stamps included.
func TestTraces(t *testing.T) {
	t.Parallel()
	for _, s := range tracetest.Stories() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(filepath.Join("sim", "testdata", "traces", s.Name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				got := s.Text(playLive(t, &s))
				if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("the live driver went another way (-simulated +live):\n%s", diff)
				}
			})
		})
	}
}

// TestTracesNoticeADriverThatErrs shows that the comparison is one: a millisecond more in one answer is seen.
func TestTracesNoticeADriverThatErrs(t *testing.T) {
	t.Parallel()
	for _, s := range tracetest.Stories()[:1] {
		synctest.Test(t, func(t *testing.T) {
			want, err := s.Simulated()
			if err != nil {
				t.Fatal(err)
			}
			late := s
			late.Servers = []sim.Server{s.Servers[0]}
			late.Servers[0].Script = append([]sim.Answer{}, s.Servers[0].Script...)
			late.Servers[0].Script[0].After += time.Millisecond
			if got := s.Text(playLive(t, &late)); got == want {
				t.Error("the traces are equal")
			}
		})
	}
}

// liveStory is a story that the live driver plays.
type liveStory struct {
	story *tracetest.Story
	start time.Time

	mu    sync.Mutex
	lines []sim.Line
	told  map[string]int // how many entries of its script each target has played
}

// numberKey is the key of a call's number in its context.
type numberKey struct{}

// playLive makes the calls of a story and returns what an observer saw.
func playLive(t *testing.T, s *tracetest.Story) []sim.Line {
	t.Helper()
	l := &liveStory{story: s, start: time.Now(), told: map[string]int{}}
	call := l.caller(t)
	var wg sync.WaitGroup
	for _, c := range s.Calls() {
		wg.Go(func() {
			time.Sleep(c.At) // in a synctest bubble
			ctx := runtime.WithTenant(context.WithValue(t.Context(), numberKey{}, c.Number), c.Tenant)
			if c.Deadline > 0 {
				bounded, cancel := context.WithTimeout(ctx, c.Deadline)
				defer cancel()
				ctx = bounded
			}
			if c.Cancel > 0 {
				canceled, cancel := context.WithCancel(ctx)
				defer time.AfterFunc(c.Cancel, cancel).Stop()
				ctx = canceled
			}
			call(ctx)
		})
	}
	wg.Wait()
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines
}

// caller returns what makes a call of the story's operation, and reads its answer.
func (l *liveStory) caller(t *testing.T) func(context.Context) {
	t.Helper()
	var mu sync.Mutex
	draw := sim.Rand(l.story.Seed)
	group := runtime.NewGroup(runtime.WithRand(func() float64 {
		mu.Lock()
		defer mu.Unlock()
		return draw()
	}))
	if l.story.Plan.Stream.Format != policy.NoStream {
		return l.streamer(t, group)
	}
	op := operationIn(t, group, l.story.Plan, l)
	return func(ctx context.Context) {
		_, _ = runtime.DoResult(ctx, op, func(ctx context.Context, at runtime.Attempt) (struct{}, error) {
			if at.Target == "" {
				return struct{}{}, nil // the fixed answer
			}
			return struct{}{}, l.attempt(ctx, l.next(at.Target))
		})
	}
}

// next returns the next entry of a target's script.
func (l *liveStory) next(target string) sim.Answer {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.story.Servers {
		if s.Target == target {
			n := l.told[target]
			l.told[target]++
			return s.Script[min(n, len(s.Script)-1)]
		}
	}
	return sim.Answer{}
}

// attempt makes an attempt that is answered like that. What comes in time counts although the time is then over.
func (*liveStory) attempt(ctx context.Context, a sim.Answer) error {
	if a.What == sim.Hanging {
		<-ctx.Done()
		return ctx.Err()
	}
	timer := time.NewTimer(a.After)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	switch {
	case a.What == sim.Refused:
		return syscall.ECONNREFUSED
	case a.What == sim.Broken:
		return io.ErrUnexpectedEOF
	case a.Status == 0:
		return nil
	case a.Pushback:
		return status(a.Status, "Retry-After-Ms", strconv.FormatInt(a.RetryAfter.Milliseconds(), 10))
	default:
		return status(a.Status)
	}
}

// streamer is caller for an operation that streams, over HTTP in memory.
func (l *liveStory) streamer(t *testing.T, group *runtime.Group) func(context.Context) {
	t.Helper()
	u := new(upstream)
	for _, a := range l.story.Servers[0].Script {
		u.answers = append(u.answers, l.flow(u, a))
	}
	client := runtime.NewHTTP(runtime.HTTPSpec{Name: "llm", BaseURL: "http://h"},
		runtime.WithHTTPClient(&http.Client{Transport: u}), runtime.WithGroup(group), runtime.WithObserver(l))
	op := client.Operation(l.story.Plan)
	if err := client.Err(); err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context) {
		stream, err := runtime.Open(ctx, op, func(ctx context.Context, at runtime.Attempt) (*runtime.Stream[thing], error) {
			return runtime.SendStream(ctx, client, at, wire.NewRequest("GET", "/s"), func(r *wire.Response) (*wire.Items[thing], error) {
				return wire.JSONItems[thing](r, l.story.Plan.Stream)
			})
		})
		if err != nil {
			return
		}
		for range stream.All() { // how it ends is what the observer is told
		}
	}
}

// flow answers with a stream: its first item comes when the answer does.
func (*liveStory) flow(u *upstream, a sim.Answer) func(*http.Request) (*http.Response, error) {
	if a.What == sim.Hanging {
		return silent
	}
	chunks := []chunk{{0, item("first"), nil}}
	if a.Stalls {
		chunks = append(chunks, chunk{time.Hour, "", nil})
	} else {
		chunks = append(chunks, chunk{a.Stream, done, nil})
	}
	respond := u.sse(chunks...)
	return func(r *http.Request) (*http.Response, error) {
		time.Sleep(a.After) // in a synctest bubble
		return respond(r)
	}
}

// Observe writes a line for what a driver tells of.
func (l *liveStory) Observe(ctx context.Context, e runtime.Event) {
	number, _ := ctx.Value(numberKey{}).(int)
	line := sim.Line{
		At: e.Time.Sub(l.start), Call: number, Rung: e.Rung, Attempt: e.Attempt, Hedge: e.Hedge, Attempts: e.Attempts,
		Kind: e.Kind, Wait: e.Wait, Until: sim.Forever,
	}
	if !e.Until.IsZero() {
		line.Until = e.Until.Sub(l.start)
	}
	what, ok := whats()[e.What]
	if !ok {
		return
	}
	line.What = what
	switch e.What {
	case runtime.StreamEnd:
		line.Verdict = policy.VerdictOf(e.Kind)
	case runtime.BreakerChanged:
		line.From, line.To = stateOf(e.From), stateOf(e.To)
	default:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

// whats says which line of a trace an event is.
func whats() map[runtime.EventKind]sim.What {
	return map[runtime.EventKind]sim.What{
		runtime.CallStart: sim.CallStarts, runtime.CallEnd: sim.CallEnds, runtime.StreamEnd: sim.StreamEnds,
		runtime.AttemptStart: sim.AttemptStarts, runtime.AttemptEnd: sim.AttemptEnds, runtime.RetryScheduled: sim.RetryPlanned,
		runtime.RungTaken: sim.RungTaken, runtime.RungUnfit: sim.RungUnfit, runtime.Rejected: sim.Rejected,
		runtime.Hedged: sim.Hedged, runtime.BudgetDenied: sim.BudgetDenied, runtime.BreakerChanged: sim.BreakerChanged,
		runtime.Paused: sim.Paused,
	}
}

func stateOf(name string) policy.State {
	for _, s := range []policy.State{policy.StateClosed, policy.StateOpen, policy.StateHalfOpen} {
		if s.String() == name {
			return s
		}
	}
	return policy.StateClosed
}
