package declare

import (
	"fmt"
	"go/format"
	"go/types"
	"slices"
	"strings"
)

// printer prints one package.
type printer struct {
	*collector

	pkg     *types.Package
	imports map[string]string // name to path
	clash   error
}

func newPrinter(c *collector, pkg *types.Package) *printer {
	return &printer{collector: c, pkg: pkg, imports: map[string]string{}}
}

// source returns the package's declarations, sorted by name, types with their methods.
func (p *printer) source() ([]byte, error) {
	var body strings.Builder
	for _, name := range p.pkg.Scope().Names() { // sorted
		if obj := p.pkg.Scope().Lookup(name); p.objects[obj] {
			p.declare(&body, obj)
		}
	}
	if p.clash != nil {
		return nil, p.clash
	}
	var text strings.Builder
	fmt.Fprintf(&text, "package %s\n\n", p.pkg.Name())
	paths := make([]string, 0, len(p.imports))
	for _, path := range p.imports {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		fmt.Fprintf(&text, "import %q\n", path)
	}
	text.WriteString("\n" + body.String())
	out, err := format.Source([]byte(text.String()))
	if err != nil {
		return nil, fmt.Errorf("format: %w", err)
	}
	return out, nil
}

// qualify spells a package's name, and notes that it is imported.
func (p *printer) qualify(other *types.Package) string {
	if other == p.pkg {
		return ""
	}
	if path, ok := p.imports[other.Name()]; ok && path != other.Path() {
		p.clash = fmt.Errorf("%s and %s have the same name", path, other.Path())
	}
	p.imports[other.Name()] = other.Path()
	return other.Name()
}

func (p *printer) spell(t types.Type) string { return types.TypeString(t, p.qualify) }

func (p *printer) declare(w *strings.Builder, obj types.Object) {
	switch obj := obj.(type) {
	case *types.Const:
		fmt.Fprintf(w, "const %s%s = %s\n", obj.Name(), p.constType(obj.Type()), obj.Val().ExactString())
	case *types.Var:
		fmt.Fprintf(w, "var %s %s\n", obj.Name(), p.spell(obj.Type()))
	case *types.Func:
		fmt.Fprintf(w, "func %s%s {}\n", obj.Name(), p.signature(obj.Signature()))
	case *types.TypeName:
		p.declareType(w, obj)
	}
}

// constType is empty for constants without a type of their own.
func (p *printer) constType(t types.Type) string {
	if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		return ""
	}
	return " " + p.spell(t)
}

func (p *printer) declareType(w *strings.Builder, obj *types.TypeName) {
	if alias, ok := obj.Type().(*types.Alias); ok {
		equals := "= "
		if !isOwn(obj.Pkg()) {
			equals = ""
		}
		fmt.Fprintf(w, "type %s%s %s%s\n\n", obj.Name(), p.typeParams(alias.TypeParams()), equals, p.spell(aliased(obj.Pkg(), alias)))
		return
	}
	named, ok := obj.Type().(*types.Named)
	if !ok {
		return
	}
	fmt.Fprintf(w, "type %s%s ", obj.Name(), p.typeParams(named.TypeParams()))
	if s, ok := p.shape(named).(*types.Struct); ok {
		p.fields(w, s)
	} else {
		w.WriteString(p.spell(p.shape(named)) + "\n")
	}
	w.WriteString("\n")
	methods := slices.Clone(p.methods[obj])
	slices.SortFunc(methods, func(a, b *types.Func) int { return strings.Compare(a.Name(), b.Name()) })
	for _, m := range methods {
		fmt.Fprintf(w, "func (%s) %s%s {}\n", p.spell(m.Signature().Recv().Type()), m.Name(), p.signature(m.Signature()))
	}
}

func (p *printer) fields(w *strings.Builder, s *types.Struct) {
	if s.NumFields() == 0 {
		w.WriteString("struct{}\n")
		return
	}
	w.WriteString("struct {\n")
	for f := range s.Fields() {
		if !f.Embedded() {
			w.WriteString(f.Name() + " ")
		}
		w.WriteString(p.spell(f.Type()) + "\n")
	}
	w.WriteString("}\n")
}

// signature is a function's type parameters, parameters and results.
func (p *printer) signature(s *types.Signature) string {
	plain := types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
	return p.typeParams(s.TypeParams()) + strings.TrimPrefix(p.spell(plain), "func")
}

func (p *printer) typeParams(list *types.TypeParamList) string {
	if list.Len() == 0 {
		return ""
	}
	params := make([]string, 0, list.Len())
	for t := range list.TypeParams() {
		params = append(params, t.Obj().Name()+" "+p.spell(t.Constraint()))
	}
	return "[" + strings.Join(params, ", ") + "]"
}
