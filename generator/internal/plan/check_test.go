package plan

import (
	"go/token"
	"go/types"
	"maps"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// checker finds what no package may have: names that are not unique or no identifiers, references to nothing, text that could
// leave a comment.
type checker struct {
	t     *testing.T
	decls map[string]bool
	// scope is the package scope.
	scope map[string]bool
}

// checkPackage holds a package to what the emitter relies on.
func checkPackage(t *testing.T, p *Package) {
	t.Helper()
	c := &checker{t: t, decls: map[string]bool{}, scope: map[string]bool{}}
	for name := range frozen {
		c.scope[name] = true
	}
	for _, d := range p.Types {
		c.declare(d)
	}
	c.client(&p.Client)
	for _, d := range p.Types {
		c.refers(d)
	}
	c.comment("package", p.Doc)
}

func (c *checker) name(scope map[string]bool, name string, isExported bool) {
	c.t.Helper()
	if scope[name] {
		c.t.Errorf("%q is declared twice", name)
	}
	scope[name] = true
	first, _ := utf8.DecodeRuneInString(name)
	if !token.IsIdentifier(name) || unicode.IsUpper(first) != isExported {
		c.t.Errorf("%q is no identifier, or not exported=%t", name, isExported)
	}
	if utf8.RuneCountInString(name) > 3*maxIdent {
		c.t.Errorf("%q is too long", name)
	}
}

func (c *checker) packageName(name string, isExported bool) {
	c.t.Helper()
	c.name(c.scope, name, isExported)
	if isPackageReserved(name) || types.Universe.Lookup(name) != nil {
		c.t.Errorf("%q is reserved", name)
	}
}

func (c *checker) declare(d TypeDecl) {
	c.t.Helper()
	decl := func(d *Decl) {
		c.packageName(d.Name, true)
		c.decls[d.Name] = true
		c.comment(d.Name, d.Doc)
		if len(d.Doc) == 0 || !strings.HasPrefix(d.Doc[0], d.Name) {
			c.t.Errorf("the comment of %s does not begin with its name: %q", d.Name, d.Doc)
		}
	}
	switch d := d.(type) {
	case *StructDecl:
		decl(&d.Decl)
		fields, keys := map[string]bool{"MarshalJSON": !d.IsRequest, "UnmarshalJSON": !d.IsRequest}, map[string]bool{}
		for _, f := range d.Fields {
			c.name(fields, f.Name, true)
			c.comment(d.Name+"."+f.Name, f.Doc)
			if keys[f.JSON] && !d.IsRequest {
				c.t.Errorf("%s has the key %q twice", d.Name, f.JSON)
			}
			keys[f.JSON] = true
		}
		if d.Additional.Name != "" {
			c.name(fields, d.Additional.Name, true)
		}
	case *EnumDecl:
		decl(&d.Decl)
		literals := map[string]bool{}
		for _, v := range d.Values {
			c.packageName(v.Name, true)
			c.comment(v.Name, v.Doc)
			if literals[v.Literal] {
				c.t.Errorf("%s has the value %s twice", d.Name, v.Literal)
			}
			literals[v.Literal] = true
		}
	case *UnionDecl:
		decl(&d.Decl)
		methods := map[string]bool{}
		for name := range unionMethods {
			methods[name] = true
		}
		if d.TagMethod != "" {
			c.name(methods, d.TagMethod, true)
		}
		for _, v := range d.Variants {
			c.name(methods, "As"+v.Name, true)
			c.packageName(v.Of, true)
		}
	case *DefinedDecl:
		decl(&d.Decl)
	case *ResponseDecl:
		decl(&d.Decl)
		for _, v := range d.Variants {
			c.packageName(v.Name, true)
			c.comment(v.Name, v.Doc)
		}
	}
}

func (c *checker) client(client *Client) {
	c.t.Helper()
	methods, fields, options := maps.Clone(clientMethods), map[string]bool{"http": true}, map[string]bool{}
	for i := range client.Operations {
		o := &client.Operations[i]
		c.name(methods, o.GoName, true)
		if o.PolicyOf == "" {
			c.name(fields, o.Field, false)
			c.packageName(o.Field+"Policy", false)
		}
		if o.RequestOf == "" {
			c.packageName("new"+o.GoName, false)
		}
		if o.AnswerOf == "" {
			c.packageName("read"+o.GoName, false)
		}
		c.comment(o.GoName, o.Doc)
		c.comment(o.GoName, o.PolicyDoc)
		c.operation(o)
	}
	for _, w := range client.Wirings {
		if w.Field != "" {
			c.name(fields, w.Field, false)
		}
		c.name(options, w.Option, true)
	}
	for _, s := range client.Schemes {
		if shortOption(s.Model.Kind) != s.Option {
			c.name(options, s.Option, true)
		}
	}
	for _, e := range client.Examples {
		c.packageName(e.Const, false)
	}
}

func (c *checker) operation(o *Operation) {
	c.t.Helper()
	c.typ(o.Request.Param)
	if o.Request.Body != nil {
		c.typ(o.Request.Body.Type)
	}
	c.typ(o.Response.Result)
	if o.Response.Stream != nil {
		c.typ(o.Response.Stream.Item)
	}
	if len(o.Response.Cases) == 0 {
		c.t.Errorf("%s has no answer", o.GoName)
	}
	success := false
	for _, r := range o.Response.Cases {
		c.typ(r.Type)
		success = success || !r.Failure
	}
	if !success {
		c.t.Errorf("%s cannot succeed", o.GoName)
	}
}

// refers checks that every type that a declaration refers to is declared.
func (c *checker) refers(d TypeDecl) {
	c.t.Helper()
	switch d := d.(type) {
	case *StructDecl:
		for _, f := range d.Fields {
			c.typ(f.Type)
		}
		c.typ(d.Additional.Elem)
	case *UnionDecl:
		for _, v := range d.Variants {
			c.typ(v.Type)
		}
	case *DefinedDecl:
		c.typ(d.Type)
	case *ResponseDecl:
		for _, v := range d.Variants {
			c.typ(v.Type)
		}
	}
}

func (c *checker) typ(t GoType) {
	c.t.Helper()
	switch t := t.(type) {
	case Local:
		if !c.decls[t.Name] {
			c.t.Errorf("%q is not declared", t.Name)
		}
	case Pointer:
		c.typ(t.Elem)
	case Slice:
		c.typ(t.Elem)
	case MapOf:
		c.typ(t.Elem)
	case Qual:
		for _, a := range t.Args {
			c.typ(a)
		}
	}
}

func (c *checker) comment(of string, lines Comment) {
	c.t.Helper()
	for i, line := range lines {
		if strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && (unicode.IsControl(r) || r == '\u2028' || r == '\u2029') }) {
			c.t.Errorf("%s: the comment line %q has control characters", of, line)
		}
		text := strings.TrimSpace(line)
		if text != `\`+strings.TrimPrefix(text, `\`) && harmless(text) != text && text != deprecated[0] {
			c.t.Errorf("%s: the comment line %q is a directive", of, line)
		}
		if text == "" && (i == 0 || i == len(lines)-1 || lines[i-1] == "") {
			c.t.Errorf("%s: empty lines at the end or in a row: %q", of, lines)
		}
	}
}
