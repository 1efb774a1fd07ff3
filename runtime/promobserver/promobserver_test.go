package promobserver_test

import (
	"context"
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/promobserver"
	"github.com/resgen-go/resgen/runtime/wire"
)

// gather collects as a server does, and checks what every collector must hold to.
func gather(t *testing.T, o *promobserver.Observer) []*dto.MetricFamily {
	t.Helper()
	r := prometheus.NewPedanticRegistry()
	if err := r.Register(o); err != nil {
		t.Fatal(err)
	}
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// text returns the series as Prometheus reads them, but for the buckets of histograms.
func text(t *testing.T, families []*dto.MetricFamily) string {
	t.Helper()
	var b strings.Builder
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(&b, f); err != nil {
			t.Fatal(err)
		}
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "#") && !strings.Contains(line, "_bucket{") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// everything is an event of that kind with all its fields.
func everything(what runtime.EventKind) runtime.Event {
	return runtime.Event{
		What: what, Time: time.Now(), Client: "llm", Operation: "llm.get", Target: "primary", Rung: 1, RungName: "eu", Level: policy.Reduced,
		Kind: policy.KindReset, Reason: policy.KindReset, Hedge: true, Exercised: true, Age: time.Second, Usage: policy.Usage{Input: 1}, Cost: 1,
		From: "closed", To: "open", Elapsed: time.Second, Attempt: 7, Attempts: 11, Status: 599,
		Served: "unbounded", Asked: "unbounded", Advice: "unbounded", Err: errors.New("unbounded"),
	}
}

// TestEveryEventIsDecided fails when an event is added that nobody counts, and nobody has decided not to.
func TestEveryEventIsDecided(t *testing.T) {
	t.Parallel()
	uncounted := map[runtime.EventKind]bool{runtime.CallStart: true, runtime.AttemptStart: true}
	seen := map[string]bool{}
	for what := runtime.CallStart; what.String() != "unknown event"; what++ {
		o := promobserver.New()
		o.Observe(t.Context(), everything(what))
		families := gather(t, o)
		if (len(families) == 0) != uncounted[what] {
			t.Errorf("%s: %d metrics", what, len(families))
		}
		for _, f := range families {
			seen[f.GetName()] = true
		}
		if got := text(t, families); strings.Contains(got, "unbounded") || strings.Contains(got, "599") || strings.Contains(got, `"7"`) {
			t.Errorf("%s: a label that no plan bounds:\n%s", what, got)
		}
	}
	for _, m := range promobserver.Metrics() {
		if m.Type != promobserver.Gauge && !seen[m.Name] {
			t.Errorf("%s is of no event", m.Name)
		}
	}
}

// TestMetricsAreWhatIsEmitted holds the descriptions to what a registry gathers, and both to Prometheus's conventions.
func TestMetricsAreWhatIsEmitted(t *testing.T) {
	t.Parallel()
	described := map[string]promobserver.Metric{}
	for _, m := range promobserver.Metrics() {
		described[m.Name] = m
	}
	o := promobserver.New(full(t))
	for what := runtime.CallStart; what.String() != "unknown event"; what++ {
		o.Observe(t.Context(), everything(what))
	}
	families := gather(t, o)
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	for _, f := range families {
		m, ok := described[f.GetName()]
		if !ok {
			t.Errorf("%s is not described", f.GetName())
			continue
		}
		delete(described, f.GetName())
		if got := strings.ToLower(f.GetType().String()); got != string(m.Type) || f.GetHelp() != m.Help {
			t.Errorf("%s: %s, %q; described as %s, %q", m.Name, got, f.GetHelp(), m.Type, m.Help)
		}
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		want := slices.Sorted(slices.Values(m.Labels))
		if diff := cmp.Diff(want, labels); diff != "" {
			t.Errorf("%s: labels (-described +emitted):\n%s", m.Name, diff)
		}
	}
	for name := range maps.Keys(described) {
		t.Errorf("%s is described, but nothing emits it", name)
	}
}

// full is a group whose machines are all on, and have all been used.
func full(t *testing.T) *runtime.Group {
	t.Helper()
	g := runtime.NewGroup()
	p := policy.Recommended(true)
	p.Operation, p.Idempotency, p.Abandon = "get", policy.Safe, true
	p.Timeout = policy.Timeout{Attempt: time.Second, Total: 10 * time.Second}
	p.Limit = policy.LimitConfig{
		Requests: policy.Rate{Amount: 10, Per: time.Second}, Burst: 10,
		Tokens: policy.Rate{Amount: 1000, Per: time.Second},
	}
	p.Limit.Cost = policy.Rate{Amount: 5, Per: time.Hour}
	p.Targets = []policy.Target{{Name: policy.PrimaryTarget, Price: policy.Price{Output: 1000}}}
	p.Tokens = policy.Tokens{Max: "/max", Input: "/in", Output: "/out"}
	p.Shed = policy.ShedConfig{Factor: 2, Window: time.Minute, MaxReject: 0.9}
	op, err := runtime.NewOperation(g, "llm", p, runtime.Wiring{})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) { return 1, nil })
	p.Operation = "list"
	p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 10, Per: time.Second}, Shared: "account"}
	if _, err = runtime.NewOperation(g, "llm", p, runtime.Wiring{Limits: runtime.LocalLimits()}); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestSameAsOpenTelemetry holds the names and meanings to those of docs/reference/telemetry.md: as OpenTelemetry's own exporter spells them.
