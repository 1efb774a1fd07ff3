package sealed

import (
	"context"
	"testing"
	"testing/synctest"
)

// service is a Service that fails as often as fails says.
type service struct{ fails, calls int }

func (s *service) call() error {
	if s.calls++; s.calls <= s.fails {
		return context.DeadlineExceeded
	}
	return nil
}

func (s *service) Export(context.Context, []byte) error             { return s.call() }
func (s *service) Unwrap() Service                                  { return nil }
func (s *service) mustEmbed()                                       { s.calls += 10 }
func (s *service) sealed(_ context.Context, n int) (int, error)     { return n + 1, s.call() }
func (s *service) next() string                                     { return "next" }
func (s *service) get(_ context.Context, id string) (secret, error) { return secret{id}, s.call() }

func TestUnexportedMethodsAreForwarded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inner := &service{fails: 1}
		w, err := NewResilientService(inner)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Export(t.Context(), nil); err != nil || inner.calls != 2 {
			t.Errorf("Export: %v after %d calls", err, inner.calls)
		}
		if n, err := w.sealed(t.Context(), 1); n != 2 || err != nil {
			t.Errorf("sealed: got %d, %v", n, err)
		}
		if w.mustEmbed(); inner.calls != 13 {
			t.Errorf("mustEmbed: %d calls", inner.calls)
		}
		if got := w.next(); got != "next" {
			t.Errorf("next: got %q", got)
		}
		if w.Unwrap() != nil {
			t.Error("Unwrap is the interface's own")
		}
	})
}

func TestUnexportedInterface(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inner := &service{fails: 1}
		w, err := newResilientPort(inner)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := w.get(t.Context(), "a"); got.text != "a" || err != nil || inner.calls != 2 {
			t.Errorf("got %v, %v after %d calls", got, err, inner.calls)
		}
	})
}
