package plan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// nameVariants names the variants of a union: components by their Go names, scalars and lists by what they are, others by the
// author's hint. What a name shares with the union's is left out: of ToolCall, FunctionToolCall is Function. The names are unique
// in the union.
func (r *resolver) nameVariants(d *declared, u model.Union) []string {
	tier := make([]wish, len(u.Variants))
	for i := range u.Variants {
		v := &u.Variants[i]
		hinted := ident(v.Hint, "Variant")
		full := r.types.shortName(v.Type, deepName)
		if full == "" {
			full = hinted
		}
		tier[i] = wish{
			id: "variant " + string(d.ID) + " " + v.Hint, pos: d.Pos, text: v.Hint, names: []string{within(d.name, full), full, hinted},
		}
	}
	return r.allot(newScope(nil), tier)
}

// within is a name without the words that it begins and ends with like another; the name itself where nothing would be left.
func within(outer, name string) string {
	around, inner := words(outer), words(name)
	begin, end := 0, 0
	for begin < min(len(around), len(inner)) && around[begin] == inner[begin] {
		begin++
	}
	for end < min(len(around), len(inner))-begin && around[len(around)-1-end] == inner[len(inner)-1-end] {
		end++
	}
	short := strings.Join(inner[begin:len(inner)-end], "")
	if first, _ := utf8.DecodeRuneInString(short); !unicode.IsUpper(first) {
		return name
	}
	return short
}

// deepName is how many lists and maps in one another a name tells; a list may hold itself.
const deepName = 3

// shortName is what a type is called where its values are one of several; empty for one that only its author can name.
func (t *typer) shortName(typ model.Type, depth int) string {
	if depth == 0 {
		return ""
	}
	switch typ := typ.(type) {
	case model.Ref:
		if d := t.byID[typ.ID]; d != nil && d.Name != "" {
			return d.name
		}
		return t.shortName(unnamed(t.follow(typ)), depth)
	case model.Primitive:
		return primitiveName(typ.Kind)
	case model.Array:
		return t.shortName(typ.Elem.Type, depth-1) + "List"
	case model.Map:
		return t.shortName(typ.Elem.Type, depth-1) + "Map"
	case model.JSONText:
		return "JSONText"
	default:
		return ""
	}
}

// unnamed is what a reference to an inline type leads to, as far as its kind names it.
func unnamed(e end) model.Type {
	switch e.typ.(type) {
	case model.Array, model.Map, model.Primitive, model.JSONText:
		return e.typ
	default:
		return nil
	}
}

func primitiveName(k model.PrimitiveKind) string {
	switch k {
	case model.Bool:
		return "Bool"
	case model.String:
		return "String"
	case model.Bytes, model.Binary:
		return "Bytes"
	case model.Int, model.Int32, model.Int64, model.Uint32, model.Uint64:
		return "Int"
	case model.Float32, model.Float64:
		return "Float"
	case model.Number:
		return "Number"
	case model.Time:
		return "Time"
	case model.Date:
		return "Date"
	case model.Null:
		return "Null"
	default:
		return ""
	}
}

// declareUnion makes the declaration of a union.
func (t *typer) declareUnion(d *declared, u model.Union) TypeDecl {
	if len(u.Variants) == 0 {
		return &DefinedDecl{Decl: d.decl(), Type: rawJSON, Alias: true}
	}
	out := &UnionDecl{Decl: d.decl(), Variants: make([]Variant, len(u.Variants))}
	isOptional := u.Discriminator != nil && u.Discriminator.Optional
	if u.Discriminator != nil {
		out.Discriminator = u.Discriminator.Field
		if !isOptional {
			out.TagMethod = tagMethod(u.Discriminator.Field, d.variants)
		}
	}
	required := t.tellingFields(u)
	for i := range u.Variants {
		of := &u.Variants[i]
		v := Variant{Name: d.variants[i], Of: d.constructors[i], Type: t.spell(of.Type), Limits: of.Limits}
		isTagged := u.Discriminator != nil && len(of.Tags) > 0
		switch {
		case isTagged && (isOptional || of.IsDefault):
			v.Except = otherTags(u, i)
			if !of.IsDefault {
				v.Required = required[i]
			}
		case isTagged:
			v.Tags = slices.Clone(of.Tags)
		default:
			v.Kinds, v.Required = t.kinds(of.Type), required[i]
		}
		out.Variants[i] = v
	}
	out.IsStrict = out.TagMethod != "" && t.requires(u, out.Discriminator, map[*declared]bool{})
	return out
}

