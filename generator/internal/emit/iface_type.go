package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
)

// The layouts of type literals on one line.
var (
	structLine    = jen.Options{Open: "struct{ ", Close: " }", Separator: ";"}
	interfaceLine = jen.Options{Open: "interface{ ", Close: " }", Separator: ";"}
	unionLine     = jen.Options{Separator: " |"}
)

// literalType is a type that only the signatures of Go interfaces have.
func (k *kit) literalType(t plan.GoType) *jen.Statement {
	switch t := t.(type) {
	case plan.LocalOf:
		return k.id(t.Name).Types(k.types(t.Args)...)
	case plan.TypeRef:
		return k.id(t.Name)
	case plan.ArrayOf:
		return jen.Index(jen.Lit(int(t.Len))).Add(k.typ(t.Elem))
	case plan.KeyedMap:
		return jen.Map(k.typ(t.Key)).Add(k.typ(t.Elem))
	case plan.ChanOf:
		return k.channel(t)
	case plan.FuncOf:
		return jen.Func().Add(k.signatureOf(t))
	case plan.StructOf:
		return k.structLiteral(t)
	case plan.InterfaceOf:
		return k.interfaceLiteral(t)
	case plan.UnionOf:
		return k.union(t)
	default:
		k.failf("no Go spelling for the type %#v", t)
		return jen.Any()
	}
}

func (k *kit) types(list []plan.GoType) []jen.Code {
	codes := make([]jen.Code, len(list))
	for i, t := range list {
		codes[i] = k.typ(t)
	}
	return codes
}

// channel puts the element in parentheses where an arrow would belong to the wrong channel.
func (k *kit) channel(t plan.ChanOf) *jen.Statement {
	elem := k.typ(t.Elem)
	switch inner, isChan := t.Elem.(plan.ChanOf); {
	case t.Dir == model.ReceiveOnly:
		return jen.Op("<-").Chan().Add(elem)
	case t.Dir == model.SendOnly:
		return jen.Chan().Op("<-").Add(elem)
	case isChan && inner.Dir == model.ReceiveOnly:
		return jen.Chan().Parens(elem)
	default:
		return jen.Chan().Add(elem)
	}
}

// signatureOf are parameters and results without names.
func (k *kit) signatureOf(f plan.FuncOf) *jen.Statement {
	params := make([]jen.Code, len(f.Params))
	for i, p := range f.Params {
		params[i] = k.paramType(p.Type, f.Variadic && i == len(f.Params)-1)
	}
	s := (&jen.Statement{}).Params(params...)
	results := make([]jen.Code, len(f.Results))
	for i, r := range f.Results {
		results[i] = k.typ(r.Type)
	}
	if len(results) == 1 {
		return s.Add(results[0])
	}
	if len(results) > 1 {
		s.Params(results...)
	}
	return s
}

// paramType is the type of a parameter; that of a variadic one is a slice.
func (k *kit) paramType(t plan.GoType, variadic bool) *jen.Statement {
	if !variadic {
		return k.typ(t)
	}
	slice, ok := t.(plan.Slice)
	if !ok {
		k.failf("a variadic parameter of type %#v", t)
		return jen.Any()
	}
	return jen.Op("...").Add(k.typ(slice.Elem))
}

func (k *kit) structLiteral(t plan.StructOf) *jen.Statement {
	if len(t.Fields) == 0 {
		return jen.Struct()
	}
	fields := make([]jen.Code, len(t.Fields))
	for i, f := range t.Fields {
		s := &jen.Statement{}
		switch {
		case f.Embedded:
		case f.Name == "_":
			s.Id("_")
		default:
			s.Add(k.id(f.Name))
		}
		if s.Add(k.typ(f.Type)); f.Tag != "" {
			s.Add(stringLit(f.Tag))
		}
		fields[i] = s
	}
	return (&jen.Statement{}).Custom(structLine, fields...)
}

func (k *kit) interfaceLiteral(t plan.InterfaceOf) *jen.Statement {
	elems := k.types(t.Embeds)
	for _, m := range t.Methods {
		elems = append(elems, k.id(m.Name).Add(k.signatureOf(m.Func)))
	}
	if len(elems) == 0 {
		return jen.Interface()
	}
	return (&jen.Statement{}).Custom(interfaceLine, elems...)
}

func (k *kit) union(t plan.UnionOf) *jen.Statement {
	terms := make([]jen.Code, len(t.Terms))
	for i, term := range t.Terms {
		s := &jen.Statement{}
		if term.Tilde {
			s.Op("~")
		}
		terms[i] = s.Add(k.typ(term.Type))
	}
	return (&jen.Statement{}).Custom(unionLine, terms...)
}
