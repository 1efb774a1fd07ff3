package openapi

import (
	"fmt"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// object returns what the loader reads of an object: known keywords of the right kinds, references made local.
func (b *bundler) object(of section, s spot) source.Value {
	if of == schemas {
		return b.schema(s)
	}
	if of.canRefer() && refOf(s.node) != nil {
		return b.reference(of, s)
	}
	if s.node.Kind == source.Null {
		return emptyMap(s.node.Pos)
	}
	if s.node.Kind != source.Map {
		b.malformed(s.node, fmt.Sprintf("a %s is where an object is expected", s.node.Kind))
		return emptyMap(s.node.Pos)
	}
	out := b.fields(of, s)
	if (of == parameters || of == headers) && out.Get("schema") != nil {
		out.Delete("content") // one of the two describes the value; the simpler one wins
	}
	return out
}

func emptyMap(pos source.Pos) source.Value { return source.Value{Pos: pos, Kind: source.Map} }

// fields returns the known keywords of an object, in the author's order.
func (b *bundler) fields(of section, s spot) source.Value {
	out := emptyMap(s.node.Pos)
	if !b.spend() {
		return out
	}
	for i := range s.node.Map {
		f := &s.node.Map[i]
		k, known := keywordOf(of, f.Key)
		if !known || f.Value.Kind == source.Null && k.want != wantAny && k.want != wantTypes {
			continue
		}
		if v, ok := b.value(k, s.step(f.Key, &f.Value)); ok {
			out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: v})
		}
	}
	return out
}

// value returns what the loader reads of a keyword's value. Where the value is not of the kind that the keyword wants, that is
// reported and ok is false.
func (b *bundler) value(k keyword, s spot) (v source.Value, ok bool) {
	switch k.want {
	case wantText, wantBool, wantNumber:
		v, ok = scalar(k.want, s.node)
	case wantTexts:
		v, ok = texts(s.node)
	case wantTypes:
		v, ok = b.types(s.node)
	case wantValues:
		v, ok = *s.node, s.node.Kind == source.List
	case wantAny:
		v, ok = *s.node, true
	case wantObject:
		return b.object(k.of, s), true
	case wantMap:
		v, ok = b.mapOf(k.of, s)
	case wantList:
		v, ok = b.listOf(k.of, s)
	case wantItems, wantExtra:
		if isBool := s.node.Kind == source.Bool; isBool || s.node.Kind == source.List {
			return *s.node, isBool == (k.want == wantExtra) // lists were made prefixItems before
		}
		return b.object(schemas, s), true
	case wantMapping:
		v, ok = b.mapping(s)
	case wantSecurity:
		v, ok = security(s.node)
	}
	if !ok {
		b.malformed(s.node, fmt.Sprintf("%q is a %s, which is not what it can be", k.name, s.node.Kind))
	}
	return v, ok
}

// scalar reads a text, boolean or number.
func scalar(w want, node *source.Value) (source.Value, bool) {
	v := *node
	switch {
	case v.Kind == source.Map || v.Kind == source.List:
		return v, false
	case w == wantNumber:
		return v, v.Kind == source.Number
	case w == wantBool:
		v.Kind, v.Text = source.Bool, strings.ToLower(v.Text)
		return v, v.Text == "true" || v.Text == "false"
	default:
		v.Kind = source.String
		return v, true
	}
}

// texts reads a list of texts. Items that are no scalars are left out.
func texts(node *source.Value) (source.Value, bool) {
	out := source.Value{Pos: node.Pos, Kind: source.List}
	for i := range node.List {
		if v, ok := scalar(wantText, &node.List[i]); ok {
			out.List = append(out.List, v)
		}
	}
	return out, node.Kind == source.List
}

// types reads the names of types: a list, or one alone. Null without quotes means the type. A name that no version of JSON
// Schema has is reported and left out.
func (b *bundler) types(node *source.Value) (source.Value, bool) {
	named := []source.Value{*node}
	if node.Kind == source.List {
		named = node.List
	}
	out := source.Value{Pos: node.Pos, Kind: source.List}
	for _, v := range named {
		if v.Kind == source.Null {
			v.Kind, v.Text = source.String, "null"
		}
		if v.Kind != source.String {
			return out, false
		}
		if !isType(v.Text) {
			b.malformed(&v, fmt.Sprintf("%q is no type, so any value is taken", v.Text))
			continue
		}
		out.List = append(out.List, v)
	}
	return out, true
}

