package plan

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/overlay"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// resolveWorked plans the document of the worked examples with an overlay and a policy file, each by name or "".
func resolveWorked(t *testing.T, overlayName, policyName string) (*Package, *diag.List) {
	t.Helper()
	var list diag.List
	dir := filepath.Join("testdata", "worked")
	tree := readTree(t, readFile(t, filepath.Join(dir, "llm.openapi.yaml")))
	if overlayName != "" {
		overlay.Apply(tree, overlay.Overlay{Tree: readTree(t, readFile(t, filepath.Join(dir, overlayName)))}, &list)
	}
	api := openapi.Load(t.Context(), openapi.Input{Tree: tree, Source: "llm.openapi.yaml", Path: "llm.openapi.yaml"}, &list)
	if api == nil {
		t.Fatalf("not loaded: %v", list.Sorted())
	}
	layers := Layers{Package: "llm", Output: "llm", Source: "llm.openapi.yaml"}
	if policyName != "" {
		layers.PolicyFile = readTree(t, readFile(t, filepath.Join(dir, policyName)))
	}
	return Resolve(api, layers, &list), &list
}

// TestWorkedExamplesMeanTheSame gives the same policies by an overlay and by a policy file, and gets equal plans.
func TestWorkedExamplesMeanTheSame(t *testing.T) {
	t.Parallel()
	byOverlay, said := resolveWorked(t, "reduced.overlay.yaml", "")
	if ds := said.Sorted(); len(ds) > 0 {
		t.Fatalf("the overlay form says %v", ds)
	}
	byFile, said := resolveWorked(t, "", "reduced.policy.yaml")
	if ds := said.Sorted(); len(ds) > 0 {
		t.Fatalf("the policy-file form says %v", ds)
	}
	plans := func(p *Package) map[string]policy.Plan {
		out := map[string]policy.Plan{}
		for i := range p.Client.Operations {
			out[p.Client.Operations[i].GoName] = p.Client.Operations[i].Policy
		}
		return out
	}
	if diff := cmp.Diff(plans(byOverlay), plans(byFile)); diff != "" {
		t.Errorf("the plans differ (-overlay +policy file):\n%s", diff)
	}
	if diff := cmp.Diff(byOverlay.Client.Targets, byFile.Client.Targets); diff != "" {
		t.Errorf("the targets differ (-overlay +policy file):\n%s", diff)
	}
	ignoreRest := cmpopts.IgnoreFields(Operation{}, "Model", "Source", "Why", "Removed", "Doc")
	if diff := cmp.Diff(byOverlay.Client.Operations, byFile.Client.Operations, ignoreRest, cmpopts.IgnoreTypes(source.Pos{})); diff != "" {
		t.Errorf("the methods differ (-overlay +policy file):\n%s", diff)
	}
}

// TestWorkedExamplesNotYet wants exactly the refusals of the keys that no machine carries out yet.
func TestWorkedExamplesNotYet(t *testing.T) {
	t.Parallel()
	quoted := regexp.MustCompile(`^"(.*)" is not supported yet$`)
	for _, c := range []struct {
		overlay, policy string
		want            []string
	}{
		{overlay: "full.overlay.yaml"},
		{policy: "full.policy.yaml"},
	} {
		t.Run(c.overlay+c.policy, func(t *testing.T) {
			t.Parallel()
			_, said := resolveWorked(t, c.overlay, c.policy)
			var got []string
			for _, d := range said.Sorted() {
				if d.Severity == diag.Warning {
					continue
				}
				m := quoted.FindStringSubmatch(d.What)
				if d.Code != diag.NotSupportedYet || m == nil {
					t.Errorf("not wanted: %s %s: %s", d.Span.Pos, d.Code, d.What)
					continue
				}
				got = append(got, m[1])
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("refused keys, in the order of the file (-want +got):\n%s", diff)
			}
		})
	}
}
