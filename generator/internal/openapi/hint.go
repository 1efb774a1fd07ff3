package openapi

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// hint says what an inline type's name derives from. It depends on the type's place alone, not on the way that first led there,
// so that one way more or less renames nothing.
func (c *converter) hint(s spot) []string {
	steps, err := source.ParsePointer(s.pointer)
	if err != nil {
		return []string{s.pointer}
	}
	owner, rest := c.owner(s.file, steps)
	out := []string{owner}
	at := spot{file: s.file, node: s.file.tree}
	for i := range len(steps) - len(rest) {
		at = at.step(steps[i], at.node.At(steps[i]))
	}
	for len(rest) > 0 {
		word, n := c.word(at, rest)
		if word != "" {
			out = append(out, word)
		}
		for _, step := range rest[:n] {
			at = at.step(step, at.node.At(step))
		}
		rest = rest[n:]
	}
	return out
}

// owner returns what a place belongs to: the named schema, operation or other component around it, and the steps from there.
func (c *converter) owner(f *file, steps []string) (owner string, rest []string) {
	for n := len(steps); n > 0; n-- {
		pointer := source.Pointer(steps[:n]...)
		if op := c.owners[f.label+"#"+pointer]; op != nil {
			return op.id, steps[n:]
		}
	}
	const component = 3 // components, section, name
	switch {
	case len(steps) >= component && steps[0] == "components" && steps[1] == string(schemas):
		return f.label + "#" + source.Pointer(steps[:component]...), steps[component:]
	case len(steps) >= component && steps[0] == "components":
		return steps[2], append([]string{sectionWord(steps[1])}, steps[component:]...)
	case len(steps) > 1 && steps[0] == "paths":
		return strings.Trim(strings.TrimPrefix(derivedID("", steps[1]), "_"), "_"), steps[2:]
	case len(steps) > 1 && (steps[0] == "definitions" || steps[0] == "$defs" || steps[0] == "schemas"):
		return f.label + "#" + source.Pointer(steps[:2]...), steps[2:]
	default:
		return f.label + "#", steps
	}
}

// sectionWord stands for a component's section, between its name and what is inside it. It begins with a space, which no step of
// a pointer to it does, so that word can tell it.
func sectionWord(name string) string {
	return map[string]string{
		"parameters": " param", "headers": " header", "requestBodies": " request", "responses": " response",
	}[name]
}

// word returns the word for the next steps of a pointer, empty where they add nothing to a name, and how many steps it stands for.
func (c *converter) word(at spot, steps []string) (word string, n int) {
	next := ""
	if len(steps) > 1 {
		next = steps[1]
	}
	switch step := steps[0]; step {
	case "properties", "patternProperties", "$defs", "definitions", "headers":
		if step == "patternProperties" {
			next = "value"
		}
		return next, min(2, len(steps))
	case "items", "prefixItems", "itemSchema":
		if step == "prefixItems" && next != "" {
			return "item" + ordinal(next), 2
		}
		return "item", 1
	case "additionalProperties", "unevaluatedProperties":
		return "value", 1
	case "allOf":
		return "", min(2, len(steps))
	case "oneOf", "anyOf":
		return variantWord(at.node.Get(step).At(next), next), min(2, len(steps))
	case "parameters":
		return textOf(at.node.Get(step).At(next).Get("name")), min(2, len(steps))
	case "requestBody":
		return "request", 1
	case "responses":
		return responseWord(at.node.Get(step), next), min(2, len(steps))
	case "content":
		return mediaWord(at.node.Get(step), next), min(2, len(steps))
	case "schema", "components", string(schemas):
		return "", 1
	case "discriminator":
		return "base", 1
	default:
		return strings.TrimPrefix(step, " "), 1
	}
}

// ordinal counts from 1 what a pointer counts from 0.
func ordinal(index string) string {
	i, err := strconv.Atoi(index)
	if err != nil {
		return index
	}
	return strconv.Itoa(i + 1)
}

// variantWord names an alternative by its title or the constant that it carries.
func variantWord(node *source.Value, index string) string {
	return cmp.Or(textOf(node.Get("title")), constantIn(node), "variant"+ordinal(index))
}

// constantIn returns the one constant string that an object's first constant field has.
func constantIn(node *source.Value) string {
	for _, f := range fieldsOf(node.Get("properties")) {
		v := f.Value.Get("const")
		if values := f.Value.Get("enum"); values != nil && len(values.List) == 1 {
			v = &values.List[0]
		}
		if v != nil && v.Kind == source.String {
			return v.Text
		}
	}
	return ""
}

// responseWord names a response: the one that succeeds is the response, the default is the error, others say their status.
func responseWord(all *source.Value, code string) string {
	successes := 0
	for _, f := range fieldsOf(all) {
		if strings.HasPrefix(f.Key, "2") && (f.Value.Get("content") != nil || refOf(&f.Value) != nil) {
			successes++
		}
	}
	switch {
	case strings.EqualFold(code, "default"):
		return "error"
	case !strings.HasPrefix(code, "2"):
		return code + " error"
	case successes > 1:
		return code + " response"
	default:
		return "response"
	}
}

// mediaWord names a media type beside the one that bodies are mostly sent in: JSON, or else the first.
func mediaWord(all *source.Value, mediaType string) string {
	main := ""
	for _, f := range fieldsOf(all) {
		if main == "" || mediaKind(f.Key) == jsonMedia && mediaKind(main) != jsonMedia {
			main = f.Key
		}
	}
	if mediaType == main {
		return ""
	}
	switch mediaKind(mediaType) {
	case formMedia, multipartMedia:
		return "form"
	case streamMedia:
		return "event"
	case textMedia:
		return "text"
	default:
		_, subtype, _ := strings.Cut(mediaType, "/")
		return subtype
	}
}
