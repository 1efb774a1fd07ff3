package sample_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/sample"
)

// document is an API with one operation, whose request and answer have the schemas that are given.
func document(parameters, request, response, more string) string {
	indented := func(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n                  ") }
	return `openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /ask/{id}:
    post:
      operationId: ask
      parameters:
        - {name: id, in: path, required: true, schema: {type: string, format: uuid}}
` + parameters + `
      requestBody:
        required: true
        content:
          application/json:
            schema:
                  ` + indented(request) + `
      responses:
        "201":
          description: made
          content:
            application/json:
              schema:
                  ` + indented(response) + `
components:
  schemas:
    Text: {type: string}
` + more
}

// samplesOf are the samples of the operation of a document.
func samplesOf(t *testing.T, text, policies string) (op *plan.Operation, request, answer string, err error) {
	t.Helper()
	pkg := planOf(t, "spec.yaml", []byte(text), policies)
	if pkg == nil {
		t.Fatal("the document is refused")
	}
	m := sample.New(pkg)
	op = &pkg.Client.Operations[0]
	literal, err1 := m.Request(op)
	a, err2 := m.Answer(op)
	return op, literal.JSON, a.Body, errors.Join(err1, err2)
}

func TestSamplesHaveWhatIsRequired(t *testing.T) {
	t.Parallel()
	text := document(`
        - {name: limit, in: query, schema: {type: integer}}
        - {name: kind, in: query, required: true, schema: {type: string, enum: [a, b]}}`, `
type: object
required: [name, tags, secret, by, nested]
properties:
  name: {type: string}
  tags: {type: array, items: {type: string}}
  note: {type: string}
  secret: {type: string, writeOnly: true}
  by: {type: string, readOnly: true}
  nested: {$ref: "#/components/schemas/Nested"}`, `
type: object
required: [at, day, id, secret, by, tree]
properties:
  at: {type: string, format: date-time}
  day: {type: string, format: date}
  id: {type: integer}
  secret: {type: string, writeOnly: true}
  by: {type: string, readOnly: true}
  tree: {$ref: "#/components/schemas/Tree"}`, `
    Nested: {type: object, required: [share], properties: {share: {type: number}, other: {type: boolean}}}
    Tree: {type: object, required: [children, parent], properties: {children: {type: array, items: {$ref: "#/components/schemas/Tree"}}, parent: {oneOf: [{$ref: "#/components/schemas/Tree"}, {type: "null"}]}}}`)
	op, request, answer, err := samplesOf(t, text, "")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"ID":"6f1a1c2e-6a0f-4c1e-8f43-0e1a5b0c7d9e","Kind":"a","Body":{"name":"text","tags":[],"secret":"text","nested":{"share":1}}}`
	if diff := cmp.Diff(want, request); diff != "" {
		t.Errorf("request of %s (-want +got):\n%s", op.GoName, diff)
	}
	want = `{"at":"2024-05-06T07:08:09Z","day":"2024-05-06","id":1,"by":"text","tree":{"children":[],"parent":null}}`
	if diff := cmp.Diff(want, answer); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestWhatHoldsItselfHasNoSample(t *testing.T) {
	t.Parallel()
	text := document("", `{$ref: "#/components/schemas/Endless"}`, `{type: string}`, `
    Endless: {type: object, required: [again], properties: {again: {$ref: "#/components/schemas/Endless"}}}`)
	if _, request, _, err := samplesOf(t, text, ""); !errors.Is(err, sample.ErrEndless) {
		t.Errorf("got %s, %v; want %v", request, err, sample.ErrEndless)
	}
}

func TestVariantsCarryTheirTag(t *testing.T) {
	t.Parallel()
	text := document("", `{$ref: "#/components/schemas/Either"}`, `{type: array, items: {type: string}}`, `
    Either:
      oneOf: [{$ref: "#/components/schemas/Deep"}, {$ref: "#/components/schemas/Flat"}]
      discriminator: {propertyName: sort, mapping: {deep: "#/components/schemas/Deep", flat: "#/components/schemas/Flat"}}
    Deep: {type: object, required: [sort, in], properties: {sort: {type: string}, in: {$ref: "#/components/schemas/Either"}}}
    Flat: {type: object, required: [sort], properties: {sort: {type: string}}}`)
	_, request, answer, err := samplesOf(t, text, "")
	if err != nil {
		t.Fatal(err)
	}
	// The first variant leads back to the union, whose first variant is then out of the question.
	if want := `{"ID":"6f1a1c2e-6a0f-4c1e-8f43-0e1a5b0c7d9e","Body":{"sort":"flat"}}`; request != want || answer != "[]" {
		t.Errorf("got %s and %s; want %s and []", request, answer, want)
	}
}

func TestSamplesKeepToTheLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, want string }{
		{`{type: string, minLength: 6}`, `"texttt"`},
		{`{type: string, maxLength: 2}`, `"te"`},
		{`{type: string, example: hello}`, `"hello"`},
		{`{type: string, example: hello, maxLength: 4}`, `"text"`},
		{`{type: string, format: email, example: nobody}`, `"someone@example.com"`},
		{`{type: string, pattern: '^[a-z]{3}-\d+$'}`, `"aaa-1"`},
		{`{type: string, pattern: '^sk-[A-Za-z0-9]*$', minLength: 8}`, `"sk-aaaaa"`},
		{`{type: string, pattern: '^(?!no$).*$', example: yes-it-is}`, `"yes-it-is"`},
		{`{type: string, pattern: '^(?!no$)[a-z]+$', example: "no"}`, `"a"`},
		{`{type: string, pattern: '(?<=a)b', example: ab}`, `"ab"`},
		{`{type: "null"}`, `null`},
		{`{type: integer, minimum: 3}`, `3`},
		{`{type: integer, exclusiveMinimum: 3}`, `4`},
		{`{type: integer, maximum: -2}`, `-2`},
		{`{type: number, exclusiveMinimum: 0, maximum: 0.25}`, `0.125`},
		{`{type: integer, multipleOf: 5, minimum: 6}`, `10`},
		{`{type: integer, default: 7}`, `7`},
		{`{type: array, minItems: 2, items: {type: integer, minimum: 4}}`, `[4,4]`},
		{`{type: array, minItems: 2, uniqueItems: true, items: {type: string}}`, `["text","text1"]`},
		{`{type: object, minProperties: 1, additionalProperties: {type: boolean}}`, `{"key0":true}`},
		{`{anyOf: [{type: string, minLength: 5}, {type: integer}]}`, `"textt"`},
		{`{oneOf: [{type: string, maxLength: 3}, {type: "null"}]}`, `"tex"`},
		{`{allOf: [{$ref: "#/components/schemas/Text"}, {maxLength: 1}]}`, `"t"`},
	} {
		_, _, answer, err := samplesOf(t, document("", `{type: object}`, `{type: object, required: [v], properties: {v: `+c.schema+`}}`, ""), "")
		if want := `{"v":` + c.want + `}`; err != nil || answer != want {
			t.Errorf("%s: got %s, %v; want %s", c.schema, answer, err, want)
		}
	}
	for _, schema := range []string{
		`{type: string, pattern: '(?<=a)b'}`, `{type: integer, minimum: 3, maximum: 2}`, `{type: string, format: uuid, maxLength: 3}`,
	} {
		_, _, answer, err := samplesOf(t, document("", `{type: object}`, `{type: object, required: [v], properties: {v: `+schema+`}}`, ""), "")
		if !errors.Is(err, sample.ErrUnsolved) {
			t.Errorf("%s: got %s, %v; want %v", schema, answer, err, sample.ErrUnsolved)
		}
	}
}
