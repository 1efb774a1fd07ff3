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
	want := `{"ID":"text","Kind":"a","Body":{"name":"text","tags":[],"secret":"text","nested":{"share":1}}}`
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
	if want := `{"ID":"text","Body":{"sort":"flat"}}`; request != want || answer != "[]" {
		t.Errorf("got %s and %s; want %s and []", request, answer, want)
	}
}
