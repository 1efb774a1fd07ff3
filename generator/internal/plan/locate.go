package plan

import (
	"fmt"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// location is a field of a request that a pointer leads to.
type location struct {
	path     []string
	types    []GoType
	elem     model.Elem
	required bool
}

// assign sets the field to a value, or clears it for nil.
func (l *location) assign(v *source.Value) Assignment {
	lit := Literal{Type: l.types[len(l.types)-1], Zero: v == nil}
	if v != nil {
		lit.JSON = CompactJSON(v)
	}
	return Assignment{Path: l.path, Types: l.types, Value: lit}
}

// locate follows a JSON pointer (RFC 6901) into the body of a request, through objects alone: what else there is to pass differs
// from request to request.
func (r *resolver) locate(a *ask, pointer string, pos source.Pos) (location, *misfit) {
	var at location
	steps, err := source.ParsePointer(pointer)
	switch {
	case err != nil:
		return at, &misfit{pos: pos, what: "is no JSON pointer"}
	case len(steps) == 0:
		return at, &misfit{pos: pos, what: "names the whole body and not a field of it"}
	case a.body == nil:
		return at, &misfit{pos: pos, what: "leads nowhere: the operation has no request body"}
	case a.body.codec != JSONCodec && a.body.codec != FormCodec && a.body.codec != MultipartCodec:
		return at, &misfit{pos: pos, what: "leads nowhere: the request body is raw"}
	}
	elem := a.body.elem
	if a.record {
		at.path, at.types = append(at.path, bodyField), append(at.types, a.bodyType)
	}
	for i, step := range steps {
		end := r.types.follow(elem.Type)
		o, isObject := end.typ.(model.Object)
		if !isObject || isFreeForm(o) || end.decl == nil {
			return at, &misfit{pos: pos, what: fmt.Sprintf("leads into %s, where %q is no field", r.types.sortOf(elem.Type), step)}
		}
		index := fieldIndex(o, step)
		if index < 0 {
			return at, &misfit{pos: pos, what: fmt.Sprintf("leads nowhere: %s has no field %q%s", end.decl.name, step, nearField(o, step))}
		}
		f := &o.Fields[index]
		spelled, _ := r.types.member(end.decl, f.Elem, f.Required)
		at.path, at.types = append(at.path, end.decl.fields[index]), append(at.types, spelled)
		elem, at.required = f.Elem, f.Required && i == len(steps)-1
	}
	at.elem = elem
	return at, nil
}

func fieldIndex(o model.Object, key string) int {
	for i := range o.Fields {
		if o.Fields[i].Name == key {
			return i
		}
	}
	return -1
}

// nearField asks whether a field of almost that name was meant.
func nearField(o model.Object, key string) string {
	known := make([]string, len(o.Fields))
	for i := range o.Fields {
		known[i] = o.Fields[i].Name
	}
	if ask := diag.DidYouMean(key, known); ask != "" {
		return ": " + ask
	}
	return ""
}

// sortOf is what a type is, in a sentence.
func (t *typer) sortOf(typ model.Type) string {
	switch t.follow(typ).typ.(type) {
	case model.Array:
		return "a list"
	case model.Map, model.Object:
		return "a map"
	case model.Union:
		return "one of several types"
	case model.Primitive, model.Enum:
		return "a scalar"
	default:
		return "any value"
	}
}

// streamField is what a method does about stream.when: the stream sets the field, and the plain method beside a twin clears it.
func (r *resolver) streamField(m *method) []Assignment {
	when := r.facts(m.ask.index).Stream.When
	streams := m.answer.streams()
	if when == nil || !streams && !r.hasTwin(m.ask) {
		return nil
	}
	at, bad := r.locate(m.ask, when.Pointer, when.Pos)
	if bad == nil && streams {
		bad = r.types.fits(at.elem, &when.Equals)
	}
	if bad != nil && !bad.soft {
		if streams && m.media == nil { // once, and not for the plain method too
			r.list.Add(diag.Diagnostic{
				Code: diag.StreamFieldDoesNotFit, Span: source.Span{Pos: bad.pos},
				What: fmt.Sprintf("stream.when of %s does not fit the request: %s %s", nameOf(m.ask.op), quote(when.Pointer), bad.what),
				Why:  "the stream method sets the field, and the plain method clears it",
				Fix:  "name a field of the request body and a value of its type",
			})
		}
		return nil
	}
	if streams {
		return []Assignment{at.assign(&when.Equals)}
	}
	return []Assignment{at.assign(nil)}
}

func (r *resolver) hasTwin(a *ask) bool {
	for _, m := range r.methods {
		if m.twin && (m.ask == a || m.ask == a.plain) {
			return true
		}
	}
	return false
}
