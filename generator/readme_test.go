package generator_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// TestReadme holds the README to what resgen does: its document is testdata/specs/greeter, its method is what that generates, and its
// refusal is what the document without a key gets.
func TestReadme(t *testing.T) {
	t.Parallel()
	root := repoRoot(t)
	readme := readFile(t, filepath.Join(root, "README.md"))
	spec := filepath.Join(root, "testdata", "specs", "greeter", "spec.yaml")
	document := readFile(t, spec)
	if !strings.Contains(readme, "```yaml\n"+document+"```") {
		t.Error("the README's document is not testdata/specs/greeter/spec.yaml")
	}

	files := generate(t, spec).Outputs[0].Files
	var operations string
	for _, f := range files {
		if f.Name == "operations.gen.go" {
			operations = string(f.Data)
		}
	}
	_, method, _ := strings.Cut(operations, ")\n\n")
	if !strings.Contains(readme, "```go\n"+method+"```") {
		t.Errorf("the README's method is not what is generated:\n%s", method)
	}

	unsafe := filepath.Join(t.TempDir(), "greeter.yaml")
	text := strings.NewReplacer(
		"        idempotency: keyed                       # may be sent again with the same key\n", "",
		"        key: {in: header, name: Idempotency-Key}\n", "",
		"retry: {attempts: 3}", "retry: {attempts: 3, on: [timeout, connect]}",
	).Replace(document)
	writeFile(t, unsafe, text)
	result := generate(t, unsafe)
	if len(result.Diagnostics) != 1 {
		t.Fatalf("got %v, want one diagnostic", result.Diagnostics)
	}
	d := result.Diagnostics[0]
	for _, want := range []string{"error RG3104: " + d.What, "why: " + d.Why, "fix: "} {
		if !strings.Contains(readme, want) {
			t.Errorf("the README's refusal does not say %q", want)
		}
	}
	if _, fix, _ := strings.Cut(readme, "fix: "); !strings.HasPrefix(d.Fix, strings.SplitN(fix, "\n", 2)[0]) {
		t.Errorf("the README's fix is not the beginning of %q", d.Fix)
	}
}

// generate runs resgen over a document, in mode Generate and into a folder of the test's own.
func generate(t *testing.T, spec string) *generator.Result {
	t.Helper()
	result, err := generator.Run(t.Context(), generator.Config{
		Client: generator.Client{Spec: spec, Out: t.TempDir(), Package: "greeter"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
