package openapi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// hint says what an inline type's name derives from. It depends on the type's place alone, not on the way that first led there,
// so that one way more or less renames nothing.
func (c *converter) hint(s spot) []string {
	steps, err := source.ParsePointer(s.pointer)
	if err != nil {
		return []string{s.pointer}
	}
	out, n := c.owner(s.file, steps)
	at := spot{file: s.file, node: s.file.tree}
	for i := 0; i < len(steps); {
		advance := n - i
		if i >= n {
			var words []string
			if words, advance = c.words(at, steps[i:]); len(words) > 0 {
				out = append(out, words...)
			}
		}
		for range advance {
			at = at.step(steps[i], at.node.At(steps[i]))
			i++
		}
	}
	return slices.DeleteFunc(out, func(word string) bool { return word == "" })
}

// owner returns the words for what a place belongs to, the named schema, operation or other component around it, and for how many
// steps they stand.
func (c *converter) owner(f *file, steps []string) (words []string, n int) {
	for n := len(steps); n > 0; n-- {
		if op := c.owners[f.label+"#"+source.Pointer(steps[:n]...)]; op != nil {
			return []string{op.id}, n
		}
	}
	id := func(n int) ([]string, int) { return []string{f.label + "#" + source.Pointer(steps[:n]...)}, n }
	const component = 3 // components, section, name
	switch {
	case len(steps) >= component && steps[0] == "components" && steps[1] == string(schemas):
		return id(component)
	case len(steps) >= component && steps[0] == "components":
		return []string{steps[2], sectionWord(steps[1])}, component
	case len(steps) > 1 && steps[0] == "paths":
		return []string{strings.Trim(derivedID("", steps[1]), "_")}, 2
	case len(steps) > 1 && (steps[0] == "definitions" || steps[0] == "$defs" || steps[0] == "schemas"):
		return id(2)
	case len(steps) > 1 && f.written != nil && (steps[0] == "parameters" || steps[0] == "responses"):
		return []string{steps[1], sectionWord(steps[0])}, 2
	default:
		return id(definedAt(f.tree, steps))
	}
}

// definedAt returns how many steps lead to the first object of a file that defines something. Files that hold several things have
// maps above those: of names, and of names of sections.
func definedAt(at *source.Value, steps []string) int {
	for n, step := range steps {
		if defines(at) {
			return n
		}
		at = at.At(step)
	}
	return len(steps)
}

// defines reports whether an object looks like a schema, a parameter, a response or a path, and not like a map of them by their names.
func defines(node *source.Value) bool {
	for _, f := range fieldsOf(node) {
		switch f.Key {
		case "type", "$ref", "description", "title", "name", "format":
			if f.Value.Kind != source.Map {
				return true
			}
		case "properties", "items", "allOf", "oneOf", "anyOf", "enum", "const", "additionalProperties", "content", "schema", "parameters",
			"get", "put", "post", "delete", "options", "head", "patch", "trace", "query", "openapi":
			return true
		}
	}
	return false
}

// sectionWord names what sort of component a place is in.
func sectionWord(name string) string {
	return map[string]string{"parameters": "param", "headers": "header", "requestBodies": "request", "responses": "response"}[name]
}

// words returns the words for the next steps of a pointer, empty where they add nothing to a name, and for how many steps they
// stand.
func (*converter) words(at spot, steps []string) (words []string, n int) {
	next := ""
	if len(steps) > 1 {
		next = steps[1]
	}
	switch step := steps[0]; step {
	case "properties", "patternProperties", "$defs", "definitions", "headers":
		if step == "patternProperties" {
			next = "value"
		}
		return []string{next}, min(2, len(steps))
	case "items", "prefixItems", "itemSchema":
		if step == "prefixItems" && next != "" {
			return []string{"item" + ordinal(next)}, 2
		}
		return []string{"item"}, 1
	case "additionalProperties", "unevaluatedProperties":
		return []string{"value"}, 1
	case "allOf":
		return nil, min(2, len(steps))
	case "oneOf", "anyOf":
		all := at.node.Get(step)
		if isOnlyBesideNull(all, next) { // the type of what it may be, or null, is that of the whole
			return nil, min(2, len(steps))
		}
		return []string{variantWord(all, next)}, min(2, len(steps))
	case "parameters":
		return []string{textOf(at.node.Get(step).At(next).Get("name"))}, min(2, len(steps))
	case "requestBody":
		return []string{"request"}, 1
	case "responses":
		return responseWords(at.node.Get(step), next), min(2, len(steps))
	case "content":
		return []string{mediaWord(at.node.Get(step), next)}, min(2, len(steps))
	case "schema", "components", string(schemas):
		return nil, 1
	case "discriminator":
		return []string{"base"}, 1
	case "contentSchema":
		return []string{"content"}, 1
	case "then", "else":
		return nil, 1
	case "dependentSchemas":
		return nil, min(2, len(steps))
	default:
		return []string{step}, 1
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

// variantWord names an alternative by what it refers to, its title, the constant that it carries, or its kind where no other
// alternative is of that kind.
func variantWord(all *source.Value, index string) string {
	node := all.At(index)
	if ref := refOf(node); ref != nil {
		steps := strings.Split(ref.Text, "/")
		return strings.TrimLeft(steps[len(steps)-1], "#")
	}
	if word := cmp.Or(textOf(node.Get("title")), constantIn(node)); word != "" {
		return word
	}
	kind, count := roughKind(node), 0
	if all != nil {
		for i := range all.List {
			if refOf(&all.List[i]) == nil && roughKind(&all.List[i]) == kind {
				count++
			}
		}
	}
	if kind != "" && count == 1 {
		return kind
	}
	return "variant" + ordinal(index)
}

// isOnlyBesideNull reports whether an alternative is the only one, or all others are null.
func isOnlyBesideNull(all *source.Value, index string) bool {
	if all == nil || all.At(index) == nil {
		return false
	}
	for i := range all.List {
		if strconv.Itoa(i) != index && !isNull(&all.List[i]) && !isOnlyNullable(&all.List[i]) {
			return false
		}
	}
	return true
}

// isNull reports whether null is the only value of a schema, as far as its own text tells.
func isNull(node *source.Value) bool {
	t := node.Get("type")
	if t == nil {
		return false
	}
	if t.Kind == source.List && len(t.List) == 1 {
		t = &t.List[0]
	}
	return textOf(t) == openapi3.TypeNull
}

// roughKind tells the kinds of alternatives apart that get a name.
func roughKind(node *source.Value) string {
	switch {
	case node.Get("enum") != nil || node.Get("const") != nil:
		return "enum"
	case node.Get("properties") != nil || textOf(node.Get("type")) == "object":
		return "object"
	case node.Get("items") != nil || textOf(node.Get("type")) == "array":
		return "list"
	default:
		return ""
	}
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

// responseWords name a response: the one that succeeds is the response, the default is the error, others say their status.
func responseWords(all *source.Value, code string) []string {
	successes := 0
	for _, f := range fieldsOf(all) {
		if strings.HasPrefix(f.Key, "2") && (f.Value.Get("content") != nil || refOf(&f.Value) != nil) {
			successes++
		}
	}
	switch {
	case strings.EqualFold(code, "default"):
		return []string{"error"}
	case !strings.HasPrefix(code, "2"):
		return []string{code, "error"}
	case successes > 1:
		return []string{code, "response"}
	default:
		return []string{"response"}
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
