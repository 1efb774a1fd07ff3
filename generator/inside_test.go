package generator

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/emit"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/runtime/policy"
)

// These tests are inside because no input is known that leads here: faults of resgen, and plans that annotations do not allow.

func TestFaultsAreReportedAndSaved(t *testing.T) {
	t.Parallel()
	r := &run{}
	broken := File{Name: "client.gen.go", Data: []byte("package \x00")}
	err := r.fault(&inputs{shown: "api.yaml"}, errors.Join(
		&emit.Fault{File: broken, Line: 1, Column: 9, Err: errors.New("illegal character")},
		&emit.Fault{File: File{Name: "../x.go", Data: []byte("x")}, Err: errors.New("second")},
		errors.New("no file"),
	))
	if err != nil {
		t.Fatal(err)
	}
	ds := r.list.Sorted()
	if len(ds) != 3 || !r.list.HasErrors() {
		t.Fatalf("got %+v", ds)
	}
	for _, d := range ds {
		if d.Code != diag.InternalFault || d.Span.File != "api.yaml" || d.Fix == "" {
			t.Errorf("got %+v", d)
		}
		_, saved, ok := strings.Cut(d.Fix, "was saved: ")
		info, err := os.Stat(saved)
		if !ok || err != nil {
			t.Errorf("%q names nothing that is there: %v", d.Fix, err)
			continue
		}
		if info.IsDir() {
			t.Cleanup(func() { _ = os.RemoveAll(saved) })
			continue
		}
		if data, err := os.ReadFile(saved); err != nil || !bytes.Equal(data, broken.Data) || !strings.HasPrefix(d.What, "client.gen.go:1:9: ") {
			t.Errorf("%s: saved %q, %v", d.What, data, err)
		}
	}
}

func TestPanicsBecomeDiagnostics(t *testing.T) {
	t.Parallel()
	r := &run{}
	func() {
		defer r.recovered(&inputs{shown: "api.yaml"})
		panic("out of range")
	}()
	ds := r.list.Sorted()
	if len(ds) != 1 || ds[0].Code != diag.InternalFault || ds[0].What != "panic: out of range" {
		t.Fatalf("got %+v", ds)
	}
	_, saved, _ := strings.Cut(ds[0].Fix, "was saved: ")
	t.Cleanup(func() { _ = os.Remove(saved) })
	if data, err := os.ReadFile(saved); err != nil || !strings.Contains(string(data), "TestPanicsBecomeDiagnostics") {
		t.Errorf("the stack was not saved: %q, %v", data, err)
	}
}

