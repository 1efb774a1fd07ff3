package runtime_test

import (
	"context"
	"errors"
	"io"
	"iter"
	goruntime "runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

const ms = time.Millisecond

// TestFlows plays streams of Go methods in every form: what is tried again, what is not, who is told of what, and that nothing stays behind.
func TestFlows(t *testing.T) {
	t.Parallel()
	good := beats(beat{item: "a"}, beat{after: ms, item: "b"}, beat{after: ms, item: "c"})
	silent := beats(beat{after: time.Hour, item: "late"})
	for name, c := range map[string]struct {
		script []flowScript
		most   int           // items that are read; 0 is all
		each   time.Duration // between them
		want   []string
		made   int
		kind   policy.Kind // what the consumer, or at least Meta.Broke and the observer, are told
		fails  bool        // before the first item
		only   func(flowForm) bool
	}{
		"whole":                    {script: []flowScript{good}, want: []string{"a", "b", "c"}, made: 1},
		"empty":                    {script: []flowScript{beats()}, made: 1},
		"fails once":               {script: []flowScript{{err: io.ErrUnexpectedEOF}, good}, want: []string{"a", "b", "c"}, made: 2},
		"silent once":              {script: []flowScript{silent, good}, want: []string{"a", "b", "c"}, made: 2},
		"always silent":            {script: []flowScript{silent}, made: 3, kind: policy.KindTimeout, fails: true},
		"always fails":             {script: []flowScript{{err: io.ErrUnexpectedEOF}}, made: 3, kind: policy.KindReset, fails: true},
		"fails for good":           {script: []flowScript{{err: errGone}}, made: 1, kind: policy.KindPermanent, fails: true},
		"the consumer has enough":  {script: []flowScript{good}, most: 2, want: []string{"a", "b"}, made: 1},
		"at the first":             {script: []flowScript{good}, most: 1, want: []string{"a"}, made: 1},
		"a slow consumer":          {script: []flowScript{good}, each: 10 * time.Second, want: []string{"a", "b", "c"}, made: 1},
		"a gap":                    {script: []flowScript{beats(beat{item: "a"}, beat{after: time.Hour, item: "b"})}, want: []string{"a"}, made: 1, kind: policy.KindTimeout},
		"without end":              {script: []flowScript{beats(endlessBeats(100, time.Second)...)}, want: itemsX(60), made: 1, kind: policy.KindTimeout},
		"breaks in the middle":     {script: []flowScript{beats(beat{item: "a"}, beat{err: io.ErrUnexpectedEOF})}, want: []string{"a"}, made: 1, kind: policy.KindReset, only: flowForm.isTold},
		"its first item is broken": {script: []flowScript{beats(beat{err: io.ErrUnexpectedEOF}), good}, want: []string{"a", "b", "c"}, made: 2, only: flowForm.isTold},
	} {
		for form, f := range flowForms {
			if c.only != nil && !c.only(f) {
				continue
			}
			t.Run(name+"/"+form, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newFlowTest(t, flowPlan(), c.script...)
					var meta runtime.Meta
					read, err := f.open(runtime.Capture(t.Context(), &meta), s.op, s.next, &s.ended)
					var got []string
					if err == nil {
						got, err = read(c.most, c.each)
					}
					synctest.Wait()
					if diff := cmp.Diff(c.want, got); diff != "" {
						t.Errorf("items (-want +got):\n%s", diff)
					}
					c := c
					if c.most > 0 {
						c.kind = f.stopped
					}
					told := runtime.KindOf(err)
					if !f.tells && !c.fails {
						told = runtime.KindOf(meta.Broke)
					}
					if told != c.kind {
						t.Errorf("told %s (%v, broke: %v), want %s", told, err, meta.Broke, c.kind)
					}
					if broke := runtime.KindOf(meta.Broke); !c.fails && broke != c.kind {
						t.Errorf("Meta.Broke is %s, want %s", broke, c.kind)
					}
					if ends := s.seen.Events(runtime.StreamEnd); !c.fails && (len(ends) != 1 || ends[0].Kind != c.kind) {
						t.Errorf("ends told: %+v; want one, %s", ends, c.kind)
					}
					s.check(t, c.made)
				})
			})
		}
	}
}

func (f flowForm) isTold() bool { return f.tells }

func endlessBeats(n int, each time.Duration) []beat {
	all := make([]beat, n)
	for i := range all {
		all[i] = beat{after: each, item: "x"}
	}
	all[0].after = 0
	return all
}

func itemsX(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = "x"
	}
	return all
}

