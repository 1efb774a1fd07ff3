package runtime_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync/atomic"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
)

// beat is one thing that a stream of a test does, after a wait: it gives an item, fails, or goes on for ever. deaf waits for nothing else.
type beat struct {
	after time.Duration
	item  string
	err   error
	deaf  bool
}

// flowScript is what one attempt comes to: an error of the method itself, or the beats of its stream.
type flowScript struct {
	err   error
	beats []beat
}

func beats(all ...beat) flowScript { return flowScript{beats: all} }

// wait waits for a beat; false is that the context has ended.
func (b beat) wait(ctx context.Context) bool {
	if b.deaf {
		sleep(b.after)
		return true
	}
	timer := time.NewTimer(b.after)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

var errGone = errors.New("the stream is gone")

// seq2 is the script as an iterator of items and errors. ended counts how often it came to its end.
func (p flowScript) seq2(ctx context.Context, ended *atomic.Int32) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		defer func() { ended.Add(1) }()
		for _, b := range p.beats {
			if !b.wait(ctx) {
				yield("", ctx.Err())
				return
			}
			if !yield(b.item, b.err) {
				return
			}
		}
	}
}

// flowForm is a form of streams of Go methods.
type flowForm struct {
	// open opens a stream of the operation, whose attempts play what next says.
	open func(ctx context.Context, op *runtime.Operation, next func() flowScript, ended *atomic.Int32) (readFlow, error)
	// tells says that its consumer is told of what goes wrong after the first item.
	tells bool
	// lazy says that open does nothing.
	lazy bool
	// stopped is how it ends for its consumer to have enough.
	stopped policy.Kind
}

// readFlow reads most items and ends then, or when there are no more. The error is what the consumer is told.
type readFlow func(most int, each time.Duration) ([]string, error)

func readSeq2(seq iter.Seq2[string, error]) readFlow {
	return func(most int, each time.Duration) (got []string, _ error) {
		for item, err := range seq {
			if err != nil {
				return got, err
			}
			if got = append(got, item); len(got) == most {
				return got, nil
			}
			sleep(each)
		}
		return got, nil
	}
}

