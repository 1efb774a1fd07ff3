package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// refuseBlindPointers refuses pointers of annotations into requests and answers where nothing can be. The runtime would find nothing
// there, and say nothing.
func (r *resolver) refuseBlindPointers() {
	for _, a := range r.asks {
		p := &r.policies.Plans[a.index]
		for i, key := range p.Cache.Key {
			r.blind(a, "cache.key", r.spanOfItem(a, "cache.key", i), key, r.inRequest(a, key, anything))
		}
		r.refuseBlindTurns(a)
		if p.Tokens.Max != "" {
			r.blind(a, "tokens.max", r.spanOf(a, "tokens.max"), p.Tokens.Max, r.inRequest(a, p.Tokens.Max, aNumber))
		}
		for _, u := range usages(&p.Tokens) {
			path := "tokens.usage." + u.key
			r.blind(a, path, r.spanOf(a, path), u.pointer, r.inAnswers(a, u.pointer, aNumber))
		}
	}
}

// usage is a pointer into answers with its key.
type usage struct{ key, pointer string }

// usages are those that are set.
func usages(t *policy.Tokens) []usage {
	return slices.DeleteFunc([]usage{
		{"input", t.Input}, {"cached", t.Cached}, {"cache-write", t.CacheWrite}, {"output", t.Output}, {"reasoning", t.Reasoning},
	}, func(u usage) bool { return u.pointer == "" })
}

// blind reports a pointer that leads nowhere; an empty problem is none.
func (r *resolver) blind(a *ask, path string, at source.Span, pointer, problem string) {
	if problem == "" {
		return
	}
	where := "the request"
	if strings.HasPrefix(path, "tokens.usage") {
		where = "the answer"
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.PointerDoesNotFit, Span: at, What: quote(path) + " of " + nameOf(a.op) + " does not fit " + where + ": " +
			quoted(pointer) + " " + problem,
		Why:     "nothing would ever be found there, and what counts on it would silently not happen",
		Fix:     "name a field of the body of " + where + " as the document describes it, or remove the pointer",
		Related: []diag.Related{{Span: source.Span{Pos: a.op.Pos}, What: "the operation is here"}},
	})
}

// spanOf is the place of an operation's annotation, by its path or the beginning of it.
func (r *resolver) spanOf(a *ask, path string) source.Span {
	for _, p := range r.policies.Why[a.index] {
		if strings.HasPrefix(p.Path, path) && p.Pos.IsValid() {
			return source.Span{Pos: p.Pos}
		}
	}
	return source.Span{Pos: a.op.Pos}
}

// spanOfItem is the place of an item of a list.
func (r *resolver) spanOfItem(a *ask, path string, i int) source.Span {
	for _, p := range r.policies.Why[a.index] {
		if p.Path == path && i < len(p.items) && p.items[i].IsValid() {
			return source.Span{Pos: p.items[i]}
		}
	}
	return r.spanOf(a, path)
}

// inRequest says why a pointer leads nowhere in the JSON body of a request, or to something else than is wanted; empty where it does not. The runtime
// looks into JSON alone.
func (r *resolver) inRequest(a *ask, pointer string, want wanted) string {
	switch {
	case a.body == nil:
		return "leads nowhere: the operation has no request body"
	case a.body.codec != JSONCodec:
		return "leads nowhere: the request body is no JSON"
	default:
		return r.leads(a.body.elem, pointer, want)
	}
}

// inAnswers says why a pointer leads nowhere, or to something else than is wanted, in all answers and items of an operation; empty where it
// leads there in one.
func (r *resolver) inAnswers(a *ask, pointer string, want wanted) string {
	first := ""
	for _, m := range r.methods {
		if m.ask != a {
			continue
		}
		bodies := m.answer.bodies
		if m.answer.streams() {
			bodies = []choice{{codec: JSONCodec, elem: m.answer.item}}
		}
		for _, b := range bodies {
			if b.codec != JSONCodec {
				continue
			}
			problem := r.leads(b.elem, pointer, want)
			if problem == "" {
				return ""
			}
			first = cmp.Or(first, problem)
		}
	}
	return cmp.Or(first, "leads nowhere: the operation answers with no JSON")
}

// wanted is what a pointer is to lead to.
type wanted uint8

