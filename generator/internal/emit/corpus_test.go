package emit_test

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/emit"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// corpusDir returns the folder of real documents: RESGEN_CORPUS, else ../shared/corpus beside the repository. They are not part of
// the repository; where they are absent the tests that read them say so.
func corpusDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("RESGEN_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus of real documents: %v (set RESGEN_CORPUS)", err)
	}
	return dir
}

// planDocument takes a document through the stages before this one.
func planDocument(t *testing.T, name, pkgName string) *plan.Package {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Base(name)
	tree, err := source.Read(base, data)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	list := &diag.List{}
	api := openapi.Load(t.Context(), openapi.Input{Tree: tree, Source: base, Path: base, Root: root.FS()}, list)
	var pkg *plan.Package
	if !list.HasErrors() {
		pkg = plan.Resolve(api, plan.Layers{Package: pkgName, Output: pkgName, ImportPath: "example.com/" + pkgName, Source: base}, list)
	}
	if list.HasErrors() {
		t.Fatalf("the stages before refuse the document: %v", list.Sorted())
	}
	return pkg
}

// TestCorpusTypeChecks prints clients of real documents. The test of package generator goes through all of them, with the go command.
func TestCorpusTypeChecks(t *testing.T) {
	t.Parallel()
	dir := corpusDir(t)
	for _, name := range []string{
		"visible/anthropic.json", "visible/cohere.yaml", "visible/qdrant.json", "visible/together.yaml", "components/chroma-1.0.5.json",
	} {
		t.Run(path.Base(name), func(t *testing.T) {
			t.Parallel()
			pkg := planDocument(t, filepath.Join(dir, filepath.FromSlash(name)), "api")
			files, err := emit.Files(pkg)
			if err != nil {
				t.Fatal(err)
			}
			if err := emit.Check(files, pkg.ImportPath); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOpenAIBuilds builds and vets the client of OpenAI's document, in a module of its own.
func TestOpenAIBuilds(t *testing.T) {
	t.Parallel()
	pkg := planDocument(t, filepath.Join(corpusDir(t), "visible", "openai.yaml"), "openai")
	files, err := emit.Files(pkg)
	if err != nil {
		t.Fatal(err)
	}
	if err := emit.Check(files, pkg.ImportPath); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	buildAlone(t, dir, pkg.ImportPath)
}

// buildAlone makes a folder a module that needs this one, and builds and vets it.
func buildAlone(t *testing.T, dir, module string) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	mod := fmt.Sprintf("module %s\n\ngo 1.26.0\n\nrequire github.com/resgen-go/resgen v0.0.0\n\nreplace github.com/resgen-go/resgen => %s\n", module, root)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"build", "vet"} {
		cmd := exec.CommandContext(t.Context(), "go", verb, "-mod=mod", ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", verb, err, out)
		}
	}
}
