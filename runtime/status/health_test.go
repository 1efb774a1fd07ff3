package status_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	stdruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/status"
)

func anybody(*http.Request) bool { return true }

func TestLivezLooksAtNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Ready = []status.Check{{Name: "never", Run: func(context.Context) error { return errors.New("down") }}}
	w.Enter(status.Stopping)
	w.down = answers(503)
	w.call(w.operation("chat"), 50)
	if got := get(w.Livez(), "/livez"); got.Code != http.StatusOK || !decode[map[string]bool](t, got)["live"] {
		t.Errorf("%d %s", got.Code, got.Body)
	}
}

func TestReadyz(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		fault := errors.New("postgres://user:s3cr3t@db is down")
		var answer error
		check := func(when string, code int, want status.Readiness) {
			t.Helper()
			got := get(w.Readyz(), "/readyz")
			if got.Code != code {
				t.Errorf("%s: %d, want %d", when, got.Code, code)
			}
			if diff := cmp.Diff(want, decode[status.Readiness](t, got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", when, diff)
			}
			if strings.Contains(got.Body.String(), "postgres") {
				t.Errorf("%s: an error is shown: %s", when, got.Body)
			}
		}
		none := []status.Outcome{}
		check("zero config", http.StatusOK, status.Readiness{Ready: true, Phase: "running", Checks: none})
		w.down = answers(503)
		w.call(w.operation("chat"), 50)
		check("the primary is down", http.StatusOK, status.Readiness{Ready: true, Phase: "running", Checks: none})
		w.Enter(status.Starting)
		check("starting", http.StatusServiceUnavailable, status.Readiness{Phase: "starting", Checks: none})
		w.Enter(status.Running)
		w.Ready = []status.Check{
			{Name: "db", Run: func(context.Context) error { return answer }},
			{Name: "slow", Run: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, Timeout: 10 * time.Millisecond},
			{Name: "boom", Run: func(context.Context) error { panic("boom") }},
			{Name: "gone", Run: func(context.Context) error { stdruntime.Goexit(); return nil }},
			{Name: "none"},
		}
		bad := []status.Outcome{
			{Name: "slow", Why: "timed out", ElapsedSeconds: 0.01}, {Name: "boom", Why: "panicked"}, {Name: "gone", Why: "panicked"}, {Name: "none", Why: "no function"},
		}
		check("misuse", http.StatusServiceUnavailable, status.Readiness{Phase: "running", Checks: append([]status.Outcome{{Name: "db", OK: true}}, bad...)})
		answer = fault
		check("its own check fails", http.StatusServiceUnavailable,
			status.Readiness{Phase: "running", Checks: append([]status.Outcome{{Name: "db", Why: "failed"}}, bad...)})
		w.Ready, answer = w.Ready[:1], nil
		check("well again: readiness is not remembered", http.StatusOK, status.Readiness{Ready: true, Phase: "running", Checks: []status.Outcome{{Name: "db", OK: true}}})
		w.Enter(status.Stopping)
		check("stopping", http.StatusServiceUnavailable, status.Readiness{Phase: "stopping", Checks: none})
	})
}

// A check that ignores its context is left behind, once: it is not started again before it returns.
func TestACheckThatDoesNotReturn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var runs atomic.Int32
		back := make(chan struct{})
		w.Ready = []status.Check{{Name: "stuck", Run: func(context.Context) error { runs.Add(1); <-back; return nil }}}
		why := func() string { return decode[status.Readiness](t, get(w.Readyz(), "/")).Checks[0].Why }
		if got := why(); got != "timed out" {
			t.Errorf("first: %q", got)
		}
		for range 3 {
			if got := why(); got != "still running" {
				t.Errorf("later: %q", got)
			}
		}
		close(back)
		synctest.Wait()
		if got := why(); got != "" || runs.Load() != 2 {
			t.Errorf("after it returned: %q, started %d times", got, runs.Load())
		}
	})
}

