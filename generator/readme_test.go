package generator_test

import (
	"fmt"
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
	place := fmt.Sprintf("\ngreeter.yaml:%d:%d: ", d.Span.Line, d.Span.Column)
	for _, want := range []string{place + "error RG3104: " + d.What, "why: " + d.Why, "fix: "} {
		if !strings.Contains(readme, want) {
			t.Errorf("the README's refusal does not say %q", want)
		}
	}
	if _, fix, _ := strings.Cut(readme, "fix: "); !strings.HasPrefix(d.Fix, strings.SplitN(fix, "\n", 2)[0]) {
		t.Errorf("the README's fix is not the beginning of %q", d.Fix)
	}
}

// vectors is the document whose operation has the annotations of the README's second example.
const vectors = `openapi: 3.1.0
info: {title: Vectors, version: 1.0.0}
servers: [{url: "https://vectors.example.com"}]
x-resilience:
  targets: {backup: {base-url: "https://backup.example.com"}}
paths:
  /embeddings:
    post:
      operationId: createEmbedding
ANNOTATIONS      requestBody:
        content: {application/json: {schema: {$ref: '#/components/schemas/Text'}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Vector'}}}}
components:
  schemas:
    Text: {type: object, required: [text], properties: {text: {type: string}}}
    Vector:
      type: object
      properties:
        vector: {type: array, items: {type: number}}
        usage: {type: object, properties: {prompt_tokens: {type: integer}}}
`

// TestReadmePolicies holds the README's second example to what resgen says of it: nothing is wrong with it, and the method's comment is the
// one that stands there.
func TestReadmePolicies(t *testing.T) {
	t.Parallel()
	readme := readFile(t, filepath.Join(repoRoot(t), "README.md"))
	_, section, _ := strings.Cut(readme, "## Slow, limited, down\n")
	annotations := block(t, section, "yaml")
	spec := filepath.Join(t.TempDir(), "vectors.yaml")
	writeFile(t, spec, strings.Replace(vectors, "ANNOTATIONS", annotations, 1))
	result := generate(t, spec)
	if len(result.Diagnostics) != 0 {
		t.Fatalf("got %v, want no diagnostics", result.Diagnostics)
	}
	var operations string
	for _, f := range result.Outputs[0].Files {
		if f.Name == "operations.gen.go" {
			operations = string(f.Data)
		}
	}
	_, comment, _ := strings.Cut(operations, "// CreateEmbedding is the operation createEmbedding.\n//\n")
	comment, _, _ = strings.Cut(comment, "func ")
	if got := block(t, section, "go"); got != comment {
		t.Errorf("the README's comment is\n%s, and what is generated\n%s", got, comment)
	}
}

// block returns the first block of code in a language.
func block(t *testing.T, markdown, language string) string {
	t.Helper()
	_, code, found := strings.Cut(markdown, "```"+language+"\n")
	code, _, ended := strings.Cut(code, "```")
	if !found || !ended {
		t.Fatalf("the README has no block of %s", language)
	}
	return code
}

// generate runs resgen over a document, in mode Generate and into a folder of the test's own.
func generate(t *testing.T, spec string) *generator.Result {
	t.Helper()
	result, err := generator.Run(t.Context(), generator.Config{
		Client: generator.Client{Spec: spec, Out: t.TempDir(), Package: "greeter", WithoutTests: true},
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
