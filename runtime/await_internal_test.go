package runtime

import (
	"context"
	"errors"
	goruntime "runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var errOfTheirs = errors.New("no")

// What a function of the user's comes to is told apart, and none of it is the end of who asks.
func TestAwaitTellsHowItEnded(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		f    func() (int, error)
		want error
	}{
		"an answer":           {func() (int, error) { return 7, nil }, nil},
		"an error":            {func() (int, error) { return 0, errOfTheirs }, errOfTheirs},
		"a panic":             {func() (int, error) { panic("boom") }, errPanicked},
		"a panic with nil":    {func() (int, error) { panic(nil) }, errPanicked}, //nolint:govet // since Go 1.21 it is a panic like others
		"the goroutine's end": {func() (int, error) { goruntime.Goexit(); return 0, nil }, errExited},
	}
	for name, c := range cases {
		for _, local := range []bool{false, true} {
			if local && c.want == errExited { //nolint:errorlint // it is that very one
				continue // it ends who asks
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), time.Second)
					defer cancel()
					var left atomic.Int32
					got, err := await(ctx, local, &left, func(context.Context) (int, error) { return c.f() })
					if !errors.Is(err, c.want) || (err == nil) != (got == 7) || left.Load() != 0 {
						t.Errorf("%d, %v, %d left; want %v", got, err, left.Load(), c.want)
					}
				})
			})
		}
	}
}

// One that ends the goroutine of who asks has said so before.
func TestHeedHearsOfTheEndOfItsGoroutine(t *testing.T) {
	t.Parallel()
	said := make(chan error, 1)
	go heed(t.Context(), func(context.Context) (int, error) { goruntime.Goexit(); return 0, nil }, func(_ int, err error) { said <- err })
	if err := <-said; !errors.Is(err, errExited) {
		t.Errorf("it ended with %v", err)
	}
}

// What does not end with its context is left behind, and counted until it ends.
func TestAwaitLeavesBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errOfTheirs)
		defer cancel()
		var left atomic.Int32
		goOn := make(chan struct{})
		began := time.Now()
		got, err := await(ctx, false, &left, func(context.Context) (int, error) { <-goOn; return 7, nil })
		if took := time.Since(began); got != 0 || !errors.Is(err, errOfTheirs) || took != time.Second || left.Load() != 1 {
			t.Errorf("%d, %v after %v, %d left", got, err, took, left.Load())
		}
		close(goOn)
		synctest.Wait()
		if left.Load() != 0 {
			t.Errorf("%d left of one that has ended", left.Load())
		}
	})
}
