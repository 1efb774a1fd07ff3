package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// itemForms say, each for one kind of API, what items say the same as a whole answer; nil for an answer that is none of that kind. Members that
// the type of an item does not have are left out later, so they write all that there is.
var itemForms = []func(whole *source.Value) []source.Value{chatItems, generateItems, messagesItems, responsesItems, cohereItems}

// chatItems is a chunk of a chat completion: the message of a choice is its delta.
func chatItems(whole *source.Value) []source.Value {
	choices := whole.Get("choices")
	if choices == nil || choices.Kind != source.List {
		return nil
	}
	item := whole.Clone()
	if object := item.Get("object"); object != nil {
		object.Text = "chat.completion.chunk"
	}
	list := item.Get("choices").List
	for i := range list {
		message := list[i].Get("message")
		if message == nil || message.Get("tool_calls") != nil {
			return nil
		}
		list[i].Set(source.Field{Key: "delta", Value: *message})
		list[i].Delete("message")
	}
	return []source.Value{item}
}

// generateItems is an answer of Gemini, whose items are answers too.
func generateItems(whole *source.Value) []source.Value {
	if whole.Get("candidates") == nil {
		return nil
	}
	return []source.Value{whole.Clone()}
}

// messagesItems are the events of a message of Anthropic's.
func messagesItems(whole *source.Value) []source.Value {
	if textOf(whole, "type") != "message" {
		return nil
	}
	blocks := whole.Get("content")
	if blocks == nil {
		return nil
	}
	b := builder{whole.Pos}
	begun := whole.Clone()
	begun.Set(source.Field{Key: "content", Value: source.Value{Kind: source.List, Pos: whole.Pos}})
	for _, key := range []string{"stop_reason", "stop_sequence"} {
		if begun.Get(key) != nil {
			begun.Set(source.Field{Key: key, Value: source.Value{Kind: source.Null, Pos: whole.Pos}})
		}
	}
	list := []source.Value{b.object("type", b.text("message_start"), "message", begun)}
	for i := range blocks.List {
		if textOf(&blocks.List[i], "type") != "text" {
			return nil
		}
		at, empty := b.number(i), blocks.List[i].Clone()
		empty.Set(source.Field{Key: "text", Value: b.text("")})
		list = append(list,
			b.object("type", b.text("content_block_start"), "index", at, "content_block", empty),
			b.object("type", b.text("content_block_delta"), "index", at, "delta",
				b.object("type", b.text("text_delta"), "text", b.text(textOf(&blocks.List[i], "text")))),
			b.object("type", b.text("content_block_stop"), "index", at))
	}
	delta := b.object()
	b.copied(&delta, whole, "stop_reason", "stop_sequence")
	end := b.object("type", b.text("message_delta"), "delta", delta)
	b.copied(&end, whole, "usage")
	return append(list, end, b.object("type", b.text("message_stop")))
}

// responsesItems are a delta for each text of a response of OpenAI's, and the response.
func responsesItems(whole *source.Value) []source.Value {
	output := whole.Get("output")
	if textOf(whole, "object") != "response" || output == nil {
		return nil
	}
	b := builder{whole.Pos}
	var list []source.Value
	for i := range output.List {
		contents := output.List[i].Get("content")
		if textOf(&output.List[i], "type") != "message" || contents == nil {
			return nil
		}
		for k := range contents.List {
			if textOf(&contents.List[k], "type") != "output_text" {
				return nil
			}
			list = append(list, b.object("type", b.text("response.output_text.delta"), "sequence_number", b.number(len(list)),
				"item_id", b.text(textOf(&output.List[i], "id")), "output_index", b.number(i), "content_index", b.number(k),
				"delta", b.text(textOf(&contents.List[k], "text")), "logprobs", source.Value{Kind: source.List, Pos: b.pos}))
		}
	}
	return append(list, b.object("type", b.text("response.completed"), "sequence_number", b.number(len(list)), "response", whole.Clone()))
}