const (
	anything wanted = iota
	aNumber
	// aTurn is the text of a turn: a string, or a list of parts that have a text.
	aTurn
)

// leads says why a pointer leads nowhere in values of a type, or to something else than is wanted; empty where it may lead there: what the
// document leaves open may be anything.
func (r *resolver) leads(e model.Elem, pointer string, want wanted) string {
	steps, err := source.ParsePointer(pointer)
	if err != nil {
		return "is no JSON pointer"
	}
	w := walk{typer: r.types, want: want, seen: map[string]bool{}}
	if w.to(e.Type, steps) {
		return ""
	}
	return w.problem
}

// walk follows the steps of a pointer through types. Unions within unions lead to the same place in many ways: seen keeps each from
// being tried twice.
type walk struct {
	*typer

	want    wanted
	seen    map[string]bool
	problem string
}

// to reports whether the steps may lead on from a type.
func (w *walk) to(typ model.Type, steps []string) bool {
	if ref, isRef := typ.(model.Ref); isRef {
		key := string(ref.ID) + " " + strconv.Itoa(len(steps))
		if w.seen[key] {
			return false
		}
		w.seen[key] = true
	}
	at := w.follow(typ)
	if union, isUnion := at.typ.(model.Union); isUnion {
		return slices.ContainsFunc(union.Variants, func(v model.Variant) bool { return w.to(v.Type, steps) })
	}
	if len(steps) == 0 {
		return w.ends(at.typ)
	}
	step, rest := steps[0], steps[1:]
	switch typ := at.typ.(type) {
	case model.Any:
		return true
	case model.Map:
		return w.to(typ.Elem.Type, rest)
	case model.Array:
		n, err := strconv.ParseUint(step, 10, 31)
		if err == nil && strconv.FormatUint(n, 10) == step || step == "-1" && w.want == aTurn { // no leading zeros: RFC 6901
			return w.to(typ.Elem.Type, rest)
		}
	case model.Object:
		return w.into(typ, at, step, rest)
	}
	return w.fail("leads into " + w.sortOf(typ) + ", where " + quote(step) + " is no field")
}

// into follows a step into an object.
func (w *walk) into(o model.Object, at end, step string, rest []string) bool {
	if i := fieldIndex(o, step); i >= 0 {
		return w.to(o.Fields[i].Elem.Type, rest)
	}
	switch {
	case o.Additional != nil:
		return w.to(o.Additional.Type, rest)
	case isFreeForm(o):
		return true
	}
	name := "the object"
	if at.decl != nil {
		name = at.decl.name
	}
	return w.fail("leads nowhere: " + name + " has no field " + quote(step) + nearField(o, step))
}

// ends reports whether what stands at the end can be what is wanted.
func (w *walk) ends(typ model.Type) bool {
	switch w.want {
	case aNumber:
		return w.endsAtNumber(typ)
	case aTurn:
		return w.endsAtTurn(typ)
	default:
		return true
	}
}

func (w *walk) endsAtNumber(typ model.Type) bool {
	kind := model.String
	switch typ := typ.(type) {
	case model.Any:
		return true
	case model.Primitive:
		kind = typ.Kind
	case model.Enum:
		kind = typ.Base
	}
	if isNumber(kind) {
		return true
	}
	return w.fail("leads to what is no number")
}

func (w *walk) endsAtTurn(typ model.Type) bool {
	switch typ := typ.(type) {
	case model.Any:
		return true
	case model.Primitive:
		if typ.Kind == model.String {
			return true
		}
	case model.Array:
		if w.hasText(typ.Elem.Type) {
			return true
		}
	default:
	}
	return w.fail("leads to what is no text")
}

// hasText reports whether values of a type may be parts of a turn.
func (w *walk) hasText(typ model.Type) bool {
	part := walk{typer: w.typer, want: anything, seen: map[string]bool{}}
	return part.to(typ, []string{"text"})
}

func isNumber(kind model.PrimitiveKind) bool {
	switch kind {
	case model.Int, model.Int32, model.Int64, model.Uint32, model.Uint64, model.Float32, model.Float64, model.Number:
		return true
	default:
		return false
	}
}

// fail keeps the first problem.
func (w *walk) fail(problem string) bool {
	if w.problem == "" {
		w.problem = problem
	}
	return false
}