var flowForms = map[string]flowForm{
	"iter.Seq2": {tells: true, open: func(ctx context.Context, op *runtime.Operation, next func() flowScript, ended *atomic.Int32) (readFlow, error) {
		seq, err := runtime.OpenSeq2(ctx, op, func(ctx context.Context, _ runtime.Attempt) (iter.Seq2[string, error], error) {
			p := next()
			return p.seq2(ctx, ended), p.err
		})
		return readSeq2(seq), err
	}},
	"lazy iter.Seq2": {tells: true, lazy: true, open: func(ctx context.Context, op *runtime.Operation, next func() flowScript, ended *atomic.Int32) (readFlow, error) {
		return readSeq2(runtime.Range(ctx, op, func(ctx context.Context, _ runtime.Attempt) iter.Seq2[string, error] {
			p := next()
			if p.err != nil {
				return func(yield func(string, error) bool) { ended.Add(1); yield("", p.err) }
			}
			return p.seq2(ctx, ended)
		})), nil
	}},
	"iter.Seq": {open: func(ctx context.Context, op *runtime.Operation, next func() flowScript, ended *atomic.Int32) (readFlow, error) {
		seq, err := runtime.OpenSeq(ctx, op, func(ctx context.Context, _ runtime.Attempt) (iter.Seq[string], error) {
			p := next()
			return func(yield func(string) bool) {
				for item, err := range p.seq2(ctx, ended) {
					if err != nil || !yield(item) {
						return
					}
				}
			}, p.err
		})
		return func(most int, each time.Duration) (got []string, _ error) {
			for item := range seq {
				if got = append(got, item); len(got) == most {
					return got, nil
				}
				sleep(each)
			}
			return got, nil
		}, err
	}},
	"channel": {stopped: policy.KindCanceled, open: func(ctx context.Context, op *runtime.Operation, next func() flowScript, ended *atomic.Int32) (readFlow, error) {
		ctx, cancel := context.WithCancel(ctx)
		c, err := runtime.OpenChan(ctx, op, func(ctx context.Context, _ runtime.Attempt) (<-chan string, error) {
			p, c := next(), make(chan string)
			if p.err != nil {
				return nil, p.err
			}
			go func() {
				defer close(c)
				for item, err := range p.seq2(ctx, ended) {
					if err != nil {
						return
					}
					select {
					case c <- item:
					case <-ctx.Done():
						return
					}
				}
			}()
			return c, nil
		})
		return func(most int, each time.Duration) (got []string, _ error) {
			defer cancel()
			for item := range c {
				if got = append(got, item); len(got) == most {
					return got, nil
				}
				sleep(each)
			}
			return got, nil
		}, err
	}},
	"reader": {tells: true, open: func(ctx context.Context, op *runtime.Operation, next func() flowScript, ended *atomic.Int32) (readFlow, error) {
		r, err := runtime.OpenReader(ctx, op, func(context.Context, runtime.Attempt) (io.ReadCloser, error) {
			p := next()
			if p.err != nil {
				return nil, p.err
			}
			// A pipe knows nothing of contexts: its reads end when it is closed.
			from, to := io.Pipe()
			closed := make(chan struct{})
			go func() {
				defer func() { ended.Add(1) }()
				for _, b := range p.beats {
					timer := time.NewTimer(b.after)
					defer timer.Stop()
					select {
					case <-timer.C:
					case <-closed:
						return
					}
					if b.err != nil {
						_ = to.CloseWithError(b.err)
						return
					}
					if _, err := io.WriteString(to, b.item); err != nil {
						return
					}
				}
				_ = to.Close()
			}()
			return closeTells{from, closed}, nil
		})
		return func(most int, each time.Duration) (got []string, _ error) {
			defer r.Close()
			buf := make([]byte, 100)
			for {
				n, err := r.Read(buf)
				if n > 0 {
					if got = append(got, string(buf[:n])); len(got) == most {
						return got, nil
					}
				}
				if err == io.EOF {
					return got, nil
				}
				if err != nil {
					return got, err
				}
				sleep(each)
			}
		}, err
	}},
}

// closeTells is a body that tells of its Close.
type closeTells struct {
	*io.PipeReader

	closed chan struct{}
}

func (c closeTells) Close() error {
	close(c.closed)
	return c.PipeReader.Close()
}

// flowPlan is a plan of a stream: three attempts, 1 s each; the first item within 500 ms, the next ones within 2 s, all within a minute, less a moment.
func flowPlan(change ...func(*policy.Plan)) policy.Plan {
	return plan(append([]func(*policy.Plan){func(p *policy.Plan) {
		p.Timeout.FirstItem, p.Timeout.ItemGap, p.Timeout.MaxStream = 500*time.Millisecond, 2*time.Second, time.Minute-time.Second/2
		p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1}
		p.Breaker = breaker(3)
	}}, change...)...)
}

// flowTest is one stream under test.
type flowTest struct {
	group  *runtime.Group
	op     *runtime.Operation
	seen   *runtimetest.Recorder
	script []flowScript
	made   atomic.Int32
	ended  atomic.Int32
}

func newFlowTest(t *testing.T, p policy.Plan, script ...flowScript) *flowTest {
	t.Helper()
	f := &flowTest{group: still(), seen: new(runtimetest.Recorder), script: script}
	f.op = operationIn(t, f.group, p, f.seen)
	return f
}

// next is what the next attempt plays.
func (f *flowTest) next() flowScript {
	return f.script[min(int(f.made.Add(1)), len(f.script))-1]
}

// check fails if anything is held.
func (f *flowTest) check(t *testing.T, made int) {
	t.Helper()
	if got := int(f.made.Load()); got != made {
		t.Errorf("%d attempts, want %d", got, made)
	}
	if m := f.group.Snapshot()[0]; m.Bulkhead.InFlight != 0 || m.Breaker.InFlight != 0 {
		t.Errorf("%d permits and %d tickets are held, want none", m.Bulkhead.InFlight, m.Breaker.InFlight)
	}
}
