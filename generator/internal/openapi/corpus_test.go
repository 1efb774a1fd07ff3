package openapi_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/openapi"
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

// loadFile loads a document as the command line would: references are followed below its folder.
func loadFile(t *testing.T, name string) (*model.API, *source.Value, *diag.List) {
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
	return api, tree, list
}

// countOperations counts paths × methods in the tree, and knows nothing else of OpenAPI.
func countOperations(tree *source.Value) int {
	n := 0
	for _, item := range tree.Get("paths").Map {
		for _, f := range item.Value.Map {
			if slices.Contains([]string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}, f.Key) {
				n++
			}
		}
	}
	return n
}

// TestRealDocuments loads every document of the corpus: no error, no operation lost, and a model that holds its promises.
func TestRealDocuments(t *testing.T) {
	t.Parallel()
	dir := corpusDir(t)
	names := documents(t, filepath.Join(dir, "visible"))
	names = append(names, documents(t, filepath.Join(dir, "spector"))...)
	names = append(names, filepath.Join(dir, "components", "chroma-1.0.5.json"))
	want := map[string]int{"openai.yaml": 288}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && isRace && info.Size() > 300<<10 {
			continue // loading is on one goroutine: large documents teach the race detector nothing, slowly
		}
		t.Run(strings.TrimPrefix(name, dir), func(t *testing.T) {
			t.Parallel()
			api, tree, list := loadFile(t, name)
			if list.HasErrors() || api == nil {
				t.Fatalf("errors:\n%s", dumpDiagnostics(list))
			}
			n := countOperations(tree)
			if exact, ok := want[filepath.Base(name)]; ok && n != exact {
				t.Errorf("the document has %d operations, want %d", n, exact)
			}
			if len(api.Operations) != n {
				t.Errorf("got %d operations, want %d", len(api.Operations), n)
			}
			checkModel(t, api)
		})
	}
}

// TestOddDocuments loads documents that were made odd on purpose, each after a bug of some generator.
func TestOddDocuments(t *testing.T) {
	t.Parallel()
	refused := map[string]diag.Code{"allof_self_cycle.yaml": diag.SchemaCycle}
	for _, name := range documents(t, filepath.Join(corpusDir(t), "..", "cases", "specs")) {
		if strings.Contains(name, "_parts") {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			api, tree, list := loadFile(t, name)
			code, isRefused := refused[filepath.Base(name)]
			switch {
			case isRefused && !slices.Contains(codesOf(list), code):
				t.Errorf("got\n%s\nwant %s", dumpDiagnostics(list), code)
			case !isRefused && list.HasErrors():
				t.Errorf("errors:\n%s", dumpDiagnostics(list))
			}
			if got, want := len(api.Operations), countOperations(tree); got != want {
				t.Errorf("got %d operations, want %d", got, want)
			}
			checkModel(t, api)
		})
	}
}

// documents returns the JSON and YAML files below a folder.
func documents(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); err == nil && !d.IsDir() && (ext == ".json" || ext == ".yaml" || ext == ".yml") {
			out = append(out, name)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no documents: %v", err)
	}
	if err != nil || len(out) == 0 {
		t.Fatalf("%d documents in %s: %v", len(out), dir, err)
	}
	return out
}

// TestSameTwice loads a large document twice: maps are involved, and must not show.
func TestSameTwice(t *testing.T) {
	t.Parallel()
	name := filepath.Join(corpusDir(t), "visible", "cohere.yaml")
	first, _, _ := loadFile(t, name)
	for range 3 {
		again, _, _ := loadFile(t, name)
		if diff := cmp.Diff(dump(first), dump(again)); diff != "" {
			t.Fatalf("the same document gives another API (-first +again):\n%s", diff)
		}
	}
}

func codesOf(list *diag.List) []diag.Code {
	var out []diag.Code
	for _, d := range list.Sorted() {
		out = append(out, d.Code)
	}
	return out
}
