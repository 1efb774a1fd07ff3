package generator_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator"
)

const remoteDoc = `openapi: 3.1.0
info: {title: Pay, version: 1.0.0}
servers: [{url: 'https://pay.example.com'}]
paths:
  /pay:
    post:
      operationId: pay
      requestBody: {required: true, content: {application/json: {schema: {$ref: 'HTTPS://Schemas.example.com/v1/../common/money.yaml#/Money'}}}}
      responses: {'204': {description: Done.}}
`

// network are the documents of a network that a test has in its hands.
type network map[string]string

func (n network) fetch(_ context.Context, url string) ([]byte, error) {
	if text, ok := n[url]; ok {
		return []byte(text), nil
	}
	return nil, errors.New("nothing is at " + url)
}

func somewhere() network {
	return network{
		"https://schemas.example.com/common/money.yaml":             "Money: {type: object, properties: {in: {$ref: 'more/currency.json?v=2#/Currency'}, by: {$ref: '../up#/Person'}}}\n",
		"https://schemas.example.com/common/more/currency.json?v=2": `{"Currency": {"type": "string", "enum": ["EUR"]}}`,
		"https://schemas.example.com/up":                            "Person: {type: object, properties: {name: {type: string}, pays: {$ref: 'common/money.yaml#/Money'}}}\n",
	}
}

// codesOf are the places and codes of what was said.
func codesOf(result *generator.Result) []string {
	var out []string
	for _, d := range result.Diagnostics {
		out = append(out, fmt.Sprintf("%s:%d %s", filepath.Base(d.Span.File), d.Span.Line, d.Code))
	}
	return out
}

func copiesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(filepath.Join(dir, "resgen.vendor"), func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			rel, relErr := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
			return relErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRemoteReferences goes the whole way of a document that refers to a network: refused, vendored once, generated without a network,
// refused again when a copy is changed.
func TestRemoteReferences(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "pay.yaml"), remoteDoc)
	cfg := generator.Config{Client: generator.Client{Spec: filepath.Join(dir, "pay.yaml"), Out: dir, Package: "pay", WithoutTests: true}}
	do := func(mode generator.Mode, fetch func(context.Context, string) ([]byte, error), want ...string) *generator.Result {
		t.Helper()
		cfg.Mode, cfg.Fetch = mode, fetch
		result, err := generator.Run(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, codesOf(result)); diff != "" {
			t.Fatalf("(-want +got)\n%s\n%s", diff, printed(t, result, ""))
		}
		return result
	}
	refused := do(generator.Generate, somewhere().fetch, "pay.yaml:8 RG1017") // Fetch is of no use to it
	if !strings.Contains(refused.Diagnostics[0].Fix, "resgen vendor") {
		t.Errorf("the fix is %q", refused.Diagnostics[0].Fix)
	}
	do(generator.Vendor, network{}.fetch, "pay.yaml:8 RG1001")
	if got := do(generator.Vendor, somewhere().fetch); len(got.Vendored) != 3 || !got.Lock.Changed {
		t.Errorf("vendored %v", got.Vendored)
	}
	copies := copiesBelow(t, dir)
	if len(copies) != 3 || copies[0] != "resgen.vendor/schemas.example.com/common/money.yaml" || slices.ContainsFunc(copies, func(c string) bool { return strings.Contains(c, "?") }) {
		t.Errorf("copies %v", copies)
	}
	do(generator.Generate, nil)
	lock, err := os.ReadFile(filepath.Join(dir, "resgen.lock"))
	if err != nil || strings.Count(string(lock), "sha256:") != 3 || !strings.Contains(string(lock), "kept:") {
		t.Errorf("%v\n%s", err, lock)
	}
	if do(generator.Check, nil).Stale() {
		t.Error("what was just made is stale")
	}
	if got := do(generator.Vendor, nil); len(got.Vendored) != 0 || got.Lock.Changed {
		t.Errorf("vendored again: %v", got.Vendored)
	}

	money := filepath.Join(dir, filepath.FromSlash(copies[0]))
	writeFile(t, money, "Money: {type: string}\n")
	do(generator.Check, nil, "pay.yaml:8 RG1018")
	do(generator.Vendor, somewhere().fetch, "pay.yaml:8 RG1018")
	if err := os.Remove(money); err != nil {
		t.Fatal(err)
	}
	do(generator.Check, nil, "pay.yaml:8 RG1017")
	changed := somewhere()
	changed["https://schemas.example.com/common/money.yaml"] = "Money: {type: string}\n"
	do(generator.Vendor, changed.fetch, "pay.yaml:8 RG1018") // upstream changed
	if _, err := os.Stat(money); !os.IsNotExist(err) {
		t.Errorf("a failed run wrote the copy: %v", err)
	}
	do(generator.Vendor, somewhere().fetch)
	do(generator.Check, nil)
}

// A copy that was put there by hand is taken note of without a network.
func TestCopiesByHand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "pay.yaml"), remoteDoc)
	writeFile(t, filepath.Join(dir, "resgen.yaml"), "version: 1\nclients: [{name: pay, spec: pay.yaml, out: pay, package: pay}]\n")
	writeFile(t, filepath.Join(dir, "resgen.vendor", "schemas.example.com", "common", "money.yaml"), "Money: {type: object, properties: {in: {type: string}}}\n")
	cfg := generator.Config{File: filepath.Join(dir, "resgen.yaml")}
	for _, mode := range []generator.Mode{generator.Vendor, generator.Generate, generator.Check} {
		cfg.Mode = mode
		if result, err := generator.Run(t.Context(), cfg); err != nil || result.HasErrors() || mode == generator.Check && result.Stale() {
			t.Fatalf("mode %d: %v %v", mode, err, codesOf(result))
		}
	}
}

// TestHostileAddresses refers to what no copy may be made of, or made to lie elsewhere.
func TestHostileAddresses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ ref, want string }{
		{"https://user:secret@example.com/a.yaml#/Money", "RG1001"},
		{"https:///a.yaml#/Money", "RG1001"},
		{"file:///etc/passwd#/Money", "RG1001"},
		{"ftp://example.com/a.yaml#/Money", "RG1001"},
		{"https://example.com/%2e%2e/%2e%2e/%2e%2e/a.yaml#/Money", "inside"},
		{"https://example.com/a%2f..%2f..%2f..%2fb.yaml#/Money", "inside"},
		{`https://example.com/..\..\a.yaml#/Money`, "inside"},
		{"https://../a.yaml#/Money", "inside"},
	} {
		t.Run(tt.ref, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			home := filepath.Join(dir, "a", "b", "c")
			writeFile(t, filepath.Join(home, "pay.yaml"), strings.Replace(remoteDoc, "'HTTPS://Schemas.example.com/v1/../common/money.yaml#/Money'", "'"+tt.ref+"'", 1))
			everywhere := func(context.Context, string) ([]byte, error) { return []byte("Money: {type: string}\n"), nil }
			result, err := generator.Run(t.Context(), generator.Config{
				Mode: generator.Vendor, Fetch: everywhere, Client: generator.Client{Spec: filepath.Join(home, "pay.yaml"), Out: filepath.Join(home, "out")},
			})
			if err != nil {
				t.Fatal(err)
			}
			if tt.want != "inside" {
				if codes := codesOf(result); len(codes) != 1 || !strings.HasSuffix(codes[0], tt.want) {
					t.Errorf("got %v", codes)
				}
				return
			}
			if copies := copiesBelow(t, filepath.Join(home, "out")); len(copies) != 1 {
				t.Errorf("copies %v: %v", copies, codesOf(result))
			}
		})
	}
}