func TestWorst(t *testing.T) {
	t.Parallel()
	base := func() *plan.Operation {
		op := &plan.Operation{}
		op.Policy.Timeout.Total = 2 * time.Second
		return op
	}
	tests := []struct {
		name   string
		change func(*plan.Operation)
		want   string
	}{
		{"one attempt", func(*plan.Operation) {}, "at most 1 request; at most 2s"},
		{"no timeout", func(op *plan.Operation) { op.Policy.Timeout.Total = 0 }, "at most 1 request; no bound in time"},
		{"retries without a budget", func(op *plan.Operation) { op.Policy.Retry.Attempts = 3 }, "at most 3 requests; at most 2s"},
		{"retries with a budget", func(op *plan.Operation) {
			op.Policy.Retry.Attempts = 3
			op.Policy.Budget.Ratio, op.Policy.Budget.MinPerSecond = 0.2, 1
		}, "at most 3 requests a call, 1.2 on average within the budgets (and 1 a second); at most 2s"},
		{"a budget that bounds nothing", func(op *plan.Operation) {
			op.Policy.Retry.Attempts = 2
			op.Policy.Budget.Ratio = 5
		}, "at most 2 requests; at most 2s"},
		{"rungs that send, with the budgets of their targets", func(op *plan.Operation) {
			op.Policy.Retry.Attempts = 3
			op.Policy.Budget.Ratio, op.Policy.Budget.MinPerSecond = 0.2, 1
			op.Policy.Targets = []policy.Target{
				{Name: "eu", Budget: policy.BudgetConfig{Ratio: 0.1, MinPerSecond: 2}}, {Name: "gateway", Layered: true},
			}
			op.Policy.Fallback.Rungs = []policy.Rung{
				{Sort: policy.RungTarget, Target: "eu"},
				{Sort: policy.RungPatch},
				{Sort: policy.RungTarget, Target: "gateway"},
				{Sort: policy.RungFunc},
				{Sort: policy.RungStatic},
			}
		}, "at most 10 requests a call, 4.5 on average within the budgets (and 3 a second); at most 2s"},
		{"hedges of the first attempt, within their own budget", func(op *plan.Operation) {
			op.Policy.Retry.Attempts = 3
			op.Policy.Hedge = policy.HedgeConfig{Max: 2, ExtraLoad: 0.05}
		}, "at most 5 requests a call, 3.06 on average within the budgets; at most 2s"},
		{"hedges and retries share the budget of the target", func(op *plan.Operation) {
			op.Policy.Retry.Attempts = 2
			op.Policy.Budget.Ratio = 0.2
			op.Policy.Hedge = policy.HedgeConfig{Max: 1, ExtraLoad: 0.5}
		}, "at most 3 requests a call, 1.2 on average within the budgets; at most 2s"},
		{"hedges elsewhere are paid for there", func(op *plan.Operation) {
			op.Policy.Retry.Attempts = 2
			op.Policy.Budget.Ratio = 0.2
			op.Policy.Hedge = policy.HedgeConfig{Max: 1, ExtraLoad: 0.5, Target: "eu"}
			op.Policy.Targets = []policy.Target{{Name: "eu", Budget: policy.BudgetConfig{Ratio: 0.05, MinPerSecond: 2}}}
		}, "at most 3 requests a call, 1.25 on average within the budgets (and 2 a second); at most 2s"},
		{"no hedge towards what falls back itself", func(op *plan.Operation) {
			op.Policy.Hedge = policy.HedgeConfig{Max: 1, ExtraLoad: 0.5, Target: "gateway"}
			op.Policy.Targets = []policy.Target{{Name: "gateway", Layered: true}}
		}, "at most 1 request; at most 2s"},
		{"an exercise sends one more", func(op *plan.Operation) {
			op.Policy.Exercise = policy.ExerciseConfig{Share: 0.01, Rungs: []string{"small"}}
			op.Policy.Fallback.Rungs = []policy.Rung{{Name: "small", Sort: policy.RungPatch}, {Name: "remembered", Sort: policy.RungCache}}
		}, "at most 3 requests a call, 2.01 on average within the budgets; at most 2s"},
		{"an exercise of what sends nothing", func(op *plan.Operation) {
			op.Policy.Exercise = policy.ExerciseConfig{Share: 0.01, Rungs: []string{"remembered"}}
			op.Policy.Fallback.Rungs = []policy.Rung{{Name: "small", Sort: policy.RungPatch}, {Name: "remembered", Sort: policy.RungCache}}
		}, "at most 2 requests; at most 2s"},
		{"another operation, without its ladder, by its own policies, exercised", func(op *plan.Operation) {
			op.Policy.Exercise = policy.ExerciseConfig{Share: 0.01}
			op.Policy.Fallback.Rungs = []policy.Rung{{Name: "found", Sort: policy.RungOperation, Operation: "search"}}
			op.Steps = []plan.Step{plan.OtherStep{Rung: 1, Name: "found", Method: "Search"}}
		}, "at most 7 requests a call, 2.21 on average within the budgets (and 2 a second); at most 2s; costs at most 0.003"},
		{"money: requests that nothing bounds", func(op *plan.Operation) {
			op.Policy.Retry.Attempts = 2
			op.Policy.Hedge = policy.HedgeConfig{Max: 1, ExtraLoad: 1}
			op.Policy.Targets = []policy.Target{{Name: "primary", Price: policy.Price{Input: 2, Cached: 1, Output: 10, Reasoning: 20}}}
		}, "at most 3 requests; at most 2s; cost unbounded: 1,000 tokens of input are at most 0.006, 1,000 tokens of output are at most 0.06"},
		{"money: input that is bounded, and no output", func(op *plan.Operation) {
			op.Policy.Retry.Attempts = 3
			op.Policy.Targets = []policy.Target{
				{Name: "primary", MaxInput: 8000, Price: policy.Price{Input: 0.1}}, {Name: "eu", MaxInput: 1000, Price: policy.Price{Input: 1}},
			}
			op.Policy.Fallback.Rungs = []policy.Rung{{Sort: policy.RungTarget, Target: "eu"}, {Sort: policy.RungStatic}}
		}, "at most 6 requests; at most 2s; costs at most 0.0054"},
		{"money: input and output that are bounded", func(op *plan.Operation) {
			op.MostOutput = 1000
			op.Policy.Retry.Attempts = 2
			op.Policy.Targets = []policy.Target{{Name: "primary", MaxInput: 8000, Price: policy.Price{Input: 1, Output: 10}}}
		}, "at most 2 requests; at most 2s; costs at most 0.036"},
		{"money: output that is bounded, and no input", func(op *plan.Operation) {
			op.MostOutput = 1000
			op.Policy.Targets = []policy.Target{{Name: "primary", Price: policy.Price{Input: 1, Output: 10}}}
		}, "at most 1 request; at most 2s; cost unbounded: 1,000 tokens of input are at most 0.001, 1,000 tokens of output are at most 0.01"},
		{"money: the dearest member, and a rung without a price", func(op *plan.Operation) {
			op.Policy.Targets = []policy.Target{
				{Name: "primary", MaxInput: 1000, AnyOf: []string{"a", "b"}},
				{Name: "a", Price: policy.Price{Input: 1}},
				{Name: "b", Price: policy.Price{Input: 3}},
				{Name: "eu"},
			}
			op.Policy.Fallback.Rungs = []policy.Rung{{Sort: policy.RungTarget, Target: "eu"}}
		}, "at most 2 requests; at most 2s; costs at most 0.003, and 1 request without a price"},
		{"money: a patch at its own price, exercised; copies elsewhere", func(op *plan.Operation) {
			op.Policy.Hedge = policy.HedgeConfig{Max: 1, ExtraLoad: 1, Target: "eu"}
			op.Policy.Targets = []policy.Target{
				{Name: "primary", MaxInput: 1000, Price: policy.Price{Input: 10}}, {Name: "eu", MaxInput: 100, Price: policy.Price{Input: 20}},
			}
			op.Policy.Fallback.Rungs = []policy.Rung{{Name: "small", Sort: policy.RungPatch, MaxInput: 500, Price: policy.Price{Input: 2}}}
			op.Policy.Exercise.Share = 0.5
		}, "at most 5 requests a call, 4.5 on average within the budgets; at most 2s; costs at most 0.015"},
		{"money: free", func(op *plan.Operation) {
			op.Policy.Targets = []policy.Target{{Name: "primary", Price: policy.Price{Free: true}}}
		}, "at most 1 request; at most 2s; costs at most 0"},
		{"a stream", func(op *plan.Operation) { op.Policy.Timeout.MaxStream = time.Minute }, "at most 1 request; at most 2s, then a stream of at most 1m0s"},
	}
	others := []plan.Operation{{GoName: "Search", Policy: policy.Plan{
		Operation: "search", Retry: policy.Retry{Attempts: 3}, Budget: policy.BudgetConfig{Ratio: 0.2, MinPerSecond: 2},
		Fallback: policy.Fallback{Rungs: []policy.Rung{{Name: "again", Sort: policy.RungPatch}}},
		Targets:  []policy.Target{{Name: "primary", MaxInput: 1000, Price: policy.Price{Input: 1}}},
	}}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			op := base()
			tt.change(op)
			if got := worst(op, others).String(); got != tt.want {
				t.Errorf("\ngot  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestImportPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	put("a/go.mod", "// a comment\n\nmodule example.com/a // why\n\ngo 1.26\n")
	put("b/go.mod", "modules x\nmodule \"example.com/b\"\n")
	put("b/nested/go.mod", "module\texample.com/nested\n")
	put("c/go.mod", "go 1.26\n")
	got := map[string]string{}
	for _, below := range []string{"a", "a/internal/llm", "b/x", "b/nested/y"} {
		got[below] = importPath(filepath.Join(dir, below))
	}
	want := map[string]string{
		"a": "example.com/a", "a/internal/llm": "example.com/a/internal/llm", "b/x": "example.com/b/x", "b/nested/y": "example.com/nested/y",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if module, ok := modulePath(filepath.Join(dir, "c", "go.mod")); ok {
		t.Errorf("a go.mod without a module directive names %q", module)
	}
}
