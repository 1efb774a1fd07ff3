package annot

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// The directives of a type that are no annotations of their own, and the one of a method.
const (
	directiveClass  = "class"
	directiveTarget = "target"
	directiveOn     = "on"
	directiveSkip   = "skip"
)

// Directives turns directives into the object of annotations that says the same, for CheckOperation, and reports whether `skip` is among
// them. What is no annotation stays an unknown key.
func Directives(ds []source.Directive, list *diag.List) (v source.Value, skip *source.Directive) {
	b := directives{out: source.Value{Kind: source.Map}, list: list}
	for i := range ds {
		d := &ds[i]
		if !b.out.Pos.IsValid() {
			b.out.Pos = d.Pos
		}
		switch d.Name {
		case directiveSkip:
			if len(d.Args) > 0 {
				b.bad(d, "takes no value", "write `//resgen:skip`")
			}
			skip = d
		case directiveClass, directiveTarget, directiveOn:
			list.Add(diag.Diagnostic{
				Code: diag.MisplacedKey, Span: directiveSpan(d), What: "//resgen:" + d.Name + " cannot stand at a method",
				Why: "it is for the whole interface", Fix: "move it above the type",
			})
		default:
			b.add(d)
		}
	}
	return b.out, skip
}

// Interface is what the directives of a type say.
type Interface struct {
	// Shared are the timeout classes and targets as a document has them, for CheckDocument; Kind is Null where there are none.
	Shared source.Value
	// Own are the annotations of all methods, for CheckOperation.
	Own source.Value
	// On are directives for methods by name, in their order.
	On []On
}

// On is a directive for a method that stands above the type.
type On struct {
	source.Directive

	Method string
	Pos    source.Pos
}

// InterfaceDirectives sorts out the directives of a type, or of a package clause, which is for all interfaces of the package.
func InterfaceDirectives(ds []source.Directive, list *diag.List) Interface {
	var out Interface
	b := directives{out: source.Value{Kind: source.Map}, list: list}
	for i := range ds {
		d := &ds[i]
		switch d.Name {
		case directiveClass:
			b.define(&out.Shared, "timeout-classes", d)
		case directiveTarget:
			b.define(&out.Shared, "targets", d)
		case directiveOn:
			b.on(&out, d)
		case directiveSkip:
			b.bad(d, "stands at a type", "remove it, or write `//resgen:on METHOD skip`")
		default:
			b.add(d)
		}
	}
	if len(b.out.Map) > 0 {
		b.out.Pos = b.out.Map[0].KeyPos
	}
	out.Own = b.out
	return out
}

// directives builds an object of annotations.
type directives struct {
	out  source.Value
	list *diag.List
}

// shorts are the values of idempotency that are directives of their own.
var shorts = []string{policy.Safe.String(), policy.Idempotent.String(), policy.Keyed.String(), policy.None.String()}

// add adds one annotation.
func (b *directives) add(d *source.Directive) {
	if slices.Contains(shorts, d.Name) {
		if len(d.Args) > 0 {
			b.bad(d, "is short for idempotency and takes no value", "write `//resgen:"+d.Name+"`, and what else is to be said as directives of its own")
			return
		}
		b.put(d, "idempotency", source.Value{Pos: d.Pos, Kind: source.String, Text: d.Name})
		return
	}
	if b.mistyped(d) {
		return
	}
	of := &schema{}
	if e := operationSection.find(d.Name); e != nil && e.Supported() {
		of = e.field.shape.describe().schema
	}
	if d.Name == fallbackKey {
		b.rung(d, of)
		return
	}
	if v, ok := b.value(d, d.Args, of); ok {
		b.put(d, d.Name, v)
	}
}

// mistyped reports a directive that is most likely one of those that are no annotations. Others stay an unknown key.
func (b *directives) mistyped(d *source.Directive) bool {
	if operationSection.find(d.Name) != nil {
		return false
	}
	alone := append(slices.Clone(shorts), directiveSkip, directiveClass, directiveTarget, directiveOn)
	near := diag.Nearest(d.Name, append(operationSection.keys(), alone...))
	if !slices.Contains(alone, near) {
		return false
	}
	b.list.Add(diag.Diagnostic{
		Code: diag.UnknownKey, Span: directiveSpan(d), What: "unknown directive //resgen:" + d.Name,
		Why: "nothing reads it, so what it asks for would silently not happen", Fix: `did you mean "` + near + `"?`,
	})
	return true
}

