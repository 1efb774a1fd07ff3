package generator_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// The tests of this file are called after complaints about generators of the field, by number: names that clash, shadow or change.

// packageOf is what a document with these schemas and paths becomes. It compiles, since it is type-checked.
func packageOf(t *testing.T, paths, components string) []generator.File {
	t.Helper()
	dir := t.TempDir()
	spec := filepath.Join(dir, "api.yaml")
	writeFile(t, spec, "openapi: 3.1.0\ninfo: {title: Pain, version: 1.0.0}\nservers: [{url: 'https://api.example.com'}]\n"+
		"paths:\n"+paths+"\ncomponents:\n"+components+"\n")
	result, err := generator.Run(t.Context(), generator.Config{Client: generator.Client{Spec: spec, Out: filepath.Join(dir, "api"), Package: "api"}})
	if err != nil || result.HasErrors() {
		t.Fatalf("%v\n%s", err, printed(t, result, ""))
	}
	return result.Outputs[0].Files
}

// sourceOf is all of a package in one text.
func sourceOf(files []generator.File) string {
	var b strings.Builder
	for _, f := range files {
		b.Write(f.Data)
	}
	return b.String()
}

// has fails where a pattern does not stand in a package.
func has(t *testing.T, files []generator.File, patterns ...string) {
	t.Helper()
	for _, p := range patterns {
		if !regexp.MustCompile(`(?m)` + p).MatchString(sourceOf(files)) {
			t.Errorf("nothing matches %s in\n%s", p, sourceOf(files))
		}
	}
}

// getting is a path whose operation answers with a component.
func getting(id, schema string) string {
	return fmt.Sprintf("  /%s: {get: {operationId: %s, responses: {'200': {description: d, content: {application/json: {schema: "+
		"{$ref: '#/components/schemas/%s'}}}}}}}\n", id, id, schema)
}

func TestPain01OneNameInEverySection(t *testing.T) {
	t.Parallel()
	files := packageOf(t, "  /a: {post: {operationId: thing, parameters: [{$ref: '#/components/parameters/Thing'}], requestBody: {$ref: '#/components/requestBodies/Thing'}, "+
		"responses: {'200': {$ref: '#/components/responses/Thing'}}}}\n",
		"  parameters: {Thing: {name: thing, in: query, schema: {type: string, enum: [a]}}}\n"+
			"  requestBodies: {Thing: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}}\n"+
			"  responses: {Thing: {description: d, headers: {Thing: {schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}\n"+
			"  headers: {Thing: {schema: {type: string}}}\n  schemas: {Thing: {type: object, properties: {thing: {type: string}}}}\n")
	has(t, files, `^type Thing struct`, `^type ThingRequest struct`, `func \(c \*Client\) Thing\(ctx context.Context, req \*ThingRequest\) \(\*Thing, error\)`)
}

func TestPain02ComponentsComeFirst(t *testing.T) {
	t.Parallel()
	files := packageOf(t, getting("a", "Request")+getting("b", "RequestStatus"),
		"  schemas:\n    Request: {type: object, properties: {status: {type: string, enum: [new]}}}\n"+
			"    RequestStatus: {description: Is mark1., type: object, properties: {code: {type: integer}}}\n")
	if got := meanings(t, files)["type RequestStatus"]; got != "1" {
		t.Errorf("RequestStatus is %q and not the component", got)
	}
	has(t, files, `^type RequestStatus2 string`)
}

func TestPain03ManyNamesThatAreOne(t *testing.T) {
	t.Parallel()
	const n = 300
	var schemas, props strings.Builder
	for i := range n {
		fmt.Fprintf(&schemas, "    'microsoft.graph%s': {type: object, properties: {a: {type: integer}}}\n", strings.Repeat(".", i))
		fmt.Fprintf(&props, "        p%d: {$ref: '#/components/schemas/microsoft.graph%s'}\n", i, strings.Repeat(".", i))
	}
	files := packageOf(t, getting("all", "all"), "  schemas:\n    all:\n      type: object\n      properties:\n"+props.String()+schemas.String())
	if got := len(regexp.MustCompile(`(?m)^type Microsoft\w* struct`).FindAllString(sourceOf(files), -1)); got != n {
		t.Errorf("%d types, want %d", got, n)
	}
}

func TestPain04WhoLosesANameIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	spec := filepath.Join(dir, "api.yaml")
	writeFile(t, spec, "openapi: 3.1.0\ninfo: {title: Pain, version: 1.0.0}\npaths:\n"+getting("a", "foo_bar")+getting("b", "FooBar")+
		"components:\n  schemas:\n    foo_bar: {type: object}\n    FooBar: {type: object, properties: {a: {type: string}}}\n")
	result, err := generator.Run(t.Context(), generator.Config{Client: generator.Client{Spec: spec, Out: filepath.Join(dir, "api"), Package: "api"}})
	if err != nil || len(result.Outputs) != 1 {
		t.Fatal(err, result.Diagnostics)
	}
	want := generator.Renaming{ID: "type #/components/schemas/foo_bar", Want: "FooBar", Got: "FooUnderscoreBar"}
	got := result.Outputs[0].Renamed
	if len(got) != 1 || got[0].Pos.Line != 8 || got[0].ID != want.ID || got[0].Want != want.Want || got[0].Got != want.Got {
		t.Errorf("got %+v", got)
	}
}

