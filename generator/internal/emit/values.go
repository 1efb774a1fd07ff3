package emit

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// zero is the zero value of a type as an expression.
func (k *kit) zero(t plan.GoType) *jen.Statement {
	switch u := k.under(t).(type) {
	case plan.Pointer, plan.Slice, plan.MapOf:
		return jen.Nil()
	case plan.Basic:
		return zeroBasic(u)
	case plan.Local:
		switch d := k.decls[u.Name].(type) {
		case *plan.EnumDecl:
			return zeroBasic(d.Base)
		case *plan.DefinedDecl:
			return k.zero(d.Type)
		case *plan.ResponseDecl:
			return jen.Nil()
		default:
			return k.typ(t).Values()
		}
	case plan.Qual:
		switch {
		case u.Path == jsonPath && u.Name == "RawMessage":
			return jen.Nil()
		case u.Path == jsonPath && u.Name == "Number", isJSONText(u):
			return jen.Lit("")
		default:
			return k.typ(t).Values()
		}
	default:
		k.failf("no zero value of %#v", t)
		return jen.Nil()
	}
}

func zeroBasic(b plan.Basic) *jen.Statement {
	switch b.Name {
	case "string":
		return jen.Lit("")
	case "bool":
		return jen.False()
	case "any", "error":
		return jen.Nil()
	default:
		return jen.Lit(0)
	}
}

// literal is a value of the document, JSON that was checked against the type, as an expression of that type.
func (k *kit) literal(l plan.Literal) *jen.Statement {
	if l.Zero {
		return k.zero(l.Type)
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(l.JSON)))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	if err == nil {
		var code *jen.Statement
		if code, err = k.value(l.Type, v, json.RawMessage(l.JSON)); err == nil {
			return code
		}
	}
	k.failf("value %s: %w", strconv.Quote(l.JSON), err)
	return jen.Nil()
}

var errNoSpelling = errors.New("the type cannot hold the value")

// value is a decoded JSON value as an expression of a type; raw is its text.
func (k *kit) value(t plan.GoType, v any, raw json.RawMessage) (*jen.Statement, error) {
	switch u := k.under(t).(type) {
	case plan.Basic:
		return basicValue(u, v)
	case plan.Local:
		return k.localValue(u, v, raw)
	case plan.Qual:
		return k.qualValue(u, v, raw)
	case plan.Pointer:
		return k.pointerValue(u.Elem, v, raw)
	case plan.Slice:
		if text, ok := v.(string); ok && u.Elem == (plan.Basic{Name: "byte"}) {
			data, err := base64.StdEncoding.DecodeString(text)
			return jen.Index().Byte().Call(jen.Lit(string(data))), err
		}
		return k.listValue(k.typ(t), u.Elem, v)
	case plan.MapOf:
		return k.mapValue(k.typ(t), u.Elem, v)
	default:
		return nil, fmt.Errorf("%w: %T", errNoSpelling, u)
	}
}

// pointerValue is the address of a composite literal, or new with a value of just that type.
func (k *kit) pointerValue(elem plan.GoType, v any, raw json.RawMessage) (*jen.Statement, error) {
	if v == nil {
		return jen.Nil(), nil
	}
	inner, err := k.value(elem, v, raw)
	if err != nil {
		return nil, err
	}
	if local, ok := k.under(elem).(plan.Local); ok {
		switch k.decls[local.Name].(type) {
		case *plan.StructDecl, *plan.UnionDecl:
			return jen.Op("&").Add(inner), nil
		}
	}
	if b, ok := k.under(elem).(plan.Basic); ok {
		inner = jen.Id(b.Name).Call(inner)
	}
	return jen.New(inner), nil
}

func basicValue(t plan.Basic, v any) (*jen.Statement, error) {
	switch v := v.(type) {
	case string:
		if t.Name == "string" {
			return stringLit(v), nil
		}
	case bool:
		if t.Name == "bool" {
			return jen.Lit(v), nil
		}
	case json.Number:
		return numberValue(t, v.String())
	}
	return nil, fmt.Errorf("%w: %s", errNoSpelling, t.Name)
}

