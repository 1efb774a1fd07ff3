package openapi

import (
	"context"
	"path"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// bundle is one clean document, for kin and for the conversion.
type bundle struct {
	// root is the document. Every $ref in it is "#/components/SECTION/KEY", and the key is an index into schemas where the
	// section is schemas.
	root source.Value
	// schemas are what "#/components/schemas/s0", s1 ... stand for.
	schemas []*component
	// others are the components of the other sections, by section and key.
	others map[section][]*component
	// kept are schemas that annotations name, or that the caller asks for.
	kept []*component
	// objects is how many objects it has.
	objects int
}

// component is something that is referred to.
type component struct {
	spot

	of  section
	key string
	// name is the name that its author gave it; empty for something deep inside another.
	name string
	// index is the name's place among its neighbours, for order.
	index int
	// value is the bundle's part of it.
	value source.Value
}

// ref returns the $ref that leads to the component within the bundle.
func (c *component) ref() string { return "#/components/" + string(c.of) + "/" + c.key }

// bundler makes a bundle: from the kept operations on, whatever is reached.
type bundler struct {
	*loader

	bundle *bundle
	known  map[componentKey]*component
	queue  []*component
	// spent counts objects; overspent says that there were too many, which has been reported.
	spent     int
	overspent bool
}

type componentKey struct {
	of section
	id string
}

// bundle returns the bundle of the kept operations, nil where ctx ended.
func (l *loader) bundle(ctx context.Context) *bundle {
	b := &bundler{loader: l, bundle: &bundle{others: map[section][]*component{}}, known: map[componentKey]*component{}}
	root := spot{file: l.files.main, node: l.in.Tree}
	doc := emptyMap(root.node.Pos)
	add := func(key string, v source.Value) { doc.Map = append(doc.Map, source.FieldAt(key, v)) }
	add("openapi", source.TextAt(root.node.Pos, l.kinVersion()))
	add("info", info(root.node.Pos))
	for _, k := range []keyword{{name: "servers", want: wantList, of: servers}, {name: "security", want: wantSecurity}} {
		if s := root.get(k.name); s.node != nil && s.node.Kind != source.Null {
			if v, ok := b.value(k, s); ok {
				add(k.name, v)
			}
		}
	}
	paths := b.paths(ctx)
	b.inboundItems(ctx, &paths)
	add("paths", paths)
	b.keepNamed()
	schemes := b.schemes(b.refs.components(root.file, string(securitySchemes)))
	for len(b.queue) > 0 && ctx.Err() == nil {
		c := b.queue[0]
		b.queue = b.queue[1:]
		c.value = b.object(c.of, c.spot)
	}
	if ctx.Err() != nil {
		return nil
	}
	b.checkCycles()
	add("components", b.components(schemes))
	b.bundle.root, b.bundle.objects = doc, b.spent
	return b.bundle
}

// kinVersion is a version that kin knows. What differs between versions has been lowered, so it need not be the author's.
func (l *loader) kinVersion() string {
	if l.isVersion30() {
		return "3.0.3"
	}
	return "3.1.1"
}

// info is what kin asks of every document; the title is read from the author's.
func info(pos source.Pos) source.Value {
	v := emptyMap(pos)
	v.Map = []source.Field{source.FieldAt("title", source.TextAt(pos, "")), source.FieldAt("version", source.TextAt(pos, ""))}
	return v
}

// paths returns the path items of the kept operations.
func (b *bundler) paths(ctx context.Context) source.Value {
	out := emptyMap(b.in.Tree.Pos)
	items := map[*pathItem]int{}
	for _, op := range b.operations {
		if ctx.Err() != nil {
			break
		}
		i, ok := items[op.item]
		if !ok {
			i = len(out.Map)
			items[op.item] = i
			out.Map = append(out.Map, source.Field{Key: op.item.path, KeyPos: op.item.keyPos, Value: b.pathItem(op.item)})
		}
		item := &out.Map[i].Value
		v := source.Field{Key: op.key, KeyPos: op.keyPos, Value: b.object(operations, op.spot)}
		if op.isAdditional {
			more := item.Get(additionalOperations)
			if more == nil {
				item.Set(source.FieldAt(additionalOperations, emptyMap(op.keyPos)))
				more = item.Get(additionalOperations)
			}
			item = more
		}
		item.Set(v)
	}
	return out
}

// pathItem returns what all operations of a path share.
func (b *bundler) pathItem(item *pathItem) source.Value {
	out := emptyMap(item.keyPos)
	for _, k := range []keyword{{name: "parameters", want: wantList, of: parameters}, {name: "servers", want: wantList, of: servers}} {
		s := item.get(k.name)
		if s.node == nil || s.node.Kind == source.Null {
			continue
		}
		if v, ok := b.value(k, s); ok {
			out.Map = append(out.Map, source.Field{Key: k.name, KeyPos: s.node.Pos, Value: v})
		}
	}
	return out
}

// schemes returns the document's security schemes, references followed: requirements call them by name.
func (b *bundler) schemes(s spot) source.Value {
	out := emptyMap(b.in.Tree.Pos)
	for i := range fieldsOf(s.node) {
		f := &s.node.Map[i]
		entry := s.step(f.Key, &f.Value)
		if entry.node.Kind != source.Map {
			continue
		}
		if target, ok := b.refs.resolve(entry); ok {
			out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: b.object(securitySchemes, target)})
		}
	}
	return out
}

