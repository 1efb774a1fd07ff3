package chaos_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/chaos"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/promobserver"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/status"
)

// A rung that is exercised meets faults as any other, and what is told of it says so: nobody hunts a broken rung.
func TestExercisedRungsMeetFaults(t *testing.T) {
	t.Parallel()
	for _, mode := range []policy.ExerciseMode{policy.ExerciseShadow, policy.ExerciseServe} {
		synctest.Test(t, func(t *testing.T) {
			var seen runtimetest.Recorder
			p := policy.Plan{
				Operation: "get", Idempotency: policy.Safe, Timeout: policy.Timeout{Attempt: time.Second, Total: 3 * time.Second},
				Targets: []policy.Target{{Name: "eu"}}, Exercise: policy.ExerciseConfig{Share: 1, Mode: mode},
				Fallback: policy.Fallback{Rungs: []policy.Rung{
					{Name: "europe", Sort: policy.RungTarget, Target: "eu", When: policy.Kinds(), Level: policy.Equal},
				}},
			}
			op, err := runtime.NewOperation(nil, "c", p, runtime.Wiring{
				Observer: &seen, Chaos: begin(t, chaos.Rule{Operations: []string{"*"}, Targets: []string{"eu"}, Share: 1, Fault: chaos.Refused()}),
			})
			must(t, err)
			res, err := runtime.DoResult(t.Context(), op, func(_ context.Context, at runtime.Attempt) (int, error) { return at.Rung, nil })
			if err != nil || res.Value != 0 {
				t.Errorf("answered by rung %d, %v", res.Value, err)
			}
			synctest.Wait()
			of := map[runtime.EventKind]int{}
			for _, e := range seen.Events(runtime.FaultInjected, runtime.AttemptEnd, runtime.ExerciseFailed) {
				if e.RungName == "europe" {
					of[e.What]++
					if e.Injected != "connection refused" {
						t.Errorf("mode %v: %s says %q", mode, e.What, e.Injected)
					}
				}
			}
			if of[runtime.FaultInjected] != 1 || of[runtime.AttemptEnd] != 1 || of[runtime.ExerciseFailed] != 1 {
				t.Errorf("mode %v: %v", mode, of)
			}
		})
	}
}

// An attempt that is left behind when its time is over ends with its time in a black hole too.
func TestAbandonedAttemptsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := runtime.NewGroup()
		p := policy.Plan{Operation: "get", Idempotency: policy.Safe, Abandon: true, Timeout: policy.Timeout{Attempt: time.Second, Total: 3 * time.Second}}
		op, err := runtime.NewOperation(g, "c", p, runtime.Wiring{Chaos: begin(t, always(chaos.BlackHole()))})
		must(t, err)
		_, err = runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) { return 1, nil })
		if runtime.KindOf(err) != policy.KindTimeout {
			t.Error(err)
		}
		time.Sleep(time.Second) // virtual: synctest
		if a := g.Snapshot()[0].Abandoned["get"]; a.Running != 0 || a.Total != 0 {
			t.Errorf("left behind: %+v", a)
		}
	})
}