// numberValue is an untyped constant: the place where it stands gives it its type.
func numberValue(t plan.Basic, text string) (*jen.Statement, error) {
	switch t.Name {
	case "int", "int32", "int64":
		n, err := strconv.ParseInt(text, 10, 64)
		return jen.Op(strconv.FormatInt(n, 10)), err
	case "uint32", "uint64":
		n, err := strconv.ParseUint(text, 10, 64)
		return jen.Op(strconv.FormatUint(n, 10)), err
	case "float32", "float64":
		f, err := strconv.ParseFloat(text, 64)
		return jen.Op(strconv.FormatFloat(f, 'g', -1, 64)), err
	default:
		return nil, fmt.Errorf("%w: a number in %s", errNoSpelling, t.Name)
	}
}

func (k *kit) localValue(t plan.Local, v any, raw json.RawMessage) (*jen.Statement, error) {
	switch d := k.decls[t.Name].(type) {
	case *plan.EnumDecl:
		inner, err := basicValue(d.Base, v)
		if err != nil {
			return nil, err
		}
		for _, known := range d.Values {
			if known.Literal == inner.GoString() {
				return k.local(known.Name), nil
			}
		}
		return k.typ(t).Call(inner), nil
	case *plan.UnionDecl:
		union := k.qual(wirePath, "UnionOf").Call(k.qual(jsonPath, "RawMessage").Call(stringLit(string(raw))))
		if k.outside { // vet wants the fields of another package's structs named
			union = jen.Id("Union").Op(":").Add(union)
		}
		return k.typ(t).Values(union), nil
	case *plan.StructDecl:
		return k.structValue(d, v)
	case *plan.DefinedDecl:
		switch u := k.under(d.Type).(type) {
		case plan.Slice:
			return k.listValue(k.typ(t), u.Elem, v)
		case plan.MapOf:
			return k.mapValue(k.typ(t), u.Elem, v)
		default:
			inner, err := k.value(d.Type, v, raw)
			if err != nil {
				return nil, err
			}
			return k.typ(t).Call(inner), nil
		}
	default:
		return nil, fmt.Errorf("%w: %s", errNoSpelling, t.Name)
	}
}

func (k *kit) structValue(d *plan.StructDecl, v any) (*jen.Statement, error) {
	members, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%w: %s", errNoSpelling, d.Name)
	}
	members = maps.Clone(members)
	var fields []jen.Code
	for i := range d.Fields {
		f := &d.Fields[i]
		key := f.JSON
		if d.IsRequest {
			key = f.Name
		}
		member, ok := members[key]
		if !ok {
			continue
		}
		delete(members, key)
		code, err := k.member(f.Type, member)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		fields = append(fields, k.id(f.Name).Op(":").Add(code))
	}
	if len(members) > 0 {
		if d.Additional.Name == "" {
			return nil, fmt.Errorf("%w: %s has no field for %q", errNoSpelling, d.Name, slices.Sorted(maps.Keys(members))[0])
		}
		extra, err := k.mapValue(k.typ(plan.MapOf{Elem: d.Additional.Elem}), d.Additional.Elem, members)
		if err != nil {
			return nil, err
		}
		fields = append(fields, k.id(d.Additional.Name).Op(":").Add(extra))
	}
	return k.local(d.Name).Values(fields...), nil
}

// member is a value within another: its text is made anew, compact.
func (k *kit) member(t plan.GoType, v any) (*jen.Statement, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return k.value(t, v, raw)
}

func (k *kit) listValue(typ *jen.Statement, elem plan.GoType, v any) (*jen.Statement, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%w: %T is no list", errNoSpelling, v)
	}
	items := make([]jen.Code, len(list))
	for i, item := range list {
		code, err := k.member(elem, item)
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		items[i] = code
	}
	return typ.Values(items...), nil
}

