package simulate

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/runtime/policy"
)

// TestGuide holds docs/explanation/simulate.md to the tables of scenarios and expectations, and to the scenario that it shows.
func TestGuide(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../docs/explanation/simulate.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := string(data)
	for i := range builtins {
		if b := &builtins[i]; !strings.Contains(guide, "| `"+b.name+"` | "+b.about+" |\n") {
			t.Errorf("the guide has no row of scenario %s: %s", b.name, b.about)
		}
		for name, x := range builtins[i].expect {
			for j := range expectations {
				if e := &expectations[j]; e.name == name && !strings.Contains(guide, e.unit.text(x)+" in `"+builtins[i].name+"`") {
					t.Errorf("the guide does not say that %s expects %s of %s", builtins[i].name, name, e.unit.text(x))
				}
			}
		}
	}
	for _, e := range expectations {
		row := "| `" + e.name + "` | "
		if !math.IsNaN(e.usual) {
			row += e.unit.text(e.usual) + " |"
		}
		if !strings.Contains(guide, row) {
			t.Errorf("the guide has no row with %q", row)
		}
	}
	for _, test := range deserved {
		if !strings.Contains(guide, "| `"+test.rule+"` | ") {
			t.Errorf("the guide has no row of rule %s", test.rule)
		}
	}
	_, own, _ := strings.Cut(guide, "```\n# Both regions")
	own, _, _ = strings.Cut("# Both regions"+own, "```")
	var list diag.List
	s, ok := Read("x", []byte(own), &list)
	if !ok {
		t.Fatalf("the guide's scenario: %+v", list.Sorted())
	}
	p := plain(replica(anyKind()...), retried, saving, broken, func(p *policy.Plan) { p.Operation = "getPet" })
	if r := run(t, "", p, func(o *Options) { o.Names, o.Files = nil, []Scenario{s} }); r.Operations[0].Policies.Calls < 3000 {
		t.Errorf("the guide's scenario has %v calls", r.Operations[0].Policies.Calls)
	}
}
