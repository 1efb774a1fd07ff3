package generator_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestGeneratedPage holds the examples of docs/reference/generated.md: each block of Go stands in what is generated from its document, or in the
// program that TestCases runs.
func TestGeneratedPage(t *testing.T) {
	t.Parallel()
	root := repoRoot(t)
	sources := []string{unindented(readFile(t, filepath.Join(casePrograms, "shop_test.go")))}
	for _, f := range runCase(t, caseClient("shop", t.TempDir())).Outputs[0].Files {
		sources = append(sources, unindented(string(f.Data)))
	}
	_, rest, found := strings.Cut(readFile(t, filepath.Join(root, "docs", "reference", "generated.md")), "```go\n")
	if !found {
		t.Fatal("the page has no examples")
	}
	for found {
		var code string
		code, rest, _ = strings.Cut(rest, "```\n")
		isThere := false
		for _, s := range sources {
			isThere = isThere || strings.Contains(s, unindented(code))
		}
		if !isThere {
			t.Errorf("neither is this generated nor is it in %s/shop_test.go:\n%s", casePrograms, code)
		}
		_, rest, found = strings.Cut(rest, "```go\n")
	}
}

// unindented is code without the space at both ends of its lines.
func unindented(code string) string {
	var lines []string
	for line := range strings.Lines(code) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}
