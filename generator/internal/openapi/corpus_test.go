package openapi_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// corpusDir returns the folder of real documents: RESGEN_CORPUS, else ../shared/corpus beside the repository. They are not part
// of the repository; where they are absent the tests that read them say so.
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

func TestCorpusLosesNoOperation(t *testing.T) {
	t.Parallel()
	dir := corpusDir(t)
	names, err := filepath.Glob(filepath.Join(dir, "visible", "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, filepath.Join(dir, "components", "chroma-1.0.5.json"))
	want := map[string]int{"openai.yaml": 288}
	for _, name := range names {
		if strings.HasSuffix(name, ".tsv") {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			api, tree, list := loadFile(t, name)
			if tree.Get("swagger") != nil {
				if codes := codesOf(list); api != nil || !slices.Contains(codes, diag.OpenAPIVersion) {
					t.Errorf("Swagger 2.0: got %v and an API %t, want %s alone", codes, api != nil, diag.OpenAPIVersion)
				}
				return
			}
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

func codesOf(list *diag.List) []diag.Code {
	var out []diag.Code
	for _, d := range list.Sorted() {
		out = append(out, d.Code)
	}
	return out
}
