package emit_test

import (
	"bytes"
	"flag"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/emit"
	"github.com/resgen-go/resgen/generator/internal/plan"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

// cases are the packages whose output is compared byte by byte.
func cases() map[string]*plan.Package {
	return map[string]*plan.Package{
		"llm":     llm(),
		"values":  values(),
		"hostile": hostile("*/ func init() { panic(1) } //go:build ignore\n\u202e`\"\x00\r+build x\n\tcode\n- a\n  - b"),
	}
}

// TestWrapperGoldens prints the wrappers of interfaces that testdata/kinds declares.
func TestWrapperGoldens(t *testing.T) {
	t.Parallel()
	var all []emit.File
	for _, pkg := range []*plan.Package{plainStore(), modelLadder(), genericRepo()} {
		files, err := emit.Files(pkg)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, files...)
	}
	source, err := os.ReadFile(filepath.Join("testdata", "kinds", "kinds.go"))
	if err != nil {
		t.Fatal(err)
	}
	if err := emit.Check(append(slices.Clone(all), emit.File{Name: "kinds.go", Data: source}), "example.com/kinds"); err != nil {
		t.Errorf("Check: %v", err)
	}
	compareFolder(t, filepath.Join("testdata", "want", "kinds"), all)
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	for name, pkg := range cases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, err := emit.Files(pkg)
			if err != nil {
				t.Fatal(err)
			}
			if err := emit.Check(files, "example.com/"+name); err != nil {
				t.Errorf("Check: %v", err)
			}
			compareFolder(t, filepath.Join("testdata", "want", name), files)
		})
	}
}

// compareFolder compares the files with those of a folder, in both directions.
func compareFolder(t *testing.T, dir string, files []emit.File) {
	t.Helper()
	if *update {
		writeFolder(t, dir, files)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		want[e.Name()] = string(data)
	}
	got := map[string]string{}
	for _, f := range files {
		got[f.Name] = string(f.Data)
		if formatted, err := format.Source(f.Data); err != nil || !bytes.Equal(formatted, f.Data) {
			t.Errorf("%s is not formatted (%v)", f.Name, err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", dir, diff)
	}
}

func writeFolder(t *testing.T, dir string, files []emit.File) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