// components returns the bundle's components: everything that a reference leads to.
func (b *bundler) components(schemes source.Value) source.Value {
	out := emptyMap(b.in.Tree.Pos)
	out.Map = append(out.Map, source.FieldAt(string(securitySchemes), schemes))
	for _, of := range []section{parameters, headers, requestBodies, responses} {
		out.Map = append(out.Map, source.FieldAt(string(of), componentMap(b.bundle.others[of], b.in.Tree.Pos)))
	}
	out.Map = append(out.Map, source.FieldAt(string(schemas), componentMap(b.bundle.schemas, b.in.Tree.Pos)))
	return out
}

func componentMap(all []*component, pos source.Pos) source.Value {
	out := emptyMap(pos)
	for _, c := range all {
		out.Map = append(out.Map, source.Field{Key: c.key, KeyPos: c.node.Pos, Value: c.value})
	}
	return out
}

// component returns the component that stands for a spot in the bundle. It is shaped later, once.
func (b *bundler) component(of section, s spot) *component {
	key := componentKey{of, s.id()}
	if c, ok := b.known[key]; ok {
		return c
	}
	c := &component{spot: s, of: of, value: emptyMap(s.node.Pos)}
	if of == schemas {
		c.key = "s" + strconv.Itoa(len(b.bundle.schemas))
		c.name, c.index = nameOf(s)
		b.bundle.schemas = append(b.bundle.schemas, c)
	} else {
		c.key = "c" + strconv.Itoa(len(b.bundle.others[of]))
		b.bundle.others[of] = append(b.bundle.others[of], c)
	}
	b.known[key] = c
	b.queue = append(b.queue, c)
	return c
}

// nameOf returns the name that an author gave a schema, and its place among its neighbours: the key under components/schemas
// (or definitions), the key at the top of a file of parts, the name of a file that is one schema. What lies deeper has none.
func nameOf(s spot) (name string, index int) {
	steps, err := source.ParsePointer(s.pointer)
	if err != nil {
		return "", 0
	}
	parent := s.file.tree.At(steps[:max(len(steps)-1, 0)]...)
	switch {
	case len(steps) == 0 && s.file.path != "":
		base := path.Base(s.file.path)
		return strings.TrimSuffix(base, path.Ext(base)), 0
	case len(steps) == 3 && steps[0] == "components" && steps[1] == "schemas",
		len(steps) == 2 && (steps[0] == "schemas" || steps[0] == "definitions" || steps[0] == "$defs"),
		len(steps) == 1 && s.file.rank > 0:
		name = steps[len(steps)-1]
	default:
		return "", 0
	}
	for i := range parent.Map {
		if parent.Map[i].Key == name {
			return name, i
		}
	}
	return name, 0
}
