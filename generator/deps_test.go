package generator_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/resgen-go/resgen"

// rule is one line of the import block: what a package may import besides itself.
type rule struct {
	std     bool
	onlyStd []string // the standard packages allowed; empty with std means all
	allowed []string // our own packages (relative) and other modules' paths
}

func (r rule) allows(path string) bool {
	if own, ok := strings.CutPrefix(path, modulePath+"/"); ok {
		return slices.Contains(r.allowed, own)
	}
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		return r.std && (len(r.onlyStd) == 0 || slices.Contains(r.onlyStd, path))
	}
	return slices.ContainsFunc(r.allowed, func(a string) bool { return path == a || strings.HasPrefix(path, a+"/") })
}

// parseImports reads the fenced block `imports` of docs/architecture.md.
func parseImports(t *testing.T, text string) map[string]rule {
	t.Helper()
	_, rest, found := strings.Cut(text, "```imports\n")
	block, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("docs/architecture.md has no ```imports block")
	}
	rules := map[string]rule{}
	for line := range strings.Lines(block) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			t.Fatalf("imports block: line without a colon: %q", line)
		}
		rules[name] = parseRule(strings.TrimSpace(list))
	}
	return rules
}

func parseRule(list string) rule {
	var r rule
	if inner, ok := strings.CutPrefix(list, "std("); ok {
		std, rest, _ := strings.Cut(inner, ")")
		r.std, r.onlyStd, list = true, strings.Fields(std), rest
	}
	for word := range strings.FieldsSeq(list) {
		if word == "std" {
			r.std = true
			continue
		}
		r.allowed = append(r.allowed, word)
	}
	return r
}

type listed struct {
	ImportPath, Dir string
	Imports         []string
}

func listPackages(t *testing.T, root string) []listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Dir,Imports", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		lookAt(t, p.Dir)
		all = append(all, p)
	}
}

// TestImportDirections holds every package to the import block of docs/architecture.md, in both directions: an import that the
// block does not allow fails, and so does a line for a package that is gone.
func TestImportDirections(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	rules := parseImports(t, string(text))
	for _, p := range listPackages(t, root) {
		name := strings.TrimPrefix(p.ImportPath, modulePath+"/")
		if isTool(name) {
			continue
		}
		r, ok := rules[name]
		if !ok {
			t.Errorf("%s is not in the import block; see docs/architecture.md#imports", name)
			continue
		}
		delete(rules, name)
		for _, imported := range p.Imports {
			if !r.allows(imported) {
				t.Errorf("%s must not import %s; see docs/architecture.md#imports", name, imported)
			}
		}
	}
	for name := range rules {
		t.Errorf("docs/architecture.md#imports names %s, which does not exist", name)
	}
}

// isTool reports whether a package is a command of `go generate`, or lies in testdata: neither is part of the product.
func isTool(name string) bool {
	return strings.Contains(name, "/testdata/") || strings.Contains(name, "/internal/gen") || strings.HasPrefix(name, "testdata/")
}
