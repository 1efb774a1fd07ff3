package emit

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/runtime/policy"
)

// TestSharedValuesAreNamedAfterTheirAuthor prints plans that have values in common, and reads the names of the variables.
func TestSharedValuesAreNamedAfterTheirAuthor(t *testing.T) {
	t.Parallel()
	timeout := policy.Timeout{Total: 8 * time.Second, Attempt: 2 * time.Second, Connect: 500 * time.Millisecond}
	streaming := policy.Timeout{Total: 8 * time.Second, Attempt: 2 * time.Second, FirstItem: 500 * time.Millisecond}
	class := []plan.Provenance{{Path: "timeout", Value: "point-query", Layer: "document"}, {Path: "timeout.total", Layer: "class point-query"}}
	kinds := []policy.Kind{policy.KindThrottle, policy.KindTransient, policy.KindTimeout}
	every := policy.Kinds()
	ladder := func(when []policy.Kind) policy.Fallback {
		return policy.Fallback{Rungs: []policy.Rung{{Name: "next-best", Sort: policy.RungTarget, When: when}}}
	}
	for _, c := range []struct {
		name  string
		why   []plan.Provenance
		plans []policy.Plan
		taken []string
		want  []string
	}{
		{"built in", nil, []policy.Plan{{Timeout: timeout}, {Timeout: timeout}}, nil, []string{"builtInTimeout"}},
		{"used once", nil, []policy.Plan{{Timeout: timeout}, {Timeout: streaming}}, nil, nil},
		{"short", nil, []policy.Plan{{Timeout: policy.Timeout{Total: 1}}, {Timeout: policy.Timeout{Total: 1}}}, nil, nil},
		{"class", class, []policy.Plan{{Timeout: timeout}, {Timeout: timeout}}, nil, []string{"pointQueryTimeout"}},
		{"taken", class, []policy.Plan{{Timeout: timeout}, {Timeout: timeout}}, []string{"pointQueryTimeout"}, []string{"pointQueryTimeout2"}},
		{
			"streams", class,
			[]policy.Plan{
				{Timeout: timeout},
				{Timeout: timeout},
				{Timeout: streaming, Stream: policy.Stream{Format: policy.SSE}},
				{Timeout: streaming, Stream: policy.Stream{Format: policy.SSE}},
			},
			nil,
			[]string{"pointQueryTimeout", "pointQueryStreamTimeout"},
		},
		{
			"named policy",
			[]plan.Provenance{{Path: "timeout.total", Layer: "recommended"}, {Path: "timeout.attempt", Layer: "policy polite"}},
			[]policy.Plan{{Timeout: timeout}, {Timeout: timeout}},
			nil,
			[]string{"politeTimeout"},
		},
		{
			"operation",
			[]plan.Provenance{{Path: "timeout.total", Layer: "operation"}},
			[]policy.Plan{{Timeout: timeout}, {Timeout: timeout}},
			nil,
			[]string{"firstTimeout"},
		},
		{
			"no letters",
			[]plan.Provenance{{Path: "timeout", Value: "42", Layer: "document"}},
			[]policy.Plan{{Timeout: timeout}, {Timeout: timeout}},
			nil,
			[]string{"firstTimeout"},
		},
		{
			"kinds of a rung", nil,
			[]policy.Plan{{Operation: "a", Fallback: ladder(kinds)}, {Operation: "b", Fallback: policy.Fallback{Refuse: "x", Rungs: ladder(kinds).Rungs[:1]}}},
			nil,
			[]string{"commonRungs"},
		},
		{
			"any failure", nil, []policy.Plan{
				{Fallback: policy.Fallback{Rungs: []policy.Rung{{Name: "a", When: anyOf(every)}, {Name: "b", When: anyOf(every)}}}},
			}, nil, []string{"anyFailure"},
		},
		{
			"part of two rungs", nil, []policy.Plan{
				{Fallback: policy.Fallback{Rungs: []policy.Rung{{Name: "next-best", When: kinds}, {Name: "b", When: kinds}}}},
			}, nil, []string{"nextBestWhen"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			taken := map[string]bool{}
			for _, name := range c.taken {
				taken[name] = true
			}
			ops := make([]plan.Operation, len(c.plans))
			nodes := make([]*node, len(c.plans))
			for i, p := range c.plans {
				ops[i] = plan.Operation{Field: []string{"first", "second", "third", "fourth"}[i], Policy: p, Why: c.why}
				n, err := literalOf(reflect.ValueOf(p))
				if err != nil {
					t.Fatal(err)
				}
				nodes[i] = n
			}
			var got []string
			for _, s := range share(ops, nodes, taken, "") {
				got = append(got, s.node.name)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}

func anyOf(kinds []policy.Kind) []policy.Kind {
	var kept []policy.Kind
	for _, kind := range slices.Backward(kinds) { // the order does not matter
		if kind.Any() {
			kept = append(kept, kind)
		}
	}
	return kept
}
