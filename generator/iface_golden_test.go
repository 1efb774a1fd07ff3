package generator_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// ifacesDir holds a folder for each case of Go interfaces: a package that declares some, options.yaml, which is a resgen.yaml, the wrappers
// that are made of them, and a test that says what these must do. What resgen says is in diagnostics.txt, as for documents.
const ifacesDir = "../testdata/ifaces"

// TestGoldensOfInterfaces generates the wrappers of every case and compares each byte. -update writes the files instead.
func TestGoldensOfInterfaces(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob(filepath.Join(ifacesDir, "*", "options.yaml"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases in %s: %v", ifacesDir, err)
	}
	for _, options := range cases {
		dir := filepath.Dir(options)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			mode := generator.Check
			if *update {
				mode = generator.Generate
			}
			result := generateCase(t, options, mode)
			said := filepath.Join(dir, "diagnostics.txt")
			abs, err := filepath.Abs(dir)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(printed(t, result, ""), filepath.ToSlash(abs)+"/", "")
			text = strings.ReplaceAll(text, filepath.ToSlash(filepath.Dir(abs))+"/", "../")
			if *update {
				writeDiagnostics(t, said, text)
				return
			}
			compareFile(t, said, text)
			compareWrappers(t, dir, result)
		})
	}
}

// compareWrappers compares the wrappers in a folder with those that were made for it.
func compareWrappers(t *testing.T, dir string, result *generator.Result) {
	t.Helper()
	var made []string
	for _, o := range result.Outputs {
		for _, f := range o.Files {
			path := filepath.Join(dir, f.Name)
			made = append(made, path)
			compareFile(t, path, string(f.Data))
		}
	}
	there, err := filepath.Glob(filepath.Join(dir, "*.gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range there {
		if !slices.Contains(made, path) {
			t.Errorf("%s is not made any more", path)
		}
	}
}

// TestWrappersBehave runs the tests of all cases, which ./... does not reach.
func TestWrappersBehave(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it compiles a test for each case: run it without -short, or go test ./testdata/ifaces/...")
	}
	for _, verb := range []string{"vet", "test"} {
		cmd := exec.CommandContext(t.Context(), "go", verb, "./testdata/ifaces/...")
		cmd.Dir = ".."
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", verb, err, out)
		}
	}
}
