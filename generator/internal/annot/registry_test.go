package annot

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

func TestTablesAreSortedAndComplete(t *testing.T) {
	t.Parallel()
	for name, table := range map[string][]Entry{"facts": facts, "policies": policies, "shared": shared} {
		var keys []string
		for i := range table {
			e := &table[i]
			keys = append(keys, e.Key())
			if e.Title == "" || e.field.shape == nil {
				t.Errorf("%s: %q lacks its title or shape", name, e.Key())
			}
			if e.Supported() && (e.Text == "" || e.Example == "") {
				t.Errorf("%s: %q lacks its text or example", name, e.Key())
			}
		}
		if !slices.IsSorted(keys) {
			t.Errorf("%s is not sorted by key: %v", name, keys)
		}
		if name == "shared" && !slices.Equal(keys, sharedKeys) {
			t.Errorf("sharedKeys = %v, want the keys of the table, %v", sharedKeys, keys)
		}
	}
}

// TestExamples accepts each example of the reference where it belongs, and finds its keys in the JSON Schema.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, e := range Entries() {
		if !e.Supported() {
			continue
		}
		t.Run(e.Key(), func(t *testing.T) {
			t.Parallel()
			v := parse(t, e.Example)
			var list diag.List
			var ok bool
			if e.Sort == Shared {
				_, ok = CheckPolicyFile(v, &list)
			} else {
				_, ok = CheckOperation(v, &list)
			}
			if !ok || len(list.Sorted()) > 0 {
				t.Errorf("the example is refused: %v", whats(&list))
			}
		})
	}
}

// TestRoundTrip decodes the example of each operation annotation, prints it and decodes it again.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, e := range slices.Concat(facts, policies) {
		if !e.Supported() {
			continue
		}
		t.Run(e.Key(), func(t *testing.T) {
			t.Parallel()
			first := decode(t, e.Example)
			printed, _ := source.JSON(new(first.Print()))
			second := decode(t, string(printed))
			if diff := cmp.Diff(first, second, ignorePositions); diff != "" {
				t.Errorf("printed as\n%s\nwhich reads differently (-first +second):\n%s", printed, diff)
			}
			if e.Key() != "hedgeable" && e.Key() != "idempotent" && len(first.Print().Map) == 0 {
				t.Errorf("the example decodes to nothing")
			}
		})
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	paths := map[string]KeyDoc{}
	for _, e := range Entries() {
		if e.Supported() && e.Form() == "" {
			t.Errorf("%q does not say what values it takes", e.Key())
		}
		for _, k := range e.Keys() {
			paths[e.Key()+" "+k.Path] = k
			if k.Form == "" || k.Doc == "" {
				t.Errorf("the key %q of %q is not described: %+v", k.Path, e.Key(), k)
			}
		}
	}
	for _, path := range []string{
		"retry backoff.base", "breaker window.calls", "fallback may-duplicate", "stream error.pointer", "timeout-classes max-stream",
		"retry respect-retry-after.max", "targets breaker.window.age", "targets limit.shared", "tokens usage.cache-write",
	} {
		if k, ok := paths[path]; !ok {
			t.Errorf("%q is not there: %+v", path, k)
		}
	}
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	for name, schemaOf := range map[string]func() ([]byte, error){
		"operation": OperationSchema, "document": DocumentSchema, "policy file": PolicyFileSchema,
	} {
		data, err := schemaOf()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var schema struct {
			Properties           map[string]any `json:"properties"`
			AdditionalProperties any            `json:"additionalProperties"`
		}
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if schema.AdditionalProperties != false {
			t.Errorf("%s: additionalProperties = %v, want false", name, schema.AdditionalProperties)
		}
		for _, e := range Entries() {
			_, has := schema.Properties[e.Key()]
			want := e.Supported() && (e.Sort == Shared) != (name == "operation")
			if name == "document" && e.Key() == "rules" {
				want = false
			}
			if has != want {
				t.Errorf("%s: has %q = %v, want %v", name, e.Key(), has, want)
			}
		}
	}
}

func parse(t *testing.T, text string) *source.Value {
	t.Helper()
	v, err := source.Read("test.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return v
}

func decode(t *testing.T, text string) Settings {
	t.Helper()
	var list diag.List
	v, ok := CheckOperation(parse(t, text), &list)
	if !ok {
		t.Fatalf("refused: %v\n%s", whats(&list), text)
	}
	return Decode(&v)
}

func whats(list *diag.List) []string {
	var out []string
	for _, d := range list.Sorted() {
		out = append(out, d.Span.String()+" "+string(d.Code)+": "+d.What+" | "+d.Fix)
	}
	return out
}

var ignorePositions = cmpopts.IgnoreTypes(source.Pos{})
