package generator_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// growing is a document that grows. Whatever it holds has a mark of its own in its description, which stands in the comment of what
// is made of it: so that a name can be asked what it stands for.
type growing struct {
	random  *rand.Rand
	marks   int
	schemas []*grownSchema
	ops     []*grownOp
}

type grownSchema struct {
	name, mark string
	// props are properties with the enum values of each; nil is a string.
	props []grownProp
	// enum makes it an enum of texts instead.
	enum []string
	open bool
}

type grownProp struct {
	name, mark string
	inline     *grownSchema
}

type grownOp struct {
	id, mark string
	params   []string
	body     *grownSchema
	answers  []*grownSchema
}

// The names that it is made of: most of them are one Go name, or one that something else would have.
var (
	schemaNames = []string{
		"foo_bar", "FooBar", "fooBar", "Foo-bar", "CreateFooRequest", "create_foo_request", "CreateFooResponse", "CreateFooOK",
		"CreateFooCreated", "FooBarKind", "FooBarKindOpen", "foo_bar_kind", "Client", "client", "ClientModel", "CreateFooParams", "WithBearer",
		"CreateFooRequestBody", "ListFooRequest", "Kind", "KindOpen", "API", "New", "Option", "createFooResult",
	}
	operationNames = []string{"createFoo", "create_foo", "CreateFoo", "listFoo", "ListFoo", "list-foo", "foo_bar", "fooBar"}
	memberNames    = []string{"kind", "Kind", "k-ind", "extra", "Extra", "extra_fields", "foo_bar", "fooBar", "body", "Body", "FooBar"}
	valueNames     = []string{"open", "Open", "OPEN", "op_en", "value open", "", "-", "closed", "1", "-1", "+1"}
)

func (g *growing) mark() string {
	g.marks++
	return fmt.Sprintf("mark%d", g.marks)
}

// pick is one of the names that are not in use, empty where all are.
func (g *growing) pick(names []string, used func(string) bool) string {
	free := slices.DeleteFunc(slices.Clone(names), used)
	if len(free) == 0 {
		return ""
	}
	return free[g.random.IntN(len(free))]
}

func insert[T any](g *growing, list []T, v T) []T {
	return slices.Insert(list, g.random.IntN(len(list)+1), v)
}

func (g *growing) newSchema() *grownSchema {
	s := &grownSchema{mark: g.mark(), open: g.random.IntN(2) == 0}
	if g.random.IntN(3) == 0 {
		s.enum = []string{valueNames[g.random.IntN(len(valueNames))]}
	}
	return s
}

// grow adds one thing somewhere.
func (g *growing) grow() {
	switch g.random.IntN(7) {
	case 0, 1:
		name := g.pick(schemaNames, func(n string) bool {
			return slices.ContainsFunc(g.schemas, func(s *grownSchema) bool { return s.name == n })
		})
		if name != "" {
			s := g.newSchema()
			s.name = name
			g.schemas = insert(g, g.schemas, s)
		}
	case 2:
		id := g.pick(operationNames, func(n string) bool { return slices.ContainsFunc(g.ops, func(o *grownOp) bool { return o.id == n }) })
		if id != "" {
			g.ops = insert(g, g.ops, &grownOp{id: id, mark: g.mark()})
		}
	default:
		g.growPart()
	}
}

// growPart adds to something that is there.
func (g *growing) growPart() {
	if len(g.ops) > 0 && g.random.IntN(2) == 0 {
		op := g.ops[g.random.IntN(len(g.ops))]
		switch g.random.IntN(3) {
		case 0:
			if name := g.pick(memberNames, func(n string) bool { return slices.Contains(op.params, n) }); name != "" {
				op.params = insert(g, op.params, name)
			}
		case 1:
			if op.body == nil {
				op.body = &grownSchema{mark: g.mark(), open: true}
			}
		default:
			if len(op.answers) < 3 {
				op.answers = append(op.answers, &grownSchema{mark: g.mark(), open: true})
			}
		}
		return
	}
	if len(g.schemas) == 0 {
		return
	}
	s := g.schemas[g.random.IntN(len(g.schemas))]
	if s.enum != nil {
		if v := g.pick(valueNames, func(n string) bool { return slices.Contains(s.enum, n) }); v != "" {
			s.enum = insert(g, s.enum, v)
		}
		return
	}
	name := g.pick(memberNames, func(n string) bool {
		return slices.ContainsFunc(s.props, func(p grownProp) bool { return p.name == n })
	})
	if name == "" {
		return
	}
	p := grownProp{name: name, mark: g.mark()}
	if g.random.IntN(2) == 0 {
		p.inline = g.newSchema()
	}
	s.props = insert(g, s.props, p)
}

