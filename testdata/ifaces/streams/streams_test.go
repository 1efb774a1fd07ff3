package streams_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/testdata/ifaces/streams"
)

// fake is a Feed whose streams fail before their first item as often as fails says, and then give some items.
type fake struct {
	fails int
	items int
	// stall is how long it waits before an item of that number.
	stall   map[int]time.Duration
	broken  error // after the items
	calls   int
	ctx     context.Context
	stopped int
}

func (f *fake) start(ctx context.Context) error {
	f.calls++
	f.ctx = ctx
	if f.calls <= f.fails {
		return context.DeadlineExceeded
	}
	return nil
}

// next waits for an item; false ends the stream.
func (f *fake) next(ctx context.Context, i int) bool {
	select {
	case <-time.After(f.stall[i]):
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

func (f *fake) Items(ctx context.Context, _ string) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		defer func() { f.stopped++ }()
		if err := f.start(ctx); err != nil {
			yield(0, err)
			return
		}
		for i := range f.items {
			if !f.next(ctx, i) {
				yield(0, ctx.Err())
				return
			}
			if !yield(i, nil) {
				return
			}
		}
		if f.broken != nil {
			yield(0, f.broken)
		}
	}
}

func (f *fake) Numbers(ctx context.Context, _ string) (iter.Seq[int], error) {
	if err := f.start(ctx); err != nil {
		return nil, err
	}
	return func(yield func(int) bool) {
		defer func() { f.stopped++ }()
		for i := range f.items {
			if !f.next(ctx, i) || !yield(i) {
				return
			}
		}
	}, nil
}

func (f *fake) Pairs(ctx context.Context, topic string) (iter.Seq2[string, int], error) {
	numbers, err := f.Numbers(ctx, topic)
	return func(yield func(string, int) bool) {
		for i := range numbers {
			if !yield(topic, i) {
				return
			}
		}
	}, err
}

func (f *fake) Faults(ctx context.Context, topic string) (iter.Seq2[int, error], error) {
	return f.Items(ctx, topic), nil
}

func (f *fake) Events(ctx context.Context, _ string) (<-chan int, error) {
	if err := f.start(ctx); err != nil {
		return nil, err
	}
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range f.items {
			if !f.next(ctx, i) {
				return
			}
			select {
			case out <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

// body notes that it was closed.
type body struct {
	io.Reader

	f *fake
}

func (b body) Close() error {
	b.f.stopped++
	return nil
}

func (f *fake) Download(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := f.start(ctx); err != nil {
		return nil, err
	}
	return body{strings.NewReader("bytes of " + name), f}, nil
}

func (f *fake) Query(ctx context.Context, q string) (*streams.Rows, error) {
	if err := f.start(ctx); err != nil {
		return nil, err
	}
	return &streams.Rows{ReadCloser: body{strings.NewReader(q), f}, Columns: []string{q}}, nil
}

func (f *fake) Watch(ctx context.Context, _ string) (chan int, func(), error) {
	if err := f.start(ctx); err != nil {
		return nil, nil, err
	}
	return make(chan int), func() { f.stopped++ }, nil
}

func wrap(t *testing.T, next streams.Feed) *streams.ResilientFeed {
	t.Helper()
	w, err := streams.NewResilientFeed(next)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// bubble runs a test in virtual time; what is left running fails it.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, f)
}

func collect[T any](items iter.Seq2[T, error]) (got []T, err error) {
	for item, err := range items {
		if err != nil {
			return got, err
		}
		got = append(got, item)
	}
	return got, nil
}

func TestLazyStream(t *testing.T) {
	bubble(t, func(t *testing.T) {
		next := &fake{fails: 2, items: 3}
		items := wrap(t, next).Items(t.Context(), "a")
		if next.calls != 0 {
			t.Error("it called before the range")
		}
		for n := range 2 { // each range is a new call
			got, err := collect(items)
			if diff := cmp.Diff([]int{0, 1, 2}, got); err != nil || diff != "" {
				t.Errorf("range %d: %v (-want +got):\n%s", n, err, diff)
			}
		}
		if next.calls != 4 {
			t.Errorf("it called %d times, want 3 and 1", next.calls)
		}
	})
}

func TestStreamThatBreaksIsNotTriedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		next := &fake{items: 2, broken: io.ErrUnexpectedEOF}
		got, err := collect(wrap(t, next).Items(t.Context(), "a"))
		var e *runtime.Error
		if !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &e) || len(got) != 2 || next.calls != 1 {
			t.Errorf("got %v, %v after %d calls; want 2 items and the error after 1", got, err, next.calls)
		}
	})
}

func TestSilenceBeforeTheFirstItemIsTriedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		next := &fake{items: 1, stall: map[int]time.Duration{0: time.Hour}}
		begin := time.Now()
		_, err := collect(wrap(t, next).Items(t.Context(), "a"))
		if took := time.Since(begin); !errors.Is(err, context.DeadlineExceeded) || next.calls != 3 || took != 1530*time.Millisecond {
			t.Errorf("got %v after %d calls and %v; want a timeout after 3 calls of 500ms", err, next.calls, took)
		}
	})
}

