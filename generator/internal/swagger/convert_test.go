package swagger_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/generator/internal/swagger"
)

// construct is something of 2.0, as the fields at the top of a document, and what a part of the result is.
type construct struct {
	document string
	// at is the part's JSON pointer, want the part.
	at, want string
	// lost is a part of what is reported.
	lost string
}

// operation is a document of one operation.
func operation(fields string) string { return "paths: {/a: {post: {" + fields + "}}}" }

const post = "/paths/~1a/post"

func constructs() map[string]construct {
	return map[string]construct{
		"the version": {document: "paths: {}", at: "/openapi", want: `"3.0.3"`},
		"host, basePath and schemes": {
			document: "{host: h.example, basePath: /v1/, schemes: [http, wss, https]}", at: "/servers",
			want: `[{"url": "https://h.example/v1"}, {"url": "http://h.example/v1"}]`,
		},
		"a host that is an address": {document: "{host: 'http://h.example/', basePath: /v1}", at: "/servers", want: `[{"url": "http://h.example/v1"}]`},
		"lists of one": {
			document: "{host: h, schemes: http, " + operation("consumes: a/b, parameters: [{in: body, schema: {}}]") + "}",
			at:       post + "/requestBody/content", want: `{"a/b": {"schema": {}}}`,
		},
		"no schemes":          {document: "host: h.example", at: "/servers", want: `[{"url": "https://h.example"}]`},
		"no host":             {document: "basePath: v1", at: "/servers", want: `[{"url": "/v1"}]`},
		"no address":          {document: "basePath: /", at: "/servers", want: `null`},
		"servers of 3.0 stay": {document: "{host: h, servers: [{url: /x}]}", at: "/servers", want: `[{"url": "/x"}]`},
		"a parameterized host": {
			document: "{x-ms-parameterized-host: {hostTemplate: '{account}.h', useSchemePrefix: true, parameters: [{name: account, in: path, default: me}]}}",
			at:       "/servers", want: `[{"url": "https://{account}.h", "variables": {"account": {"default": "me"}}}]`,
		},
		"a host with its scheme": {
			document: "{basePath: /v1, x-ms-parameterized-host: {hostTemplate: 'http://{h}', useSchemePrefix: false}}", at: "/servers", want: `[{"url": "http://{h}/v1"}]`,
		},
		"schemes of an operation": {
			document: "{host: h, schemes: [http], " + operation("schemes: [https]") + "}", at: post + "/servers", want: `[{"url": "https://h"}]`,
		},
		"a file without a schema": {
			document: "paths: {/a: {get: {produces: [application/x-tar], responses: {'200': {description: ok}}}}}", at: "/paths/~1a/get/responses/200/content",
			want: `{"application/x-tar": {"schema": {"type": "string", "format": "binary"}}}`,
		},
		"text without a schema": {
			document: "paths: {/a: {get: {produces: [application/x-tar, text/plain], responses: {'200': {description: ok}}}}}",
			at:       "/paths/~1a/get/responses/200/content", want: `null`,
		},
		"no file of the document's types": {
			document: "{produces: [image/png], paths: {/a: {get: {responses: {'200': {description: ok}}}}}}",
			at:       "/paths/~1a/get/responses/200/content", want: `null`,
		},
		"basic": {
			document: "securityDefinitions: {a: {type: basic}}", at: "/components/securitySchemes/a", want: `{"type": "http", "scheme": "basic"}`,
		},
		"an OAuth 2 flow": {
			document: "securityDefinitions: {a: {type: oauth2, flow: accessCode, authorizationUrl: u, tokenUrl: t, scopes: {s: S}}}",
			at:       "/components/securitySchemes/a",
			want:     `{"type": "oauth2", "flows": {"authorizationCode": {"authorizationUrl": "u", "tokenUrl": "t", "scopes": {"s": "S"}}}}`,
		},
		"paths with a query": {document: "x-ms-paths: {'/a?b=c': {get: {}}}", at: "/paths", want: `{"/a?b=c": {"get": {}}}`},
		"a body in JSON": {
			document: operation("parameters: [{name: b, in: body, required: true, description: B., schema: {type: string}}]"), at: post + "/requestBody",
			want: `{"required": true, "description": "B.", "content": {"application/json": {"schema": {"type": "string"}}}}`,
		},
		"a body in what the operation consumes": {
			document: "{consumes: [text/plain], " + operation("consumes: [a/b+json, a/b+xml, a/c], parameters: [{in: body, schema: {}}]") + "}",
			at:       post + "/requestBody/content", want: `{"a/b+json": {"schema": {}}, "a/c": {"schema": {}}}`,
		},
		"a body is no form": {
			document: "{consumes: [multipart/form-data, text/plain], " + operation("parameters: [{in: body, schema: {}}]") + "}",
			at:       post + "/requestBody/content", want: `{"text/plain": {"schema": {}}}`,
		},
		"a body without a schema": {document: operation("parameters: [{in: body}]"), at: post + "/requestBody/content", want: `{"application/json": {}}`},
		"a body by reference": {
			document: "{parameters: {B: {in: body, schema: {type: object}}}, " + operation("parameters: [{$ref: '#/parameters/B'}]") + "}",
			at:       post + "/requestBody/content", want: `{"application/json": {"schema": {"$ref": "#/parameters/B/schema"}}}`,
		},
		"a form": {
			document: operation("parameters: [{name: a, in: formData, type: integer, required: true, description: A.}, {name: b, in: formData, type: array, " +
				"items: {type: string}, collectionFormat: pipes}, {name: c, in: formData, type: array, items: {type: string}, collectionFormat: multi}]"),
			at: post + "/requestBody", want: `{"required": true, "content": {"application/x-www-form-urlencoded": {
				"schema": {"type": "object", "properties": {"a": {"type": "integer", "description": "A."}, "b": {"type": "array", "items": {"type": "string"}},
					"c": {"type": "array", "items": {"type": "string"}}}, "required": ["a"]},
				"encoding": {"b": {"style": "pipeDelimited", "explode": false}}}}}`,
		},
		"files need parts": {
			document: operation("consumes: [application/x-www-form-urlencoded], parameters: [{name: f, in: formData, type: file}]"),
			at:       post + "/requestBody/content", want: `{"multipart/form-data": {"schema": {"type": "object",
				"properties": {"f": {"type": "string", "format": "binary"}}}}}`,
		},
		"two bodies": {
			document: operation("parameters: [{name: a, in: body, schema: {}}, {name: b, in: body, schema: {}}]"), at: post + "/parameters", want: `[]`, lost: `"b"`,
		},
		"a field without a name": {document: operation("parameters: [{in: formData, type: string}]"), at: post + "/parameters", want: `[]`, lost: "without a name"},
		"the form of a path": {
			document: "paths: {/a: {parameters: [{name: a, in: formData, type: string}], post: {}}}", at: post + "/requestBody/content",
			want: `{"application/x-www-form-urlencoded": {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}}}`,
		},
		"lists in queries": {
			document: operation("parameters: [{name: a, in: query, type: array, items: {type: string}}, {name: b, in: query, type: array, collectionFormat: tsv}]"),
			at:       post + "/parameters", want: `[
				{"name": "a", "in": "query", "style": "form", "explode": false, "schema": {"type": "array", "items": {"type": "string"}}},
				{"name": "b", "in": "query", "style": "tabDelimited", "explode": false, "schema": {"type": "array"}}]`,
		},
		"a value that is encoded already": {
			document: operation("parameters: [{name: a, in: path, type: string, x-ms-skip-url-encoding: true}]"), at: post + "/parameters/0/allowReserved", want: "true",
		},
		"a list that a path cannot have": {
			document: operation("parameters: [{name: a, in: path, type: array, collectionFormat: ssv}]"), at: post + "/parameters/0/schema",
			want: `{"type": "string"}`, lost: "ssv",
		},
		"parameters of 3.0 stay": {
			document: operation("parameters: [{name: a, in: query, schema: {type: string}}]"), at: post + "/parameters",
			want: `[{"name": "a", "in": "query", "schema": {"type": "string"}}]`,
		},
		"a response": {
			document: operation("produces: [a/json, a/xml, a/csv], responses: {200: {description: R., schema: {type: array}, headers: {H: {type: integer, description: D.}}, " +
				"examples: {a/csv: x}}}"),
			at: post + "/responses/200", want: `{"description": "R.", "headers": {"H": {"description": "D.", "schema": {"type": "integer"}}},
				"content": {"a/json": {"schema": {"type": "array"}}, "a/csv": {"schema": {"type": "array"}, "example": "x"}}}`,
		},
		"a response without a body": {document: operation("produces: [a/b], responses: {200: {description: R.}}"), at: post + "/responses/200", want: `{"description": "R."}`},
		"a response by reference": {
			document: "{responses: {R: {description: R., schema: {type: object}}}, " + operation("responses: {200: {$ref: '#/responses/R'}}") + "}",
			at:       post + "/responses/200", want: `{"description": "R.", "content": {"application/json": {"schema": {"$ref": "#/responses/R/schema"}}}}`,
		},
		"a file": {
			document: operation("produces: [application/json], responses: {200: {schema: {type: file}}}"), at: post + "/responses/200/content",
			want: `{"*/*": {"schema": {"type": "string", "format": "binary"}}}`,
		},
		"inheritance": {
			document: "definitions: {A: {discriminator: kind}, B: {allOf: [{$ref: '#/definitions/A'}], x-ms-discriminator-value: b}, C: {allOf: [{$ref: '#/definitions/B'}]}}",
			at:       "/definitions/A/discriminator", want: `{"propertyName": "kind", "mapping": {"A": "#/definitions/A", "b": "#/definitions/B", "C": "#/definitions/C"}}`,
		},
		"names of values": {
			document: "definitions: {A: {enum: [1, 2], x-ms-enum: {values: [{value: 2, name: Two, description: T.}]}}}", at: "/definitions/A/x-enum-varnames", want: `["", "Two"]`,
		},
		"a property with a keyword's name": {
			document: "definitions: {A: {properties: {type: {type: string}, discriminator: {type: file}, example: {type: file}}}}", at: "/definitions/A/properties",
			want: `{"type": {"type": "string"}, "discriminator": {"type": "string", "format": "binary"}, "example": {"type": "string", "format": "binary"}}`,
		},
		"values stay": {document: "definitions: {A: {example: {type: file}, enum: [{type: file}]}}", at: "/definitions/A", want: `{"example": {"type": "file"}, "enum": [{"type": "file"}]}`},
		"a reference into a body": {
			document: "{definitions: {A: {$ref: '#/paths/~1a/post/parameters/0/schema/items'}}, " + operation("parameters: [{in: body, schema: {items: {}}}]") + "}",
			at:       "/definitions/A", want: `{"$ref": "#/paths/~1a/post/requestBody/content/application~1json/schema/items"}`,
		},
		"a reference into a response": {
			document: "{definitions: {A: {$ref: '#/paths/~1a/post/responses/200/schema'}}, " + operation("responses: {'200': {schema: {}}}") + "}",
			at:       "/definitions/A", want: `{"$ref": "#/paths/~1a/post/responses/200/content/application~1json/schema"}`,
		},
		"a reference to a later parameter": {
			document: "{definitions: {A: {$ref: '#/paths/~1a/post/parameters/1/items'}}, " + operation("parameters: [{in: body}, {in: query}]") + "}",
			at:       "/definitions/A", want: `{"$ref": "#/paths/~1a/post/parameters/0/items"}`,
		},
		"a name as a reference": {document: "definitions: {A: {$ref: B}, B: {}}", at: "/definitions/A", want: `{"$ref": "#/definitions/B"}`},
		"an object among files": {
			document: "{produces: [text/plain, application/json], definitions: {E: {type: object}}, " +
				operation("produces: [image/png], responses: {200: {schema: {type: file}}, 400: {schema: {$ref: '#/definitions/E'}}}") + "}",
			at: post + "/responses", want: `{"200": {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}},
				"400": {"content": {"application/json": {"schema": {"$ref": "#/definitions/E"}}}}}`,
		},
		"a list in a list": {
			document: operation("parameters: [{name: a, in: query, type: array, items: {type: array, items: {type: integer}, collectionFormat: pipes}}]"),
			at:       post + "/parameters/0/schema", want: `{"type": "array", "items": {"type": "string"}}`, lost: "lists in the list",
		},
		"an object as bytes": {
			document: "{consumes: [application/json], " + operation("consumes: [application/octet-stream], parameters: [{in: body, schema: {type: object}}]") + "}",
			at:       post + "/requestBody/content", want: `{"application/json": {"schema": {"type": "object"}}}`,
		},
		"a reference to nothing": {document: "definitions: {A: {$ref: '#/definitions/B'}}", at: "/definitions/A", want: `{"$ref": "#/definitions/B"}`},
	}
}

