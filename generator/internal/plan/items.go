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
	if says == "" {
		says, pos = fact.Static, fact.StaticPos
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
	} else if list = listed(&e.Value, r.types, m.answer.item); list == nil {
		bad := r.types.fits(m.answer.item, firstOf(&e.Value))
		r.reportItems(m, rung, pos, "an item of the example "+quote(e.Name)+" "+bad.what, diag.Related{
			Span: source.Span{Pos: bad.pos}, What: "the value is here",
		})
		return step, false
	}
	step.Example = r.itemsConst(e, list, item)
	return step, true
}

// listed returns the items that an example is: one, or a list of them; nil where they are none.
func listed(v *source.Value, t *typer, item model.Elem) []source.Value {
	if isItem(t, item, v) {
		return []source.Value{*v}
	}
	if v.Kind != source.List || len(v.List) == 0 || slices.ContainsFunc(v.List, func(one source.Value) bool { return !isItem(t, item, &one) }) {
		return nil
	}
	return v.List
}

// isItem reports whether a value is an item.
func isItem(t *typer, item model.Elem, v *source.Value) bool {
	bad := t.fits(item, v)
	return bad == nil || bad.soft
}

// firstOf is the value that an example of items is judged by, where it is none.
func firstOf(v *source.Value) *source.Value {
	if v.Kind == source.List && len(v.List) > 0 {
		return &v.List[0]
	}
	return v
}

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

// What a list of items says to who knows the form of a stream.
const (
	formUnknown = iota
	saysNothing // or is cut, or an error
	itSays
)

// says tells if items are a whole stream that says something.
func says(rules *policy.StreamRules, list []source.Value) int {
	items := make([][]byte, len(list))
	for i := range list {
		items[i] = []byte(compactJSON(&list[i]))
	}
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

// itemsConst is the constant that holds the items that an example comes to.
func (r *resolver) itemsConst(e *model.Example, list []source.Value, item GoType) string {
	id := examplePrefix + e.Name + " items"
	if name := r.exampleNames[id]; name != "" {
		return name
	}
	stem := unexported(ident(e.Name, "Fixed"))
	name := r.allot(r.pkg, []wish{{id: id, pos: e.Value.Pos, text: e.Name, names: []string{stem + "Items", stem + "StreamItems"}}})[0]
	r.exampleNames[id] = name
	all := source.Value{Kind: source.List, List: list}
	r.examples = append(r.examples, Example{Const: name, JSON: compactJSON(&all), Type: Slice{Elem: item}})
	return name
}
