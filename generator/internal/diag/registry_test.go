package diag_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
)

func TestRegistryIsSortedAndComplete(t *testing.T) {
	t.Parallel()
	constants := declaredCodes(t)
	var before diag.Code
	for _, e := range diag.Registry() {
		if e.Code <= before {
			t.Errorf("%s comes after %s: codes are unique and in ascending order", e.Code, before)
		}
		before = e.Code
		if want := constants[e.Code]; e.Name != want {
			t.Errorf("%s has the name %q, its constant is %q", e.Code, e.Name, want)
		}
		if len(e.Code) != len("RG1001") {
			t.Errorf("%s is no code of the form RGnnnn", e.Code)
		}
		if e.Summary == "" || strings.HasSuffix(e.Summary, ".") {
			t.Errorf("%s: the summary %q is not one clause without a full stop", e.Code, e.Summary)
		}
		if e.Explain == "" || e.Example == "" || e.Fix == "" {
			t.Errorf("%s lacks its explain text, example or fix", e.Code)
		}
		delete(constants, e.Code)
	}
	for code, name := range constants {
		t.Errorf("%s (%s) is not in the registry", code, name)
	}
}

// declaredCodes reads the constants of the tables, and checks that each stands in the file of its thousand, or of its hundred where that has one.
func declaredCodes(t *testing.T) map[diag.Code]string {
	t.Helper()
	files, err := filepath.Glob("codes_rg*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	out := map[diag.Code]string{}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			lit, ok := spec.Values[0].(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			code, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			want := "codes_" + strings.ToLower(code[:3]) + ".go"
			if ofHundred := "codes_" + strings.ToLower(code[:4]) + ".go"; slices.Contains(files, ofHundred) {
				want = ofHundred
			}
			if file != want {
				t.Errorf("%s stands in %s, want %s", code, file, want)
			}
			if other, dup := out[diag.Code(code)]; dup {
				t.Errorf("%s is both %s and %s", code, other, spec.Names[0].Name)
			}
			out[diag.Code(code)] = spec.Names[0].Name
			return false
		})
	}
	return out
}

func TestLookup(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"RG3104", "rg3104"} {
		e, ok := diag.Lookup(code)
		if !ok || e.Code != diag.RetryWithoutIdempotency {
			t.Errorf("Lookup(%q) = %v, %t", code, e.Code, ok)
		}
	}
	for _, code := range []string{"", "RG", "RG0000", "RG9999", "3104"} {
		if e, ok := diag.Lookup(code); ok {
			t.Errorf("Lookup(%q) finds %v", code, e.Code)
		}
	}
	for _, e := range diag.Registry() {
		if got, ok := diag.Lookup(string(e.Code)); !ok || got != e {
			t.Errorf("Lookup(%s) finds %v, %t", e.Code, got.Code, ok)
		}
	}
}

func TestEntryText(t *testing.T) {
	t.Parallel()
	got := diag.Entry{
		Code: "RG1999", Name: "Example", Summary: "a rule", Explain: "Because.", Example: "a: 1\nb: 2\n", Fix: "a: 2",
	}.Text()
	want := "RG1999 Example: a rule\n\nBecause.\n\nExample:\n    a: 1\n    b: 2\n\nFix:\n    a: 2\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"attempts", "backoff", "bulkhead", "max-attempts", "on", "retry", "timeout", "timeout-classes"}
	for name, want := range map[string]string{
		"atempts":                          "attempts",
		"attmepts":                         "attempts",
		"Retry":                            "retry",
		"maxAttempts":                      "max-attempts",
		"max_attempts":                     "max-attempts",
		"timeoutClasses":                   "timeout-classes",
		"time-out":                         "timeout",
		"im":                               "",
		"no":                               "on",
		"breaker":                          "",
		"":                                 "",
		"---":                              "",
		"zzzzzzzzzz":                       "",
		strings.Repeat("attempts", 10_000): "",
	} {
		if got := diag.Nearest(name, known); got != want {
			t.Errorf("Nearest(%.20q) = %q, want %q", name, got, want)
		}
	}
	if got := diag.DidYouMean("retyr", known); got != `did you mean "retry"?` {
		t.Errorf("DidYouMean = %s", got)
	}
	if got := diag.DidYouMean("breaker", known); got != "" {
		t.Errorf("DidYouMean without a near name = %s", got)
	}
}
