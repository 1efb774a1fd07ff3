package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// The packages whose types generated code uses.
const (
	runtimePath = "github.com/resgen-go/resgen/runtime"
	wirePath    = runtimePath + "/wire"
	jsonPath    = "encoding/json"
	timePath    = "time"
)

// The types that need no declaration.
var (
	rawJSON    = Qual{Path: jsonPath, Name: "RawMessage"}
	stringType = Basic{Name: "string"}
)

// form is what the Go type of a schema is like: it decides how absence and null are said.
type form uint8

const (
	// scalarForm is a value without a nil: scalars, enums and times.
	scalarForm form = iota
	// objectForm is a struct.
	objectForm
	// listForm has a zero value that says absent: slices, maps and bytes, those of a wire.Content too.
	listForm
	// anyForm is raw JSON, which holds null itself.
	anyForm
	// unionForm is a union, which is raw JSON too: it holds null, and its zero value says absent.
	unionForm
)

// typer spells the types of an API in Go.
type typer struct {
	byID map[model.TypeID]*declared
	all  []*declared // as in model.API.Types
	// queue are the types that something refers to and that are not declared yet.
	queue []*declared
	// known are the kinds of declared types, as far as they were asked for.
	known map[*declared][]string
}

// declared is a type of the model on its way to a declaration.
type declared struct {
	*model.TypeDecl

	// name is the Go name, and place says where an inline type stands. Both are given by the names stage.
	name, place string
	// used says that something refers to it; what nothing refers to is not printed.
	used bool
	// ring is the cycle of structs that it belongs to; 0 is none.
	ring int
	// senders are the webhooks and callbacks whose body it is.
	senders []*model.Inbound
	// size is the number of its fields and of those of all structs that it holds by value.
	size int
	// end is what a reference to it leads to in the end.
	end *end
	// constants are the names of an enum's values, variants and constructors those of a union's variants, by the same index.
	constants, variants, constructors []string
	// fields are the names of an object's fields, by the same index, and extra that of the one for what is not listed.
	fields []string
	extra  string
}

// end is where a chain of references ends.
type end struct {
	// typ is what stands there; never a Ref. decl is the declaration of it, nil where the chain leads nowhere or to itself: then
	// it is any value.
	typ  model.Type
	decl *declared
	// nullable says that null is a value of some declaration on the way.
	nullable bool
}

func newTyper(api *model.API) *typer {
	t := &typer{known: map[*declared][]string{}, byID: make(map[model.TypeID]*declared, len(api.Types)), all: make([]*declared, len(api.Types))}
	for i := range api.Types {
		d := &declared{TypeDecl: &api.Types[i]}
		t.all[i] = d
		if _, twice := t.byID[d.ID]; !twice {
			t.byID[d.ID] = d
		}
	}
	for _, d := range t.all {
		t.findEnd(d)
	}
	t.findRings()
	return t
}

// findEnd follows the references from d, and remembers the end for all that are on the way.
func (t *typer) findEnd(d *declared) {
	var way []*declared
	onWay := map[*declared]bool{}
	e := end{typ: model.Any{}}
	for at := d; at != nil && !onWay[at]; {
		if at.end != nil {
			e = *at.end
			break
		}
		way, onWay[at] = append(way, at), true
		ref, isRef := at.Type.(model.Ref)
		if !isRef {
			if at.Type != nil {
				e = end{typ: at.Type, decl: at}
			}
			break
		}
		at = t.byID[ref.ID]
	}
	for _, passed := range slices.Backward(way) {
		e.nullable = e.nullable || passed.Nullable
		found := e
		passed.end = &found
	}
}

// follow returns what a type is when references are followed.
func (t *typer) follow(typ model.Type) end {
	ref, isRef := typ.(model.Ref)
	if !isRef {
		return end{typ: typ}
	}
	if d := t.byID[ref.ID]; d != nil {
		return *d.end
	}
	return end{typ: model.Any{}}
}

// formOf returns the form of a type's Go spelling.
func (t *typer) formOf(typ model.Type) form {
	switch target := t.follow(typ).typ.(type) {
	case model.Object:
		if isFreeForm(target) {
			return listForm
		}
		return objectForm
	case model.Array, model.Map:
		return listForm
	case model.Primitive:
		switch target.Kind {
		case model.Bytes, model.Binary:
			return listForm
		case model.Null:
			return anyForm
		default:
			return scalarForm
		}
	case model.Union:
		if len(target.Variants) == 0 {
			return anyForm
		}
		return unionForm
	case model.Enum, model.JSONText:
		return scalarForm
	default:
		return anyForm
	}
}

// isFreeForm reports an object of which no member is known: a map in Go, so that nothing of it is lost.
func isFreeForm(o model.Object) bool { return len(o.Fields) == 0 }

