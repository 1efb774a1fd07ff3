package generator_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeOfInterfaces holds the README's Go interface to what is generated from it.
func TestReadmeOfInterfaces(t *testing.T) {
	t.Parallel()
	root := repoRoot(t)
	readme := readFile(t, filepath.Join(root, "README.md"))
	source := readFile(t, filepath.Join(root, "testdata", "cases", "readme", "search.go"))
	_, decl, _ := strings.Cut(source, "// Index is what")
	if !strings.Contains(readme, "```go\n// Index is what"+decl+"```") {
		t.Error("the README's interface is not that of testdata/cases/readme")
	}
	text := wrap(t, map[string]string{"search/search.go": source}, "./search.Index")
	_, method, _ := strings.Cut(text, "// Search finds documents.")
	method, _, _ = strings.Cut(method, "\n}\n")
	if !strings.Contains(readme, "```go\n// Search finds documents."+method+"\n}\n```") {
		t.Errorf("the README's method is not what is generated:\n// Search finds documents.%s\n}", method)
	}
	for _, name := range []string{"NewResilientIndex(next Index", "func WithIndexTarget(", "func WithIndexSearchTitles("} {
		if !strings.Contains(text, name) {
			t.Errorf("the README names %s, which is not generated", name)
		}
	}
}
