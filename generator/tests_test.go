package generator_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// TestGoldensPassTheirTests runs the tests that come with the expected packages, which ./... does not reach.
func TestGoldensPassTheirTests(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(specsDir, "*", "want", "resilience_gen_test.go"))
	if err != nil || len(files) < 4 {
		t.Fatalf("%d expected packages come with tests: %v", len(files), err)
	}
	args := []string{"test"}
	for _, f := range files {
		dir := filepath.ToSlash(filepath.Dir(f))
		lookAt(t, dir)
		args = append(args, modulePath+strings.TrimPrefix(dir, ".."))
	}
	for _, dir := range []string{"runtime", "runtime/policy", "runtime/wire", "runtime/runtimetest"} {
		lookAt(t, filepath.Join("..", dir))
	}
	if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
		t.Errorf("go test: %v\n%s", err, out)
	}
}

// TestTestsFindAChangedPolicy generates a client, whose tests pass, and changes one number of its policies: they say which.
func TestTestsFindAChangedPolicy(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it compiles a module")
	}
	dir := newModule(t, "example.com/changed")
	copyFile(t, filepath.Join(specsDir, "llm", "spec.yaml"), filepath.Join(dir, "spec.yaml"))
	result, err := generator.Run(t.Context(), generator.Config{Client: generator.Client{
		Spec: filepath.Join(dir, "spec.yaml"), Out: filepath.Join(dir, "llm"), Package: "llm",
	}})
	if err != nil || result.HasErrors() {
		t.Fatal(err, result.Diagnostics)
	}
	goRun(t.Context(), t, dir, "vet", "./llm")
	goRun(t.Context(), t, dir, "test", "./llm")
	name := filepath.Join(dir, "llm", "policies.gen.go")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(text, []byte("Attempts: 3"), []byte("Attempts: 2"), 1)
	changed = bytes.Replace(changed, []byte("Attempts:      3"), []byte("Attempts:      2"), 1)
	if bytes.Equal(text, changed) {
		t.Fatalf("no attempts to change in:\n%s", text)
	}
	writeFile(t, name, string(changed))
	cmd := exec.CommandContext(t.Context(), "go", "test", "./llm")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("retries: transient: 2 attempts, the plan makes 3")) {
		t.Errorf("with 2 attempts in place of 3: %v\n%s", err, out)
	}
}

// TestRungsOfPlainAnswersAreTested has functions and a value for answers that are no structs: a text as it is, JSON texts and numbers, and one of
// which no sample is known, whose function only fails. The tests of the client compile, and pass.
func TestRungsOfPlainAnswersAreTested(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it compiles a module")
	}
	dir := newModule(t, "example.com/plain")
	spec := filepath.Join(dir, "spec.yaml")
	writeFile(t, spec, `openapi: 3.1.0
info: {title: Plain, version: 1.0.0}
servers: [{url: "https://api.example.com"}]
paths:
  /text:
    get:
      operationId: text
      x-resilience: {fallback: [{name: mine, func: mineText}]}
      responses: {"200": {description: ok, content: {text/plain: {schema: {type: string}}}}}
  /word:
    get:
      operationId: word
      x-resilience: {fallback: [{name: sorry, static: sorryWord}]}
      responses: {"200": {description: ok, content: {text/plain: {schema: {type: string}}}}}
  /name:
    get:
      operationId: name
      x-resilience: {fallback: [{name: mine, func: mineName}]}
      responses: {"200": {description: ok, content: {application/json: {schema: {type: string}}}}}
  /count:
    get:
      operationId: count
      x-resilience: {fallback: [{name: mine, func: mineCount}]}
      responses: {"200": {description: ok, content: {application/json: {schema: {type: integer}}}}}
  /unsolved:
    get:
      operationId: unsolved
      x-resilience: {fallback: [{name: mine, func: mineUnsolved}]}
      responses: {"200": {description: ok, content: {application/json: {schema: {type: string, pattern: "^(?!b)b$"}}}}}
`)
	result, err := generator.Run(t.Context(), generator.Config{Client: generator.Client{Spec: spec, Out: filepath.Join(dir, "api"), Package: "api"}})
	if err != nil || result.HasErrors() {
		t.Fatal(err, result.Diagnostics)
	}
	text, err := os.ReadFile(filepath.Join(dir, "api", "resilience_gen_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("Unwired:")) || !bytes.Contains(text, []byte(`return "", runtimetest.ErrUnwired`)) {
		t.Errorf("only the function of the answer without a sample fails, and returns no nil:\n%s", text)
	}
	goRun(t.Context(), t, dir, "vet", "./api")
	goRun(t.Context(), t, dir, "test", "./api")
}

// TestReasonsForMissingTestsAreText has a document whose pattern no text is found for say what would be more than a comment.
func TestReasonsForMissingTestsAreText(t *testing.T) {
	t.Parallel()
	spec := filepath.Join(t.TempDir(), "spec.yaml")
	writeFile(t, spec, `openapi: 3.1.0
info: {title: Patterns, version: 1.0.0}
paths:
  /good: {get: {operationId: good, responses: {"204": {description: ok}}}}
  /bad/{id}:
    get:
      operationId: bad
      parameters: [{name: id, in: path, required: true, schema: {type: string, pattern: "^(a)\\1\u202e*/\n//go:embed /etc/passwd\n+build ignore$"}}]
      responses: {"204": {description: ok}}
`)
	result, err := generator.Run(t.Context(), generator.Config{Client: generator.Client{
		Spec: spec, Out: t.TempDir(), Package: "api", ImportPath: "example.com/api",
	}})
	if err != nil || result.HasErrors() {
		t.Fatal(err, result.Diagnostics)
	}
	for _, f := range result.Outputs[0].Files {
		if f.Name != "resilience_gen_test.go" {
			continue
		}
		inert(t, f.Data, `"example.com/api"`)
		for _, want := range []string{"// Not tested, for want of a sample:", "// - Bad: ", `Name: "Good"`} {
			if !bytes.Contains(f.Data, []byte(want)) {
				t.Errorf("no %s in:\n%s", want, f.Data)
			}
		}
		return
	}
	t.Error("there are no tests")
}
