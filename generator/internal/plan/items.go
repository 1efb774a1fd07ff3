package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// itemsStep answers a method that streams with the items of an example, or with those that are wired in Go. A rung that names none says what
// the whole answer of its `static` says, in the form of the provider's streams, where that is known.
func (r *resolver) itemsStep(m *method, n int, rung *policy.Rung, fact *annot.RungFacts) (StaticStep, bool) {
	step := StaticStep{Rung: n, Name: rung.Name, Items: true}
	item := r.stream(m).Item
	says, pos := fact.Items, fact.ItemsPos
	switch {
	case says == "":
		says, pos = fact.Static, fact.StaticPos
	case !m.twin:
		r.reportUnread(m, rung, pos, "has no method beside it that answers at once", "write in `static` what it is to answer with, and remove `items`")
		return step, false
	}
	if !isExample(says) {
		if m.twin && fact.Items == "" {
			says += "Stream"
		}
		var ok bool
		step.Wiring, ok = r.wired(m, says, pos, Wiring{Value: Slice{Elem: item}}, true)
		return step, ok
	}
	e := r.example(says)
	if e == nil {
		r.reportExample(m, &annot.RungFacts{Static: says, StaticPos: pos})
		return step, false
	}
	var list []source.Value
	if m.twin && fact.Items == "" {
		if list = r.itemsOf(m, &e.Value); list == nil {
			r.reportItems(m, rung, pos, "in what form its stream says the same is not known")
			return step, false
		}
	} else {
		var bad *misfit
		if list, bad = listed(&e.Value, r.types, m.answer.item); bad != nil {
			r.reportItems(m, rung, pos, "an item of the example "+quote(e.Name)+" "+bad.what, diag.Related{
				Span: source.Span{Pos: bad.pos}, What: "the value is here",
			})
			return step, false
		}
		if failed := r.failing(m, list); failed != nil {
			r.reportItems(m, rung, pos, "an item of the example "+quote(e.Name)+" says that the answer failed", diag.Related{
				Span: source.Span{Pos: failed.Pos}, What: "the item is here",
			})
			return step, false
		}
	}
	step.Example = r.itemsConst(m, e, list, item)
	return step, true
}

// listed returns the items that an example is, one or a list of them, or what is wrong with the first that is none.
func listed(v *source.Value, t *typer, item model.Elem) ([]source.Value, *misfit) {
	bad := hard(t.fits(item, v))
	switch {
	case bad == nil:
		return []source.Value{*v}, nil
	case v.Kind != source.List:
		return nil, bad
	case len(v.List) == 0:
		return nil, &misfit{pos: v.Pos, what: "is missing: the list is empty"}
	}
	for i := range v.List {
		if bad := hard(t.fits(item, &v.List[i])); bad != nil {
			return nil, bad
		}
	}
	return v.List, nil
}

// hard is a misfit that keeps a value from being used; nil for none, and for a soft one.
func hard(bad *misfit) *misfit {
	if bad == nil || bad.soft {
		return nil
	}
	return bad
}

// isItem reports whether a value is an item.
func isItem(t *typer, item model.Elem, v *source.Value) bool { return hard(t.fits(item, v)) == nil }

// itemsOf returns the items of a stream that says what a whole answer says, and nil where their form is not known: what is made must be of the
// type of the items, and come to a proven end with the text of the answer in it, as the runtime reads it. In a form that no preset knows, an
// answer that is an item as it stands is one.
func (r *resolver) itemsOf(m *method, whole *source.Value) []source.Value {
	p := r.plan(m)
	rules := policy.NewStreamRules(p.Errors.Preset, p.Stream)
	for _, form := range itemForms {
		list := form(whole)
		for i := range list {
			list[i] = r.types.trimmed(m.answer.item, &list[i])
		}
		if len(list) > 0 && !slices.ContainsFunc(list, func(v source.Value) bool { return !isItem(r.types, m.answer.item, &v) }) && says(rules, list) == itSays {
			return list
		}
	}
	if r.types.formOf(m.answer.item.Type) == anyForm || !isItem(r.types, m.answer.item, whole) || says(rules, []source.Value{*whole}) == saysNothing {
		return nil
	}
	return []source.Value{*whole}
}

