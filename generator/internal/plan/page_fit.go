package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var zeroPages annot.PageFacts

// pageFitter checks what an author says of pages against the types of an operation.
type pageFitter struct {
	*resolver

	m     *method
	facts *annot.PageFacts
	out   *Pages
	// body is the type of the answer, next that of the token in it: the zero Elem for a header and for counted ones.
	body, next model.Elem
}

// refuse reports that an annotation does not fit. It returns false.
func (f *pageFitter) refuse(path, problem, fix string) bool {
	f.list.Add(diag.Diagnostic{
		Code: diag.PageDoesNotFit, Span: f.spanOf(f.m.ask, path),
		What:    fmt.Sprintf("%q of %s does not fit: %s", path, nameOf(f.m.ask.op), problem),
		Why:     "pages that cannot be found would be missing from the iteration, and nobody would know",
		Fix:     fix,
		Related: []diag.Related{{Span: source.Span{Pos: f.m.ask.op.Pos}, What: "the operation is here"}},
	})
	return false
}

// fitStyle checks that there is a style, and that nothing else of the operation stands against it.
func (f *pageFitter) fitStyle(op *Operation) bool {
	style := f.facts.Style
	if style == annot.NoPages {
		return f.refuse("page", "it has no `style`", "add `style: cursor`, or `offset`, `page`, `link`, `next-url`")
	}
	byHeader := f.facts.Next.Header != "" || f.facts.Total.Header != "" || style == annot.PageLink
	if byHeader && op.Policy.Cache.On {
		return f.refuse("page.response", "a cache keeps no headers, and the next page is found by one", "remove the cache")
	}
	isFunc := func(rung policy.Rung) bool { return rung.Sort.Calls() }
	if style.IsURL() && slices.ContainsFunc(op.Policy.Fallback.Rungs, isFunc) {
		return f.refuse("page.style", "a func or operation rung is given the request, which does not say the page: its URL does",
			"page by a cursor, or remove the rung")
	}
	if style.IsURL() && f.facts.Operation != "" {
		return f.refuse("page.operation", "the URL of a page says all that is asked",
			"remove `operation`, or write `style: cursor` and the parameter that takes the URL as `token`")
	}
	if style != annot.PageNumber && f.facts.FirstSet {
		return f.refuse("page.request.first", "only `style: page` counts from a first page", "remove `first`")
	}
	return true
}

// fitItems finds the items of an answer.
func (f *pageFitter) fitItems() bool {
	c, problem := f.m.answerBody()
	if problem != "" {
		return f.refuse("page", problem, "page an operation that answers with JSON; `page: null` in a later rule takes it away from one")
	}
	f.body = c.elem
	access, elem, problem := f.inAnswer(f.facts.Items.Pointer)
	if problem != "" {
		return f.refuse("page.response.items", problem, "name the list of the answer, such as `/data`; without `items` the answer is the list")
	}
	list, isList := f.types.itemsOf(elem)
	if !isList {
		what := "the answer"
		if f.facts.Items.Pointer != "" {
			what = quoted(f.facts.Items.Pointer)
		}
		return f.refuse("page.response.items", what+" is "+f.types.sortOf(elem.Type)+", and no list",
			"name the list of the answer, such as `/data`; `page: null` in a later rule takes it away from an operation")
	}
	if !access.IsSet() && f.types.nullable(f.body) {
		return f.refuse("page.response.items", "the answer may be null", "page an operation that always answers with a list")
	}
	f.out.Items, f.out.Item = access, f.types.element(list.Elem)
	return true
}

// inAnswer follows a pointer into the answer. The empty pointer is the answer itself.
func (f *pageFitter) inAnswer(pointer string) (Access, model.Elem, string) {
	steps, err := source.ParsePointer(pointer)
	if err != nil {
		return Access{}, model.Elem{}, "it is no JSON pointer"
	}
	return f.reach(f.body, steps)
}

// reach goes through objects and, by the step annot.LastItem, lists.
func (r *resolver) reach(elem model.Elem, steps []string) (Access, model.Elem, string) {
	var at Access
	for _, step := range steps {
		end := r.types.follow(elem.Type)
		switch typ := end.typ.(type) {
		case model.Array:
			if step != annot.LastItem {
				return at, elem, fmt.Sprintf("%q leads into a list: the step `%s` is its last item", step, annot.LastItem)
			}
			at.Path, at.Types = append(at.Path, LastItem), append(at.Types, r.types.element(typ.Elem))
			elem = typ.Elem
		case model.Object:
			if isFreeForm(typ) || end.decl == nil {
				return at, elem, fmt.Sprintf("it leads into %s, where %q is no field", r.types.sortOf(elem.Type), step)
			}
			i := fieldIndex(typ, step)
			if i < 0 {
				return at, elem, fmt.Sprintf("%s has no field %q%s", end.decl.name, step, nearField(typ, step))
			}
			spelled, _ := r.types.member(end.decl, typ.Fields[i].Elem, typ.Fields[i].Required)
			at.Path, at.Types = append(at.Path, end.decl.fields[i]), append(at.Types, spelled)
			elem = typ.Fields[i].Elem
		default:
			return at, elem, fmt.Sprintf("it leads into %s, where %q is no field", r.types.sortOf(elem.Type), step)
		}
	}
	return at, elem, ""
}

// inAsk finds a parameter by its name, or a field of the body by a JSON pointer. Where there is no body, `/name` is a parameter too.
func (r *resolver) inAsk(a *ask, place string) (Access, model.Elem, string) {
	pointer, isPointer := strings.CutPrefix(place, "/")
	if isPointer && a.body != nil {
		at, bad := r.locate(a, place, source.Pos{})
		if bad != nil {
			return Access{}, model.Elem{}, quoted(place) + " " + bad.what
		}
		return Access{Path: at.path, Types: at.types}, at.elem, ""
	}
	name := place
	if isPointer {
		name = pointer
	}
	fields := r.paramFields[a]
	var known []string
	for i := range a.bind.Params {
		p := &a.bind.Params[i]
		if p.Name == name && i < len(fields) {
			spelled, _ := r.types.member(nil, p.Elem, isRequired(p))
			return Access{Path: []string{fields[i].Field}, Types: []GoType{spelled}}, p.Elem, ""
		}
		known = append(known, p.Name)
	}
	problem := fmt.Sprintf("%s has no parameter %q", nameOf(a.op), name)
	if ask := diag.DidYouMean(name, known); ask != "" {
		problem += ": " + ask
	}
	return Access{}, model.Elem{}, problem
}