func TestSameAsOpenTelemetry(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/reference/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	ours := map[string]promobserver.Metric{}
	for _, m := range promobserver.Metrics() {
		ours[m.Name] = m
	}
	rows := regexp.MustCompile("(?m)^\\| `(resgen\\.[a-z._]+)` \\| (\\w*) \\| (.*) \\|$").FindAllStringSubmatch(string(page), -1)
	if len(rows) < 20 {
		t.Fatalf("%d metrics on the page", len(rows))
	}
	for _, row := range rows {
		name, unit, help := strings.ReplaceAll(row[1], ".", "_"), row[2], row[3]
		switch {
		case unit == "s":
			name += "_seconds"
		case row[1] != "resgen.breaker.state": // the one gauge
			name += "_total"
		}
		m, ok := ours[name]
		if !ok {
			t.Errorf("%s has no counterpart %s", row[1], name)
		}
		if m.Help != help && row[1] != "resgen.breaker.state" {
			t.Errorf("%s: %q, there %q", name, m.Help, help)
		}
	}
}

// A primary that fails, its breaker, and the rung that answers, as they are collected.
func TestStory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := runtime.NewGroup(runtime.WithRand(func() float64 { return 0 }))
		o := promobserver.New(g, nil, g)
		p := policy.Plan{
			Operation: "chat", Idempotency: policy.Safe, Timeout: policy.Timeout{Attempt: time.Second, Total: 10 * time.Second},
			Breaker: policy.BreakerConfig{
				Mode: policy.BreakerOn, WindowCalls: 100, WindowAge: time.Minute, MinCalls: 20, FailureRate: 0.5, Consecutive: 3,
				OpenFor: 5 * time.Second, OpenMax: 15 * time.Second, Probes: 1, CloseAfter: 1,
			},
			Bulkhead: policy.BulkheadConfig{MaxConcurrent: 8, MaxQueue: 4, MaxWait: time.Second},
			Budget:   policy.BudgetConfig{Ratio: 0.1},
			Targets:  []policy.Target{{Name: "eu"}},
			Fallback: policy.Fallback{Rungs: []policy.Rung{
				{Name: "europe", Sort: policy.RungTarget, Target: "eu", When: policy.Kinds(), Level: policy.Alternate},
			}},
		}
		for _, name := range []string{"chat", "list"} { // they share the machines, but not the limit
			p.Operation = name
			if name == "list" {
				p.Limit.Requests, p.Limit.Burst = policy.Rate{Amount: 10, Per: time.Second}, 10
			}
			op, err := runtime.NewOperation(g, "llm", p, runtime.Wiring{Observer: o})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				_, _ = runtime.Do(t.Context(), op, func(_ context.Context, at runtime.Attempt) (int, error) {
					time.Sleep(250 * time.Millisecond) // virtual: synctest
					if at.Rung == 0 {
						return 0, &wire.StatusError{Status: 503}
					}
					return 1, nil
				})
			}
		}
		golden(t, "story.txt", text(t, gather(t, o)))
	})
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if f := flag.Lookup("update"); f.Value.String() == "true" { // the flag of pages
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is other; -update writes it (-there +got):\n%s", file, diff)
	}
}

