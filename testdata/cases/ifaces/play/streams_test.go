package play_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"strings"
	"testing"
	"time"
	"unsafe"

	"cases.test/alias"
	"cases.test/alias/pub"
	"cases.test/literal"
	"cases.test/mixed"
	otheralias "cases.test/other/alias"
	otherpipes "cases.test/other/pipes"
	"cases.test/pipes"
	"cases.test/sealed"
	"cases.test/tags"
)

type tubes struct {
	pipes.Pipes

	ctx context.Context
}

func (*tubes) Done() <-chan struct{} { c := make(chan struct{}); close(c); return c }
func (p *tubes) Both(ctx context.Context) (chan error, error) {
	p.ctx = ctx
	return make(chan error, 1), nil
}

func (p *tubes) Watch(ctx context.Context, key string) (<-chan string, func(), error) {
	c := make(chan string, 1)
	c <- key
	p.ctx = ctx
	return c, func() { close(c) }, nil
}

func (*tubes) Nest2(ctx context.Context, _ chan (<-chan int)) (<-chan chan int, error) {
	c := make(chan chan int)
	go func() {
		defer close(c)
		for range 3 {
			select {
			case c <- make(chan int):
			case <-ctx.Done():
				return
			}
		}
	}()
	return c, nil
}

func (*tubes) Map(ctx context.Context, f func(context.Context, ...int) (string, error)) error {
	_, err := f(ctx, 1, 2)
	return err
}

func (p *tubes) Hook(ctx context.Context, _ func(func(int) func() error)) (func() (int, error), error) {
	p.ctx = ctx
	return func() (int, error) { return 7, ctx.Err() }, nil
}

func (*tubes) Seq(ctx context.Context) (iter.Seq[int], error) {
	return func(yield func(int) bool) {
		for i := range 3 {
			if ctx.Err() != nil || !yield(i) {
				return
			}
		}
	}, nil
}

func (*tubes) Lazy(context.Context) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range 3 {
			if !yield(i, nil) {
				return
			}
		}
	}
}

