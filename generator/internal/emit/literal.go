package emit

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/dave/jennifer/jen"
)

// node is a value on its way to becoming a literal: text is its canonical spelling on one line, by which equal values are found
// and lines are measured.
type node struct {
	text string
	// code is the expression of a scalar; nil for composites.
	code *jen.Statement
	// typ spells the type of a composite literal; elided inside slices.
	typ *jen.Statement
	// fields are a struct's non-zero fields, or a slice's elements (without names).
	fields []namedNode
	// name is the variable that holds the value; empty where it is printed in place.
	name string
}

type namedNode struct {
	name string
	node *node
}

// lineWidth is where a composite literal that would be longer is broken into lines.
const lineWidth = 110

var durationType = reflect.TypeFor[time.Duration]()

// literalOf reads a value of package policy: structs, slices, scalars and named constants. Zero fields are left out. It fails on what
// no literal can say.
func literalOf(v reflect.Value) (*node, error) {
	switch v.Kind() {
	case reflect.Struct:
		return structLiteral(v)
	case reflect.Slice:
		return sliceLiteral(v)
	case reflect.Map, reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan, reflect.Array:
		return nil, fmt.Errorf("policy literal: no spelling for a %s", v.Type())
	default:
		return scalarLiteral(v)
	}
}

func structLiteral(v reflect.Value) (*node, error) {
	t := v.Type()
	n := &node{typ: jen.Qual(t.PkgPath(), t.Name())}
	var text strings.Builder
	for i := range t.NumField() {
		f := t.Field(i)
		if v.Field(i).IsZero() {
			continue
		}
		if !f.IsExported() {
			return nil, fmt.Errorf("policy literal: %s.%s is not exported", t, f.Name)
		}
		child, err := literalOf(v.Field(i))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if len(n.fields) > 0 {
			text.WriteString(", ")
		}
		text.WriteString(f.Name + ": " + child.text)
		n.fields = append(n.fields, namedNode{f.Name, child})
	}
	n.text = t.String() + "{" + text.String() + "}"
	return n, nil
}

func sliceLiteral(v reflect.Value) (*node, error) {
	elem := v.Type().Elem()
	n := &node{typ: jen.Index().Add(typeName(elem))}
	texts := make([]string, v.Len())
	for i := range v.Len() {
		child, err := literalOf(v.Index(i))
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		texts[i] = child.text
		if child.code == nil { // the slice's type says the element's
			child.typ = nil
			texts[i] = strings.TrimPrefix(child.text, elem.String())
		}
		n.fields = append(n.fields, namedNode{"", child})
	}
	n.text = "[]" + elem.String() + "{" + strings.Join(texts, ", ") + "}"
	return n, nil
}

func typeName(t reflect.Type) *jen.Statement {
	if t.PkgPath() == "" {
		return jen.Id(t.String())
	}
	return jen.Qual(t.PkgPath(), t.Name())
}

// scalarLiteral spells durations in their largest unit and constants of package policy by name. Numbers are untyped constants: the
// field gives them their type.
func scalarLiteral(v reflect.Value) (*node, error) {
	t := v.Type()
	if t == durationType {
		return durationLiteral(time.Duration(v.Int())), nil
	}
	if name, ok := constantName(v); ok {
		return &node{text: strings.TrimSuffix(t.String(), t.Name()) + name, code: jen.Qual(t.PkgPath(), name)}, nil
	}
	text, err := scalarText(v)
	if err != nil {
		return nil, err
	}
	if t.PkgPath() == "" {
		return &node{text: text, code: jen.Op(text)}, nil
	}
	return &node{text: t.String() + "(" + text + ")", code: typeName(t).Call(jen.Op(text))}, nil
}

// scalarText is a Go constant made by strconv.
func scalarText(v reflect.Value) (string, error) {
	switch {
	case v.Kind() == reflect.String:
		return strconv.Quote(v.String()), nil
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool()), nil
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10), nil
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10), nil
	case v.CanFloat():
		f := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return "", fmt.Errorf("policy literal: %v has no spelling", f)
		}
		return strconv.FormatFloat(f, 'g', -1, v.Type().Bits()), nil
	default:
		return "", fmt.Errorf("policy literal: no spelling for a %s", v.Type())
	}
}

// durationLiteral is n × the largest unit that divides d.
func durationLiteral(d time.Duration) *node {
	unit, name := time.Nanosecond, "Nanosecond"
	for _, u := range []struct {
		d    time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"}} {
		if d%u.d == 0 && d != 0 {
			unit, name = u.d, u.name
			break
		}
	}
	n := d / unit
	if n == 1 {
		return &node{text: "time." + name, code: jen.Qual(timePath, name)}
	}
	count := strconv.FormatInt(int64(n), 10)
	return &node{text: count + " * time." + name, code: jen.Op(count).Op("*").Qual(timePath, name)}
}

// constantName is the name of the constant of package policy that has the value of v.
func constantName(v reflect.Value) (string, bool) {
	t := v.Type()
	if t.PkgPath() != policyPath || !v.CanUint() {
		return "", false
	}
	name, ok := policyConstants[t.Name()][v.Uint()]
	return name, ok
}

// expr is the value where it is used, at the given column: the variable that holds it, or the value itself.
func (n *node) expr(column int) *jen.Statement {
	if n.name != "" {
		return jen.Id(n.name)
	}
	return n.value(column)
}

// value is the value itself: on one line where it fits, else a field a line.
func (n *node) value(column int) *jen.Statement {
	switch {
	case n.code != nil:
		return n.code.Clone()
	case column+n.valueWidth() <= lineWidth:
		return n.literal(jen.Options{Open: "{", Close: "}", Separator: ","}, column)
	case len(n.fields) > 0 && n.fields[0].name == "" && n.fields[0].node.code != nil:
		return n.rows()
	default:
		return n.broken()
	}
}

// width is how many columns the expression takes on one line.
func (n *node) width() int {
	if n.name != "" {
		return len(n.name)
	}
	return n.valueWidth()
}

func (n *node) valueWidth() int {
	if n.code != nil {
		return len(n.text)
	}
	width := len("{}")
	if head, _, _ := strings.Cut(n.text, "{"); n.typ != nil {
		width += len(head)
	}
	for _, f := range n.fields {
		width += len(f.name) + len(": ") + f.node.width() + len(", ")
	}
	return width
}

// broken is a composite literal with a field a line, whatever its length.
func (n *node) broken() *jen.Statement {
	return n.literal(lines, 0)
}

func (n *node) literal(layout jen.Options, column int) *jen.Statement {
	items := make([]jen.Code, len(n.fields))
	for i, f := range n.fields {
		if f.name == "" {
			items[i] = f.node.expr(column)
			continue
		}
		items[i] = jen.Id(f.name).Op(":").Add(f.node.expr(column + len(f.name)))
	}
	s := &jen.Statement{}
	if n.typ != nil {
		s.Add(n.typ)
	}
	return s.Custom(layout, items...)
}

// rows is a slice of scalars over several full lines.
func (n *node) rows() *jen.Statement {
	items, widths := make([]jen.Code, len(n.fields)), make([]int, len(n.fields))
	for i, f := range n.fields {
		items[i], widths[i] = f.node.expr(0), f.node.width()
	}
	return (&jen.Statement{}).Add(n.typ).Custom(lines, rows(items, widths)...)
}
