package generator_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"

	"github.com/resgen-go/resgen/generator"
)

//go:generate go test -count=1 -run ^TestGoldens(OfInterfaces|OfSimulations)?$ . -update

var update = flag.Bool("update", false, "write what the goldens would be compared with")

// specsDir holds a folder for each case: a document, options.yaml, which is a resgen.yaml, and what is made of them. What resgen says
// of the document is in diagnostics.txt; where it says nothing there is no such file.
const specsDir = "../testdata/specs"

// goldenCases are the names of the cases.
func goldenCases(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(specsDir, "*", "options.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", specsDir, err)
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = filepath.Base(filepath.Dir(f))
	}
	return names
}

// TestGoldens generates every case and compares each byte. -update writes the files instead.
func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, name := range goldenCases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mode := generator.Check
			if *update {
				mode = generator.Generate
			}
			result := generateCase(t, filepath.Join(specsDir, name, "options.yaml"), mode)
			said := filepath.Join(specsDir, name, "diagnostics.txt")
			if *update {
				writeDiagnostics(t, said, printed(t, result, name))
				return
			}
			compareFile(t, said, printed(t, result, name))
			if result.Lock.Changed {
				t.Errorf("%s is stale; `go generate ./generator` renews it", filepath.ToSlash(result.Lock.Path))
			}
			for _, o := range result.Outputs {
				compareOutput(t, o)
			}
		})
	}
}

// generateCase runs one case, which must come through.
func generateCase(t *testing.T, options string, mode generator.Mode) *generator.Result {
	t.Helper()
	result, err := generator.Run(t.Context(), generator.Config{File: options, Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	if result.HasErrors() || len(result.Outputs) == 0 {
		t.Fatalf("the case is refused:\n%s", printed(t, result, ""))
	}
	return result
}

// printed is what resgen says, with the files of the case by their names alone.
func printed(t *testing.T, result *generator.Result, name string) string {
	t.Helper()
	var b bytes.Buffer
	if err := result.Print(&b, generator.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), specsDir+"/"+name+"/", "")
}

func writeDiagnostics(t *testing.T, path, text string) {
	t.Helper()
	if text != "" {
		writeFile(t, path, text)
	} else if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// compareFile compares a file with what should be in it; where that is nothing, there should be no file.
func compareFile(t *testing.T, path, want string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && (want != "" || !os.IsNotExist(err)) {
		t.Errorf("%v (go generate ./generator writes it)", err)
		return
	}
	if diff := cmp.Diff(strings.Split(string(data), "\n"), strings.Split(want, "\n")); diff != "" {
		t.Errorf("%s is stale; `go generate ./generator` renews it (-there +made):\n%s", filepath.ToSlash(path), diff)
	}
}

// compareOutput compares a folder with the files that were made for it.
func compareOutput(t *testing.T, o generator.Output) {
	t.Helper()
	made := []string{"resgen.lock"} // of a package that is also generated without a configuration; its bytes are looked at elsewhere
	for _, f := range o.Files {
		made = append(made, f.Name)
		compareFile(t, filepath.Join(o.Dir, f.Name), string(f.Data))
	}
	entries, err := os.ReadDir(o.Dir)
	if err != nil {
		t.Error(err)
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() { // of a fake server, which is one file
			name += "/server.gen.go"
		}
		if !slices.Contains(made, name) {
			t.Errorf("%s is not made any more", filepath.Join(o.Dir, e.Name()))
		}
	}
}

// goldenPackages are the import paths of the packages below testdata, which ./... does not reach.
func goldenPackages(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(specsDir, "*", "want"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no packages: %v", err)
	}
	for i, dir := range dirs {
		dirs[i] = modulePath + strings.TrimPrefix(filepath.ToSlash(dir), "..")
	}
	return dirs
}

// TestGoldensCompile type-checks and vets every expected package, and compares the operations of each with its document's.
func TestGoldensCompile(t *testing.T) {
	t.Parallel()
	want := goldenPackages(t)
	for _, dir := range append(want, modulePath+"/runtime", modulePath+"/runtime/policy", modulePath+"/runtime/wire") {
		lookAt(t, filepath.Join("..", strings.TrimPrefix(dir, modulePath)))
	}
	loaded, err := packages.Load(&packages.Config{Context: t.Context(), Mode: packages.LoadSyntax}, want...)
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded) != len(want) {
		t.Errorf("%d packages loaded, want %d", len(loaded), len(want))
	}
	for _, p := range loaded {
		for _, err := range p.Errors {
			t.Error(err)
		}
		if name := filepath.Base(filepath.Dir(p.PkgPath)); p.Name != name {
			t.Errorf("%s is package %s", p.PkgPath, p.Name)
		}
		noErrorIsDropped(t, p)
	}
	servers, _ := filepath.Glob(filepath.Join(specsDir, "*", "want", "*test"))
	if len(servers) == 0 {
		t.Error("no case has a fake server")
	}
	for _, dir := range servers {
		want = append(want, modulePath+strings.TrimPrefix(filepath.ToSlash(dir), ".."))
	}
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"vet"}, want...)...).CombinedOutput()
	if err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

// TestGoldensHaveEveryOperation compares the operations of each document with those of its client.
func TestGoldensHaveEveryOperation(t *testing.T) {
	t.Parallel()
	for _, name := range goldenCases(t) {
		dir := filepath.Join(specsDir, name)
		out := filepath.Join(dir, "want")
		switch name {
		case "llm":
			out = "../examples/llmclient/llm"
		case "chroma":
			out = "../examples/vectordb/chroma"
		}
		want, err := documentOperations(filepath.Join(dir, "spec.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := clientOperations(out)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-document +client):\n%s", name, diff)
		}
	}
}
