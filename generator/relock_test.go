package generator_test

import (
	"path/filepath"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// TestFreshAfterGenerate checks documents in which one thing could be remembered for another one: what was just made is not stale, and
// there is nothing to say about its lock.
func TestFreshAfterGenerate(t *testing.T) {
	t.Parallel()
	const before, after = "openapi: 3.1.0\ninfo: {title: Relock, version: 1.0.0}\nservers: [{url: 'https://api.example.com'}]\npaths:\n", `
components:
  schemas:
    A: {type: object, properties: {a: {type: string}}}
    B: {type: object, properties: {b: {type: string}}}
`
	tests := map[string]string{
		"a request and an answer in one media type, and operations of the names of their methods": `
  /a:
    post:
      operationId: create
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/A'}}, text/csv: {schema: {type: string}}}
      responses:
        '200':
          description: Done.
          content: {application/json: {schema: {$ref: '#/components/schemas/B'}}, text/csv: {schema: {type: string}}}
    put: {operationId: createWithCSV, responses: {'204': {description: Done.}}}
    get: {operationId: createAsCSV, responses: {'204': {description: Done.}}}
`,
		"two alternatives of one kind": `
  /a:
    get:
      operationId: getA
      responses:
        '200':
          description: Done.
          content:
            application/json: {schema: {type: object, properties: {id: {anyOf: [
              {type: string}, {type: integer, format: uint64, minimum: 0}, {type: integer}]}}}}
`,
	}
	for name, paths := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			spec := filepath.Join(dir, "api.yaml")
			writeFile(t, spec, before+paths[1:]+after[1:])
			cfg := generator.Config{Client: generator.Client{Spec: spec, Out: filepath.Join(dir, "api"), Package: "api", ImportPath: "example.com/api"}}
			if result, err := generator.Run(t.Context(), cfg); err != nil || result.HasErrors() {
				t.Fatalf("%v\n%s", err, printed(t, result, ""))
			}
			cfg.Mode = generator.Check
			result, err := generator.Run(t.Context(), cfg)
			if err != nil || result.Stale() || len(result.Diagnostics) > 0 {
				t.Errorf("stale %t: %v\n%s", result.Stale(), err, printed(t, result, ""))
			}
		})
	}
}
