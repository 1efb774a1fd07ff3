package generator_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// notProvoked are the codes that no input is known to lead to, with the reason.
var notProvoked = map[diag.Code]string{
	diag.InternalFault: "it reports a fault of resgen; inside_test.go makes one up",
}

// TestEveryCodeIsWanted fails for a code of the registry that no document in badDir and no story of the command line wants.
func TestEveryCodeIsWanted(t *testing.T) {
	t.Parallel()
	wanted := map[string]bool{}
	for pattern, line := range map[string]*regexp.Regexp{
		badDir + "/*.yaml":                      regexp.MustCompile(`# want .*`),
		badDir + "/*/*.yaml":                    regexp.MustCompile(`# want .*`),
		badDir + "/*/*.lock":                    regexp.MustCompile(`# want .*`),
		"../cmd/resgen/testdata/script/*.txtar": regexp.MustCompile(`(?m)^std(?:out|err) .*`),
	} {
		for _, text := range filesOf(t, pattern) {
			for _, found := range line.FindAllString(text, -1) {
				for _, code := range regexp.MustCompile(`RG\d{4}`).FindAllString(found, -1) {
					wanted[code] = true
				}
			}
		}
	}
	for _, e := range diag.Registry() {
		reason, exempt := notProvoked[e.Code]
		switch {
		case exempt && wanted[string(e.Code)]:
			t.Errorf("%s is wanted by a test: take it off notProvoked (%s)", e.Code, reason)
		case !exempt && !wanted[string(e.Code)]:
			t.Errorf("nothing wants %s (%s): add %s/%s_*.yaml", e.Code, e.Name, badDir, e.Code)
		}
	}
}

// filesOf are the texts of the files that match a pattern, by name.
func filesOf(t *testing.T, pattern string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no files for %s: %v", pattern, err)
	}
	texts := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(data)
	}
	return texts
}

// ofGoMethods are keys that no document can use: see TestBad/RG2013. What they make of a Go interface is tested with its wrappers.
var ofGoMethods = map[string]bool{"abandon": true, "is": true, "as": true}

// TestEveryAnnotationHasAGolden fails for an annotation, or a key of one, that is supported and that no golden case uses.
func TestEveryAnnotationHasAGolden(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for name, text := range filesOf(t, specsDir+"/*/*.yaml") {
		if filepath.Base(filepath.Dir(name)) == "bad" {
			continue
		}
		tree, err := source.Read(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		collectKeys(tree, used)
	}
	for _, e := range annot.Entries() {
		if e.Supported() && !used[e.Key()] && !ofGoMethods[e.Key()] {
			t.Errorf("no golden case uses %q", e.Key())
		}
		for _, k := range e.Keys() {
			last := k.Path[strings.LastIndexByte(k.Path, '.')+1:]
			if last != "KIND" && !used[last] && !ofGoMethods[last] {
				t.Errorf("no golden case uses %q of %q", k.Path, e.Key())
			}
		}
	}
}

func collectKeys(v *source.Value, into map[string]bool) {
	for i := range v.Map {
		into[v.Map[i].Key] = true
		collectKeys(&v.Map[i].Value, into)
	}
	for i := range v.List {
		collectKeys(&v.List[i], into)
	}
}

// TestEveryRefusedCombinationHasAFix fails for a document about a combination of policies whose fix is not tried.
func TestEveryRefusedCombinationHasAFix(t *testing.T) {
	t.Parallel()
	for name := range filesOf(t, badDir+"/RG3*.yaml") {
		if c := readBad(t, badDir, filepath.Base(name)); len(c.fixes(t)) == 0 {
			t.Errorf("%s has no `# fix`", c.doc)
		}
	}
}

// TestFixOfRG3104CanBePasted takes the ways out from the very text that people read, and pastes each of them in.
func TestFixOfRG3104CanBePasted(t *testing.T) {
	t.Parallel()
	const retry = "        retry: {attempts: 3, on: [timeout, connect]}\n"
	const document = "openapi: 3.1.0\ninfo: {title: Orders, version: 1.0.0}\npaths:\n  /orders:\n    post:\n      operationId: createOrder\n" +
		"      x-resilience:\n" + retry + "      responses: {'201': {description: Created.}}\n"
	dir, cfg := project(t, document)
	result, err := generator.Run(t.Context(), cfg)
	if err != nil || len(result.Diagnostics) != 1 || result.Diagnostics[0].Code != diag.RetryWithoutIdempotency {
		t.Fatalf("got %+v, %v", result.Diagnostics, err)
	}
	ways := strings.Split(result.Diagnostics[0].Fix, ", or")
	if len(ways) < 2 {
		t.Errorf("one way out only: %q", result.Diagnostics[0].Fix)
	}
	for _, way := range ways {
		fixed := document
		for _, snippet := range regexp.MustCompile("`([^`]*: [^`]*)`").FindAllStringSubmatch(way, -1) {
			if strings.HasPrefix(snippet[1], "on: ") {
				fixed = strings.Replace(fixed, "on: [timeout, connect]", snippet[1], 1)
			} else {
				fixed = strings.Replace(fixed, retry, "        "+snippet[1]+"\n"+retry, 1)
			}
		}
		writeFile(t, filepath.Join(dir, "api.yaml"), fixed)
		result, err := generator.Run(t.Context(), cfg)
		if err != nil || len(result.Diagnostics) != 0 || fixed == document {
			t.Errorf("with %q pasted in: %+v, %v\n%s", way, result.Diagnostics, err, fixed)
		}
	}
}
