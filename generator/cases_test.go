package generator_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator"
)

// The cases C070 to C113, from public bug reports, and the pain points of other generators are documents in caseDocs, which are
// called after them, and programs in casePrograms, which drive their clients. What a case says of the generator alone is in
// cases_documents_test.go.
const (
	caseDocs     = "../testdata/specs/cases"
	casePrograms = "../testdata/cases"
)

// refusedCases are the documents of which no client can be made.
var refusedCases = map[string]bool{"C079_itself": true}

// TestCases generates the client of every document, twice, builds and vets all of them in one module, and runs the programs; each of
// their tests is a part of this one.
func TestCases(t *testing.T) {
	t.Parallel()
	module := newModule(t, "cases.test")
	for _, doc := range caseDocuments(t) {
		generateCaseDocument(t, module, doc)
	}
	programs, err := filepath.Glob(filepath.Join(casePrograms, "*_test.go"))
	if err != nil || len(programs) == 0 {
		t.Fatalf("no programs in %s: %v", casePrograms, err)
	}
	for _, p := range programs {
		copyFile(t, p, filepath.Join(module, "play", filepath.Base(p)))
	}
	for _, dir := range []string{"../runtime", "../runtime/policy", "../runtime/wire"} {
		lookAt(t, dir)
	}
	args := []string{"test", "-trimpath", "-vet=all", "-json"}
	if raced {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(t.Context(), "go", append(args, "./...")...)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.Output()
	report(t, out, err)
}

// caseDocuments are the names of the documents, without their extension.
func caseDocuments(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(caseDocs, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents in %s: %v", caseDocs, err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".yaml"))
	}
	return names
}

// casePackage is the package of a document: what it is called up to the first underscore.
func casePackage(doc string) string {
	id, _, _ := strings.Cut(doc, "_")
	return strings.ToLower(id)
}

// caseClient is the configuration of a document's client, with an output folder.
func caseClient(doc, out string) generator.Config {
	return generator.Config{Client: generator.Client{
		Name: casePackage(doc), Spec: filepath.Join(caseDocs, doc+".yaml"), Out: out, Package: casePackage(doc),
		ImportPath: "cases.test/" + casePackage(doc), WithoutTests: true, // TestGoldens looks at those
	}}
}

// generateCaseDocument writes the client of a document into a module, and holds the document to what all cases have in common: the same
// bytes again, every operation, and names of files that are nothing but names.
func generateCaseDocument(t *testing.T, module, doc string) {
	t.Helper()
	if refusedCases[doc] {
		return
	}
	dir := filepath.Join(module, casePackage(doc))
	result := runCase(t, caseClient(doc, dir))
	if result.HasErrors() || len(result.Outputs) != 1 {
		t.Fatalf("%s is refused:\n%s", doc, printed(t, result, ""))
	}
	again := caseClient(doc, dir)
	again.Mode = generator.Check
	if diff := cmp.Diff(contents(result), contents(runCase(t, again))); diff != "" {
		t.Errorf("%s, generated again:\n%s", doc, diff)
	}
	for _, f := range result.Outputs[0].Files {
		if !regexp.MustCompile(`^[a-z]+\.gen\.go$`).MatchString(f.Name) {
			t.Errorf("%s has a file %q", doc, f.Name)
		}
		inert(t, f.Data)
	}
	want, err := documentOperations(filepath.Join(caseDocs, doc+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := clientOperations(dir)
	if err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-document +client):\n%s", doc, diff)
	}
}

func runCase(t *testing.T, c generator.Config) *generator.Result {
	t.Helper()
	result, err := generator.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// report turns what `go test -json` printed into parts of this test.
func report(t *testing.T, out []byte, failed error) {
	t.Helper()
	type event struct{ Action, Test, Output string }
	said, ended := map[string]*bytes.Buffer{}, map[string]string{}
	var order []string
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			continue // a line of the go command itself
		}
		name, _, _ := strings.Cut(e.Test, "/")
		if said[name] == nil {
			said[name] = &bytes.Buffer{}
			order = append(order, name)
		}
		said[name].WriteString(e.Output)
		if e.Test == name && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip" || e.Action == "build-fail") {
			if ended[name] == "" || e.Action != "pass" {
				ended[name] = e.Action
			}
		}
	}
	passed := 0
	for _, name := range order {
		if name == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if ended[name] != "pass" {
				t.Errorf("%s:\n%s", ended[name], said[name])
			}
		})
		passed++
	}
	if failed != nil || passed == 0 {
		what := string(out)
		if said[""] != nil {
			what = said[""].String()
		}
		if exit, ok := failed.(*exec.ExitError); ok { //nolint:errorlint // Output returns it as it is
			what += string(exit.Stderr)
		}
		t.Errorf("go test: %v\n%s", failed, what)
	}
}