func TestDeepz(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var runs atomic.Int32
		fault := error(nil)
		w.Deep = []status.Check{{Name: "chat", Run: func(context.Context) error {
			runs.Add(1)
			sleep(2 * time.Second)
			return fault
		}}}
		if got := get(w.Deepz(), "/"); got.Code != http.StatusForbidden || runs.Load() != 0 {
			t.Errorf("no Authorize: %d, %d runs", got.Code, runs.Load())
		}
		w.Authorize = func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer on-call" }
		if got := get(w.Deepz(), "/"); got.Code != http.StatusForbidden || runs.Load() != 0 {
			t.Errorf("not authorised: %d, %d runs", got.Code, runs.Load())
		}
		w.Authorize = anybody

		// All who ask at once wait for one run; one of them, the first, does not wait.
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			w.Deepz().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil).WithContext(ctx))
		})
		synctest.Wait()
		cancel()
		for range 10 {
			all.Go(func() {
				if got := get(w.Deepz(), "/"); got.Code != http.StatusOK {
					t.Errorf("%d %s", got.Code, got.Body)
				}
			})
		}
		all.Wait()
		fault = fmt.Errorf("%w: https://h/?key=s3cr3t", runtime.ErrTransient)
		sleep(29 * time.Second)
		got := decode[status.Depth](t, get(w.Deepz(), "/"))
		if runs.Load() != 1 || !got.OK || got.AgeSeconds != 29 || got.Calls[0].ElapsedSeconds != 2 {
			t.Errorf("%d runs, %+v; want what the one run found", runs.Load(), got)
		}
		sleep(time.Second)
		answer := get(w.Deepz(), "/")
		got = decode[status.Depth](t, answer)
		want := status.Outcome{Name: "chat", Why: "failed", Kind: "transient", ElapsedSeconds: 2, Error: fault.Error()}
		want.Error = strings.Replace(want.Error, "s3cr3t", "[redacted]", 1)
		if diff := cmp.Diff([]status.Outcome{want}, got.Calls); diff != "" || answer.Code != http.StatusServiceUnavailable || runs.Load() != 2 {
			t.Errorf("%d, %d runs (-want +got):\n%s", answer.Code, runs.Load(), diff)
		}
		w.Deep = nil
		if got := get(w.Deepz(), "/"); got.Code != http.StatusNotFound {
			t.Errorf("no calls: %d", got.Code)
		}
	})
}

// A synthetic call is bounded in time, and is not answered by a rung below.
func TestDeepCallsAreBoundedAndTakeNoRung(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		op := w.operation("chat")
		w.Authorize = anybody
		w.Deep = []status.Check{
			{Name: "hangs", Run: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
			{Name: "chat", Run: func(ctx context.Context) error {
				_, err := runtime.Do(ctx, op, func(_ context.Context, at runtime.Attempt) (int, error) {
					if at.Rung == 0 {
						return 0, answers(503)
					}
					return 1, nil
				})
				return err
			}},
		}
		got := decode[status.Depth](t, get(w.Deepz(), "/"))
		if c := got.Calls[0]; c.Why != "timed out" || c.ElapsedSeconds != 5 {
			t.Errorf("a call that hangs: %+v", c)
		}
		if c := got.Calls[1]; c.OK || c.Kind != "transient" {
			t.Errorf("a call whose primary is down: %+v", c)
		}
	})
}

// TestMethodsAndPaths asks for what is not there, and in ways that nobody should.
func TestMethodsAndPaths(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mux := w.Mux()
	for _, path := range []string{"/status", "/status.json", "/livez", "/readyz", "/deepz"} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions} {
			rec := httptest.NewRecorder()
			mux.ServeHTTP(rec, httptest.NewRequest(method, path, nil))
			if rec.Code != http.StatusMethodNotAllowed || rec.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %d, allow %q", method, path, rec.Code, rec.Header().Get("Allow"))
			}
		}
	}
	for path, want := range map[string]int{"/": http.StatusFound, "/other": http.StatusNotFound, "/status": http.StatusOK, "/deepz": http.StatusForbidden} {
		if got := get(mux, path).Code; got != want {
			t.Errorf("GET %s: %d, want %d", path, got, want)
		}
	}
	if got := status.Phase(9).String(); got != "unknown" {
		t.Errorf("a phase that is none is %q", got)
	}
}

// A status made in one bubble, and another in the next: nothing outlives either.
func TestTwoBubbles(t *testing.T) {
	t.Parallel()
	for range 2 {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.Authorize, w.Deep = anybody, []status.Check{{Name: "a", Run: func(context.Context) error { return nil }}}
			for _, path := range []string{"/status", "/readyz", "/deepz"} {
				if got := get(w.Mux(), path).Code; got != http.StatusOK {
					t.Errorf("%s: %d", path, got)
				}
			}
		})
	}
}
