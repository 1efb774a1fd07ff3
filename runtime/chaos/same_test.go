package chaos_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/chaos"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
	"github.com/resgen-go/resgen/testdata/providers"
	"github.com/resgen-go/resgen/testdata/providers/callers"
)

// servant is what a server does that has a fault, given what it would answer.
type servant func(w http.ResponseWriter, r *http.Request, right *httptest.ResponseRecorder)

// fault is a fault that is made up, and the same of a server.
type fault struct {
	name   string
	made   chaos.Fault
	server servant // nil is a server that nobody can connect to
	stream bool    // of streams alone
}

const (
	slow   = 700 * time.Millisecond
	slower = 90 * time.Second // beyond every timeout
)

func faults() []fault {
	after := func(d time.Duration, r *http.Request) bool {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return true
		case <-r.Context().Done():
			return false
		}
	}
	cut := func(http.ResponseWriter, *http.Request, *httptest.ResponseRecorder) { panic(http.ErrAbortHandler) }
	hang := func(_ http.ResponseWriter, r *http.Request, _ *httptest.ResponseRecorder) { <-r.Context().Done() }
	all := []fault{
		{name: "latency", made: chaos.Latency(slow), server: func(w http.ResponseWriter, r *http.Request, right *httptest.ResponseRecorder) {
			if after(slow, r) {
				pass(w, right, -1)
			}
		}},
		{name: "latency beyond the timeout", made: chaos.Latency(slower), server: hang},
		{name: "black hole", made: chaos.BlackHole(), server: hang},
		{name: "refused", made: chaos.Refused()},
		{name: "reset", made: chaos.ResetByPeer(), server: cut},
		{name: "late reset", made: chaos.Fault{Effect: chaos.Reset, Latency: slow}, server: func(_ http.ResponseWriter, r *http.Request, _ *httptest.ResponseRecorder) {
			after(slow, r)
			panic(http.ErrAbortHandler)
		}},
		{name: "late header", made: chaos.SlowFirstItem(slow), server: func(w http.ResponseWriter, r *http.Request, right *httptest.ResponseRecorder) {
			pass(w, right, 0)
			if after(slow, r) {
				pass(w, right, -1)
			}
		}},
		{name: "header, and nothing", made: chaos.Stalled(0), server: func(w http.ResponseWriter, r *http.Request, right *httptest.ResponseRecorder) {
			pass(w, right, 0)
			<-r.Context().Done()
		}},
		{name: "cut", made: chaos.Truncated(0), server: func(w http.ResponseWriter, r *http.Request, right *httptest.ResponseRecorder) {
			pass(w, right, 0)
			if !isStream(right) {
				_, _ = w.Write(right.Body.Bytes()[:1])
				flush(w)
			}
			panic(http.ErrAbortHandler)
		}},
		{name: "malformed", made: chaos.Malformed(0), server: func(w http.ResponseWriter, _ *http.Request, right *httptest.ResponseRecorder) {
			text := strings.Replace(right.Body.String(), "{", "!", 1)
			pass(w, right, 0)
			_, _ = w.Write([]byte(text))
		}},
	}
	for n := 1; n <= 3; n++ {
		all = append(all,
			fault{name: fmt.Sprint("silent after ", n), made: chaos.Stalled(n), stream: true, server: func(w http.ResponseWriter, r *http.Request, right *httptest.ResponseRecorder) {
				pass(w, right, n)
				<-r.Context().Done()
			}},
			fault{name: fmt.Sprint("cut after ", n), made: chaos.Truncated(n), stream: true, server: func(w http.ResponseWriter, _ *http.Request, right *httptest.ResponseRecorder) {
				pass(w, right, n)
				panic(http.ErrAbortHandler)
			}},
			fault{name: fmt.Sprint("malformed after ", n), made: chaos.Malformed(n), stream: true, server: func(w http.ResponseWriter, _ *http.Request, right *httptest.ResponseRecorder) {
				items := strings.SplitAfter(right.Body.String(), "\n\n")
				items[n] = strings.Replace(items[n], "{", "!", 1)
				pass(w, right, 0)
				_, _ = w.Write([]byte(strings.Join(items, "")))
			}},
		)
	}
	for _, status := range []int{400, 401, 404, 408, 429, 500, 502, 503, 504, 529} {
		all = append(all, fault{name: fmt.Sprint("status ", status), made: chaos.Status(status), server: says(status, "")})
	}
	return append(all,
		fault{name: "throttled", made: chaos.Throttle(time.Second), server: says(429, "1")},
		fault{name: "throttled for long", made: chaos.Throttle(time.Hour), server: says(429, "3600")},
		fault{name: "unavailable for a time", made: chaos.Fault{Effect: chaos.Answer, Status: 503, RetryAfter: 2 * time.Second}, server: says(503, "2")},
	)
}

// says answers a status, with a body that says nothing.
func says(status int, retryAfter string) servant {
	return func(w http.ResponseWriter, _ *http.Request, _ *httptest.ResponseRecorder) {
		w.Header().Set("Content-Type", "application/json")
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte("{}"))
	}
}

func isStream(right *httptest.ResponseRecorder) bool {
	return strings.HasPrefix(right.Header().Get("Content-Type"), "text/event-stream")
}