func isType(name string) bool {
	switch name {
	case "string", "number", "integer", "boolean", "array", "object", "null":
		return true
	default:
		return false
	}
}

// mapOf reads a map of objects, its keys in the author's order.
func (b *bundler) mapOf(of section, s spot) (source.Value, bool) {
	out := emptyMap(s.node.Pos)
	if s.node.Kind != source.Map {
		return out, false
	}
	for i := range s.node.Map {
		f := &s.node.Map[i]
		entry := s.step(f.Key, &f.Value)
		if !b.isEntry(of, f) || of != schemas && isAbsent(of, b, entry) {
			continue
		}
		out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: b.object(of, entry)})
	}
	return out, true
}

// isEntry reports whether a key of a map names one of its objects.
func (b *bundler) isEntry(of section, f *source.Field) bool {
	switch of {
	case responses:
		if strings.HasPrefix(f.Key, "x-") {
			return false
		}
		if _, ok := statusOf(f.Key); !ok {
			b.report(diag.Diagnostic{
				Code: diag.InvalidStatus, Severity: diag.Warning, Span: source.Span{Pos: f.KeyPos, Len: len(f.Key)},
				What: fmt.Sprintf("%q is no status, so the response is left out", f.Key),
				Why:  "responses are told apart by a status, a range such as 4XX, or default",
				Fix:  "write a status such as '200'",
			})
			return false
		}
	case mediaTypes:
		if !strings.Contains(f.Key, "/") {
			if !strings.HasPrefix(f.Key, "x-") {
				b.malformedAt(f.KeyPos, fmt.Sprintf("%q is no media type, so it is left out", f.Key))
			}
			return false
		}
	case schemas:
		return f.Value.Kind != source.Bool || f.Value.Text == "true" // false: the property must not be there
	default:
	}
	return true
}

// isAbsent reports whether an entry of a map or list refers to nothing, and without what it refers to is nothing itself. A
// response or a body stays: that there is one is known.
func isAbsent(of section, b *bundler, s spot) bool {
	if refOf(s.node) == nil || !of.canRefer() || of == responses || of == requestBodies {
		return false
	}
	_, ok := b.refs.resolve(s)
	return !ok
}

// listOf reads a list of objects. What is no object is left out and reported.
func (b *bundler) listOf(of section, s spot) (source.Value, bool) {
	out := source.Value{Pos: s.node.Pos, Kind: source.List}
	if s.node.Kind != source.List {
		return out, false
	}
	for i := range s.node.List {
		item := s.item(i)
		if of != schemas {
			if item.node.Kind != source.Map {
				b.malformed(item.node, fmt.Sprintf("a %s is where an object is expected, and is left out", item.node.Kind))
				continue
			}
			if isAbsent(of, b, item) {
				continue
			}
		}
		out.List = append(out.List, b.object(of, item))
	}
	return out, true
}

// security reads security requirements: which schemes, not which scopes. It has no part in references.
func security(node *source.Value) (source.Value, bool) {
	out := source.Value{Pos: node.Pos, Kind: source.List}
	if node.Kind != source.List {
		return out, false
	}
	for i := range node.List {
		if node.List[i].Kind != source.Map {
			continue
		}
		all := emptyMap(node.List[i].Pos)
		for _, f := range node.List[i].Map {
			f.Value = source.Value{Pos: f.Value.Pos, Kind: source.List}
			all.Map = append(all.Map, f)
		}
		out.List = append(out.List, all)
	}
	return out, true
}

// malformed reports a value that is left out because it is not of the kind that its keyword wants.
func (b *bundler) malformed(node *source.Value, what string) { b.malformedAt(node.Pos, what) }

func (b *bundler) malformedAt(pos source.Pos, what string) {
	b.report(diag.Diagnostic{
		Code: diag.MalformedKeyword, Severity: diag.Warning, Span: source.Span{Pos: pos},
		What: what,
		Why:  "what it says cannot be told, so the document is read as if it were not there",
		Fix:  "correct or remove it",
	})
}
