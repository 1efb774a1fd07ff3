package status_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

var update = flag.Bool("update", false, "write testdata")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
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

// TestJSON holds every name of the JSON: one that changes breaks who reads it.
func TestJSON(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		op := w.operation("chat", func(p *policy.Plan) {
			p.Retry.RetryAfterMax, p.Bulkhead = time.Second, policy.BulkheadConfig{MaxConcurrent: 8, MaxQueue: 4, MaxWait: time.Second}
			p.Limit.Requests, p.Limit.Burst = policy.Rate{Amount: 600, Per: time.Minute}, 60
		})
		list := w.operation("list", alone, func(p *policy.Plan) {
			p.Shed = policy.ShedConfig{Factor: 2, Window: time.Minute, MaxReject: 0.9}
			p.Breaker.Scope, p.Breaker.Consecutive = policy.ScopeOperation, 1
		})
		w.call(op, 3)
		sleep(time.Minute)
		w.down = answers(503)
		w.call(op, 2)
		sleep(time.Second)
		w.call(list, 4)
		w.down = answers(429, "Retry-After", "600")
		w.call(op, 2)
		sleep(time.Second)
		for _, e := range []runtime.Event{
			{What: runtime.StreamEnd, Kind: policy.KindReset, Operation: "llm.chat"},
			{What: runtime.Rejected, Kind: policy.KindRateLimited, Operation: "llm.chat", Target: "elsewhere"},
			{What: runtime.BudgetDenied, Operation: "llm.chat", Target: "primary"},
			{What: runtime.BreakerChanged, Operation: "llm.chat", Target: "eu", From: "closed", To: "open", Until: time.Now().Add(time.Second)},
			{What: runtime.ManyClients, Attempts: 11},
		} {
			e.Client, e.Time = "llm", time.Now()
			w.Observer().Observe(t.Context(), e)
		}
		for _, path := range []string{"/status.json", "/status?format=json"} {
			golden(t, "report.json", get(w.Mux(), path).Body.String())
		}
	})
}

// TestEveryEventIsDecided fails when an event is added of which nobody has said whether it is remembered.
func TestEveryEventIsDecided(t *testing.T) {
	t.Parallel()
	ignored := map[runtime.EventKind]bool{
		runtime.CallStart: true, runtime.AttemptStart: true, runtime.RetryScheduled: true, runtime.Hedged: true, runtime.CacheHit: true,
	}
	counted := map[runtime.EventKind]bool{
		runtime.CallEnd: true, runtime.StreamEnd: true, runtime.AttemptEnd: true, runtime.Rejected: true, runtime.BudgetDenied: true,
		runtime.FaultInjected: true,
	}
	told := map[runtime.EventKind]bool{
		runtime.LoserPanicked: true, runtime.AttemptAbandoned: true, runtime.RungTaken: true, runtime.RungUnfit: true, runtime.BreakerChanged: true,
		runtime.Paused: true, runtime.Substituted: true, runtime.StoreFailed: true, runtime.EmbedderFailed: true, runtime.ExerciseFailed: true,
		runtime.InnerRetry: true, runtime.TwoLayers: true, runtime.NotRepeatable: true, runtime.ManyClients: true,
		runtime.FaultInjected: true, runtime.LimitStoreFailed: true, runtime.LimitStoreBack: true,
	}
	for what := runtime.CallStart; what.String() != "unknown event"; what++ {
		w := newWorld(t)
		w.Observer().Observe(t.Context(), runtime.Event{
			What: what, Client: "llm", Operation: "llm.get", Target: "primary", Kind: policy.KindTransient, Time: time.Now(),
		})
		r := w.Report()
		if got := len(r.Events) == 1; got != told[what] {
			t.Errorf("%s: told of as an event: %v", what, got)
		}
		if got := len(r.Operations)+len(r.Failures)+len(r.Problems) > 0; got != counted[what] {
			t.Errorf("%s: counted: %v", what, got)
		}
		if !ignored[what] && !counted[what] && !told[what] {
			t.Errorf("%s: nobody has decided whether it is shown", what)
		}
	}
}

// What is remembered is bounded, whatever names a program makes up, and a fallback of each call does not push out what is rare.
func TestWhatIsRememberedIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o, now := w.Observer(), time.Now()
	for i := range 5000 {
		name := fmt.Sprint("llm.", i)
		for _, e := range []runtime.Event{
			{What: runtime.CallEnd, Operation: name, Rung: i, RungName: name},
			{What: runtime.CallEnd, Operation: "llm.one", Rung: i, RungName: name},
			{What: runtime.AttemptEnd, Operation: name, Kind: policy.KindReset},
			{What: runtime.Rejected, Operation: name, Target: name, Kind: policy.KindShed},
			{What: runtime.Paused, Operation: name},
		} {
			e.Time = now
			o.Observe(t.Context(), e)
		}
	}
	r := w.Report()
	rungs := 0
	for _, op := range r.Operations {
		rungs = max(rungs, len(op.Rungs))
	}
	if len(r.Operations) != 1000 || rungs != 100 || len(r.Failures) != 50 || len(r.Events) != 64 || len(r.Problems) > 2000 {
		t.Errorf("%d operations, %d rungs, %d failures, %d events, %d problems", len(r.Operations), rungs, len(r.Failures), len(r.Events), len(r.Problems))
	}

	w = newWorld(t)
	o = w.Observer()
	o.Observe(t.Context(), runtime.Event{What: runtime.BreakerChanged, Client: "llm", Target: "primary", From: "closed", To: "open", Time: now})
	for range 5000 {
		o.Observe(t.Context(), runtime.Event{What: runtime.RungTaken, Operation: "llm.a", RungName: "eu", Kind: policy.KindBreakerOpen, Time: now})
	}
	if r := w.Report(); len(r.Events) != 2 || r.Events[0].Count+r.Events[1].Count != 5001 {
		t.Errorf("events %+v, want the breaker's and 5000 of one sort", r.Events)
	}
}

// A call that goes well costs no allocation.
func TestObservingACallAllocatesNothing(t *testing.T) {
	w := newWorld(t)
	o, ctx, e := w.Observer(), context.Background(), runtime.Event{What: runtime.CallEnd, Client: "llm", Operation: "llm.chat", Time: time.Now()}
	o.Observe(ctx, e)
	if n := testing.AllocsPerRun(100, func() { o.Observe(ctx, e) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkObserveCall(b *testing.B) {
	w := newWorld(&testing.T{})
	o, ctx, e := w.Observer(), context.Background(), runtime.Event{What: runtime.CallEnd, Client: "llm", Operation: "llm.chat", Time: time.Now()}
	b.ReportAllocs()
	for b.Loop() {
		o.Observe(ctx, e)
	}
}
