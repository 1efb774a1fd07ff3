package emit_test

import (
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/emit"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// corpusDir returns the folder of real documents, which are not part of the repository.
func corpusDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("RESGEN_CORPUS")
	if dir == "" {
		t.Skip("RESGEN_CORPUS is not set: `make corpus` runs this, or RESGEN_CORPUS=folder of OpenAPI documents")
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
