package plan

import (
	"reflect"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/runtime/policy"
)

// choice is how a body is spoken, out of the media types in which it is offered.
type choice struct {
	codec Codec
	// media is the media type as the document spells it; it may be a range.
	media string
	// elem is the body's type. It counts for JSONCodec, FormCodec and MultipartCodec.
	elem model.Elem
	// also are other media types that say the same.
	also []string
	// content is what was chosen.
	content *model.Content
	// untyped says that the document describes more than the codec can type.
	untyped bool
}

// requestContent chooses the media type that a request is sent in: JSON, forms, parts, text, bytes, in this order, and the
// document's order among equals.
func (t *typer) requestContent(all []model.Content) choice {
	ranked := make([]choice, len(all))
	for i := range all {
		ranked[i] = t.requestChoice(&all[i])
	}
	slices.SortStableFunc(ranked, func(a, b choice) int { return a.rank() - b.rank() })
	if parts := slices.IndexFunc(ranked, t.hasFiles); ranked[0].codec == FormCodec && parts >= 0 {
		return ranked[parts]
	}
	return ranked[0]
}

// hasFiles reports a body of parts among which are bytes, which a form of the same fields cannot carry.
func (t *typer) hasFiles(c choice) bool {
	o, isObject := t.follow(c.elem.Type).typ.(model.Object)
	return c.codec == MultipartCodec && isObject && slices.ContainsFunc(o.Fields, func(f model.Field) bool { return t.isBytes(f.Elem) })
}

func (t *typer) requestChoice(c *model.Content) choice {
	base := mediaType(c.MediaType)
	out := choice{codec: BinaryCodec, media: c.MediaType, elem: c.Elem, content: c}
	switch {
	case streamFormat(base).Streams():
		out.codec, out.elem, out.untyped = t.linesCodec(streamFormat(base), c)
	case isJSON(base) && t.isBytes(c.Elem): // a file that happens to be JSON
	case isJSON(base):
		out.codec = JSONCodec
	case isWildcard(base) && !t.isBytes(c.Elem):
		out.codec, out.media = JSONCodec, "application/json"
	case base == "application/x-www-form-urlencoded":
		out.codec, out.untyped = t.objectCodec(FormCodec, c.Elem)
	case strings.HasPrefix(base, "multipart/"):
		out.codec, out.untyped = t.objectCodec(MultipartCodec, c.Elem)
	case strings.HasPrefix(base, "text/"):
		out.codec, out.untyped = TextCodec, t.isStructured(c.Elem)
	}
	return out
}

// linesCodec is the codec that writes a list item by item, and the list; or raw bytes where nothing is known of the items.
func (t *typer) linesCodec(format policy.StreamFormat, c *model.Content) (use Codec, list model.Elem, untyped bool) {
	if format == policy.SSE || c.Item == nil && (t.isBytes(c.Elem) || t.isText(c.Elem)) {
		return BinaryCodec, c.Elem, true
	}
	return LinesCodec, model.Elem{Type: model.Array{Elem: t.itemOf(c)}}, false
}

// objectCodec is a codec that writes the members of objects, or raw bytes where there are none.
func (t *typer) objectCodec(codec Codec, e model.Elem) (use Codec, untyped bool) {
	if t.isObject(e.Type, map[*declared]bool{}) {
		return codec, false
	}
	return BinaryCodec, true
}

// isObject reports a type of which every value is an object.
func (t *typer) isObject(typ model.Type, seen map[*declared]bool) bool {
	at := t.follow(typ)
	switch typ := at.typ.(type) {
	case model.Object, model.Map:
		return true
	case model.Union:
		if seen[at.decl] { // a union of itself says no more
			return true
		}
		seen[at.decl] = true
		return len(typ.Variants) > 0 && !slices.ContainsFunc(typ.Variants, func(v model.Variant) bool { return !t.isObject(v.Type, seen) })
	default:
		return false
	}
}

// rank orders what a body can be sent as. Vendor JSON comes after plain JSON, and what cannot be typed last.
func (c *choice) rank() int {
	const untyped = 100
	rank := int(c.codec) * 2 // lists of lines come last: they are for many at once
	if c.codec == JSONCodec && mediaType(c.media) != "application/json" {
		rank++
	}
	if c.untyped {
		rank += untyped
	}
	return rank
}

// isBytes reports a body that no codec should look into.
func (t *typer) isBytes(e model.Elem) bool {
	p, isPrimitive := t.follow(e.Type).typ.(model.Primitive)
	return isPrimitive && p.Kind == model.Binary
}

// isText reports a body that is text as it comes.
func (t *typer) isText(e model.Elem) bool {
	p, isPrimitive := t.follow(e.Type).typ.(model.Primitive)
	return isPrimitive && p.Kind == model.String && !t.nullable(e)
}

// isStructured reports a type that has parts: text and bytes lose them.
func (t *typer) isStructured(e model.Elem) bool {
	switch t.follow(e.Type).typ.(type) {
	case model.Object, model.Map, model.Array, model.Union:
		return true
	default:
		return false
	}
}

// answerContent chooses the media type that an answer is read in, streams aside. ok is false where there is none.
func (t *typer) answerContent(all []model.Content) (best choice, ok bool) {
	var ranked []choice
	for i := range all {
		if !streamFormat(all[i].MediaType).Streams() {
			ranked = append(ranked, t.answerChoice(&all[i]))
		}
	}
	if len(ranked) == 0 {
		return choice{codec: NoCodec}, false
	}
	slices.SortStableFunc(ranked, func(a, b choice) int { return a.rank() - b.rank() })
	best = ranked[0]
	for _, other := range ranked[1:] {
		if other.codec == best.codec && (other.codec != JSONCodec || sameElem(other.elem, best.elem)) {
			best.also = append(best.also, other.media)
		}
	}
	return best, true
}

func (t *typer) answerChoice(c *model.Content) choice {
	base := mediaType(c.MediaType)
	out := choice{codec: BinaryCodec, media: c.MediaType, elem: c.Elem, content: c}
	switch {
	case isJSON(base) && t.isBytes(c.Elem):
	case isJSON(base):
		out.codec = JSONCodec
	case isWildcard(base) && t.isText(c.Elem):
		out.codec = TextCodec
	case isWildcard(base) && !t.isBytes(c.Elem):
		out.codec = JSONCodec
	case strings.HasPrefix(base, "text/"):
		out.codec, out.untyped = TextCodec, t.isStructured(c.Elem)
	default:
		out.untyped = t.isStructured(c.Elem)
	}
	return out
}

// sameElem reports whether two types are one in Go: references are equal by what they name.
func sameElem(a, b model.Elem) bool { return reflect.DeepEqual(a, b) }