// TestFlowsEndWithTheirContext cancels the caller's context while nobody reads, while somebody does, and before anybody has.
func TestFlowsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	for form, f := range flowForms {
		if f.lazy {
			continue // nothing is open while nobody reads
		}
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newFlowTest(t, flowPlan(), beats(endlessBeats(1000, time.Second)...))
				ctx, cancel := context.WithCancel(t.Context())
				var meta runtime.Meta
				read, err := f.open(runtime.Capture(ctx, &meta), s.op, s.next, &s.ended)
				if err != nil {
					t.Fatal(err)
				}
				sleep(3 * time.Second)
				cancel()
				synctest.Wait()
				s.check(t, 1)
				if n := s.ended.Load(); n != 1 {
					t.Errorf("the method's own stream ended %d times, want once", n)
				}
				if k := runtime.KindOf(meta.Broke); k != policy.KindCanceled {
					t.Errorf("Meta.Broke is %s, want canceled", k)
				}
				_, err = read(0, 0)
				if k := runtime.KindOf(err); f.tells && k != policy.KindCanceled {
					t.Errorf("reading on gives %v, want kind canceled", err)
				}
				if ends := s.seen.Events(runtime.StreamEnd); len(ends) != 1 || ends[0].Kind != policy.KindCanceled {
					t.Errorf("ends told: %+v; want one, canceled", ends)
				}
			})
		})
	}
}

// TestRangesAreCalls ranges twice over a lazy iterator: two calls, and none before.
func TestRangesAreCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newFlowTest(t, flowPlan(), flowScript{err: io.ErrUnexpectedEOF}, beats(beat{item: "a"}))
		read, _ := flowForms["lazy iter.Seq2"].open(t.Context(), s.op, s.next, &s.ended)
		s.check(t, 0)
		for made := 2; made <= 3; made++ {
			if got, err := read(0, 0); err != nil || len(got) != 1 {
				t.Errorf("got %v, %v", got, err)
			}
			s.check(t, made)
		}
	})
}

// TestAnItemsErrorIsNotTheEnd goes on after an error that came as an item, as the iterator does.
func TestAnItemsErrorIsNotTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newFlowTest(t, flowPlan(), beats(beat{item: "a"}, beat{item: "bad", err: errGone}, beat{item: "c"}))
		seq, err := runtime.OpenSeq2(t.Context(), s.op, func(ctx context.Context, _ runtime.Attempt) (iter.Seq2[string, error], error) {
			return s.next().seq2(ctx, &s.ended), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for item, err := range seq {
			if err != nil && (!errors.Is(err, errGone) || runtime.KindOf(err) != policy.KindPermanent) {
				t.Errorf("told %v", err)
			}
			got = append(got, item)
		}
		if diff := cmp.Diff([]string{"a", "bad", "c"}, got); diff != "" {
			t.Errorf("items (-want +got):\n%s", diff)
		}
		if ends := s.seen.Events(runtime.StreamEnd); len(ends) != 1 || ends[0].Kind != policy.KindPermanent {
			t.Errorf("ends told: %+v; want one, permanent", ends)
		}
		s.check(t, 1)
	})
}

// TestFlowsOverPairs has iterators over pairs that are no errors, and ends of them.
func TestFlowsOverPairs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newFlowTest(t, flowPlan(), flowScript{})
		seq, err := runtime.OpenSeq2(t.Context(), s.op, func(context.Context, runtime.Attempt) (iter.Seq2[int, string], error) {
			s.next()
			return func(yield func(int, string) bool) { _ = yield(1, "a") && yield(2, "b") && yield(3, "c") }, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		got := map[int]string{}
		for k, v := range seq {
			if got[k] = v; k == 2 {
				break
			}
		}
		for k, v := range seq { // it was for one range
			t.Errorf("got %d %s after an early end", k, v)
		}
		if diff := cmp.Diff(map[int]string{1: "a", 2: "b"}, got); diff != "" {
			t.Errorf("pairs (-want +got):\n%s", diff)
		}
		s.check(t, 1)
	})
}

// TestNoStreamAtAll passes on that a method returned neither a stream nor an error.
func TestNoStreamAtAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		s := newFlowTest(t, flowPlan(), flowScript{})
		seq, err := runtime.OpenSeq(ctx, s.op, func(context.Context, runtime.Attempt) (iter.Seq[int], error) { s.next(); return nil, nil })
		if seq != nil || err != nil {
			t.Errorf("got a Seq: %t, %v", seq != nil, err)
		}
		seq2, err := runtime.OpenSeq2(ctx, s.op, func(context.Context, runtime.Attempt) (iter.Seq2[int, error], error) { s.next(); return nil, nil })
		if seq2 != nil || err != nil {
			t.Errorf("got a Seq2: %t, %v", seq2 != nil, err)
		}
		c, err := runtime.OpenChan(ctx, s.op, func(context.Context, runtime.Attempt) (<-chan int, error) { s.next(); return nil, nil })
		if c != nil || err != nil {
			t.Errorf("got %v, %v", c, err)
		}
		r, err := runtime.OpenReader(ctx, s.op, func(context.Context, runtime.Attempt) (io.ReadCloser, error) { s.next(); return nil, nil })
		if r != nil || err != nil {
			t.Errorf("got %v, %v", r, err)
		}
		for range runtime.Range(ctx, s.op, func(context.Context, runtime.Attempt) iter.Seq2[int, error] { s.next(); return nil }) {
			t.Error("an item out of nothing")
		}
		s.check(t, 5)
	})
}