func TestPain05WrappersYield(t *testing.T) {
	t.Parallel()
	files := packageOf(t, "  /x: {post: {operationId: getX, parameters: [{name: q, in: query, schema: {type: string}}], responses: {"+
		"'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/GetXResponse'}}}}, "+
		"'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/GetXRequest'}}}}}}}\n",
		"  schemas:\n    GetXResponse: {description: Is mark1., type: object, properties: {a: {type: string}}}\n"+
			"    GetXRequest: {description: Is mark2., type: object, properties: {b: {type: string}}}\n")
	if got := meanings(t, files); got["type GetXResponse"] != "1" || got["type GetXRequest"] != "2" {
		t.Errorf("the components lost their names: %v", got)
	}
	has(t, files, `GetX\(ctx context.Context, req \*GetXParams\) \(GetXResult, error\)`)
}

func TestPain06EnumsReferToTheirOwnTypes(t *testing.T) {
	t.Parallel()
	files := packageOf(t, getting("accessList", "AccessListResponse")+getting("list", "AccessList"),
		"  schemas:\n    AccessListResponse: {$ref: '#/components/schemas/AccessList'}\n"+
			"    AccessList: {type: object, properties: {response: {type: string, enum: [allow, deny]}}}\n")
	has(t, files, `^\s*AccessListResponse\w+Allow +AccessListResponse\w+ = "allow"`, `^type AccessListResponse = AccessList$`)
}

func TestPain07ComponentsCalledLikeTheClient(t *testing.T) {
	t.Parallel()
	names := []string{"Client", "New", "Option", "API", "Error", "Config", "WithBearer", "Group"}
	var paths, schemas strings.Builder
	for i, name := range names {
		paths.WriteString(getting(fmt.Sprint("op", i), name))
		fmt.Fprintf(&schemas, "    %s: {type: object, properties: {a: {type: string}}}\n", name)
	}
	files := packageOf(t, paths.String(), "  schemas:\n"+schemas.String())
	has(t, files, `^type ClientModel struct`, `^type NewModel struct`, `^type OptionModel struct`, `^type APIModel struct`, `^type Error struct`,
		`^type Config struct`, `^type WithBearerModel struct`, `^type Group struct`)
}

func TestPain08ConstantsAreNoTypes(t *testing.T) {
	t.Parallel()
	files := packageOf(t, getting("a", "Pet")+getting("b", "PetCat")+getting("c", "Cat"),
		"  schemas:\n    Pet: {type: string, enum: [cat, dog]}\n    PetCat: {type: object, properties: {a: {type: string}}}\n"+
			"    Cat: {type: object, properties: {a: {type: string}}}\n")
	has(t, files, `^type PetCat struct`, `^type Cat struct`, `PetDog +Pet = "dog"`, `PetValueCat +Pet = "cat"`)
}

func TestPain09ConstantsDoNotDependOnNeighbours(t *testing.T) {
	t.Parallel()
	one := "  schemas:\n    Color: {type: string, enum: [red, blue]}\n"
	before := meanings(t, packageOf(t, getting("a", "Color"), one))
	after := meanings(t, packageOf(t, getting("a", "Color")+getting("b", "Light"), one+"    Light: {type: string, enum: [red, green]}\n"))
	for name, means := range before {
		if after[name] != means {
			t.Errorf("%s was %q and is %q", name, means, after[name])
		}
	}
	if before["const ColorRed"] != `Color "red"` {
		t.Errorf("got %v", before)
	}
}

func TestPain47EveryTypeIsDefined(t *testing.T) {
	t.Parallel()
	files := packageOf(t, getting("a", "A"), "  schemas:\n    A: {oneOf: [{$ref: '#/components/schemas/Gone'}, {$ref: '#/components/schemas/B'}]}\n"+
		"    B: {type: object, properties: {gone: {$ref: '#/components/schemas/Gone'}, more: {type: array, items: {$ref: 'gone.yaml#/X'}}}}\n")
	has(t, files, `^type B struct`, `More +\[\]json.RawMessage`)
}

func TestPain48ImportsFollowUse(t *testing.T) {
	t.Parallel()
	for _, f := range packageOf(t, "  /a: {get: {operationId: a, responses: {'204': {description: d}}}}\n", "  schemas: {}\n") {
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		used := map[string]bool{}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := s.X.(*ast.Ident); ok {
					used[id.Name] = true
				}
			}
			return true
		})
		for _, spec := range parsed.Imports {
			if path := strings.Trim(spec.Path.Value, `"`); !used[path[strings.LastIndex(path, "/")+1:]] {
				t.Errorf("%s imports %s and does not use it", f.Name, path)
			}
		}
	}
}