func TestSilenceBetweenItemsEndsTheStream(t *testing.T) {
	bubble(t, func(t *testing.T) {
		next := &fake{items: 3, stall: map[int]time.Duration{1: time.Hour}}
		begin := time.Now()
		got, err := collect(wrap(t, next).Items(t.Context(), "a"))
		if took := time.Since(begin); !errors.Is(err, context.DeadlineExceeded) || len(got) != 1 || next.calls != 1 || took != 300*time.Millisecond {
			t.Errorf("got %v, %v after %d calls and %v; want one item, and a timeout after 300ms", got, err, next.calls, took)
		}
	})
}

func TestSlowConsumerIsNoSilence(t *testing.T) {
	bubble(t, func(t *testing.T) {
		next := &fake{items: 3}
		for item, err := range wrap(t, next).Items(t.Context(), "a") {
			if err != nil {
				t.Fatalf("item %d: %v", item, err)
			}
			time.Sleep(time.Second)
		}
	})
}

func TestBreakEndsTheStream(t *testing.T) {
	bubble(t, func(t *testing.T) {
		next := &fake{items: 3}
		for range wrap(t, next).Items(t.Context(), "a") {
			break
		}
		if next.stopped != 1 || next.ctx.Err() == nil {
			t.Errorf("the iterator ended %d times, and its context with %v", next.stopped, next.ctx.Err())
		}
	})
}

func TestOpenedIterators(t *testing.T) {
	bubble(t, func(t *testing.T) {
		next := &fake{fails: 2, items: 3}
		numbers, err := wrap(t, next).Numbers(t.Context(), "a")
		if err != nil || next.calls != 3 {
			t.Fatalf("got %v after %d calls, want 3 calls", err, next.calls)
		}
		var got []int
		for n := range numbers {
			got = append(got, n)
		}
		pairs, err := wrap(t, next).Pairs(t.Context(), "p")
		if err != nil {
			t.Fatal(err)
		}
		for topic, n := range pairs {
			if topic != "p" {
				t.Errorf("got the key %q", topic)
			}
			got = append(got, n)
		}
		if diff := cmp.Diff([]int{0, 1, 2, 0, 1, 2}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestIteratorWhoseFirstItemIsAnErrorIsTriedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		next := &fake{fails: 2, items: 3}
		items, err := wrap(t, next).Faults(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := collect(items); err != nil || len(got) != 3 || next.calls != 3 {
			t.Errorf("got %v, %v after %d calls; want 3 items after 3", got, err, next.calls)
		}
	})
}

func TestChannel(t *testing.T) {
	bubble(t, func(t *testing.T) {
		next := &fake{fails: 1, items: 3}
		events, err := wrap(t, next).Events(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for e := range events {
			got = append(got, e)
		}
		if diff := cmp.Diff([]int{0, 1, 2}, got); diff != "" || next.calls != 2 {
			t.Errorf("after %d calls (-want +got):\n%s", next.calls, diff)
		}
	})
}

func TestChannelThatNobodyReadsEndsWithItsContext(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := wrap(t, &fake{items: 3}).Events(ctx, "a"); err != nil {
			t.Fatal(err)
		}
		cancel() // what is left running fails the bubble
	})
}

func TestDownload(t *testing.T) {
	bubble(t, func(t *testing.T) {
		next := &fake{fails: 2}
		got, err := wrap(t, next).Download(t.Context(), "file")
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(got)
		if string(data) != "bytes of file" || err != nil || next.calls != 3 {
			t.Errorf("got %q, %v after %d calls", data, err, next.calls)
		}
		if err := got.Close(); err != nil || next.stopped != 1 {
			t.Errorf("Close: %v; the body was closed %d times", err, next.stopped)
		}
	})
}

func TestWhatIsUsedLaterKeepsItsContext(t *testing.T) {
	bubble(t, func(t *testing.T) {
		next := &fake{fails: 1}
		w := wrap(t, next)
		rows, err := w.Query(t.Context(), "q")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if data, err := io.ReadAll(rows); string(data) != "q" || err != nil || next.ctx.Err() != nil {
			t.Errorf("got %q, %v; the context ended with %v", data, err, next.ctx.Err())
		}
		ctx, cancel := context.WithCancel(t.Context())
		events, stop, err := w.Watch(ctx, "a")
		if err != nil || events == nil || next.ctx.Err() != nil {
			t.Fatalf("got %v, %v; the context ended with %v", events, err, next.ctx.Err())
		}
		if stop(); next.stopped != 1 {
			t.Errorf("stop was called %d times", next.stopped)
		}
		cancel()
		if next.ctx.Err() == nil {
			t.Error("the context goes on after the caller's end")
		}
	})
}
