package overlay_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/overlay"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// TestApply walks testdata: doc.yaml and overlay.yaml give want.yaml (the document as it was, where that is absent) and the
// diagnostics of want.txt.
func TestApply(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range archive.Files {
				parts[f.Name] = string(f.Data)
			}
			if parts["want.yaml"] == "" {
				parts["want.yaml"] = parts["doc.yaml"]
			}
			doc := read(t, "doc.yaml", parts["doc.yaml"])
			var list diag.List
			overlay.Apply(doc, overlay.Overlay{Tree: read(t, "overlay.yaml", parts["overlay.yaml"])}, &list)
			if diff := cmp.Diff(parts["want.txt"], brief(t, &list)); diff != "" {
				t.Errorf("diagnostics (-want +got)\n%s", diff)
			}
			same(t, read(t, "want.yaml", parts["want.yaml"]), doc)
		})
	}
}

func read(t *testing.T, name, text string) *source.Value {
	t.Helper()
	v, err := source.Read(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// brief prints place, code, what and fix, and checks that the rest is there.
func brief(t *testing.T, list *diag.List) string {
	t.Helper()
	var b strings.Builder
	for _, d := range list.Sorted() {
		if d.Why == "" {
			t.Errorf("%s has no why", d.What)
		}
		fmt.Fprintf(&b, "%s: %s %s: %s\n    fix: %s\n", d.Span.Pos, d.Severity, d.Code, d.What, d.Fix)
	}
	return b.String()
}

// same compares trees, the order of fields included.
func same(t *testing.T, want, got *source.Value) {
	t.Helper()
	w, _ := source.JSON(want)
	g, _ := source.JSON(got)
	if diff := cmp.Diff(string(w), string(g)); diff != "" {
		t.Errorf("document (-want +got)\n%s", diff)
	}
}

func TestWhatAnActionWritesHasItsPosition(t *testing.T) {
	t.Parallel()
	doc := read(t, "doc.yaml", "a: {b: 1, list: [1]}\nc: 2\n")
	var list diag.List
	for _, o := range []struct{ name, text string }{
		{"one.yaml", `{"overlay": "1.1.0", "info": {"title": "t", "version": "1"}, "actions": [
{"target": "$.a", "update": {"b": 2, "list": [2], "new": {"k": 3}}}]}`},
		{"two.yaml", `{"overlay": "1.1.0", "info": {"title": "t", "version": "1"}, "actions": [
{"target": "$.c", "update": 4}, {"target": "$.a.new",
"copy": "$.a"}]}`},
	} {
		overlay.Apply(doc, overlay.Overlay{Tree: read(t, o.name, o.text)}, &list)
	}
	if got := brief(t, &list); got != "" {
		t.Fatal(got)
	}
	for pointer, want := range map[string]string{
		"":             "doc.yaml:1:1",
		"/a":           "doc.yaml:1:4",
		"/a/b":         "one.yaml:2:35",
		"/a/list":      "doc.yaml:1:17",
		"/a/list/0":    "doc.yaml:1:18",
		"/a/list/1":    "one.yaml:2:47",
		"/a/new":       "one.yaml:2:58",
		"/a/new/k":     "one.yaml:2:64",
		"/a/new/b":     "two.yaml:3:9",
		"/a/new/new/k": "two.yaml:3:9",
		"/c":           "two.yaml:2:29",
	} {
		v, err := doc.Lookup(pointer)
		if err != nil {
			t.Errorf("%s: %v", pointer, err)
			continue
		}
		if got := v.Pos.String(); got != want {
			t.Errorf("%q stands at %s, want %s", pointer, got, want)
		}
	}
	for i, want := range []string{"one.yaml:2:30", "doc.yaml:1:11", "one.yaml:2:51"} {
		if got := doc.At("a").Map[i].KeyPos.String(); got != want {
			t.Errorf("key %d of a stands at %s, want %s", i, got, want)
		}
	}
}

// TestEditsDoNotReachTheOverlay applies one overlay to two documents, and edits the first again.
func TestEditsDoNotReachTheOverlay(t *testing.T) {
	t.Parallel()
	tree := read(t, "o", "overlay: 1.1.0\ninfo: {title: t, version: 1}\nactions:\n- {target: '$.*', update: {x: {list: [1]}}}\n"+
		"- {target: $.a.x.list, update: 2}\n- {target: $.a.x, update: {y: 1}}")
	var list diag.List
	for range 2 {
		doc := read(t, "d", "a: {}\nb: {}")
		overlay.Apply(doc, overlay.Overlay{Tree: tree}, &list)
		same(t, read(t, "w", "a: {x: {list: [1, 2], y: 1}}\nb: {x: {list: [1]}}"), doc)
	}
	if got := brief(t, &list); got != "" {
		t.Error(got)
	}
}

func TestExtends(t *testing.T) {
	t.Parallel()
	tests := []struct {
		extends, file, document string
		want                    diag.Code
	}{
		{"./llm.yaml", "specs/x.overlay.yaml", "specs/llm.yaml", ""},
		{"../specs/llm.yaml", "/w/overlays/o.yaml", "/w/specs/llm.yaml", ""},
		{"/w/specs/llm.yaml", "/w/overlays/o.yaml", "/w/specs/llm.yaml", ""},
		{"file:///w/llm.yaml", "/w/o.yaml", "/w/llm.yaml", ""},
		{"my%20llm.yaml", "o.yaml", "my llm.yaml", ""},
		{"https://example.com/other.yaml", "o.yaml", "llm.yaml", ""},
		{"llm.yaml", "o.yaml", "", ""},
		{"llm.yaml", "specs/o.yaml", "llm.yaml", diag.OverlayExtends},
		{"file:///w/llm.yaml", "/w/o.yaml", "/w/other.yaml", diag.OverlayExtends},
		{"':'", "o.yaml", "llm.yaml", diag.InvalidOverlay},
		{"[1]", "o.yaml", "llm.yaml", diag.InvalidOverlay},
	}
	for _, tt := range tests {
		t.Run(tt.extends+" from "+tt.file, func(t *testing.T) {
			t.Parallel()
			doc := read(t, "doc", "a: 1")
			tree := read(t, "o", "overlay: 1.1.0\nextends: "+tt.extends+"\ninfo: {title: t, version: 1}\nactions: [{target: $.a, update: 2}]")
			var list diag.List
			overlay.Apply(doc, overlay.Overlay{Tree: tree, File: tt.file, Document: tt.document}, &list)
			var got diag.Code
			for _, d := range list.Sorted() {
				got = d.Code
				if d.Code == diag.OverlayExtends && d.Severity != diag.Warning {
					t.Error("another document is an error: it should be a warning")
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if doc.At("a").Text != "2" {
				t.Error("the overlay was not applied")
			}
		})
	}
}

// TestOverlaysCannotGrowADocumentWithoutEnd copies the document into itself again and again.
func TestOverlaysCannotGrowADocumentWithoutEnd(t *testing.T) {
	t.Parallel()
	for name, action := range map[string]string{
		"wide": "- {target: $.list, copy: $.list}\n",
		"deep": "- {target: $.deep, copy: $}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := read(t, "d", "list: [1, 2, 3, 4]\ndeep: {}")
			tree := read(t, "o", "overlay: 1.1.0\ninfo: {title: t, version: 1}\nactions:\n"+strings.Repeat(action, 18))
			var list diag.List
			overlay.Apply(doc, overlay.Overlay{Tree: tree}, &list)
			if ds := list.Sorted(); len(ds) == 0 || ds[0].Code != diag.LimitExceeded {
				t.Errorf("got %v, want RG1004", ds)
			}
		})
	}
}

// TestCompliantSets holds the sets of the Overlay Specification, which are no part of this repository.
func TestCompliantSets(t *testing.T) {
	t.Parallel()
	root := os.Getenv("RESGEN_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared")
	}
	sets, err := filepath.Glob(filepath.Join(root, "corpus", "overlay-compliance", "compliant-sets", "*", "overlay.yaml"))
	if err != nil || len(sets) == 0 {
		t.Skipf("the compliant sets are not below %s: set RESGEN_SHARED to the folder that holds corpus/overlay-compliance", root)
	}
	if len(sets) < 8 {
		t.Errorf("only %d of 8 sets are there", len(sets))
	}
	for _, file := range sets {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			load := func(name string) *source.Value {
				data, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				return read(t, name, string(data))
			}
			doc := load("openapi.yaml")
			var list diag.List
			overlay.Apply(doc, overlay.Overlay{Tree: load("overlay.yaml"), File: "overlay.yaml", Document: "openapi.yaml"}, &list)
			if list.HasErrors() {
				t.Error(brief(t, &list))
			}
			if want := load("output.yaml"); !doc.Equal(want) {
				same(t, want, doc)
			}
		})
	}
}
