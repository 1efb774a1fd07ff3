package generator_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestExamplesOfStaticRungs: OpenAPI 3.2 calls the value of an example `dataValue`; one that names a file or a text of the wire has none.
func TestExamplesOfStaticRungs(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ example, want string }{
		"value":           {"{value: {text: sorry}}", ""},
		"dataValue":       {"{dataValue: {text: sorry}}", ""},
		"serializedValue": {`{serializedValue: '{"text":"sorry"}'}`, "is no example of the document that has a value"},
		"externalValue":   {"{externalValue: 'https://api.example.com/sorry.json'}", "is no example of the document that has a value"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := filepath.Join(t.TempDir(), "spec.yaml")
			writeFile(t, spec, `openapi: 3.2.0
info: {title: Sorry, version: 1.0.0}
servers: [{url: "https://api.example.com"}]
paths:
  /a:
    get:
      operationId: ask
      x-resilience: {fallback: [{name: sorry, static: "#/components/examples/Sorry"}]}
      responses: {"200": {description: ok, content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}}
components: {examples: {Sorry: `+test.example+`}}
`)
			result := generate(t, spec)
			if said := printed(t, result, ""); test.want == "" && said != "" || !strings.Contains(said, test.want) {
				t.Errorf("said\n%s\nwant %q", said, test.want)
			}
		})
	}
}
