package generator_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// TestDiffPage makes the change of docs/explanation/diff.md and wants the page to show what is said of it.
func TestDiffPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "explanation", "diff.md"))
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join("..", "testdata", "specs", "llm", "spec.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	after := string(before)
	for _, edit := range [][2]string{
		{"retry: {attempts: 3,", "retry: {attempts: 4,"},
		{"\n        cache: {key: [/model, /input], ttl: 10m}\n", "\n        cache: {key: [/model, /input], ttl: 10m}\n        fallback: [{name: eu, target: secondary}]\n"},
		{"min-calls: 20", "min-calls: 10"},
		{"base: 50ms", "base: 100ms"},
		{"enum: [system, user, assistant, tool]", "enum: [system, user, assistant, tool, developer]"},
	} {
		if strings.Count(after, edit[0]) != 1 {
			t.Fatalf("%q stands %d times in the document", edit[0], strings.Count(after, edit[0]))
		}
		after = strings.Replace(after, edit[0], edit[1], 1)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "base", "llm.yaml"), string(before))
	writeFile(t, filepath.Join(dir, "work", "llm.yaml"), after)
	t.Chdir(filepath.Join(dir, "work"))
	from, err := generator.Named(generator.Config{}, "../base/llm.yaml")
	if err != nil {
		t.Fatal(err)
	}
	to, err := generator.Named(generator.Config{}, "llm.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d, err := generator.Compare(t.Context(), from, to)
	if err != nil || d.Result.HasErrors() {
		t.Fatal(err, d.Result.Diagnostics)
	}
	var out bytes.Buffer
	if err := d.Print(&out, ""); err != nil {
		t.Fatal(err)
	}
	if !d.Unsafe() || !strings.Contains(string(page), "$ resgen diff ../base/llm.yaml llm.yaml\n"+out.String()+"```") {
		t.Errorf("the page does not show what is said:\n%s", out.String())
	}
}
