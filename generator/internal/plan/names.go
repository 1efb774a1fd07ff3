package plan

import (
	"go/token"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// frozen are the names of the package that every generated client has. The options' names, which begin with With, are frozen as
// a whole for components (see nameComponents), so that a new option never renames a type.
var frozen = map[string]bool{"API": true, "Client": true, "New": true, "Option": true, "clientSpec": true}

// clientMethods are the methods of every generated client beside its operations.
var clientMethods = map[string]bool{"CloseIdleConnections": true}

// standardMethods are the methods to which the standard library gives one signature on whatever type: encoding/json, encoding/gob
// and their like look for them, and `go vet` refuses another.
var standardMethods = map[string]bool{
	"GobDecode": true, "GobEncode": true, "MarshalJSON": true, "MarshalXML": true, "ReadByte": true, "ReadRune": true,
	"UnmarshalJSON": true, "UnmarshalXML": true, "UnreadByte": true, "UnreadRune": true, "WriteByte": true,
}

// isPackageReserved reports names of the package scope that nothing of the document gets.
func isPackageReserved(name string) bool {
	return frozen[name] || fixedOptions[name] || token.IsKeyword(name) || packageNames[name]
}

// isPrefixed reports whether a name is prefix and another word.
func isPrefixed(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && (unicode.IsUpper(first) || unicode.IsDigit(first))
}

// isMethodReserved reports methods of the Client that are no operation's.
func isMethodReserved(name string) bool { return clientMethods[name] || standardMethods[name] }

// isClientReserved reports fields of the Client that are not an operation's or a wiring's.
func isClientReserved(name string) bool { return name == "http" || token.IsKeyword(name) }

// allot gives names, those that were had before first, and notes them.
func (r *resolver) allot(s *scope, tier []wish) []string {
	tellApart(tier)
	got := s.allot(tier, r.recall(s, tier))
	r.note(tier, got)
	return got
}

// tellApart numbers wishes of one id, such as two variants that are integers: the lock must not take one for the other.
func tellApart(tier []wish) {
	count := make(map[string]int, len(tier))
	for i := range tier {
		id := tier[i].id
		if count[id]++; count[id] > 1 {
			tier[i].id += " " + strconv.Itoa(count[id])
		}
	}
}

// nameAll gives every name of the package scope and of the client, in the order of their claim: what belongs to every client,
// components, operations, and what derives from them. Whatever a later tier brings, an earlier one keeps its names.
func (r *resolver) nameAll() {
	r.pkg = r.open("package", isPackageReserved)
	r.nameComponents()
	r.nameOperations()
	r.nameDerived(slices.DeleteFunc(slices.Clone(r.methods), func(m *method) bool { return m.media != nil })) // those come last
	r.nameInline()
	r.nameMembers()
	r.nameMediaTwins()
}

func (r *resolver) nameComponents() {
	var owners []*declared
	var tier []wish
	for _, d := range r.types.all {
		if d.Name == "" {
			continue
		}
		owners, tier = append(owners, d), append(tier, componentWish(d.ID, d.Name, d.Pos))
	}
	for i := range r.api.Absent.Types {
		d := &r.api.Absent.Types[i]
		w := componentWish(d.ID, d.Name, d.Pos)
		w.absent = true
		tier = append(tier, w)
	}
	names := r.allot(r.pkg, tier)
	for i, d := range owners {
		d.name = names[i]
	}
}

// componentWish is the wish of a type that its author named.
func componentWish(id model.TypeID, text string, pos source.Pos) wish {
	w := named("type "+string(id), pos, text, "Type")
	switch name := w.names[0]; {
	case isPrefixed(name, "With"): // an option's, today's or tomorrow's
		w.names = []string{name + "Model", w.names[1] + "Model"}
	case isPackageReserved(name):
		w.names = append([]string{name, name + "Model"}, w.names[1:]...)
	}
	return w
}

// nameOperations names the methods, and with each its field in the Client, its policy and its two functions.
func (r *resolver) nameOperations() {
	methods := r.open("methods", isMethodReserved)
	r.methodNames = methods
	tier := make([]wish, len(r.asks), len(r.asks)+len(r.api.Absent.Operations))
	for i, a := range r.asks {
		tier[i] = operationWish(a.op.ID, a.op.Pos)
	}
	for i := range r.api.Absent.Operations {
		w := operationWish(r.api.Absent.Operations[i].ID, r.api.Absent.Operations[i].Pos)
		w.absent = true
		tier = append(tier, w)
	}
	got := r.allot(methods, tier)
	for i, a := range r.asks {
		a.goName = got[i]
	}
	var twins []wish
	for _, m := range r.methods {
		if m.media != nil {
			continue
		}
		m.goName = m.ask.goName
		if m.twin {
			twins = append(twins, wish{
				id: "stream " + m.ask.op.ID, pos: m.ask.op.Pos, text: m.ask.op.ID, names: []string{m.goName + "Stream", m.goName + "Items"},
			})
		}
	}
	names := r.allot(methods, twins)
	for _, m := range r.methods {
		if m.twin {
			m.goName, names = names[0], names[1:]
		}
	}
	r.namePages(methods)
	r.nameFields()
}

// operationWish is the wish of an operation's method.
func operationWish(id string, pos source.Pos) wish {
	w := named("method "+id, pos, id, "Op")
	if first := w.names[0]; isMethodReserved(first) {
		w.names = slices.Insert(w.names, 1, first+"Op")
	}
	return w
}

// namePages names the iterators over pages.
func (r *resolver) namePages(methods *scope) {
	var owners []*method
	var tier []wish
	for _, m := range r.methods {
		if r.hasPages(m) {
			owners = append(owners, m)
			tier = append(tier, wish{
				id: "pages " + m.ask.op.ID, pos: m.ask.op.Pos, text: m.ask.op.ID, names: []string{m.goName + "All", m.goName + "AllItems"},
			})
		}
	}
	for i, name := range r.allot(methods, tier) {
		owners[i].pages = name
	}
}

// nameFields gives each method the stem of its unexported names. Those of its functions follow from the method's own.
func (r *resolver) nameFields() {
	var methods []*method
	for _, m := range r.methods {
		if m.media != nil {
			continue
		}
		methods = append(methods, m)
		r.pkg.taken["new"+m.goName] = true
		r.pkg.taken["read"+m.goName] = true
	}
	r.client = newScope(func(name string) bool { return isClientReserved(name) || !r.pkg.free(name+"Policy") })
	tier := make([]wish, len(methods))
	for i, m := range methods {
		stem := unexported(m.goName)
		tier[i] = wish{id: m.goName, pos: m.ask.op.Pos, text: m.goName, names: []string{stem, stem + "Op"}}
	}
	for i, name := range r.client.allot(tier, nil) { // no renaming that anyone can see
		methods[i].field = name
	}
	for _, m := range methods {
		r.pkg.taken[m.field+"Policy"] = true
	}
}

// nameDerived names the request structs and the interfaces of several answers, with their variants.
func (r *resolver) nameDerived(methods []*method) {
	var tier []wish
	var put []func(string)
	want := func(m *method, what string, set func(string), names ...string) {
		id := what + " " + m.ask.op.ID
		switch {
		case m.twin:
			id += " stream"
		case m.media != nil:
			id += " " + m.media.media
		}
		tier = append(tier, wish{id: id, pos: m.ask.op.Pos, text: m.goName, names: names})
		put = append(put, set)
	}
	for _, m := range methods {
		if m.ask.record && !m.twin && (m.media == nil || m.media.asks) {
			want(m, "request", func(n string) { m.ask.request = n }, m.goName+"Request", m.goName+"Params")
		}
		if m.answer.isSeveral() && (m.media == nil || !m.media.asks) {
			want(m, "answers", func(n string) { m.several = n }, m.goName+"Response", m.goName+"Result")
			m.variants = make([]string, len(m.answer.bodies))
			for i := range m.answer.bodies {
				status := statusName(m.answer.firstOf(i))
				name := m.goName + status
				want(m, "answer "+status, func(n string) { m.variants[i] = n }, name, name+"Response")
			}
		}
	}
	for i, name := range r.allot(r.pkg, tier) {
		put[i](name)
	}
}

// statusName is a status as a part of a name.
func statusName(c *answerCase) string {
	switch {
	case c.response != nil && c.response.Code == "default":
		return "Default"
	case c.lo != c.hi && c.response != nil:
		return c.response.Code
	case http.StatusText(c.lo) != "":
		return ident(http.StatusText(c.lo), "")
	case c.response != nil:
		return "Status" + c.response.Code
	default:
		return "OK"
	}
}

// nameInline names the types that the author did not name, after where they stand.
func (r *resolver) nameInline() {
	owners, owned, derived := map[string]string{}, map[string]bool{}, map[string]bool{}
	for _, d := range r.types.all {
		owners[string(d.ID)] = d.name
	}
	for _, a := range r.asks {
		owners[a.op.ID], owned[a.op.ID], derived[a.request] = a.goName, true, true
	}
	for _, m := range r.methods {
		derived[m.several] = true
	}
	inbound := map[string]string{}
	for i := range r.api.Inbound {
		in := &r.api.Inbound[i]
		owners[in.ID], inbound[in.ID] = r.inboundOwner(in), sender(in)
	}
	n := inlineNamer{resolver: r, owners: owners, owned: owned, derived: derived, inbound: inbound}
	n.name(false)
	n.name(true) // what the API sends yields to what is asked of it
}

// inlineNamer names the types that the author did not name.
type inlineNamer struct {
	*resolver

	// owners are the Go names of what types stand in, by ID; inbound are those of them that the API sends in words, owned those that are operations,
	// and derived are names that operations have beside their methods.
	owners, inbound map[string]string
	owned, derived  map[string]bool
}

// name names the types within what the API sends, or all others.
func (r *inlineNamer) name(isSent bool) {
	var inline []*declared
	var tier []wish
	for _, d := range r.types.all {
		if d.Name != "" || (len(d.Hint) > 0 && r.inbound[d.Hint[0]] != "") != isSent {
			continue
		}
		hint := d.Hint
		if isSent && len(hint) > 1 && hint[1] == "request" {
			hint = append([]string{hint[0]}, hint[2:]...) // the body is all that it has
		}
		name, place := inlineName(r.owners, hint)
		d.place = place
		if isSent && len(hint) == 1 {
			d.place = "what " + r.inbound[hint[0]] + " sends"
		}
		w := wish{id: "type " + string(d.ID), pos: d.Pos, text: name, names: []string{name}}
		if isBody := len(d.Hint) == 2 && r.owned[d.Hint[0]]; isBody && r.derived[name] {
			w.names[0] += bodyField // the method's own struct, or interface of answers, has the name
			w.also = []string{name} // which came later, where this one had it before
		} else if isBody {
			w.names = append(w.names, name+bodyField)
		}
		inline, tier = append(inline, d), append(tier, w)
	}
	for i, name := range r.allot(r.pkg, tier) {
		inline[i].name = name
	}
}

// inlineName is the Go name of the owner and the steps from it, and place says the same in words: "the item of the pets of Shop".
func inlineName(owners map[string]string, hint []string) (name, place string) {
	var b strings.Builder
	for i, step := range hint {
		if owner := owners[step]; i == 0 && owner != "" {
			b.WriteString(owner)
			place = owner
			continue
		}
		if _, pointer, isID := strings.Cut(step, "#/"); i == 0 && isID { // a schema that no type is declared for
			step = pointer[strings.LastIndex(pointer, "/")+1:]
		}
		b.WriteString(ident(step, ""))
		if place != "" {
			step += " of " + place
		}
		place = "the " + step
	}
	if b.Len() == 0 {
		return "Inline", "a type without a name"
	}
	return exported(b.String(), "Type"), place
}

// nameMembers names the fields of structs, the constants of enums and the constructors of unions.
func (r *resolver) nameMembers() {
	var tier []wish
	var put []func(string)
	for _, d := range r.types.all {
		switch t := d.Type.(type) {
		case model.Object:
			r.nameFieldsOf(d, t)
		case model.Enum:
			d.constants = make([]string, len(t.Values))
			for i := range t.Values {
				tier = append(tier, r.constantWish(d, t, i))
				put = append(put, func(n string) { d.constants[i] = n })
			}
		case model.Union:
			d.variants = r.nameVariants(d, t)
			d.constructors = make([]string, len(t.Variants))
			for i, v := range d.variants {
				name := d.name + "Of" + v
				tier = append(tier, wish{id: "constructor " + string(d.ID) + " " + t.Variants[i].Hint, pos: d.Pos, text: name, names: []string{name}})
				put = append(put, func(n string) { d.constructors[i] = n })
			}
		}
	}
	for i, name := range r.allot(r.pkg, tier) {
		put[i](name)
	}
}

// constantWish is the wish for the constant of one value. Constants always begin with their type: a name must not depend on what
// other types there are.
func (r *resolver) constantWish(d *declared, e model.Enum, i int) wish {
	text := e.Values[i].Name
	if text == "" {
		text = valueText(e.Base, e.Values[i].Text)
	}
	w := wish{id: "constant " + string(d.ID) + " " + e.Values[i].Text, pos: d.Pos, text: text, prefix: d.name}
	w.names = []string{d.name + ident(text, ""), d.name + verbatim(text, ""), d.name + lowered(text, "")}
	if !r.pkg.free(w.names[0]) {
		w.names = append([]string{w.names[0], d.name + "Value" + ident(text, "")}, w.names[1:]...)
	}
	return w
}

// valueText is an enum's value as the text that its name is made of: of a number every sign counts.
func valueText(base model.PrimitiveKind, text string) string {
	if base == model.String {
		return text
	}
	return strings.NewReplacer("-", " minus ", ".", " point ", "+", "").Replace(text)
}