// Whoever looks, at logs, metrics or the status page, sees that it is no real outage, while it lasts.
func TestItIsSeen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		group := runtime.NewGroup()
		page, metrics := status.New(group), promobserver.New(group)
		p := policy.Plan{Operation: "chat", Idempotency: policy.Safe, Retry: policy.Retry{
			Attempts: 2, On: []policy.Kind{policy.KindTransient}, Backoff: policy.Backoff{Base: time.Millisecond},
		}}
		down := always(chaos.Status(503))
		down.Until = 2 * time.Minute
		op, err := runtime.NewOperation(group, "llm", p, runtime.Wiring{
			Observer: runtime.Observers(page.Observer(), metrics, runtime.Slog(slog.New(slog.NewTextHandler(&log, nil)))),
			Chaos:    begin(t, down),
		})
		must(t, err)
		ask := func() error {
			_, err := runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) { return 1, nil })
			return err
		}
		if err = ask(); err == nil || !strings.Contains(err.Error(), "injected by chaos") {
			t.Errorf("%v does not say that it was injected", err)
		}
		for _, want := range []string{
			`level=WARN msg="fault injected" operation=llm.chat target=primary attempt=2 injected="status 503"`,
			`msg="attempt end" operation=llm.chat target=primary attempt=1 kind=transient injected="status 503" status=503`,
			`level=WARN msg="call end" operation=llm.chat target=primary attempts=2 kind=transient injected="status 503"`,
		} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("no %s in the log:\n%s", want, log.String())
			}
		}
		registry := prometheus.NewPedanticRegistry()
		must(t, registry.Register(metrics))
		families, err := registry.Gather()
		must(t, err)
		counted := map[string]float64{}
		for _, f := range families {
			if f.GetName() != "resgen_faults_injected_total" {
				continue
			}
			for _, m := range f.GetMetric() {
				var labels []string
				for _, l := range m.GetLabel() {
					labels = append(labels, l.GetName()+"="+l.GetValue())
				}
				counted[strings.Join(labels, ", ")] = m.GetCounter().GetValue()
			}
		}
		if want := "client=llm, fault=status 503, operation=llm.chat, rung=, target=primary"; len(counted) != 1 || counted[want] != 2 {
			t.Errorf("faults that are counted: %v", counted)
		}

		r := page.Report()
		if r.State != status.Failing || !r.Injected || !strings.HasSuffix(r.Headline, "; chaos is injecting faults") {
			t.Errorf("%s: %s, injected: %v", r.State, r.Headline, r.Injected)
		}
		if len(r.Operations) != 1 || r.Operations[0].Injected != 1 || len(r.Failures) != 1 || r.Failures[0].Injected != 2 {
			t.Errorf("%+v\n%+v", r.Operations, r.Failures)
		}
		answer := httptest.NewRecorder()
		page.Page().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/status", nil))
		for _, want := range []string{
			"chaos is injecting faults", "llm.chat: chaos makes faults up at target &#34;primary&#34;: &#34;status 503&#34;, 2 times in the last minute",
			"1 failed (transient), 1 injected by chaos", "2 of 2, 2 injected by chaos", "fault injected, target &#34;primary&#34;, &#34;status 503&#34;",
		} {
			if !strings.Contains(answer.Body.String(), want) {
				t.Errorf("no %q on the page:\n%s", want, answer.Body)
			}
		}
		time.Sleep(2 * time.Minute) // virtual: synctest
		must(t, ask())
		if r := page.Report(); r.Injected || strings.Contains(r.Headline, "chaos") || r.State != status.OK {
			t.Errorf("when it is over: %s: %s", r.State, r.Headline)
		}
	})
}

// A fault that harms no call is told of too.
func TestHarmlessFaultsAreANotice(t *testing.T) {
	t.Parallel()
	page := status.New()
	page.Observer().Observe(t.Context(), runtime.Event{
		What: runtime.FaultInjected, Time: time.Now(), Client: "llm", Operation: "llm.chat", Target: "primary", Injected: "latency 1s",
	})
	if r := page.Report(); r.State != status.Notice || !strings.Contains(r.Headline, "chaos is injecting faults") || len(r.Problems) != 1 || r.Problems[0].Fault != "latency 1s" {
		t.Errorf("%s: %s, %+v", r.State, r.Headline, r.Problems)
	}
}

// The tenant of a call is known, and rungs that ask no target meet nothing; a fault of a call inside marks the attempt around it.
func TestWhoMeetsFaults(t *testing.T) {
	t.Parallel()
	var seen runtimetest.Recorder
	c := begin(t, chaos.Rule{Operations: []string{"*"}, Tenants: []string{"acme"}, Share: 1, Fault: chaos.Refused()})
	p := policy.Plan{Operation: "get", Idempotency: policy.Safe, Fallback: policy.Fallback{Rungs: []policy.Rung{
		{Name: "func", Sort: policy.RungFunc, When: policy.Kinds(), Level: policy.Reduced},
	}}}
	inner, err := runtime.NewOperation(nil, "inner", policy.Plan{Operation: "get", Idempotency: policy.Safe}, runtime.Wiring{Chaos: c, Observer: &seen})
	must(t, err)
	outer, err := runtime.NewOperation(nil, "outer", p, runtime.Wiring{Chaos: c, Observer: &seen})
	must(t, err)
	get := func(ctx context.Context) (runtime.Result[string], error) {
		return runtime.DoResult(ctx, outer, func(_ context.Context, at runtime.Attempt) (string, error) {
			return map[int]string{0: "itself", 1: "func"}[at.Rung], nil
		})
	}
	if res, err := get(t.Context()); err != nil || res.Value != "itself" {
		t.Errorf("of nobody: %q, %v", res.Value, err)
	}
	if res, err := get(runtime.WithTenant(t.Context(), "acme")); err != nil || res.Value != "func" || res.Reason != policy.KindConnect {
		t.Errorf("of the tenant: %q after %v, %v", res.Value, res.Reason, err)
	}
	seen.Reset()
	_, err = runtime.DoResult(t.Context(), outer, func(ctx context.Context, _ runtime.Attempt) (string, error) {
		return runtime.Do(runtime.WithTenant(ctx, "acme"), inner, func(context.Context, runtime.Attempt) (string, error) { return "", nil })
	})
	for _, e := range seen.Events(runtime.AttemptEnd, runtime.CallEnd) {
		if e.Rung == 0 && e.Injected != "connection refused" {
			t.Errorf("%s of %s: injected %q: %v", e.What, e.Operation, e.Injected, err)
		}
	}
}