// fallbackKey is the one annotation whose directives add up.
const fallbackKey = "fallback"

// rung adds a rung to the ladder, or the reason why there is none.
func (b *directives) rung(d *source.Directive, of *schema) {
	alone := len(d.Args) == 1 && (d.Args[0].Key == "refuse" || d.Args[0].Key == "" && d.Args[0].Text == "null")
	if alone {
		if v, ok := b.value(d, d.Args, of.object()); ok {
			b.put(d, fallbackKey, v)
		}
		return
	}
	rung, ok := b.value(d, d.Args, of.list().Items)
	if !ok {
		return
	}
	if have := b.out.Get(fallbackKey); have != nil && have.Kind == source.List {
		have.List = append(have.List, rung)
		return
	}
	b.put(d, fallbackKey, source.Value{Pos: d.Pos, Kind: source.List, List: []source.Value{rung}})
}

// define adds a class or a target.
func (b *directives) define(into *source.Value, section string, d *source.Directive) {
	if len(d.Args) == 0 || d.Args[0].Key != "" {
		b.bad(d, "does not say a name", "write `//resgen:"+d.Name+" NAME key=value`")
		return
	}
	of := find(shared, section).field.shape.describe().schema.Additional
	v := source.Value{Pos: d.Pos, Kind: source.Map}
	if len(d.Args) > 1 {
		var ok bool
		if v, ok = b.value(d, d.Args[1:], of); !ok {
			return
		}
	}
	if into.Kind != source.Map {
		*into = source.Value{Pos: d.Pos, Kind: source.Map}
	}
	defs := into.Get(section)
	if defs == nil {
		into.Map = append(into.Map, source.Field{Key: section, KeyPos: d.Pos, Value: source.Value{Pos: d.Pos, Kind: source.Map}})
		defs = &into.Map[len(into.Map)-1].Value
	}
	name := d.Args[0]
	for i := range defs.Map {
		if f := &defs.Map[i]; f.Key == name.Text {
			b.twice(source.Span{Pos: name.Pos, Len: len(name.Text)}, d.Name+" "+name.Text, f.KeyPos)
			return
		}
	}
	defs.Map = append(defs.Map, source.Field{Key: name.Text, KeyPos: name.Pos, Value: v})
}

// on adds a directive for a method.
func (b *directives) on(into *Interface, d *source.Directive) {
	const least = 2
	if len(d.Args) < least || d.Args[0].Key != "" || d.Args[1].Key != "" {
		b.bad(d, "does not say a method and a key", "write `//resgen:on METHOD KEY ...`, such as `//resgen:on Get retry attempts=2`")
		return
	}
	key := d.Args[1]
	into.On = append(into.On, On{
		Method: d.Args[0].Text, Pos: d.Args[0].Pos, Directive: source.Directive{Name: key.Text, Pos: key.Pos, Args: d.Args[least:]},
	})
}

// put sets an annotation, which may stand there once.
func (b *directives) put(d *source.Directive, key string, v source.Value) {
	for i := range b.out.Map {
		if f := &b.out.Map[i]; f.Key == key {
			b.twice(directiveSpan(d), key, f.KeyPos)
			return
		}
	}
	b.out.Map = append(b.out.Map, source.Field{Key: key, KeyPos: d.Pos, Value: v})
}

func (b *directives) twice(at source.Span, what string, first source.Pos) {
	b.list.Add(diag.Diagnostic{
		Code: diag.ConflictingKeys, Span: at, What: quote(what) + " is written twice", Why: "only one of the two could hold, and which would be a guess",
		Fix: "write one directive, with all that is to be said", Related: []diag.Related{{Span: source.Span{Pos: first}, What: "the first is here"}},
	})
}

func (b *directives) bad(d *source.Directive, what, fix string) {
	b.list.Add(diag.Diagnostic{
		Code: diag.BadDirective, Span: directiveSpan(d), What: "//resgen:" + d.Name + " " + what,
		Why: "nothing reads it, so what it asks for would silently not happen", Fix: fix,
	})
}

func directiveSpan(d *source.Directive) source.Span { return source.Span{Pos: d.Pos, Len: len(d.Name)} }
