package model_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/testdata/ifaces/model"
)

// fake is a Model that answers with its name, or with an error.
type fake struct {
	name  string
	err   error
	slow  time.Duration
	calls int
	keys  []string
}

func (f *fake) answer(ctx context.Context) error {
	f.calls++
	select {
	case <-time.After(f.slow):
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (f *fake) Complete(ctx context.Context, q model.Question) (model.Answer, error) {
	return model.Answer{Text: f.name + ": " + q.Prompt}, f.answer(ctx)
}

func (f *fake) Rate(ctx context.Context, _ model.Question, a model.Answer) (float64, error) {
	return float64(len(a.Text)), f.answer(ctx)
}

func (f *fake) Race(ctx context.Context, q model.Question) (model.Answer, error) {
	return f.Complete(ctx, q)
}

func (f *fake) Send(ctx context.Context, key, _ string) error {
	f.keys = append(f.keys, key)
	return f.answer(ctx)
}

func (f *fake) Close(context.Context) error { return f.err }

// kinded is an error that says itself of which kind it is.
type kinded policy.Kind

func (k kinded) Error() string     { return "kinded" }
func (k kinded) Kind() policy.Kind { return policy.Kind(k) }

// smallModel is the func rung.
func smallModel(ctx context.Context, q model.Question) (model.Answer, error) {
	if q.Prompt == "too large" {
		return model.Answer{}, errors.New("the small model cannot do that")
	}
	return model.Answer{Text: fmt.Sprint("small: ", q.Prompt, "; ", runtime.FallbackCause(ctx) != nil)}, nil
}

func wrap(t *testing.T, next, secondary model.Model) *model.ResilientModel {
	t.Helper()
	w, err := model.NewResilientModel(next, model.WithModelTarget("secondary", secondary), model.WithModelSmallModel(smallModel),
		model.WithModelApology(model.Answer{Text: "sorry"}))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestLadder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, prompt  string
		first, second error
		want          runtime.Result[model.Answer]
	}{
		{"itself", "hi", nil, nil, runtime.Result[model.Answer]{Value: model.Answer{Text: "one: hi"}, Attempts: 1}},
		{"target", "hi", model.ErrBusy, nil, runtime.Result[model.Answer]{
			Value: model.Answer{Text: "two: hi"}, Attempts: 3, Rung: "other", Level: policy.Alternate, Degraded: true, Reason: policy.KindTransient,
		}},
		{"func", "hi", model.ErrBusy, model.ErrBusy, runtime.Result[model.Answer]{
			Value: model.Answer{Text: "small: hi; true"}, Attempts: 5, Rung: "small", Level: policy.Reduced, Degraded: true, Reason: policy.KindTransient,
		}},
		{"static", "too large", model.ErrBusy, model.ErrBusy, runtime.Result[model.Answer]{
			Value: model.Answer{Text: "sorry"}, Attempts: 5, Rung: "sorry", Level: policy.Canned, Degraded: true, Reason: policy.KindTransient,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := wrap(t, &fake{name: "one", err: c.first}, &fake{name: "two", err: c.second})
				got, err := w.CompleteResult(t.Context(), model.Question{Prompt: c.prompt})
				if err != nil {
					t.Fatal(err)
				}
				if (got.Cause != nil) != c.want.Degraded {
					t.Errorf("cause: %v", got.Cause)
				}
				got.Cause = nil
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				plain, err := w.Complete(t.Context(), model.Question{Prompt: c.prompt})
				if plain != got.Value || err != nil {
					t.Errorf("Complete: got %v, %v", plain, err)
				}
			})
		})
	}
}

func TestErrorsByRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		err  error
		want policy.Kind
	}{
		{"a function's own kind", kinded(policy.KindRefused), policy.KindRefused},
		{"a sentinel", fmt.Errorf("so: %w", model.ErrBusy), policy.KindTransient},
		{"a type", fmt.Errorf("so: %w", &model.QuotaError{}), policy.KindThrottle},
		{"a function's yes, before a sentinel", io.ErrClosedPipe, policy.KindUnusable},
		{"the runtime's own rules", io.ErrUnexpectedEOF, policy.KindReset},
		{"nobody", errors.New("odd"), policy.KindPermanent},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := wrap(t, &fake{err: c.err}, &fake{err: c.err})
				_, err := w.Rate(t.Context(), model.Question{}, model.Answer{})
				var e *runtime.Error
				if !errors.As(err, &e) || e.Kind != c.want || !errors.Is(err, c.err) {
					t.Errorf("got %v (%+v), want kind %v", err, e, c.want)
				}
			})
		})
	}
}

func TestDegradedAnswersAreSeen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := wrap(t, &fake{err: model.ErrBusy}, &fake{name: "two"})
		var meta runtime.Meta
		got, err := w.Rate(runtime.Capture(t.Context(), &meta), model.Question{}, model.Answer{Text: "four"})
		if got != 4 || err != nil {
			t.Fatalf("got %v, %v", got, err)
		}
		if meta.Rung != "other" || meta.Target != "secondary" || meta.Attempts != 2 {
			t.Errorf("got %+v", meta)
		}
	})
}

func TestHedgeOnTheOtherModel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		one, two := &fake{name: "one"}, &fake{name: "two"}
		w := wrap(t, one, two)
		for range 200 { // hedges are earned by calls
			if _, err := w.Race(t.Context(), model.Question{}); err != nil {
				t.Fatal(err)
			}
		}
		one.slow = time.Second
		begin := time.Now()
		got, err := w.Race(t.Context(), model.Question{Prompt: "hi"})
		if took := time.Since(begin); got.Text != "two: hi" || err != nil || took != 50*time.Millisecond {
			t.Errorf("got %v, %v after %v; want the other's answer after 50ms", got, err, took)
		}
	})
}

func TestKeyOfTheCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next := &fake{err: context.DeadlineExceeded}
		_ = wrap(t, next, &fake{}).Send(t.Context(), "k-1", "hi")
		if diff := cmp.Diff([]string{"k-1", "k-1", "k-1"}, next.keys); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestSkipped(t *testing.T) {
	t.Parallel()
	if err := wrap(t, &fake{err: model.ErrBusy}, &fake{}).Close(t.Context()); err != model.ErrBusy { //nolint:errorlint // as it is
		t.Errorf("got %v, want the very error", err)
	}
}

func TestWhatIsMissingIsToldAtOnce(t *testing.T) {
	t.Parallel()
	_, err := model.NewResilientModel(&fake{}, model.WithModelTarget("third", &fake{}), model.WithModelSmallModel(nil))
	for _, want := range []string{`"third"`, `"secondary"`, `"smallModel"`, `"apology"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want that it names %s", err, want)
		}
	}
}

func TestPanicGoesOnToTheCaller(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() != "odd" {
			t.Error("the panic did not come through")
		}
	}()
	w, err := model.NewResilientModel(panicking{}, model.WithModelTarget("secondary", &fake{}), model.WithModelSmallModel(smallModel),
		model.WithModelApology(model.Answer{}))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Complete(t.Context(), model.Question{})
}

type panicking struct{ model.Model }

func (panicking) Complete(context.Context, model.Question) (model.Answer, error) { panic("odd") }