// TestPanicsOfFlows has the method's iterator panic, or end its goroutine, at every place where it runs: the caller's goroutine gets it, with
// everything released.
func TestPanicsOfFlows(t *testing.T) {
	t.Parallel()
	at := func(n int, act func()) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			defer func() {
				if n == -1 {
					act()
				}
			}()
			for i := range 5 {
				if i == n {
					act()
				}
				if !yield("x", nil) {
					return
				}
			}
		}
	}
	for name, n := range map[string]int{"at the first item": 0, "in the middle": 2, "at its end": -1} {
		for how, act := range map[string]func(){"panic": func() { panic("oh") }, "Goexit": goruntime.Goexit} {
			if n == -1 && how == "Goexit" {
				continue // its end may be on any goroutine
			}
			for _, hedged := range []bool{false, true} {
				t.Run(name+"/"+how, func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						s := newFlowTest(t, flowPlan(func(p *policy.Plan) {
							p.Bulkhead.MaxConcurrent, p.Hedgeable = 2, true
							if hedged {
								p.Hedge = policy.HedgeConfig{Delay: time.Millisecond, Max: 1, ExtraLoad: 1}
							}
						}), flowScript{})
						got := outcomeOf(func() {
							seq, err := runtime.OpenSeq2(t.Context(), s.op, func(context.Context, runtime.Attempt) (iter.Seq2[string, error], error) {
								s.next()
								return at(n, act), nil
							})
							if err != nil {
								t.Error(err)
								return
							}
							items := 0
							for range seq {
								if items++; n == -1 && items == 3 {
									break
								}
							}
						})
						if want := how; got != want {
							t.Errorf("the caller's goroutine saw %q, want %q", got, want)
						}
						synctest.Wait()
						s.check(t, 1)
					})
				})
			}
		}
	}
}

// outcomeOf says how a function ends on a goroutine of its own.
func outcomeOf(f func()) string {
	done := make(chan string)
	go func() {
		how := "Goexit"
		defer func() {
			if v := recover(); v != nil {
				how = "panic"
			}
			done <- how
		}()
		f()
		how = "return"
	}()
	return <-done
}

// TestLimitsOfFlowsAreKeptToTheInstant has each limit be the one that ends a stream, whichever of them is the longest.
func TestLimitsOfFlowsAreKeptToTheInstant(t *testing.T) {
	t.Parallel()
	silent := []beat{{after: time.Hour, item: "late"}}
	after := func(beats ...beat) []beat { return append([]beat{{item: "x"}, {after: 50 * ms, item: "x"}}, beats...) }
	for name, c := range map[string]struct {
		limits policy.Timeout
		beats  []beat
		took   time.Duration
	}{
		"a short gap":      {policy.Timeout{FirstItem: time.Minute, ItemGap: 300 * ms}, after(silent...), 350 * ms},
		"a long gap":       {policy.Timeout{FirstItem: 200 * ms, ItemGap: time.Minute}, after(silent...), time.Minute + 50*ms},
		"only a gap":       {policy.Timeout{ItemGap: 300 * ms}, after(silent...), 350 * ms},
		"the whole stream": {policy.Timeout{FirstItem: time.Minute, ItemGap: time.Second, MaxStream: 2 * time.Second}, endlessBeats(100, 300*ms), 2 * time.Second},
		"only the whole":   {policy.Timeout{MaxStream: 2 * time.Second}, after(silent...), 2 * time.Second},
		"the first item":   {policy.Timeout{FirstItem: 300 * ms, ItemGap: time.Minute}, silent, 300 * ms},
	} {
		for form, f := range flowForms {
			t.Run(name+"/"+form, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newFlowTest(t, flowPlan(func(p *policy.Plan) { p.Timeout, p.Retry = c.limits, policy.Retry{} }), beats(c.beats...))
					began := time.Now()
					read, err := f.open(t.Context(), s.op, s.next, &s.ended)
					if err == nil {
						_, _ = read(0, 0)
					}
					if took := time.Since(began); took != c.took {
						t.Errorf("it ended after %s, want %s", took, c.took)
					}
					synctest.Wait()
					s.check(t, 1)
				})
			})
		}
	}
}

// TestADroppedFlowIsCollected opens streams that nobody reads, closes or ends: what they hold comes back with the garbage.
func TestADroppedFlowIsCollected(t *testing.T) {
	t.Parallel()
	for form, f := range flowForms {
		if f.lazy || form == "channel" { // of a channel nobody can know that it was dropped
			continue
		}
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			s := newFlowTest(t, flowPlan(func(p *policy.Plan) { p.Timeout.MaxStream = 0 }), beats(beat{item: "a"}, beat{item: "b"}, beat{item: "c"}))
			if _, err := f.open(t.Context(), s.op, s.next, &s.ended); err != nil {
				t.Fatal(err)
			}
			for range 1000 {
				goruntime.GC()
				if s.group.Snapshot()[0].Bulkhead.InFlight == 0 && s.ended.Load() == 1 {
					return
				}
				goruntime.Gosched()
			}
			t.Errorf("%d permits are held, and the method's own stream ended %d times", s.group.Snapshot()[0].Bulkhead.InFlight, s.ended.Load())
		})
	}
}
