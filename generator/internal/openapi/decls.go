package openapi

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// declare adds an inline type.
func (c *converter) declare(id model.TypeID, k conjunction, t model.Type) {
	decl := &model.TypeDecl{ID: id, Hint: c.hint(k.spot), Pos: k.node.Pos, Type: t}
	decl.Doc, decl.Deprecated = c.docOf(k, "")
	decl.Limits = c.limitsOf(k.spots()...)
	c.decls[id] = decl
}

// declareComponent adds a named type.
func (c *converter) declareComponent(target *component) {
	p := c.at(target)
	id := model.TypeID(target.id())
	key := only(p).key()
	c.busy[key] = id
	c.depth = 0
	t, isNullable := c.typeOf(only(p))
	if t == never {
		c.contradiction(only(p))
		c.isLenient = true
		t, isNullable = c.typeOf(only(p))
		c.isLenient = false
	}
	delete(c.busy, key)
	if t == never {
		t = model.Any{}
	}
	decl := &model.TypeDecl{ID: id, Name: target.name, Pos: target.node.Pos, Type: t, Nullable: isNullable}
	decl.Doc, decl.Deprecated = c.docOf(only(p), target.name)
	decl.Limits = c.limitsOf(p.spot)
	c.decls[id], c.order[id] = decl, target
}

// docOf returns the words of the first part that has some. A title that only repeats the name says nothing.
func (*converter) docOf(k conjunction, name string) (doc string, isDeprecated bool) {
	for _, p := range k.parts {
		if p.isRef() {
			continue
		}
		title, text, deprecated := p.describes()
		isDeprecated = isDeprecated || deprecated
		if repeats(title, name) || strings.HasPrefix(text, title) {
			title = ""
		}
		if doc == "" {
			doc = strings.TrimSpace(title + "\n\n" + text)
		}
	}
	return doc, isDeprecated
}

// repeats reports whether a title is a name in other words: "Chat Completion" of chat_completion.
func repeats(title, name string) bool {
	fold := func(s string) string {
		return strings.ToLower(strings.Map(func(r rune) rune {
			if r == ' ' || r == '_' || r == '-' || r == '.' {
				return -1
			}
			return r
		}, s))
	}
	return fold(title) == fold(name)
}

// finish declares what was referred to, and returns all declared types: components first, then inline ones, in the order of the
// document.
func (c *converter) finish(ctx context.Context) []model.TypeDecl {
	for _, kept := range c.bundle.kept {
		c.queueUp(kept)
	}
	c.drain(ctx)
	for _, body := range c.parts {
		c.operation = body.operation
		*body.elem = c.partsElem(body.at)
		c.drain(ctx)
	}
	c.breakAliasLoops()
	return c.sorted()
}

func (c *converter) drain(ctx context.Context) {
	for len(c.queue) > 0 && ctx.Err() == nil {
		next := c.queue[0]
		c.queue = c.queue[1:]
		c.declareComponent(next)
	}
}

func (c *converter) sorted() []model.TypeDecl {
	out := make([]model.TypeDecl, 0, len(c.decls))
	for _, decl := range c.decls {
		out = append(out, *decl)
	}
	main := c.in.Tree.Pos.File
	slices.SortFunc(out, func(a, b model.TypeDecl) int {
		x, y := c.order[a.ID], c.order[b.ID]
		switch {
		case x != nil && y != nil:
			return cmp.Or(cmp.Compare(x.file.rank, y.file.rank), cmp.Compare(x.index, y.index), cmp.Compare(a.ID, b.ID))
		case x != nil:
			return -1
		case y != nil:
			return 1
		}
		return cmp.Or(after(a.Pos.File != main, b.Pos.File != main), a.Pos.Compare(b.Pos), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// after orders false before true.
func after(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}

// breakAliasLoops makes declared types that are only names for one another any value. Their schemas say nothing of what they are.
func (c *converter) breakAliasLoops() {
	for _, decl := range c.sorted() {
		seen := map[model.TypeID]bool{}
		for id := decl.ID; ; {
			if seen[id] {
				c.decls[decl.ID].Type = model.Any{}
				break
			}
			seen[id] = true
			next := c.decls[id]
			ref, isRef := model.Ref{}, false
			if next != nil {
				ref, isRef = aliased(next.Type)
			}
			if !isRef {
				break
			}
			id = ref.ID
		}
	}
}

// aliased returns what a type would be an alias of, or of texts of it.
func aliased(t model.Type) (model.Ref, bool) {
	text, isText := t.(model.JSONText)
	for isText {
		t = text.Elem.Type
		switch within := t.(type) {
		case model.Array:
			text = model.JSONText(within)
		case model.Map:
			text = model.JSONText(within)
		case model.JSONText:
			text = within
		default:
			isText = false
		}
	}
	ref, isRef := t.(model.Ref)
	return ref, isRef
}