// spell is the Go type of a value that is there and not null.
func (t *typer) spell(typ model.Type) GoType {
	switch typ := typ.(type) {
	case model.Ref:
		if t.follow(typ).decl == nil {
			return rawJSON
		}
		d := t.byID[typ.ID]
		if !d.used {
			d.used = true
			t.queue = append(t.queue, d)
		}
		return Local{Name: d.name}
	case model.Primitive:
		return primitive(typ.Kind)
	case model.Enum:
		return enumBase(typ.Base)
	case model.Array:
		return Slice{Elem: t.element(typ.Elem)}
	case model.Map:
		return MapOf{Elem: t.element(typ.Elem)}
	case model.JSONText:
		return wrapped("JSONText", t.element(typ.Elem))
	case model.Object: // without a name of its own: the loader names every object with fields
		if isFreeForm(typ) && typ.Additional != nil {
			return MapOf{Elem: t.element(*typ.Additional)}
		}
		return MapOf{Elem: rawJSON}
	default:
		return rawJSON
	}
}

// element is the type of an item of a list or a value of a map. A nil pointer is null.
func (t *typer) element(e model.Elem) GoType {
	if t.formOf(e.Type) == objectForm && t.nullable(e) {
		return Pointer{Elem: t.spell(e.Type)}
	}
	return t.whole(e)
}

// whole is the type of an answer, or of an item of a stream, which are never nil.
func (t *typer) whole(e model.Elem) GoType {
	if t.nullable(e) && !t.holdsNull(e.Type) {
		return wrapped("Null", t.spell(e.Type))
	}
	return t.spell(e.Type)
}

// holdsNull reports whether the Go spelling of a type has a value for null as it is.
func (t *typer) holdsNull(typ model.Type) bool {
	f := t.formOf(typ)
	return f == anyForm || f == unionForm
}

// nullable reports whether null is a value at a place.
func (t *typer) nullable(e model.Elem) bool {
	return e.Nullable || t.follow(e.Type).nullable
}

// member is the type of a field or parameter, and whether its zero value is left out. owner is the struct that holds it by value,
// nil where it is in no struct that anything refers to.
//
//	              value       list, map, bytes   union   object        raw JSON
//	required      T           []T                U       T             json.RawMessage
//	  nullable    Null[T]     Null[[]T]          U       *T            json.RawMessage
//	optional      Opt[T]      []T                U       *T            json.RawMessage
//	  nullable    OptNull[T]  OptNull[[]T]       U       OptNull[*T]   json.RawMessage
//
// A struct that would hold itself, or one that is too large, holds a pointer instead. A body that is null is Null[T] and OptNull[T]: a
// nil pointer there is a mistake.
func (t *typer) member(owner *declared, e model.Elem, required bool) (spelled GoType, omitZero bool) {
	base, f := t.spell(e.Type), t.formOf(e.Type)
	nullable := t.nullable(e)
	if f == objectForm && owner != nil && (nullable || t.isPointedTo(owner, e.Type)) {
		base = Pointer{Elem: base}
	}
	_, pointed := base.(Pointer)
	switch {
	case t.holdsNull(e.Type):
		return base, !required
	case nullable && required && pointed:
		return base, false
	case nullable && required:
		return wrapped("Null", base), false
	case nullable:
		return wrapped("OptNull", base), true
	case required:
		return base, false
	case f == listForm || pointed:
		return base, true
	case f == objectForm:
		return Pointer{Elem: base}, true
	default:
		return wrapped("Opt", base), true
	}
}

// wrapped is a generic type of package wire over t.
func wrapped(name string, t GoType) GoType {
	return Qual{Path: wirePath, Name: name, Args: []GoType{t}}
}

// primitive is the Go type of a scalar.
func primitive(k model.PrimitiveKind) GoType {
	switch k {
	case model.Bool:
		return Basic{Name: "bool"}
	case model.String:
		return stringType
	case model.Bytes:
		return Slice{Elem: Basic{Name: "byte"}}
	case model.Binary:
		return Qual{Path: wirePath, Name: "Content"}
	case model.Int32:
		return Basic{Name: "int32"}
	case model.Int, model.Int64: // an integer without a format may well exceed 32 bits
		return Basic{Name: "int64"}
	case model.Uint32:
		return Basic{Name: "uint32"}
	case model.Uint64:
		return Basic{Name: "uint64"}
	case model.Float32:
		return Basic{Name: "float32"}
	case model.Float64:
		return Basic{Name: "float64"}
	case model.Number:
		return Qual{Path: jsonPath, Name: "Number"}
	case model.Time:
		return Qual{Path: timePath, Name: "Time"}
	case model.Date:
		return Qual{Path: wirePath, Name: "Date"}
	case model.Null:
		return rawJSON
	default:
		return rawJSON
	}
}