func TestPain49VariantsOfListsAndAnything(t *testing.T) {
	t.Parallel()
	files := packageOf(t, getting("a", "Links"), "  schemas:\n"+
		"    Links: {oneOf: [{type: array, items: {$ref: '#/components/schemas/Link'}}, {type: object, additionalProperties: true}, {type: string}]}\n"+
		"    Link: {type: object, properties: {href: {type: string}}}\n")
	has(t, files, `LinkList`)
}

func TestPain50NullableScalarsNeedNoTypesOfTheirOwn(t *testing.T) {
	t.Parallel()
	files := packageOf(t, getting("a", "A"),
		"  schemas:\n    A: {type: object, required: [n], properties: {n: {type: [integer, 'null'], format: int32}, o: {type: [integer, 'null'], format: int32}}}\n")
	has(t, files, `N +wire\.Null\[int32\]`, `O +wire\.OptNull\[int32\]`)
}

func TestPain51ConstantsOfOneNameInTwoEnums(t *testing.T) {
	t.Parallel()
	files := packageOf(t, getting("a", "A")+getting("b", "AB"),
		"  schemas:\n    A: {type: string, enum: [bc, b_c, BC, '']}\n    AB: {type: string, enum: [c, C, '-', '+', '']}\n")
	constants := 0
	for name := range meanings(t, files) {
		if strings.HasPrefix(name, "const ") {
			constants++
		}
	}
	if constants != 9 {
		t.Errorf("%d constants, want one for each of 9 values: %v", constants, meanings(t, files))
	}
}

func TestPain52FilesAreNotCalledAfterSchemas(t *testing.T) {
	t.Parallel()
	files := packageOf(t, getting("foo_test", "FooTest")+getting("foo_windows", "foo_windows"),
		"  schemas:\n    FooTest: {type: object, properties: {a: {type: string}}}\n    foo_windows: {type: object, properties: {a: {type: string}}}\n")
	for _, f := range files {
		if !regexp.MustCompile(`^[a-z]+\.gen\.go$`).MatchString(f.Name) || strings.Contains(f.Name, "foo") {
			t.Errorf("a file is called %s", f.Name)
		}
	}
	has(t, files, `^type FooTest struct`, `^type FooWindows struct`)
}

func TestPain53ParametersHideNothing(t *testing.T) {
	t.Parallel()
	var params []string
	names := []string{"url", "time", "json", "context", "http", "wire", "runtime", "policy", "ctx", "req", "c", "err", "call", "at", "string", "len", "nil", "type"}
	for _, name := range names {
		params = append(params, fmt.Sprintf("{name: '%s', in: query, schema: {type: string, format: date-time}}", name))
	}
	files := packageOf(t, "  /a: {get: {operationId: a, parameters: ["+strings.Join(params, ", ")+"], responses: {'204': {description: d}}}}\n", "  schemas: {}\n")
	has(t, files, `URL +wire\.Opt\[time\.Time\]`, `"nil"`)
}

func TestPain54SupportTypesAreElsewhere(t *testing.T) {
	t.Parallel()
	names := []string{"Opt", "Null", "OptNull", "Union", "Content", "Stream", "StatusError", "Result", "Operation", "Attempt", "Plan", "Kind", "Download"}
	var paths, schemas strings.Builder
	for i, name := range names {
		paths.WriteString(getting(fmt.Sprint("op", i), name))
		fmt.Fprintf(&schemas, "    %s: {type: object, properties: {a: {type: string}}}\n", name)
	}
	files := packageOf(t, paths.String(), "  schemas:\n"+schemas.String())
	for _, name := range names {
		has(t, files, `^type `+name+` struct`)
	}
}

func TestPain55FieldsHaveNoAccessors(t *testing.T) {
	t.Parallel()
	files := packageOf(t, getting("a", "A"),
		"  schemas:\n    A: {type: object, properties: {x: {type: string}, hasX: {type: boolean}, getX: {type: string}, setX: {type: string}, isSet: {type: boolean}}}\n")
	has(t, files, `HasX +wire\.Opt\[bool\]`, `GetX +wire\.Opt\[string\]`)
	if regexp.MustCompile(`func \(\w* ?\*?A\)`).MatchString(sourceOf(files)) {
		t.Error("the struct has methods")
	}
}

func TestPain56NewValuesBreakNobody(t *testing.T) {
	t.Parallel()
	schema := func(values string) string { return "  schemas:\n    Status: {type: string, enum: [" + values + "]}\n" }
	before := packageOf(t, getting("a", "Status"), schema("open, closed"))
	after := meanings(t, packageOf(t, getting("a", "Status"), schema("paused, closed, open")))
	for name, means := range meanings(t, before) {
		if after[name] != means {
			t.Errorf("%s was %q and is %q", name, means, after[name])
		}
	}
	has(t, before, `^type Status string$`)
	if slices.ContainsFunc(before, func(f generator.File) bool { return strings.Contains(string(f.Data), "*Status) UnmarshalJSON") }) {
		t.Error("values are checked when they are read")
	}
}