// TestConvert converts a document for each construct.
func TestConvert(t *testing.T) {
	t.Parallel()
	for name, c := range constructs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "swagger: '2.0'\n" + c.document
			if strings.HasPrefix(c.document, "{") {
				text = "{swagger: '2.0', " + c.document[1:]
			}
			tree, list := read(t, text), &diag.List{}
			before := tree.Clone()
			out := swagger.Convert(swagger.Input{Tree: tree, File: "doc.yaml", Find: inside(tree), List: list})
			if !tree.Equal(&before) {
				t.Error("the tree was changed")
			}
			part, err := out.Lookup(c.at)
			if err != nil {
				part = &source.Value{}
			}
			data, _ := source.JSON(part)
			if diff := cmp.Diff(decoded(t, c.want), decoded(t, string(data))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.at, diff)
			}
			placed(t, &out)
			switch said := list.Sorted(); {
			case c.lost == "" && len(said) > 0, c.lost != "" && (len(said) != 1 || !strings.Contains(said[0].What, c.lost)):
				t.Errorf("reported %+v, want %q", said, c.lost)
			}
		})
	}
}

func read(t *testing.T, text string) *source.Value {
	t.Helper()
	tree, err := source.Read("doc.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// inside finds what is in the document itself.
func inside(tree *source.Value) swagger.Find {
	return func(file, ref string) (swagger.Target, bool) {
		v, err := tree.LookupFragment(ref)
		return swagger.Target{Value: v, File: file}, err == nil && v.Get("$ref") == nil
	}
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	var out any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// placed checks that everything has a place in the document.
func placed(t *testing.T, v *source.Value) {
	t.Helper()
	if !v.Pos.IsValid() {
		t.Errorf("a value has no place: %+v", v)
	}
	for i := range v.Map {
		if !v.Map[i].KeyPos.IsValid() {
			t.Errorf("the key %q has no place", v.Map[i].Key)
		}
		placed(t, &v.Map[i].Value)
	}
	for i := range v.List {
		placed(t, &v.List[i])
	}
}

// TestIsVersion2 tells documents of 2.0 from others.
func TestIsVersion2(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"swagger: '2.0'": true, "swagger: 2.0": true, "swagger: 2": true, "swagger: '1.2'": false, "openapi: 3.0.0": false, "[]": false,
	} {
		if got := swagger.IsVersion2(read(t, text)); got != want {
			t.Errorf("%s: got %t", text, got)
		}
	}
}