func (k *kit) mapValue(typ *jen.Statement, elem plan.GoType, v any) (*jen.Statement, error) {
	members, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%w: %T is no object", errNoSpelling, v)
	}
	items := make([]jen.Code, 0, len(members))
	for _, key := range slices.Sorted(maps.Keys(members)) {
		code, err := k.member(elem, members[key])
		if err != nil {
			return nil, fmt.Errorf("%q: %w", key, err)
		}
		items = append(items, jen.Lit(key).Op(":").Add(code))
	}
	return typ.Values(items...), nil
}

// qualValue covers wire's optional values and the scalars that are not Go's own.
func (k *kit) qualValue(t plan.Qual, v any, raw json.RawMessage) (*jen.Statement, error) {
	text, isText := v.(string)
	number, isNumber := v.(json.Number)
	switch {
	case isJSONText(t) && isText:
		return k.typ(t).Call(stringLit(text)), nil
	case t.Path == wirePath && len(t.Args) == 1:
		return k.wrapped(t, v, raw)
	case t.Path == jsonPath && t.Name == "RawMessage":
		return k.typ(t).Call(stringLit(string(raw))), nil
	case t.Path == jsonPath && t.Name == "Number" && isNumber:
		return k.typ(t).Call(jen.Lit(number.String())), nil
	case t.Path == wirePath && t.Name == "Content" && isText:
		return k.qual(wirePath, "FromBytes").Call(jen.Index().Byte().Call(stringLit(text))), nil
	case t.Path == timePath && t.Name == "Time" && isText:
		return timeValue(text)
	case t.Path == wirePath && t.Name == "Date" && isText:
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return nil, fmt.Errorf("date: %w", err)
		}
		return k.typ(t).Values(
			jen.Id("Year").Op(":").Lit(day.Year()), jen.Id("Month").Op(":").Qual(timePath, day.Month().String()), jen.Id("Day").Op(":").Lit(day.Day())), nil
	default:
		return nil, fmt.Errorf("%w: %s.%s", errNoSpelling, t.Path, t.Name)
	}
}

func isJSONText(t plan.Qual) bool { return t.Path == wirePath && t.Name == "JSONText" }

func timeValue(text string) (*jen.Statement, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil, fmt.Errorf("time: %w", err)
	}
	zone := jen.Qual(timePath, "UTC")
	if _, offset := at.Zone(); offset != 0 {
		zone = jen.Qual(timePath, "FixedZone").Call(jen.Lit(""), jen.Lit(offset))
	}
	return jen.Qual(timePath, "Date").Call(jen.Lit(at.Year()), jen.Qual(timePath, at.Month().String()), jen.Lit(at.Day()),
		jen.Lit(at.Hour()), jen.Lit(at.Minute()), jen.Lit(at.Second()), jen.Lit(at.Nanosecond()), zone), nil
}

// wrapped is a value in wire.Opt, wire.Null or wire.OptNull. Null is what the last two have a spelling for.
func (k *kit) wrapped(t plan.Qual, v any, raw json.RawMessage) (*jen.Statement, error) {
	present := map[string]string{"Opt": "Some", "Null": "NotNull", "OptNull": "SomeNotNull"}[t.Name]
	null := map[string]string{"Null": "NullOf", "OptNull": "SomeNull"}[t.Name]
	if v == nil && null != "" {
		return k.qual(wirePath, null, t.Args...).Call(), nil
	}
	if present == "" {
		return nil, fmt.Errorf("%w: wire.%s", errNoSpelling, t.Name)
	}
	inner, err := k.value(t.Args[0], v, raw)
	if err != nil {
		return nil, err
	}
	if b, ok := k.under(t.Args[0]).(plan.Basic); ok && b.Name != "string" && b.Name != "bool" {
		return k.qual(wirePath, present, t.Args...).Call(inner), nil // a constant alone would be an int or a float64
	}
	return k.qual(wirePath, present).Call(inner), nil
}