// object prints JSON with its keys in the order given.
func object(fields ...any) string {
	var parts []string
	for i := 0; i < len(fields); i += 2 {
		key, _ := json.Marshal(fields[i])
		parts = append(parts, string(key)+": "+fmt.Sprint(fields[i+1]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func text(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

func (s *grownSchema) String() string {
	if s.enum != nil {
		return object("description", text(s.mark), "type", text("string"), "enum", text(s.enum))
	}
	var props []any
	for _, p := range s.props {
		of := object("type", text("string"), "description", text(p.mark))
		if p.inline != nil {
			of = p.inline.String()
		}
		props = append(props, p.name, of)
	}
	return object("description", text(s.mark), "type", text("object"), "properties", object(props...), "additionalProperties", s.open)
}

func (o *grownOp) String() string {
	var params []string
	for _, p := range o.params {
		params = append(params, object("name", text(p), "in", text("query"), "schema", object("type", text("string"))))
	}
	fields := []any{"operationId", text(o.id), "summary", text(o.mark), "parameters", "[" + strings.Join(params, ", ") + "]"}
	content := func(s *grownSchema) string { return object("application/json", object("schema", s)) }
	if o.body != nil {
		fields = append(fields, "requestBody", object("required", true, "content", content(o.body)))
	}
	responses := []any{"204", object("description", text("none"))}
	for i, a := range o.answers {
		responses = append(responses, fmt.Sprint(200+i), object("description", text("some"), "content", content(a)))
	}
	return object(append(fields, "responses", object(responses...))...)
}

// String is the document. Its last operation reaches all schemas.
func (g *growing) String() string {
	var paths, schemas, all []any
	for _, o := range g.ops {
		paths = append(paths, "/"+o.mark, object("post", o))
	}
	for _, s := range g.schemas {
		schemas = append(schemas, s.name, s)
		all = append(all, s.name, object("$ref", text("#/components/schemas/"+s.name)))
	}
	whole := object("application/json", object("schema", object("type", text("object"), "properties", object(all...))))
	paths = append(paths, "/all", object("get", object("operationId", text("all"), "responses", object("200", object("description", text("all"), "content", whole)))))
	return object(
		"openapi", text("3.1.0"), "info", object("title", text("Growing"), "version", text("1")),
		"servers", "["+object("url", text("https://api.example.com"))+"]",
		"paths", object(paths...), "components", object("schemas", object(schemas...)),
	)
}

// meanings are the exported names of a package, with what each stands for.
func meanings(t *testing.T, files []generator.File) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv != nil && markOf(decl.Doc) != "" {
					out["method "+decl.Name.Name] = markOf(decl.Doc)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					addMeaning(out, decl, spec)
				}
			}
		}
	}
	return out
}

func addMeaning(out map[string]string, decl *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		if typ, ok := spec.Type.(*ast.Ident); ok && len(spec.Values) == 1 {
			if value, ok := spec.Values[0].(*ast.BasicLit); ok {
				out["const "+spec.Names[0].Name] = typ.Name + " " + value.Value
			}
		}
	case *ast.TypeSpec:
		doc := spec.Doc
		if doc == nil {
			doc = decl.Doc
		}
		mark := markOf(doc)
		if fields, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range fields.Fields.List {
				if f.Tag != nil && len(f.Names) == 1 && mark != "" {
					key, _, _ := strings.Cut(f.Tag.Value, ",")
					out["field "+spec.Name.Name+"."+f.Names[0].Name] = strings.TrimRight(key, "\"`")
				}
			}
		}
		if mark != "" {
			out["type "+spec.Name.Name] = mark
		}
	}
}

// markOf is the mark in a comment.
func markOf(doc *ast.CommentGroup) string {
	for word := range strings.FieldsFuncSeq(doc.Text(), func(r rune) bool { return r < '0' || r > 'z' || r > '9' && r < 'A' || r > 'Z' && r < 'a' }) {
		if rest, ok := strings.CutPrefix(strings.ToLower(word), "mark"); ok && rest != "" {
			return rest
		}
	}
	return ""
}

// TestAddingRenamesNothing lets documents grow, one thing at a time, anywhere. With its lock a package keeps every name that it had,
// and each name what it stands for; with the same lock and document it is fresh; and each step compiles, since it is type-checked.
func TestAddingRenamesNothing(t *testing.T) {
	t.Parallel()
	seeds, steps := uint64(4), 40
	if testing.Short() {
		seeds, steps = 2, 20
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			g := &growing{random: rand.New(rand.NewPCG(seed, 2))}
			dir := t.TempDir()
			spec := filepath.Join(dir, "api.json")
			cfg := generator.Config{Client: generator.Client{Spec: spec, Out: filepath.Join(dir, "api"), Package: "api"}}
			before := map[string]string{}
			for step := range steps {
				old, _ := os.ReadFile(filepath.Join(cfg.Client.Out, "resgen.lock"))
				last := g.String()
				g.grow()
				writeFile(t, spec, g.String())
				result, err := generator.Run(t.Context(), cfg)
				if err != nil || result.HasErrors() {
					t.Fatalf("step %d: %v\n%s\n%s", step, err, printed(t, result, ""), g)
				}
				now := meanings(t, result.Outputs[0].Files)
				lost := false
				for _, name := range slices.Sorted(maps.Keys(before)) {
					if now[name] != before[name] {
						t.Errorf("step %d: %s was %q and is %q", step, name, before[name], now[name])
						lost = true
					}
				}
				if lost {
					t.Fatalf("from\n%s\nto\n%s\nwith\n%s", last, g, old)
				}
				before = now
			}
			cfg.Mode = generator.Check
			if result, err := generator.Run(t.Context(), cfg); err != nil || result.Stale() {
				t.Errorf("what was just made is stale: %v", err)
			}
			if len(before) < steps/2 {
				t.Errorf("only %d names were compared", len(before))
			}
		})
	}
}
