package compare

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// features compares what two packages show to those who call them. Where it is a method's, the change names the operation.
func features(from, to *Client, pairs []pair) []Change {
	c := &comparison{before: collect(from), after: collect(to), renamed: renamed(pairs)}
	for _, name := range c.before.names {
		c.feature(name)
	}
	for _, name := range c.after.names {
		f := c.after.by[name]
		ofNewType := f.owner != "" && c.before.by[f.owner] == nil
		if !c.done[name] && c.before.by[name] == nil && !ofNewType {
			c.added(f)
		}
	}
	return c.out
}

// comparison goes through the features of two packages.
type comparison struct {
	before, after *surface
	// renamed are methods by their old names.
	renamed map[string]string
	// done are features of the new side that stand for an old one of another name.
	done map[string]bool
	out  []Change
}

// feature compares one feature of the old side.
func (c *comparison) feature(name string) {
	a := c.before.by[name]
	if a.owner != "" {
		owner, now := c.before.by[a.owner], c.after.by[a.owner]
		if now == nil || owner.form != now.form {
			return // said of the whole type
		}
	}
	b := c.after.by[name]
	if other := c.successor(a); other != nil && b == nil {
		if c.done == nil {
			c.done = map[string]bool{}
		}
		c.done[other.name] = true
		c.say(Breaking, a, other, "renamed")
		return
	}
	switch {
	case b == nil:
		c.say(Breaking, a, nil, "")
	case a.typ != b.typ && a.ladder != b.ladder:
		c.say(Breaking, a.atLadder(), b.atLadder(), difference(a, b))
	case a.typ != b.typ || a.form != b.form:
		c.say(Breaking, a, b, difference(a, b))
	default:
		c.same(a, b)
	}
}

// same compares two features of one type.
func (c *comparison) same(a, b *feature) {
	if a.value != b.value {
		c.say(Changed, a, b, "its value is what is sent and compared")
	}
	if a.json != b.json {
		c.say(Changed, a, b, jsonName(a, b))
	}
	switch {
	case a.kind != "field" || a.required == b.required:
	case b.required && b.sent:
		c.say(Breaking, a, b, "made required: where a caller sets nothing, its zero value is sent")
	case b.required:
		c.say(Changed, a, b, "made required")
	default:
		c.say(Changed, a, b, "made optional")
	}
	if a.comparable && !b.comparable {
		c.say(Breaking, a, b, "no longer comparable")
	}
}

// added says that a feature is new. A field that requests must have, or a method that implementations must have, breaks those that do not know it.
func (c *comparison) added(f *feature) {
	switch {
	case f.kind == "field" && f.required && f.sent:
		c.say(Breaking, nil, f, "required: where a caller sets nothing, its zero value is sent")
	case f.demanded:
		c.say(Breaking, nil, f, "who implements the interface does not have it")
	default:
		c.say(Added, nil, f, "")
	}
}

// successor is what a method is called now that has another name; nil where it has none.
func (c *comparison) successor(a *feature) *feature {
	if name, ok := c.renamed[a.short]; ok && a.kind == "method" {
		return c.after.by[member(a.owner, name)]
	}
	return nil
}

func (c *comparison) say(class Class, a, b *feature, note string) {
	out := Change{Class: class, Note: note}
	if a != nil {
		out.Key, out.Operation, out.Old = a.kind+" "+a.name, a.operation, Side{Value: a.shown, Pos: a.pos}
	}
	if b != nil {
		out.Key, out.Operation, out.New = b.kind+" "+b.name, b.operation, Side{Value: b.shown, Pos: b.pos}
	}
	if a != nil && b != nil && a.name != b.name {
		out.Key = a.kind + " " + a.name
		out.New.Value = b.name + ": " + b.shown
	}
	c.out = append(c.out, out)
}

// difference says in words how a type has changed, where that has a name.
func difference(a, b *feature) string {
	switch {
	case a.kind == "method" && !a.ladder && b.ladder:
		return "a ladder was added: the answer says which rung gave it"
	case a.kind == "method" && a.ladder && !b.ladder:
		return "the ladder was removed: the answer is no longer a Result"
	case a.kind == "field" && !a.required && b.required:
		return "made required"
	case a.kind == "field" && a.required && !b.required:
		return "made optional"
	case a.json != b.json:
		return jsonName(a, b)
	default:
		return ""
	}
}

func jsonName(a, b *feature) string { return "its name in JSON: " + a.json + " → " + b.json }

// surface is what a package shows, in order.
type surface struct {
	names []string
	by    map[string]*feature
}

func (s *surface) add(f *feature) {
	if s.by[f.name] == nil {
		s.names = append(s.names, f.name)
		s.by[f.name] = f
	}
}

// feature is one thing that callers can name.
type feature struct {
	// name is "WithBearer", or with what it belongs to "Client.CreateChat"; owner is the type that it belongs to and short what it is called there.
	name, owner, short string
	// kind is "type", "method", "field", "func", "const" or "var".
	kind string
	// form is what sort of type a type is. typ is the type as the compiler compares it, shown as people read it.
	form, typ, shown string
	// value is that of a constant, json a field's name there.
	value, json string
	// required and sent are of fields: whether something must be there, and whether callers send it. demanded is of methods that
	// implementations of an interface must have, comparable of types, ladder of methods.
	required, sent, demanded, comparable, ladder bool
	operation                                    string
	pos                                          source.Pos
	// ladderPos is where the ladder of a method begins.
	ladderPos source.Pos
}

// atLadder is a method in the place of its ladder, if it has one that somebody wrote.
func (f *feature) atLadder() *feature {
	out := *f
	if f.ladderPos.IsValid() {
		out.pos = f.ladderPos
	}
	return &out
}

func member(owner, name string) string { return owner + "." + name }

// sorted puts features into the order of their names.
func (s *surface) sorted() *surface {
	slices.Sort(s.names)
	return s
}