func TestC124_ChannelsFunctionsAndIteratorsOutliveTheCall(t *testing.T) {
	for name, wrap := range map[string]func(pipes.Pipes) (pipes.Pipes, error){
		"same":  func(p pipes.Pipes) (pipes.Pipes, error) { return pipes.NewResilientPipes(p) },
		"other": func(p pipes.Pipes) (pipes.Pipes, error) { return otherpipes.NewResilientPipes(p) },
	} {
		inner := &tubes{}
		w := must[pipes.Pipes](t)(wrap(inner))
		<-w.Done()
		if c, err := w.Both(t.Context()); err != nil || cap(c) != 1 || inner.ctx.Err() != nil {
			t.Errorf("%s: %v, %v, its context: %v", name, c, err, inner.ctx.Err())
		}
		c, stop, err := w.Watch(t.Context(), "k")
		if err != nil || <-c != "k" || inner.ctx.Err() != nil {
			t.Errorf("%s: %v, its context: %v", name, err, inner.ctx.Err())
		}
		stop()
		nested, err := w.Nest2(t.Context(), nil)
		n := 0
		for range nested {
			n++
		}
		if err != nil || n != 3 {
			t.Errorf("%s: %d channels, %v", name, n, err)
		}
		called := 0
		if err := w.Map(t.Context(), func(_ context.Context, xs ...int) (string, error) { called = len(xs); return "", nil }); err != nil || called != 2 {
			t.Errorf("%s: %d, %v", name, called, err)
		}
		f, err := w.Hook(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := f(); n != 7 || err != nil {
			t.Errorf("%s: a function that was returned gives %d, %v", name, n, err)
		}
		seq, err := w.Seq(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for x := range seq {
			sum += x
		}
		for range 2 { // each range is a new call
			for x, err := range w.Lazy(t.Context()) {
				if err != nil {
					t.Error(err)
				}
				sum += x
			}
		}
		if sum != 9 {
			t.Errorf("%s: the items add up to %d", name, sum)
		}
	}
}

func TestC125_TypesWithoutNames(t *testing.T) {
	w := must[*literal.ResilientLiterals](t)(literal.NewResilientLiterals(nothing{}))
	var _ literal.Literals = w
	if _, err := w.Arr(t.Context(), [3][2]int{}, nil, struct{ time.Time }{}); err != nil {
		t.Error(err)
	}
	if p, err := w.Raw(t.Context(), nil); p != 0 || err != nil {
		t.Error(p, err)
	}
}

// nothing implements Literals as far as another package can.
type nothing struct{ literal.Literals }

func (nothing) Arr(context.Context, [3][2]int, **int, struct{ time.Time }) ([0]int, error) {
	return [0]int{}, nil
}
func (nothing) Raw(_ context.Context, p unsafe.Pointer) (uintptr, error) { return uintptr(p), nil }

type files struct{ alias.Files }

func (files) Open(_ context.Context, h pub.Handle) (*pub.Handle, error) { return &h, nil }
func (files) Entries(context.Context) (map[string]os.DirEntry, error)   { return nil, nil }
func (files) Gen(_ context.Context, l pub.List[pub.Handle]) (rune, error) {
	return rune(len(l)), nil
}

func (files) Events(context.Context) (pub.Events, error) {
	c := make(chan pub.Handle, 1)
	c <- pub.Handle{FD: 3}
	close(c)
	return c, nil
}

func TestC127_AliasesAreKept(t *testing.T) {
	for name, w := range map[string]alias.Files{
		"same":  must[*alias.ResilientFiles](t)(alias.NewResilientFiles(files{})),
		"other": must[*otheralias.ResilientFiles](t)(otheralias.NewResilientFiles(files{})),
	} {
		if h, err := w.Open(t.Context(), pub.Handle{FD: 2}); err != nil || h.FD != 2 {
			t.Errorf("%s: %v, %v", name, h, err)
		}
		if n, err := w.Gen(t.Context(), pub.List[pub.Handle]{{}, {}}); err != nil || n != 2 {
			t.Errorf("%s: %v, %v", name, n, err)
		}
		events, err := w.Events(t.Context())
		if err != nil || (<-events).FD != 3 {
			t.Errorf("%s: %v", name, err)
		}
	}
	text, err := os.ReadFile("../other/alias/files.gen.go")
	if err != nil || strings.Contains(string(text), "internal/core") || !strings.Contains(string(text), `"cases.test/alias/pub"`) {
		t.Errorf("the wrapper imports what is internal to another package: %v", err)
	}
}

func TestC128_UnexportedMethodsAreForwarded(t *testing.T) {
	inner := &sealed.Impl{}
	w := must[*sealed.ResilientPort](t)(sealed.NewResilientPort(inner))
	if n, err := sealed.Sealed(w, 4); n != 5 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if err := w.Export(t.Context(), []byte("x")); err != nil || string(inner.Got) != "x" {
		t.Errorf("%q, %v", inner.Got, err)
	}
}

func TestC130_TheInterfaceOfAPlatform(t *testing.T) {
	if _, err := tags.NewResilientDialer(nil); err == nil {
		t.Error("nil is wrapped")
	}
}

type odd struct {
	mixed.Mixed

	ctx     context.Context
	uploads int
	tries   int
}

func (*odd) Ping() error  { return errBusy }
func (*odd) Name() string { return "odd" }
func (o *odd) Last(_ string, ctx context.Context) error {
	if o.tries++; o.tries < 3 {
		return errBusy
	}
	<-ctx.Done()
	return ctx.Err()
}

func (o *odd) Two(ctx, other context.Context) error {
	_, first := ctx.Deadline()
	_, second := other.Deadline()
	if !first || second {
		return errors.New("the first context is not the call's")
	}
	return nil
}

func (o *odd) ErrFirst(context.Context) (error, int) {
	if o.tries++; o.tries < 3 {
		return errBusy, 1
	}
	return nil, o.tries
}
func (*odd) ErrTwo(context.Context) (a, b error)  { return io.EOF, nil }
func (*odd) MyErr(context.Context) *mixed.Failure { return &mixed.Failure{Code: 3} }
func (*odd) Must(_ context.Context, n int) int    { return n }
func (o *odd) Upload(_ context.Context, r io.Reader) (int64, error) {
	o.uploads++
	n, _ := io.Copy(io.Discard, r)
	return n, errBusy
}

func (o *odd) Query(ctx context.Context, _ string) (*mixed.Rows, error) {
	o.ctx = ctx
	return &mixed.Rows{ReadCloser: io.NopCloser(strings.NewReader("rows"))}, nil
}

func TestC131_MethodsOfOddShape(t *testing.T) {
	inner := &odd{}
	w := must[*mixed.ResilientMixed](t)(mixed.NewResilientMixed(inner))
	if err := w.Ping(); err != error(errBusy) || w.Name() != "odd" {
		t.Errorf("what is passed through is not what it was: %v", err)
	}
	if f := w.MyErr(t.Context()); f.Code != 3 || w.Must(t.Context(), 4) != 4 {
		t.Errorf("got %v", f)
	}
	if err := w.Last("s", t.Context()); inner.tries < 3 || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a context at the end is not the call's: %d tries, %v", inner.tries, err)
	}
	if err := w.Two(t.Context(), context.Background()); err != nil {
		t.Error(err)
	}
	inner.tries = 0
	if err, n := w.ErrFirst(t.Context()); err != nil || n != 3 {
		t.Errorf("an error in front is not seen: %v, %d", err, n)
	}
	if a, b := w.ErrTwo(t.Context()); a != io.EOF || b != nil {
		t.Errorf("got %v, %v", a, b)
	}
	if _, err := w.Upload(t.Context(), strings.NewReader("body")); err == nil || inner.uploads != 1 {
		t.Errorf("a reader was given to %d attempts, %v", inner.uploads, err)
	}
	rows, err := w.Query(t.Context(), "q")
	if err != nil || inner.ctx.Err() != nil {
		t.Fatalf("the context of rows is over when the method returns: %v, %v", inner.ctx.Err(), err)
	}
	if text, err := io.ReadAll(rows); string(text) != "rows" || err != nil || rows.Close() != nil {
		t.Errorf("%q, %v", text, err)
	}
}
