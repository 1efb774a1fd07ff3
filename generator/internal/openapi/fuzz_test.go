package openapi_test

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// FuzzLoadOpenAPI loads whatever text is a document. Nothing panics, nothing is a fault of resgen, no operation is lost, and
// every position is inside the file.
func FuzzLoadOpenAPI(f *testing.F) {
	names, err := filepath.Glob(filepath.Join("testdata", "cases", "*.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasPrefix(filepath.Base(file.Name), "doc.") {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := source.Read("doc.yaml", []byte(text))
		if err != nil {
			return
		}
		list := &diag.List{}
		in := openapi.Input{Tree: tree, Source: "doc.yaml", Path: "doc.yaml", Root: fstest.MapFS{}}
		api := openapi.Load(context.Background(), in, list)
		lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n") // as editors count them
		for _, d := range list.Sorted() {
			inside(t, lines, d.Span.Pos, string(d.Code))
			if d.Code == diag.InternalFault {
				t.Errorf("a fault of resgen: %s", d.What)
			}
		}
		if api == nil {
			return
		}
		for _, op := range api.Operations {
			inside(t, lines, op.Pos, op.ID)
		}
		if !list.HasErrors() {
			checkModel(t, api)
			checkPositions(t, lines, api)
		}
	})
}

// inside checks that a position is a place in the text.
func inside(t *testing.T, lines []string, pos source.Pos, what string) {
	t.Helper()
	if pos.File != "doc.yaml" || pos.Line < 1 || pos.Line > len(lines) || pos.Column < 1 || pos.Column > len(lines[pos.Line-1])+1 {
		t.Errorf("%s is at %s, which is not in the file", what, pos)
	}
}

func checkPositions(t *testing.T, lines []string, api *model.API) {
	t.Helper()
	for _, d := range api.Types {
		inside(t, lines, d.Pos, string(d.ID))
		if object, ok := d.Type.(model.Object); ok {
			for _, field := range object.Fields {
				inside(t, lines, field.Pos, field.Name)
			}
		}
	}
}

// TestLimits loads documents that would grow without end, or take for ever, if nothing kept them.
func TestLimits(t *testing.T) {
	t.Parallel()
	for name, doc := range hostile() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, err := source.Read("doc.json", []byte(doc))
			if err != nil {
				t.Fatal(err)
			}
			list := &diag.List{}
			api := openapi.Load(t.Context(), openapi.Input{Tree: tree, Source: "doc.json", Path: "doc.json"}, list)
			if api == nil || len(api.Operations) != 1 {
				t.Fatalf("the operation is lost:\n%s", dumpDiagnostics(list))
			}
			if !list.HasErrors() {
				checkModel(t, api)
			}
		})
	}
}

func hostile() map[string]string {
	wrap := func(schemas string) string {
		return `{"openapi": "3.1.0", "paths": {"/a": {"get": {"responses": {"200": {"content": {"application/json":
			{"schema": {"$ref": "#/components/schemas/s0"}}}}}}}}, "components": {"schemas": {` + strings.TrimSuffix(schemas, ",") + `}}}`
	}
	ladder := func(n int, step string) string { // each schema refers to the next one, in two places
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.NewReplacer("@", strconv.Itoa(i), "#NEXT", "#/components/schemas/s"+strconv.Itoa((i+1)%n)).Replace(step))
		}
		return wrap(b.String())
	}
	next := `{"$ref": "#NEXT"}`
	return map[string]string{
		"allOf twice":           ladder(60, `"s@": {"allOf": [`+next+`, `+next+`, {"properties": {"p@": {"type": "string"}}}]},`),
		"allOf of two ways":     ladder(60, `"s@": {"allOf": [{"allOf": [`+next+`]}, {"allOf": [`+next+`]}]},`),
		"anyOf ladder":          ladder(60, `"s@": {"anyOf": [`+next+`, `+next+`, {"type": "string", "enum": ["v@"]}]},`),
		"unions of one another": ladder(12, `"s@": {"type": "object", "properties": {"a@": {"type": "string"}}, "oneOf": [`+next+`, {"properties": {"b@": {"type": "integer"}}}]},`),
		"products":              ladder(40, `"s@": {"allOf": [{"oneOf": [{"properties": {"x@": {}}}, {"properties": {"y@": {}}}]}, `+next+`]},`),
		"merged recursion":      ladder(6, `"s@": {"properties": {"n": `+next+`}, "allOf": [{"properties": {"n": {"$ref": "#/components/schemas/s0"}, "m": `+next+`}}]},`),
		"deep list":             wrap(`"s0": ` + strings.Repeat(`{"items": `, 150) + `{}` + strings.Repeat(`}`, 150)),
		"deep objects":          wrap(`"s0": ` + strings.Repeat(`{"properties": {"p": `, 160) + `{}` + strings.Repeat(`}}`, 160)),
		"own property":          wrap(`"s0": {"properties": {"p": {"$ref": "#/components/schemas/s0/properties/p"}}}`),
		"own list":              wrap(`"s0": {"items": {"$ref": "#/components/schemas/s0/items"}}`),
		"discriminator loop":    ladder(20, `"s@": {"discriminator": {"propertyName": "t"}, "oneOf": [`+next+`, {"$ref": "#/components/schemas/s0"}]},`),
	}
}