// failing returns the first item that says that it is an error, or that the answer failed, as the runtime would read it of a provider: by the
// preset and by the operation's own rules. Nil where none does.
func (r *resolver) failing(m *method, list []source.Value) *source.Value {
	p := r.plan(m)
	rules := policy.NewStreamRules(p.Errors.Preset, p.Stream)
	for i := range list {
		if _, ok := rules.Play(compact(list[:i+1])); !ok {
			return &list[i]
		}
	}
	return nil
}

// compact are values as texts.
func compact(list []source.Value) [][]byte {
	items := make([][]byte, len(list))
	for i := range list {
		items[i] = []byte(CompactJSON(&list[i]))
	}
	return items
}

// What a list of items says to who knows the form of a stream.
const (
	formUnknown = iota
	saysNothing // or is cut, or an error
	itSays
)

// says tells if items are a whole stream that says something.
func says(rules *policy.StreamRules, list []source.Value) int {
	items := compact(list)
	switch state, ok := rules.Play(items); {
	case ok && state.Form() == "":
		return formUnknown
	case ok && state.Unproven(true) == "" && state.Incomplete() == "" &&
		slices.ContainsFunc(items, func(item []byte) bool { return state.Text(item) != "" }):
		return itSays
	default:
		return saysNothing
	}
}

// reportItems reports a static rung that has nothing for who reads a stream.
func (r *resolver) reportItems(m *method, rung *policy.Rung, pos source.Pos, problem string, related ...diag.Related) {
	key := "items"
	if !m.twin {
		key = "static"
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.AnswerDoesNotFit, Span: source.Span{Pos: pos}, Related: related,
		What: "the static rung " + quoted(rung.Name) + " is no stream of " + nameOf(m.ask.op) + ": " + problem,
		Why:  "who reads item by item gets items from every rung, also when everything else is down",
		Fix: "write the items, one or a list, as a component example and name it: `" + key + ": '" + examplePrefix + "NAME'`; or name a value that is " +
			"wired in Go",
	})
}

// itemsConst is the constant that holds the items that an example comes to. Two streams may say one example in different forms: then each
// form has its own.
func (r *resolver) itemsConst(m *method, e *model.Example, list []source.Value, item GoType) string {
	all := source.Value{Kind: source.List, List: list}
	id, json := examplePrefix+e.Name+" items", CompactJSON(&all)
	said := id + " " + json
	if name := r.exampleNames[said]; name != "" {
		return name
	}
	stem := unexported(ident(e.Name, "Fixed"))
	if r.exampleNames[id] != "" {
		id += " of " + m.ask.op.ID
		stem += ident(m.ask.op.ID, "Operation")
	}
	name := r.allot(r.pkg, []wish{{id: id, pos: e.Value.Pos, text: e.Name, names: []string{stem + "Items", stem + "StreamItems"}}})[0]
	r.exampleNames[id], r.exampleNames[said] = name, name
	r.examples = append(r.examples, Example{Const: name, JSON: json, Type: Slice{Elem: item}})
	return name
}

// reportUnread reports `items` that nobody would read.
func (r *resolver) reportUnread(m *method, rung *policy.Rung, pos source.Pos, problem, fix string) {
	r.list.Add(unreadItems(nameOf(m.ask.op), rung.Name, pos, problem, fix))
}

// unreadItems says that an operation is not of the sort that `items` are for.
func unreadItems(op, rung string, pos source.Pos, problem, fix string) diag.Diagnostic {
	return diag.Diagnostic{
		Code: diag.AnswerDoesNotFit, Span: source.Span{Pos: pos}, What: "the static rung " + quoted(rung) + " has `items`, and " + op + " " + problem,
		Why: "`items` are what a method that streams answers with, beside one that answers at once with what `static` says", Fix: fix,
	}
}
