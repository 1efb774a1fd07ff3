package openapi_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// repeated is a list of a text with @ replaced by numbers from 0 on.
func repeated(n int, text string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strings.ReplaceAll(text, "@", strconv.Itoa(i))
	}
	return strings.Join(parts, ", ")
}

func loadText(t *testing.T, doc string) (*model.API, *diag.List) {
	t.Helper()
	tree, err := source.Read("doc.json", []byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	list := &diag.List{}
	return openapi.Load(t.Context(), openapi.Input{Tree: tree, Source: "doc.json", Path: "doc.json"}, list), list
}

func withSchema(schema string) string {
	return `{"openapi": "3.1.0", "paths": {"/a": {"get": {"operationId": "getA", "responses": {"200": {"content": {"application/json":
		{"schema": {"$ref": "#/components/schemas/S"}}}}}}}}, "components": {"schemas": {"S": ` + schema + `}}}`
}

// TestTooManyMembers loads what has more members than any real document. A schema is read without them, what belongs to an operation is
// refused, and both have their place.
func TestTooManyMembers(t *testing.T) {
	t.Parallel()
	const many = 10_001
	operation := func(key, value string) string {
		return `{"openapi": "3.1.0", "paths": {"/a": {"get": {"operationId": "getA", "` + key + `": ` + value + `}}}}`
	}
	tests := []struct {
		name, doc string
		code      diag.Code
		severity  diag.Severity
	}{
		{"enum", withSchema(`{"type": "string", "enum": [` + repeated(many, `"v@"`) + `]}`), diag.TooComplex, diag.Warning},
		{"properties", withSchema(`{"type": "object", "properties": {` + repeated(many, `"p@": {}`) + `}}`), diag.TooComplex, diag.Warning},
		{"oneOf", withSchema(`{"oneOf": [` + repeated(many, `{"type": "object", "properties": {"p@": {}}}`) + `]}`), diag.TooComplex, diag.Warning},
		{"allOf", withSchema(`{"allOf": [` + repeated(many, `{"properties": {"p@": {}}}`) + `]}`), diag.TooComplex, diag.Warning},
		{"parameters", operation("parameters", `[`+repeated(many, `{"name": "p@", "in": "query"}`)+`]`), diag.LimitExceeded, diag.Error},
		{"responses", operation("responses", `{`+repeated(many, `"@": {}`)+`}`), diag.LimitExceeded, diag.Error},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			api, list := loadText(t, tt.doc)
			ds := list.Sorted()
			if len(ds) != 1 || ds[0].Code != tt.code || ds[0].Severity != tt.severity || !ds[0].Span.IsValid() || !strings.Contains(ds[0].What, "10001") {
				t.Fatalf("got %+v", ds)
			}
			if tt.severity == diag.Warning && (api == nil || len(api.Operations) != 1) {
				t.Error("the operation is lost")
			}
		})
	}
	if api, list := loadText(t, withSchema(`{"type": "string", "enum": [`+repeated(many-1, `"v@"`)+`]}`)); len(list.Sorted()) > 0 || len(api.Types) != 1 {
		t.Errorf("an enum within the limit: %v", list.Sorted())
	}
}

func TestTooManyOperations(t *testing.T) {
	t.Parallel()
	doc := `{"openapi": "3.1.0", "paths": {` + repeated(25_001, `"/a@": {"get": {}}`) + `}}`
	_, list := loadText(t, doc)
	if ds := list.Sorted(); len(ds) != 1 || ds[0].Code != diag.LimitExceeded || !strings.Contains(ds[0].What, "25001 operations") {
		t.Errorf("got %+v", ds)
	}
}

// TestSmallDocumentsStaySmall loads documents of a few kilobytes whose alternatives multiply: the number of types is bounded by the size
// of the document, and so is the work.
func TestSmallDocumentsStaySmall(t *testing.T) {
	t.Parallel()
	const n, most = 40, 31_000
	crossed := func(outer, inner string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"s%d": {"%s": [`, i, outer)
			for k, name := range []string{"a", "b"} {
				fmt.Fprintf(&b, `{"%s": [{"$ref": "#/components/schemas/s%d"}, {"properties": {"%s%d": {"type": "string"}}}]}`, inner, (i+1)%n, name, i)
				if k == 0 {
					b.WriteString(", ")
				}
			}
			b.WriteString("]},")
		}
		return `{"openapi": "3.1.0", "paths": {"/a": {"get": {"operationId": "getA", "responses": {"200": {"content": {"application/json":
			{"schema": {"$ref": "#/components/schemas/s0"}}}}}}}}, "components": {"schemas": {` + strings.TrimSuffix(b.String(), ",") + `}}}`
	}
	for _, of := range [][2]string{{"oneOf", "allOf"}, {"allOf", "oneOf"}, {"anyOf", "allOf"}, {"allOf", "anyOf"}} {
		t.Run(of[0]+" of "+of[1], func(t *testing.T) {
			t.Parallel()
			api, list := loadText(t, crossed(of[0], of[1]))
			if api == nil || len(api.Operations) != 1 {
				t.Fatalf("the operation is lost: %v", list.Sorted())
			}
			if got := len(api.Types); got > most {
				t.Errorf("%d types, want at most %d", got, most)
			}
		})
	}
}

// TestUnionsOfAll loads unions that all refer to all others.
func TestUnionsOfAll(t *testing.T) {
	t.Parallel()
	const n = 60
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"s%d": {"oneOf": [%s, {"type": "object", "properties": {"p%d": {}}}]},`, i, repeated(n, `{"$ref": "#/components/schemas/s@"}`), i)
	}
	doc := `{"openapi": "3.1.0", "paths": {"/a": {"get": {"operationId": "getA", "responses": {"200": {"content": {"application/json":
		{"schema": {"$ref": "#/components/schemas/s0"}}}}}}}}, "components": {"schemas": {` + strings.TrimSuffix(b.String(), ",") + `}}}`
	if api, list := loadText(t, doc); api == nil || len(api.Operations) != 1 || len(api.Types) < n {
		t.Errorf("got %v", list.Sorted())
	}
}
