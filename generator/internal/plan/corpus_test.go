package plan

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// loadFile loads a document with its neighbours.
func loadFile(t *testing.T, name string) (*model.API, *diag.List) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := source.Read(filepath.Base(name), data)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	list := &diag.List{}
	return openapi.Load(t.Context(), openapi.Input{Tree: tree, Source: filepath.Base(name), Path: filepath.Base(name), Root: root.FS()}, list), list
}

// TestCorpus resolves every real document that is at hand, which are no part of the repository.
func TestCorpus(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("RESGEN_CORPUS")
	if dir == "" {
		t.Skip("RESGEN_CORPUS is not set: `make corpus` runs this, or RESGEN_CORPUS=folder of OpenAPI documents")
	}
	names, _ := filepath.Glob(filepath.Join(dir, "visible", "*.*"))
	if len(names) == 0 {
		t.Fatalf("RESGEN_CORPUS: no documents in %s", filepath.Join(dir, "visible"))
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".tsv") {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			api, list := loadFile(t, name)
			if api == nil {
				t.Skip("not an OpenAPI 3 document")
			}
			resolveTwice(t, api, list)
		})
	}
}

// resolveTwice holds a package to its rules, counts its operations, and compares a second run.
func resolveTwice(t *testing.T, api *model.API, list *diag.List) {
	t.Helper()
	l := Layers{Package: "p", Output: "p", Source: api.Source}
	p := Resolve(api, l, list)
	checkPackage(t, p)
	have := map[string]bool{}
	for i := range p.Client.Operations {
		have[p.Client.Operations[i].Model.ID] = true
	}
	for i := range api.Operations {
		if !have[api.Operations[i].ID] {
			t.Errorf("operation %q is missing", api.Operations[i].ID)
		}
	}
	if q := Resolve(api, l, &diag.List{}); !reflect.DeepEqual(p, q) {
		t.Error("a second run differs")
	}
}
