package generator_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// clientFacts is what a generated package knows.
type clientFacts struct {
	// types are the declared types, by name.
	types map[string]ast.Expr
	// members are the JSON keys of each struct with the types of its fields, and withKey the structs that have a key.
	members map[string]map[string]string
	withKey map[string][]string
	// constants are the values of each type's constants.
	constants map[string][]string
	// accessors are the types that the As methods of each union return.
	accessors map[string][]string
	// literals are the strings in each function.
	literals map[string][]string
	// methods are the methods of the client, by request.
	methods map[string][]string
}

// readClient reads a generated package.
func readClient(dir string) (*clientFacts, error) {
	c := &clientFacts{
		types: map[string]ast.Expr{}, members: map[string]map[string]string{}, withKey: map[string][]string{},
		constants: map[string][]string{}, accessors: map[string][]string{}, literals: map[string][]string{}, methods: map[string][]string{},
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.gen.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.GenDecl:
				c.declare(d)
			case *ast.FuncDecl:
				c.function(d)
			}
		}
	}
	for name, members := range c.members {
		for key := range members {
			c.withKey[key] = append(c.withKey[key], name)
		}
	}
	return c, nil
}

func (c *clientFacts) declare(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			c.types[s.Name.Name] = s.Type
			if st, ok := s.Type.(*ast.StructType); ok {
				c.structure(s.Name.Name, st)
			}
		case *ast.ValueSpec:
			if of, ok := s.Type.(*ast.Ident); ok && d.Tok == token.CONST && len(s.Values) == 1 {
				c.constants[of.Name] = append(c.constants[of.Name], constantText(s.Values[0]))
			}
		}
	}
}

// constantText is the text of a constant's value, as a document spells it.
func constantText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
		return e.Value
	case *ast.UnaryExpr:
		return e.Op.String() + constantText(e.X)
	default:
		return types.ExprString(e)
	}
}

func (c *clientFacts) structure(name string, st *ast.StructType) {
	for _, f := range st.Fields.List {
		if f.Tag == nil {
			continue
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		if _, key, ok := strings.Cut(reflect.StructTag(tag).Get("wire"), "name="); ok && err == nil { // a key that no other tag can hold
			c.member(name, key, "exact")
			continue
		}
		key, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if err != nil || key == "-" && options == "" && !strings.Contains(tag, `"-,`) {
			continue
		}
		c.member(name, key, types.ExprString(f.Type))
	}
}

func (c *clientFacts) member(of, key, typ string) {
	if c.members[of] == nil {
		c.members[of] = map[string]string{}
	}
	c.members[of][key] = typ
}

func (c *clientFacts) function(d *ast.FuncDecl) {
	of := receiver(d)
	if of == "Client" {
		request := requestOf(d.Doc.Text())
		c.methods[request] = append(c.methods[request], d.Name.Name)
	}
	if strings.HasPrefix(d.Name.Name, "As") && of != "" && d.Type.Results != nil {
		c.accessors[of] = append(c.accessors[of], types.ExprString(d.Type.Results.List[0].Type))
	}
	name := d.Name.Name
	ast.Inspect(d, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				c.literals[name] = append(c.literals[name], text)
			}
		}
		return true
	})
}

// resolved follows names of types to what they are in the end.
func (c *clientFacts) resolved(name string) string {
	for range 20 {
		e, ok := c.types[name]
		if !ok {
			return name
		}
		if _, isStruct := e.(*ast.StructType); isStruct {
			return name
		}
		name = types.ExprString(e)
	}
	return name
}

// isRaw reports whether a type is raw JSON.
func (c *clientFacts) isRaw(typ string) bool { return c.resolved(typ) == "json.RawMessage" }

// holding are the structs that have all of some keys.
func (c *clientFacts) holding(keys []string) []string {
	rarest := c.withKey[keys[0]]
	for _, key := range keys[1:] {
		if len(c.withKey[key]) < len(rarest) {
			rarest = c.withKey[key]
		}
	}
	return slices.DeleteFunc(slices.Clone(rarest), func(name string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { _, has := c.members[name][key]; return !has })
	})
}