// Clients of one name at two addresses have machines of their own, and come to one series: the worse breaker, the sum of the rest.
func TestTwoAddresses(t *testing.T) {
	t.Parallel()
	g := runtime.NewGroup()
	p := policy.Recommended(false)
	p.Operation, p.Idempotency, p.Retry, p.Breaker.Consecutive = "get", policy.Safe, policy.Retry{}, 1
	for i, address := range []string{"https://a", "https://b"} {
		op, err := runtime.NewOperation(g, "llm", p, runtime.Wiring{Endpoints: map[string]string{"primary": address}})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) {
			if i == 0 {
				return 0, &wire.StatusError{Status: 503}
			}
			return 1, nil
		})
	}
	got := text(t, gather(t, promobserver.New(g)))
	for _, want := range []string{
		`resgen_breaker_state{client="llm",operation="",target="primary"} 2`, `resgen_budget_capacity{client="llm",target="primary"} 20`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "https") {
		t.Errorf("an address is a label:\n%s", got)
	}
}

// Names that are no UTF-8, and values that no counter takes, do not stop anything from being collected.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	const name = "\xff\"}\n\u202e"
	g := runtime.NewGroup()
	if _, err := runtime.NewOperation(g, name, policy.Plan{
		Operation: name, Idempotency: policy.Safe, Timeout: policy.Timeout{Attempt: time.Second, Total: time.Second}, Breaker: policy.Recommended(false).Breaker,
	}, runtime.Wiring{}); err != nil {
		t.Fatal(err)
	}
	o := promobserver.New(g)
	for what := runtime.CallStart; what.String() != "unknown event"; what++ {
		e := everything(what)
		e.Client, e.Operation, e.Target, e.RungName, e.To = name, name, name, name, name
		e.Cost, e.Usage.Output, e.Elapsed = -1, -1, -time.Second
		o.Observe(t.Context(), e)
	}
	if got := text(t, gather(t, o)); !strings.Contains(got, `"�\"}\n`) {
		t.Errorf("names are not escaped:\n%s", got)
	}
}

// The observer is used by many calls at once, and collected meanwhile; the race detector listens.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	o := promobserver.New(full(t))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for what := runtime.CallStart; what.String() != "unknown event"; what++ {
				o.Observe(t.Context(), everything(what))
			}
		})
		all.Go(func() { gather(t, o) })
	}
	all.Wait()
	if got := text(t, gather(t, o)); !strings.Contains(got, "resgen_many_clients_total{client=\"llm\"} 4\n") {
		t.Errorf("want 4 of each event:\n%s", got)
	}
}

// Counting an event costs no allocation, once its like has been seen.
func TestCountingAllocatesNothing(t *testing.T) {
	o, ctx := promobserver.New(), context.Background()
	for _, what := range []runtime.EventKind{runtime.CallStart, runtime.AttemptStart, runtime.AttemptEnd, runtime.CallEnd, runtime.StreamEnd, runtime.Rejected} {
		e := everything(what)
		o.Observe(ctx, e)
		if n := testing.AllocsPerRun(100, func() { o.Observe(ctx, e) }); n != 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}

func BenchmarkObserve(b *testing.B) {
	for _, what := range []runtime.EventKind{runtime.CallStart, runtime.AttemptEnd, runtime.CallEnd} {
		b.Run(what.String(), func(b *testing.B) {
			o, ctx, e := promobserver.New(), context.Background(), everything(what)
			b.ReportAllocs()
			for b.Loop() {
				o.Observe(ctx, e)
			}
		})
	}
}
