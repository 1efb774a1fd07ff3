package plan

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// file is a document, or a policy file, as a test has it. What must be refused lies in testdata/specs/bad, and runs through every stage in
// the tests of package generator.
type file struct{ name, text string }

func readFile(t *testing.T, name string) file {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return file{filepath.Base(name), string(data)}
}

// resolveText runs load and plan on a document and a policy file, which may be empty.
func resolveText(t *testing.T, doc, policy file, list *diag.List) *Package {
	t.Helper()
	tree := readTree(t, doc)
	api := openapi.Load(t.Context(), openapi.Input{Tree: tree, Source: doc.name, Path: doc.name}, list)
	if api == nil || list.HasErrors() {
		return nil
	}
	layers := Layers{Package: "refused", Output: "refused", Source: doc.name}
	if policy.text != "" {
		layers.PolicyFile = readTree(t, policy)
	}
	return Resolve(api, layers, list)
}

func readTree(t *testing.T, f file) *source.Value {
	t.Helper()
	v, err := source.Read(f.name, []byte(f.text))
	if err != nil {
		t.Fatalf("%v\n%s", err, f.text)
	}
	return v
}
