package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
)

func TestWhatObserversAreTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, seen := operation(t, plan(twoTargets, func(p *policy.Plan) {
			p.Breaker, p.Retry.Attempts = breaker(2), 2
		}, ladder(other("eu"), static("sorry"))))
		res, err := runtime.DoResult(t.Context(), op, rungs(
			play(step{Err: status(503)}, step{Hang: true}), play(step{Err: status(429, "Retry-After", "5")}), play(step{Value: "sorry"})))
		if err != nil || res.Value != "sorry" {
			t.Fatalf("got %+v, %v", res, err)
		}
		want := `0s call start
0s attempt start attempt=1
0s attempt end attempt=1 kind=transient
0s retry scheduled kind=transient wait=100ms
100ms attempt start attempt=2
1.1s attempt end attempt=2 kind=timeout
1.1s breaker changed closed→open
1.1s rung taken rung=eu kind=timeout
1.1s attempt start rung=eu attempt=1
1.1s attempt end rung=eu attempt=1 kind=throttle
1.1s paused rung=eu kind=throttle
1.1s rung taken rung=sorry kind=timeout
1.1s call end rung=sorry
`
		if diff := cmp.Diff(want, seen.Trace()); diff != "" {
			t.Errorf("trace (-want +got):\n%s", diff)
		}
		for _, e := range seen.Events() {
			if e.Client != "llm" || e.Operation != "llm.Get" || e.Time.IsZero() {
				t.Errorf("%+v does not say whose it is", e)
			}
		}
	})
}

func TestSlogIsAsLoudAsTheEvent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		event runtime.Event
		want  string
	}{
		{runtime.Event{What: runtime.CallStart, Operation: "llm.Get"}, ""},
		{runtime.Event{What: runtime.CallEnd, Operation: "llm.Get"}, ""},
		{
			runtime.Event{What: runtime.RetryScheduled, Operation: "llm.Get", Kind: policy.KindThrottle, Wait: time.Second},
			`level=INFO msg="retry scheduled" operation=llm.Get kind=throttle wait=1s`,
		},
		{
			runtime.Event{What: runtime.CallEnd, Operation: "llm.Get", Kind: policy.KindTransient, Attempts: 3, Err: errors.New("Bearer abcdefghijklmnopqrstuvwxyz")},
			`level=WARN msg="call end" operation=llm.Get attempts=3 kind=transient elapsed=0s error="Bearer [redacted]"`,
		},
		{
			runtime.Event{What: runtime.BreakerChanged, Operation: "llm.Get", From: "closed", To: "open"},
			`level=WARN msg="breaker changed" operation=llm.Get from=closed to=open`,
		},
		{
			runtime.Event{What: runtime.CallEnd, Operation: "llm.Get", Rung: 1, RungName: "eu", Target: "eu", Level: policy.Alternate, Attempts: 2},
			`level=INFO msg="call end" operation=llm.Get target=eu rung=eu level=alternate attempts=2 elapsed=0s`,
		},
		{
			runtime.Event{What: runtime.FaultInjected, Operation: "llm.Get", Target: "primary", Attempt: 1, Injected: "status 503"},
			`level=WARN msg="fault injected" operation=llm.Get target=primary attempt=1 injected="status 503"`,
		},
		{runtime.Event{What: runtime.ManyClients, Client: "llm", Attempts: 11}, `level=WARN msg="many clients" client=llm attempts=11`},
	} {
		var out bytes.Buffer
		l := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{
			Level: slog.LevelInfo,
			ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			},
		}))
		runtime.Slog(l).Observe(t.Context(), c.event)
		if got := strings.TrimSpace(out.String()); got != c.want {
			t.Errorf("%s: %q, want %q", c.event.What, got, c.want)
		}
	}
}

// TestEveryFieldOfAnEventIsLogged fails when a field is added that adapters would drop.
func TestEveryFieldOfAnEventIsLogged(t *testing.T) {
	t.Parallel()
	e := runtime.Event{
		What: runtime.CallEnd, Time: time.Now(), Client: "c", Target: "t", Rung: 1, RungName: "r", Level: policy.Reduced, Attempt: 1, Hedge: true, Attempts: 1, Age: 1, Similarity: 0.5, Exercised: true,
		Kind: policy.KindReset, Reason: policy.KindReset, Status: 500, Replays: 1, Elapsed: 1, Wait: 1, Until: time.Now(), From: "a", To: "b", Advice: "a", Injected: "i", Limit: "l", Served: "s", Asked: "q", Err: errors.New("x"),
		Usage: policy.Usage{Input: 1, Cached: 1, CacheWrite: 1, Output: 1, Reasoning: 1}, Cost: 1,
	}
	v := reflect.ValueOf(e)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && name != "Operation" {
			t.Errorf("the test does not set %s", name)
		}
	}
	logged := map[string]bool{}
	for _, what := range []runtime.EventKind{runtime.CallEnd, runtime.RetryScheduled, runtime.CacheHit} {
		for _, operation := range []string{"", "o"} {
			e.What, e.Operation = what, operation
			for name := range e.Fields() {
				logged[name] = true
			}
		}
	}
	// What and Time are the line's own; Rung is there by its name, and Usage by the names of its numbers
	if want := v.NumField() - 4 + reflect.TypeFor[policy.Usage]().NumField(); len(logged) != want {
		t.Errorf("%d fields are logged, want %d: %v", len(logged), want, logged)
	}
	for k := runtime.CallStart; k <= runtime.FaultInjected; k++ {
		if k.String() == "" || k.String() == "unknown event" {
			t.Errorf("event %d has no name", k)
		}
	}
}

func TestManyClientsOfOneNameAreAWarning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		one, two := new(runtimetest.Recorder), new(runtimetest.Recorder)
		client := func(name string, o runtime.Observer) {
			h := runtime.NewHTTP(runtime.HTTPSpec{Name: name, BaseURL: "http://h"}, runtime.WithObserver(o))
			if err := h.Err(); err != nil {
				t.Fatal(err)
			}
		}
		for range 10 {
			client("llm", one)
			client("other", one)
			sleep(time.Second)
		}
		if got := one.Events(); len(got) != 0 {
			t.Errorf("ten in a minute: %v, want nothing", got)
		}
		for range 20 {
			client("llm", runtime.Observers(one, two))
		}
		if got := one.Events(runtime.ManyClients); len(got) != 2 || got[0].Client != "llm" {
			t.Errorf("more in a minute: %+v; want a warning for each observer that has seen more than ten", got)
		}
		one.Reset()
		for range 20 {
			sleep(10 * time.Second)
			client("llm", one)
		}
		if got := one.Events(); len(got) != 0 {
			t.Errorf("six in each minute: %v, want nothing", got)
		}
	})
}

func TestObserversOfNothingIsNone(t *testing.T) {
	t.Parallel()
	if got := runtime.Observers(nil, nil); got != nil {
		t.Errorf("got %v, want nil", got)
	}
	var seen runtimetest.Recorder
	if got := runtime.Observers(nil, &seen); got != runtime.Observer(&seen) {
		t.Errorf("got %v, want the one observer itself", got)
	}
	runtime.ObserverFunc(func(context.Context, runtime.Event) {}).Observe(t.Context(), runtime.Event{})
}
