package emit

import (
	"go/constant"
	"go/token"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// emitEnum prints a defined type and a constant for each known value, and what the sides need that read and write it. Values that are
// not known survive: the type holds them.
func (k *kit) emitEnum(d *plan.EnumDecl) {
	k.doc(d.Doc)
	k.add(jen.Type().Add(k.id(d.Name)).Add(k.typ(d.Base)))
	if len(d.Values) == 0 {
		return
	}
	var consts []jen.Code
	for _, v := range d.Values {
		if len(v.Doc) > 0 {
			consts = append(consts, commentOf(v.Doc))
		}
		consts = append(consts, k.id(v.Name).Id(d.Name).Op("=").Add(k.constant(d, v.Literal)))
	}
	k.doc(nil)
	if len(consts) == 1 {
		k.add(jen.Const().Add(consts[0]))
	} else {
		k.add(jen.Const().Defs(consts...))
	}
	if d.Use.IsAnswered() {
		k.emitKnown(d)
	}
	if d.Const && d.Use.IsSent() {
		k.emitConst(d)
	}
}

// constant is a literal of the plan, which strconv made: it is read back before it is printed, so that nothing else gets in.
func (k *kit) constant(d *plan.EnumDecl, literal string) *jen.Statement {
	if literal == "true" || literal == "false" {
		return jen.Id(literal)
	}
	kind, digits := token.STRING, literal
	if d.Base.Name != "string" {
		kind = token.INT
		if constant.MakeFromLiteral(trimSign(digits), token.INT, 0).Kind() == constant.Unknown {
			kind = token.FLOAT
		}
		digits = trimSign(digits)
	}
	if constant.MakeFromLiteral(digits, kind, 0).Kind() == constant.Unknown {
		k.failf("%s: %q is no literal of a %s", d.Name, literal, d.Base.Name)
		return jen.Lit(0)
	}
	return jen.Op(literal)
}

func trimSign(digits string) string {
	if len(digits) > 0 && digits[0] == '-' {
		return digits[1:]
	}
	return digits
}

func (k *kit) emitKnown(d *plan.EnumDecl) {
	known, width := make([]string, len(d.Values)), len("func (v ) Known() bool { return }")+len(d.Name)
	tests := &jen.Statement{}
	for i, v := range d.Values {
		known[i] = v.Name
		width += len(" || v == ") + len(v.Name)
		if i > 0 {
			tests.Op("||")
		}
		tests.Id("v").Op("==").Id(v.Name)
	}
	k.doc(plan.Comment{"Known reports whether v is one of the values above. Others are kept as they came."})
	head := jen.Func().Params(jen.Id("v").Id(d.Name)).Id("Known").Params().Bool()
	if width <= longLine || len(known) == 1 {
		k.add(head.Custom(oneLine, jen.Return(tests)))
		return
	}
	k.add(head.Block(jen.Switch(jen.Id("v")).Block(jen.Case(filled(known)).Block(jen.Return(jen.True()))), jen.Return(jen.False())))
}

// filled is a list of names over as many full lines as it needs.
func filled(names []string) *jen.Statement {
	s := &jen.Statement{}
	column := len("case ")
	for i, name := range names {
		if i > 0 {
			s.Op(",")
			if column += len(name) + len(", "); column > lineWidth {
				s.Line()
				column = len(name)
			}
		}
		s.Id(name)
	}
	return s
}

// emitConst makes the one value there is the value of what was never set.
func (k *kit) emitConst(d *plan.EnumDecl) {
	only := d.Values[0].Name
	unset := jen.If(jen.Id("v").Op("==").Add(zeroBasic(d.Base))).Block(jen.Id("v").Op("=").Id(only))
	if d.Base.Name == "bool" {
		unset = jen.If(jen.Op("!").Id("v")).Block(jen.Id("v").Op("=").Id(only))
	}
	name, result := "MarshalText", jen.Return(jen.Index().Byte().Call(jen.Id("v")), jen.Nil())
	if d.Base.Name != "string" {
		name, result = "MarshalJSON", jen.Return(k.qual(jsonPath, "Marshal").Call(k.typ(d.Base).Call(jen.Id("v"))))
	}
	k.doc(plan.Comment{name + " writes the only value that is known where none was set."})
	k.add(jen.Func().Params(jen.Id("v").Id(d.Name)).Id(name).Params().Params(jen.Index().Byte(), jen.Error()).Block(unset, result))
}
