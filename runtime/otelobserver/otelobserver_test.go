package otelobserver_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/otelobserver"
	"github.com/resgen-go/resgen/runtime/policy"
)

// world is what a program has of OpenTelemetry.
type world struct {
	spans   *tracetest.InMemoryExporter
	tracer  trace.Tracer
	metrics *sdkmetric.ManualReader

	observer runtime.Observer
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{spans: tracetest.NewInMemoryExporter(), metrics: sdkmetric.NewManualReader()}
	traces := sdktrace.NewTracerProvider(sdktrace.WithSyncer(w.spans))
	w.tracer = traces.Tracer("test")
	var err error
	w.observer, err = otelobserver.New(otelobserver.Config{Traces: traces, Metrics: sdkmetric.NewMeterProvider(sdkmetric.WithReader(w.metrics))})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// operation returns one whose first target fails and whose rung "eu" answers.
func (w *world) operation(t *testing.T) *runtime.Operation {
	t.Helper()
	op, err := runtime.NewOperation(runtime.NewGroup(runtime.WithRand(func() float64 { return 0 })), "llm", policy.Plan{
		Operation: "Get", Idempotency: policy.Safe, Timeout: policy.Timeout{Attempt: time.Second, Total: 10 * time.Second},
		Targets: []policy.Target{{Name: "eu"}},
		Fallback: policy.Fallback{Rungs: []policy.Rung{
			{Name: "eu", Sort: policy.RungTarget, Target: "eu", When: []policy.Kind{policy.KindPermanent}, Level: policy.Alternate},
		}},
	}, runtime.Wiring{Observer: w.observer})
	if err != nil {
		t.Fatal(err)
	}
	return op
}

// sleep lets virtual time pass; tests call it in bubbles only.
func sleep(d time.Duration) { time.Sleep(d) } // in a synctest bubble

var errDown = errors.New("https://h/?key=s3cr3t is down")

// failsOnce answers on every rung but the first, after half a second.
func failsOnce[T any](value T, inside func(context.Context)) func(context.Context, runtime.Attempt) (T, error) {
	return func(ctx context.Context, at runtime.Attempt) (T, error) {
		sleep(500 * time.Millisecond)
		inside(ctx)
		if at.Rung == 0 {
			var none T
			return none, errDown
		}
		return value, nil
	}
}

func TestSpansSayWhichRungAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ctx, caller := w.tracer.Start(t.Context(), "caller")
		_, err := runtime.DoResult(ctx, w.operation(t), failsOnce("value", func(ctx context.Context) {
			_, span := w.tracer.Start(ctx, "sent") // what a request is for a tracer
			span.End()
		}))
		if err != nil {
			t.Fatal(err)
		}
		caller.End()
		want := `caller 1s
  llm.Get 1s: attempts=2 fallback_used=true level=alternate operation=llm.Get reason=permanent rung=eu target=eu
    llm.Get attempt 500ms: attempt=1 elapsed=0.5 error.type=permanent error=https://h/?key=[redacted] is down operation=llm.Get target=primary
      sent 0s
    llm.Get attempt 500ms: attempt=1 elapsed=0.5 level=alternate operation=llm.Get rung=eu target=eu
      sent 0s
    (rung taken)
`
		if diff := cmp.Diff(want, w.tree("")); diff != "" {
			t.Errorf("spans (-want +got):\n%s", diff)
		}
	})
}

func TestStreamsHaveASpanOfTheirOwn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		answer := new(opened)
		if _, err := runtime.OpenResult(t.Context(), w.operation(t), failsOnce(answer, func(context.Context) {})); err != nil {
			t.Fatal(err)
		}
		sleep(4 * time.Second)
		if got := w.tree("llm.Get stream"); got != "" {
			t.Errorf("a stream that goes on has ended:\n%s", got)
		}
		answer.end(errDown)
		want := "llm.Get stream 5s: attempts=2 elapsed=5 error.type=permanent error=https://h/?key=[redacted] is down fallback_used=true level=alternate " +
			"operation=llm.Get rung=eu target=eu\n"
		if diff := cmp.Diff(want, w.tree("llm.Get stream")); diff != "" {
			t.Errorf("spans (-want +got):\n%s", diff)
		}
	})
}

// opened is an answer that says when it ends.
type opened struct{ ended func(error) }

func (o *opened) Close() error        { return nil }
func (o *opened) OnEnd(f func(error)) { o.ended = f }
func (o *opened) end(err error)       { o.ended(err) }

func TestMetricsSayWhichRungAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.observer.Observe(t.Context(), runtime.Event{
		What: runtime.CallEnd, Operation: "llm.Get", Target: "primary", Rung: 2, RungName: "remembered", Level: policy.Stale, Reason: policy.KindTransient, Age: time.Hour,
		Usage: policy.Usage{Input: 12, Output: 3}, Cost: 0.25, Served: "model-of-" + t.Name(), Attempts: 7,
	})
	w.observer.Observe(t.Context(), runtime.Event{What: runtime.BreakerChanged, Client: "llm", Operation: "llm.Get", Target: "primary", From: "closed", To: "open"})
	of := "level=stale operation=llm.Get reason=transient rung=remembered target=primary"
	want := strings.Join([]string{
		"answer.age " + of,
		"breaker.changes client=llm target=primary to=open",
		"breaker.state client=llm target=primary",
		"call.duration fallback_used=true " + of,
		"cost " + of,
		"tokens gen_ai.token.type=input " + of,
		"tokens gen_ai.token.type=output " + of,
	}, "\n")
	if diff := cmp.Diff(want, strings.Join(w.points(t), "\n")); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

// TestEveryEventIsMeasured fails when an event is added that nobody counts.
func TestEveryEventIsMeasured(t *testing.T) {
	t.Parallel()
	for what := runtime.CallStart; what.String() != "unknown event"; what++ {
		w := newWorld(t)
		ctx, span := w.tracer.Start(t.Context(), "caller")
		w.observer.Observe(ctx, runtime.Event{What: what, Operation: "llm.Get", To: "open"})
		span.End()
		if starts := what == runtime.CallStart || what == runtime.AttemptStart; (len(w.points(t)) == 0) != starts {
			t.Errorf("%s: metrics %v", what, w.points(t))
		}
		if w.tree("") == "caller 0s\n" {
			t.Errorf("%s: no span says it", what)
		}
	}
}

// tree returns the spans of that name as text, or all of them below each other.
func (w *world) tree(name string) string {
	var b strings.Builder
	all := w.spans.GetSpans()
	slices.SortStableFunc(all, func(a, b tracetest.SpanStub) int { return a.StartTime.Compare(b.StartTime) })
	var write func(below trace.SpanID, indent string)
	write = func(below trace.SpanID, indent string) {
		for i := range all {
			if s := &all[i]; s.Parent.SpanID() == below {
				b.WriteString(indent + text(s) + "\n")
				write(s.SpanContext.SpanID(), indent+"  ")
				for _, e := range s.Events {
					fmt.Fprintf(&b, "%s  (%s)\n", indent, e.Name)
				}
			}
		}
	}
	for i := range all {
		if name != "" && all[i].Name == name {
			return text(&all[i]) + "\n"
		}
	}
	if name == "" {
		write(trace.SpanID{}, "")
	}
	return b.String()
}

// text returns a span as a line. What it took is not said twice.
func text(s *tracetest.SpanStub) string {
	var fields []string
	for _, a := range s.Attributes {
		fields = append(fields, strings.TrimPrefix(string(a.Key), "resgen.")+"="+a.Value.String())
	}
	slices.Sort(fields)
	if s.Name == "llm.Get" {
		fields = slices.DeleteFunc(fields, func(f string) bool { return strings.HasPrefix(f, "elapsed=") })
	}
	line := fmt.Sprintf("%s %s", s.Name, s.EndTime.Sub(s.StartTime).Round(time.Millisecond))
	if len(fields) > 0 {
		line += ": " + strings.Join(slices.Compact(fields), " ")
	}
	return line
}

// points returns what was measured, as names and labels.
func (w *world) points(t *testing.T) []string {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := w.metrics.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	var points []string
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			for _, labels := range labelsOf(t, m) {
				points = append(points, strings.Join(append([]string{strings.TrimPrefix(m.Name, "resgen.")}, labels...), " "))
			}
		}
	}
	slices.Sort(points)
	return points
}

// labelsOf returns the labels of each point of a metric.
func labelsOf(t *testing.T, m metricdata.Metrics) (all [][]string) {
	t.Helper()
	switch d := m.Data.(type) {
	case metricdata.Histogram[float64]:
		for _, p := range d.DataPoints {
			all = append(all, texts(p.Attributes))
		}
	case metricdata.Sum[float64]:
		for _, p := range d.DataPoints {
			all = append(all, texts(p.Attributes))
		}
	case metricdata.Sum[int64]:
		for _, p := range d.DataPoints {
			all = append(all, texts(p.Attributes))
		}
	case metricdata.Gauge[int64]:
		for _, p := range d.DataPoints {
			all = append(all, texts(p.Attributes))
		}
	default:
		t.Errorf("%s is a %T", m.Name, d)
	}
	return all
}

// texts returns labels as texts.
func texts(set attribute.Set) []string {
	var all []string
	for _, a := range set.ToSlice() {
		all = append(all, strings.TrimPrefix(string(a.Key), "resgen.")+"="+a.Value.String())
	}
	return all
}