// cohereItems are the events of an answer of Cohere's chat.
func cohereItems(whole *source.Value) []source.Value {
	message := whole.Get("message")
	if message == nil || message.Get("content") == nil || whole.Get("finish_reason") == nil {
		return nil
	}
	b := builder{whole.Pos}
	begun := b.object("type", b.text("message-start"))
	b.copied(&begun, whole, "id")
	head := b.object()
	b.copied(&head, message, "role")
	begun.Set(source.Field{Key: "delta", Value: b.object("message", head)})
	list := []source.Value{begun}
	for i, block := range message.Get("content").List {
		if textOf(&block, "type") != "text" {
			return nil
		}
		at := b.number(i)
		says := func(text string) source.Value {
			return b.object("message", b.object("content", b.object("type", b.text("text"), "text", b.text(text))))
		}
		list = append(list,
			b.object("type", b.text("content-start"), "index", at, "delta", says("")),
			b.object("type", b.text("content-delta"), "index", at, "delta", says(textOf(&block, "text"))),
			b.object("type", b.text("content-end"), "index", at))
	}
	delta := b.object()
	b.copied(&delta, whole, "finish_reason", "usage")
	end := b.object("type", b.text("message-end"))
	b.copied(&end, whole, "id")
	end.Set(source.Field{Key: "delta", Value: delta})
	return append(list, end)
}

// builder makes values, all of which stand where the example does.
type builder struct{ pos source.Pos }

func (b builder) text(s string) source.Value {
	return source.Value{Kind: source.String, Pos: b.pos, Text: s}
}

func (b builder) number(n int) source.Value {
	return source.Value{Kind: source.Number, Pos: b.pos, Text: strconv.Itoa(n)}
}

// object makes an object of keys and values in turn.
func (b builder) object(pairs ...any) source.Value {
	v := source.Value{Kind: source.Map, Pos: b.pos}
	for i := 0; i+1 < len(pairs); i += 2 {
		key, _ := pairs[i].(string)
		value, _ := pairs[i+1].(source.Value)
		v.Map = append(v.Map, source.Field{Key: key, KeyPos: b.pos, Value: value})
	}
	return v
}

// copied copies members that are there.
func (builder) copied(to, from *source.Value, keys ...string) {
	for _, key := range keys {
		if v := from.Get(key); v != nil {
			to.Set(source.Field{Key: key, Value: v.Clone()})
		}
	}
}

// textOf is the text of a member; empty for none.
func textOf(v *source.Value, key string) string {
	if member := v.Get(key); member != nil && member.Kind == source.String {
		return member.Text
	}
	return ""
}

// isExample reports whether an annotation refers to a component example.
func isExample(ref string) bool { return strings.Contains(ref, "#") }

// trimmed returns a value without the members that its type does not have.
func (t *typer) trimmed(e model.Elem, v *source.Value) source.Value {
	out := *v
	switch typ := t.follow(e.Type).typ.(type) {
	case model.Object:
		if v.Kind == source.Map && !isFreeForm(typ) {
			out.Map = t.trimmedFields(typ, v.Map)
		}
	case model.Array:
		if v.Kind == source.List {
			out.List = make([]source.Value, len(v.List))
			for i := range v.List {
				out.List[i] = t.trimmed(typ.Elem, &v.List[i])
			}
		}
	case model.Union:
		return t.trimmedVariant(typ, v)
	default:
	}
	return out
}

func (t *typer) trimmedFields(o model.Object, fields []source.Field) []source.Field {
	out := make([]source.Field, 0, len(fields))
	for _, field := range fields {
		at := slices.IndexFunc(o.Fields, func(f model.Field) bool { return f.Name == field.Key })
		switch {
		case at >= 0:
			field.Value = t.trimmed(o.Fields[at].Elem, &field.Value)
		case o.Additional == nil:
			continue
		}
		out = append(out, field)
	}
	return out
}

// trimmedVariant is the value as the alternative has it that fits, and keeps the most of it.
func (t *typer) trimmedVariant(u model.Union, v *source.Value) source.Value {
	best, most := *v, -1
	for i := range u.Variants {
		elem := model.Elem{Type: u.Variants[i].Type}
		if u.Discriminator != nil && len(u.Variants[i].Tags) > 0 && !slices.Contains(u.Variants[i].Tags, textOf(v, u.Discriminator.Field)) {
			continue
		}
		one := t.trimmed(elem, v)
		if n := len(CompactJSON(&one)); n > most && isItem(t, elem, &one) {
			best, most = one, n
		}
	}
	return best
}
