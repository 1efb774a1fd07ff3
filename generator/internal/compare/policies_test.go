package compare

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// resolved is the plan of a document under a policy file.
func resolved(t *testing.T, doc, policies string) *plan.Package {
	t.Helper()
	var list diag.List
	read := func(name, text string) *source.Value {
		v, err := source.Read(name, []byte(text))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		return v
	}
	api := openapi.Load(t.Context(), openapi.Input{Tree: read("api.yaml", doc), Source: "api.yaml", Path: "api.yaml"}, &list)
	if api == nil {
		t.Fatal(list.Sorted())
	}
	layers := plan.Layers{Package: "p", Output: "p", Source: "api.yaml"}
	if policies != "" {
		layers.PolicyFile = read("policy.yaml", policies)
	}
	pkg := plan.Resolve(api, layers, &list)
	if list.HasErrors() {
		t.Fatalf("%v\n%s", list.Sorted(), policies)
	}
	return pkg
}

// lines are changes in short: class, key and note or values.
func lines(changes []Change) []string {
	out := make([]string, 0, len(changes))
	for _, c := range changes {
		values := c.Old.Value + " → " + c.New.Value
		if c.Note != "" {
			values = c.Note
		}
		out = append(out, strings.TrimSpace(c.Class.String()+" "+c.Key+": "+values))
	}
	return out
}

// policiesOf compares the one operation of two plans.
func policiesOf(from, to *plan.Package) []Change {
	return Policies(&from.Client.Operations[0], &to.Client.Operations[0])
}

// mirrored are the changes of the other way round.
func mirrored(changes []Change) []Change {
	out := slices.Clone(changes)
	for i := range out {
		c := &out[i]
		switch c.Class {
		case Loosened:
			c.Class = Tightened
		case Tightened:
			c.Class = Loosened
		case Breaking, Changed, Added:
		}
		c.Old, c.New = c.New, c.Old
		if c.Note != "" {
			c.Note = swapped(c.Note)
		}
	}
	return order(out)
}

// swapped turns what a list has got into what it has lost.
func swapped(note string) string {
	var got, lost []string
	for word := range strings.FieldsSeq(note) {
		if item, ok := strings.CutPrefix(word, "+"); ok {
			lost = append(lost, "-"+item)
		} else if item, ok := strings.CutPrefix(word, "-"); ok {
			got = append(got, "+"+item)
		}
	}
	return strings.Join(append(got, lost...), " ")
}

// TestPolicies compares what two policy files come to, both ways: each row is `# NAME`, the old and the new rule, and what is wanted.
func TestPolicies(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range cases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc := readText(t, c.doc)
			from, to := resolved(t, doc, c.from), resolved(t, doc, c.to)
			there, back := policiesOf(from, to), policiesOf(to, from)
			if diff := cmp.Diff(c.want, lines(there), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(lines(mirrored(there)), lines(back)); diff != "" {
				t.Errorf("the other way round (-want +got):\n%s", diff)
			}
			for _, p := range []*plan.Package{from, to} {
				if same := policiesOf(p, resolvedAgain(t, doc, p == from, c)); len(same) > 0 {
					t.Errorf("a policy differs from itself: %v", lines(same))
				}
			}
		})
		for _, line := range c.want {
			key, _, _ := strings.Cut(strings.Fields(line)[1], ":")
			seen[directionKey(key)] = true
		}
	}
	requireAllKeys(t, seen)
}

func resolvedAgain(t *testing.T, doc string, old bool, c row) *plan.Package {
	t.Helper()
	if old {
		return resolved(t, doc, c.from)
	}
	return resolved(t, doc, c.to)
}

// row is one pair of policy files.
type row struct {
	name, doc, from, to string
	want                []string
}

// cases reads testdata/policies.txt: blocks that begin with a line "# NAME", or "# @DOCUMENT NAME" for another document than api.yaml, then "- " the old and "+ " the new policy file, each of one or several
// lines, then the wanted changes, each on a line that begins with "= ".
func cases(t *testing.T) []row {
	t.Helper()
	var out []row
	for n, line := range strings.Split(readText(t, "policies.txt"), "\n") {
		last := len(out) - 1
		mark, text, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case mark == "#":
			doc := "api.yaml"
			if other, ok := strings.CutPrefix(text, "@"); ok {
				doc, _, _ = strings.Cut(other, " ")
			}
			out = append(out, row{name: text, doc: doc})
		case last < 0:
			t.Fatalf("line %d: no case begins", n+1)
		case mark == "-":
			out[last].from += text + "\n"
		case mark == "+":
			out[last].to += text + "\n"
		case mark == "=":
			out[last].want = append(out[last].want, text)
		default:
			t.Fatalf("line %d: %q", n+1, line)
		}
	}
	if len(out) == 0 {
		t.Fatal("no cases")
	}
	return out
}

func readText(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// directionKey is the key of a direction for the key of a change.
func directionKey(key string) string {
	if name, rest, ok := strings.Cut(key, "]"); ok && strings.HasPrefix(name, "fallback[") {
		if rest == "" {
			return "fallback.name"
		}
		return "fallback" + rest
	}
	steps := strings.Split(key, ".")
	if steps[0] == "targets" {
		steps = append(steps[:1], steps[2:]...)
		if slices.Contains([]string{"budget", "breaker", "bulkhead", "limit"}, steps[1]) {
			steps = steps[1:]
		}
	}
	if d, ok := direction(strings.Join(steps, ".")); ok {
		return d.Key
	}
	return key
}

// requireAllKeys wants a case for every key whose values are weighed.
func requireAllKeys(t *testing.T, seen map[string]bool) {
	t.Helper()
	for _, d := range annot.Directions() {
		if d.Sense != annot.Neither && !seen[d.Key] {
			t.Errorf("no case changes %q", d.Key)
		}
	}
}