// otherTags are the tags of all variants but one.
func otherTags(u model.Union, i int) []string {
	var out []string
	for j := range u.Variants {
		if j != i {
			out = append(out, u.Variants[j].Tags...)
		}
	}
	return out
}

// requires reports whether every value of a type is an object that has a field.
func (t *typer) requires(typ model.Type, field string, seen map[*declared]bool) bool {
	e := t.follow(typ)
	switch typ := e.typ.(type) {
	case model.Object:
		i := fieldIndex(typ, field)
		return i >= 0 && typ.Fields[i].Required
	case model.Union:
		if e.decl != nil && seen[e.decl] {
			return true
		}
		seen[e.decl] = true
		return !slices.ContainsFunc(typ.Variants, func(v model.Variant) bool { return !t.requires(v.Type, field, seen) })
	default:
		return false
	}
}

// unionMethods are the names that a union has from package wire, its embedded field among them, and some that it may
// have one day.
var unionMethods = map[string]bool{
	"GoString": true, "IsNull": true, "IsZero": true, "Kind": true, "MarshalJSON": true, "Raw": true, "String": true, "Tag": true,
	"Union": true, "UnmarshalJSON": true, "UnmarshalTagged": true,
}

// tagMethod names the method that returns the discriminator's value.
func tagMethod(field string, variants []string) string {
	s := newScope(func(name string) bool {
		return unionMethods[name] || standardMethods[name] || isPrefixed(name, "As") && slices.Contains(variants, name[len("As"):])
	})
	name := ident(field, "Tag")
	return s.allot([]wish{{id: field, text: field, names: []string{name, name + "Tag"}}}, nil)[0]
}

// jsonKinds are the kinds of JSON values, in the order of Variant.Kinds.
var jsonKinds = []string{"string", "number", "boolean", "object", "array"}

// kinds are the JSON kinds that values of a type have; nil for all. Unions that many others have as a variant are looked into once.
func (t *typer) kinds(typ model.Type) []string {
	d := t.follow(typ).decl
	if d == nil {
		return t.findKinds(typ)
	}
	known, ok := t.known[d]
	if !ok {
		known = t.findKinds(typ)
		t.known[d] = known
	}
	return slices.Clone(known)
}

// findKinds looks into the unions within a type, once each.
func (t *typer) findKinds(typ model.Type) []string {
	has, seen := map[string]bool{}, map[*declared]bool{}
	for queue := []model.Type{typ}; len(queue) > 0; queue = queue[1:] {
		e := t.follow(queue[0])
		if u, isUnion := e.typ.(model.Union); isUnion {
			if e.decl == nil || !seen[e.decl] {
				seen[e.decl] = true
				for i := range u.Variants {
					queue = append(queue, u.Variants[i].Type)
				}
			}
			continue
		}
		kinds := kindsOf(e.typ)
		if kinds == nil {
			return nil
		}
		for _, k := range kinds {
			has[k] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(jsonKinds), func(k string) bool { return !has[k] })
}

// kindsOf are the kinds of a type that is no union.
func kindsOf(typ model.Type) []string {
	switch typ := typ.(type) {
	case model.Primitive:
		return primitiveKinds(typ.Kind)
	case model.Enum:
		return primitiveKinds(typ.Base)
	case model.Object, model.Map:
		return []string{"object"}
	case model.Array:
		return []string{"array"}
	case model.JSONText:
		return primitiveKinds(model.String)
	default:
		return nil
	}
}

func primitiveKinds(k model.PrimitiveKind) []string {
	switch k {
	case model.Bool:
		return []string{"boolean"}
	case model.String, model.Bytes, model.Binary, model.Time, model.Date:
		return []string{"string"}
	case model.Int, model.Int32, model.Int64, model.Uint32, model.Uint64, model.Float32, model.Float64:
		return []string{"number"}
	case model.Number: // servers write decimals as text too
		return []string{"string", "number"}
	case model.Null:
		return nil
	default:
		return nil
	}
}

// tellingFields are, for each variant, the fields that it requires and not every other object of the union does.
func (t *typer) tellingFields(u model.Union) [][]string {
	out := make([][]string, len(u.Variants))
	count := map[string]int{}
	objects := 0
	for i := range u.Variants {
		o, isObject := t.follow(u.Variants[i].Type).typ.(model.Object)
		if !isObject {
			continue
		}
		objects++
		for j := range o.Fields {
			if f := &o.Fields[j]; f.Required {
				out[i] = append(out[i], f.Name)
				count[f.Name]++
			}
		}
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	for i := range out {
		out[i] = slices.DeleteFunc(out[i], func(name string) bool { return count[name] == objects })
		if len(out[i]) == 0 {
			out[i] = nil
		}
	}
	return out
}