// pass writes the header of an answer and so many of its events; -1 is all, and all of what is no stream.
func pass(w http.ResponseWriter, right *httptest.ResponseRecorder, most int) {
	maps.Copy(w.Header(), right.Header())
	for i, item := range strings.SplitAfter(right.Body.String(), "\n\n") {
		if i != most {
			_, _ = w.Write([]byte(item))
			continue
		}
		break
	}
	flush(w)
}

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

// TestSameAsReal makes calls until breakers open, once of a primary that has a fault, and once of one that is well, whose attempts meet it. What
// observers are told, and when, how far attempts came, what breakers and pauses have come to, and what callers see: all of it is the same.
func TestSameAsReal(t *testing.T) {
	t.Parallel()
	for _, shape := range providers.Shapes() {
		for _, f := range faults() {
			for _, stream := range []bool{false, true} {
				if f.stream && !stream {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%v", shape, f.name, stream), func(t *testing.T) {
					t.Parallel()
					var want, got string
					synctest.Test(t, func(t *testing.T) { want = play(t, shape, stream, f, false) })
					synctest.Test(t, func(t *testing.T) { got = play(t, shape, stream, f, true) })
					if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
						t.Errorf("-real +made up:\n%s", diff)
					}
				})
			}
		}
	}
}

// play makes the calls, and tells what came of them.
func play(t *testing.T, shape string, stream bool, f fault, made bool) string {
	t.Helper()
	var seen runtimetest.Recorder
	group := runtime.NewGroup(runtime.WithRand(func() float64 { return 0.5 }))
	first, err := providers.New(shape)
	must(t, err)
	second, err := providers.New(shape)
	must(t, err)
	handler := http.Handler(first)
	if !made && f.server != nil {
		handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			right := httptest.NewRecorder()
			first.ServeHTTP(right, r)
			f.server(w, r, right)
		})
	}
	toFirst, stopFirst := providers.Serve(handler)
	toSecond, stopSecond := providers.Serve(second)
	defer stopFirst()
	defer stopSecond()
	opts := []runtime.ClientOption{
		runtime.WithGroup(group), runtime.WithObserver(&seen), runtime.WithHTTPClient(toFirst), runtime.WithBaseURL("http://first.test"),
		runtime.WithTarget("second", runtime.WithHTTPClient(toSecond), runtime.WithBaseURL("http://second.test")),
	}
	switch {
	case made:
		opts = append(opts, runtime.WithChaos(begin(t, always(f.made))))
	case f.server == nil:
		opts = append(opts, runtime.WithHTTPClient(refusing()))
		opts = append(opts, runtime.WithTarget("second", runtime.WithHTTPClient(toSecond)))
	}
	call, err := callers.New(shape, opts...)
	must(t, err)
	var b strings.Builder
	for range 7 {
		began := time.Now()
		o := call(t.Context(), "Hello?", stream)
		fmt.Fprintf(&b, "%q by %q %v after %v, %v; %s\n", o.Text, o.Rung, o.Level, o.Reason, time.Since(began), errorOf(o.Err))
	}
	b.WriteString(told(t, &seen, made))
	for _, m := range group.Snapshot() {
		fmt.Fprintf(&b, "%s %s: %v %d/%d, %d in flight, %d held, budget %.2f, paused %v\n", m.Target, m.Operation, m.Breaker.State, m.Breaker.Failures,
			m.Breaker.Calls, m.Breaker.InFlight, m.Bulkhead.InFlight, m.Budget, !m.PausedUntil.IsZero())
	}
	return b.String()
}

// told tells the events, without those of chaos, which it counts.
func told(t *testing.T, seen *runtimetest.Recorder, made bool) string {
	t.Helper()
	var b strings.Builder
	injected, marked := 0, 0
	start := seen.Events()[0].Time
	for _, e := range seen.Events() {
		if e.What == runtime.FaultInjected {
			injected++
			continue
		}
		if e.What == runtime.AttemptEnd && e.Injected != "" {
			marked++
		}
		fmt.Fprintf(&b, "%v %s %s#%d %v %d wait=%v %s→%s %s\n", e.Time.Sub(start), e.What, e.Target, e.Attempt, e.Kind, e.Status, e.Wait, e.From, e.To, errorOf(e.Err))
	}
	if injected != marked || made != (injected > 0) {
		t.Errorf("%d faults were injected, %d attempts say so", injected, marked)
	}
	return b.String()
}

// errorOf tells what an error is, without its text.
func errorOf(err error) string {
	if err == nil {
		return "no error"
	}
	var text []string
	if e, ok := errors.AsType[*runtime.Error](err); ok {
		text = append(text, fmt.Sprintf("%v attempts=%d acted=%v status=%d", e.Kind, e.Attempts, e.MayHaveActed, e.Status))
	}
	if e, ok := errors.AsType[*wire.TransportError](err); ok {
		text = append(text, fmt.Sprintf("stage=%v wrote=%v refused=%v sends=%d", e.Stage, e.Wrote, e.Refused, e.Sends))
	}
	if e, ok := errors.AsType[*wire.DecodeError](err); ok {
		text = append(text, fmt.Sprintf("decode status=%d", e.Status))
	}
	if e, ok := errors.AsType[*wire.StatusError](err); ok {
		text = append(text, fmt.Sprintf("status=%d", e.Status))
	}
	text = append(text, fmt.Sprintf("deadline=%v", errors.Is(err, context.DeadlineExceeded)))
	return strings.Join(text, ", ")
}

// refusing is a client that gets no connection.
func refusing() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	}}}
}
