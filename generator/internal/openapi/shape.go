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
		b.malformed(s.node, aKind(s.node)+" is where an object is expected")
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
		if f.Key == "$ref" && refOf(s.node) == nil && (of == schemas || of.canRefer()) {
			b.malformed(&f.Value, "a reference that is no text, or an empty one, leads nowhere")
		}
		k, known := keywordOf(of, f.Key)
		if !known || f.Value.Kind == source.Null && k.want != wantAny && k.want != wantTypes {
			continue
		}
		if k.want == wantTypes && f.Value.Kind == source.Null && saysMore(s.node) {
			continue // a program wrote out that it has no type to name
		}
		if b.isTooMany(k, &f.Value, of) {
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
	if k.want == wantMap || k.want == wantList {
		s = b.refs.containerOf(k.want, s)
	}
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
	case wantItems:
		if s.node.Kind == source.List || s.node.Kind == source.Bool {
			return source.Value{}, false // a list is made prefixItems, and true is as good as nothing
		}
		return b.object(schemas, s), true
	case wantExtra:
		if s.node.Kind == source.Bool {
			return *s.node, true
		}
		return b.object(schemas, s), true
	case wantMapping:
		v, ok = b.mapping(s)
	case wantMapped:
		return b.mappedTo(s)
	case wantSecurity:
		v, ok = security(s.node)
	case wantScopes:
		v, ok = scopes(s.node)
	}
	if !ok {
		b.malformed(s.node, fmt.Sprintf("%q is %s where %s is expected", k.name, aKind(s.node), k.want))
	}
	return v, ok
}

// mapOf reads a map of objects, its keys in the author's order.
func (b *bundler) mapOf(of section, s spot) (source.Value, bool) {
	out := emptyMap(s.node.Pos)
	if s.node.Kind != source.Map {
		return out, false
	}
	isEmpty := true
	for i := range s.node.Map {
		f := &s.node.Map[i]
		entry := s.step(f.Key, &f.Value)
		isEmpty = isEmpty && strings.HasPrefix(f.Key, "x-")
		if !b.isEntry(of, f) || of != schemas && isAbsent(of, b, entry) {
			continue
		}
		out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: b.object(of, entry)})
	}
	if of == mediaTypes && len(out.Map) == 0 && !isEmpty { // that there is a body is known
		return anyContent(s.node.Pos), true
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
		if !isMediaType(f.Key) {
			if !strings.HasPrefix(f.Key, "x-") {
				malformed(b.list, f.KeyPos, fmt.Sprintf("%q is no media type; the body stays raw unless it has another", f.Key))
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
				b.malformed(item.node, aKind(item.node)+" is where an object is expected, and is left out")
				addNoItem(&out, of)
				continue
			}
			if isAbsent(of, b, item) {
				addNoItem(&out, of)
				continue
			}
		}
		out.List = append(out.List, b.object(of, item))
	}
	return out, true
}

// absentItem marks what stands for a parameter that is left out.
const absentItem = "x-absent"

// addNoItem adds what stands for a parameter that is left out, so that the places of those after it are what they are in the author's
// document: the names of their types come of them.
func addNoItem(out *source.Value, of section) {
	if of == parameters {
		item := emptyMap(out.Pos)
		item.Set(source.FieldAt(absentItem, source.TextAt(out.Pos, "")))
		out.List = append(out.List, item)
	}
}

// aKind names the kind of a value with its article.
func aKind(node *source.Value) string {
	switch node.Kind {
	case source.Null:
		return "null"
	case source.Map:
		return "an object"
	default:
		return "a " + node.Kind.String()
	}
}

// malformed reports a value that is left out because it is not of the kind that its keyword wants.
func (b *bundler) malformed(node *source.Value, what string) { malformed(b.list, node.Pos, what) }

func malformed(list *diag.List, pos source.Pos, what string) {
	list.Add(diag.Diagnostic{
		Code: diag.MalformedKeyword, Severity: diag.Warning, Span: source.Span{Pos: pos},
		What: what,
		Why:  "what it says cannot be told, so the document is read as if it were not there",
		Fix:  "correct or remove it",
	})
}
