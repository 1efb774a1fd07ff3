package sample_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// planOf takes a document through the stages before this one; nil for one that they refuse.
func planOf(t *testing.T, name string, data []byte, policies string) *plan.Package {
	t.Helper()
	tree, err := source.Read(filepath.Base(name), data)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	layers := plan.Layers{Package: "api", Output: "api", ImportPath: "example.com/api", Source: filepath.Base(name)}
	if policies != "" {
		if layers.PolicyFile, err = source.Read("policy.yaml", []byte(policies)); err != nil {
			t.Fatal(err)
		}
	}
	list := &diag.List{}
	api := openapi.Load(t.Context(), openapi.Input{Tree: tree, Source: layers.Source, Path: layers.Source, Root: root.FS()}, list)
	if api == nil || list.HasErrors() {
		t.Logf("%s: %v", name, list.Sorted())
		return nil
	}
	pkg := plan.Resolve(api, layers, list)
	if list.HasErrors() {
		t.Logf("%s: %v", name, list.Sorted())
		return nil
	}
	return pkg
}
