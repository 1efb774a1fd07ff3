package annot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// DirectiveForm spells the annotations of a fix, which stand in it between backquotes as YAML, as directives do: "write `hedge: null`" is
// "write `//resgen:hedge null`", and "write `total: 2s`" is "write `total=2s`". What is no annotation stays.
func DirectiveForm(fix string) string {
	parts := strings.Split(fix, "`")
	for i := 1; i < len(parts)-1; i += 2 {
		parts[i] = directiveForm(parts[i])
	}
	return strings.Join(parts, "`")
}

func directiveForm(yaml string) string {
	if strings.HasPrefix(yaml, "//") || !strings.Contains(yaml, ":") {
		return yaml
	}
	v, err := source.Read("fix", []byte(yaml))
	if err != nil || v.Kind != source.Map || len(v.Map) != 1 {
		return yaml
	}
	f := &v.Map[0]
	if operationSection.find(f.Key) == nil {
		args, ok := directiveArgs(nil, f.Key, &f.Value)
		if !ok {
			return yaml
		}
		return strings.Join(args, " ")
	}
	if f.Key == "idempotency" && slices.Contains(shorts, f.Value.Text) {
		return "//resgen:" + f.Value.Text
	}
	args, ok := directiveArgs(nil, "", &f.Value)
	if !ok {
		return yaml
	}
	return strings.TrimSpace("//resgen:" + f.Key + " " + strings.Join(args, " "))
}

// directiveArgs appends a value as the arguments of a directive; false for one that directives cannot spell.
func directiveArgs(out []string, path string, v *source.Value) ([]string, bool) {
	if v.Kind == source.Map && len(v.Map) > 0 {
		for i := range v.Map {
			key := v.Map[i].Key
			if path != "" {
				key = path + "." + key
			}
			more, ok := directiveArgs(out, key, &v.Map[i].Value)
			if !ok {
				return nil, false
			}
			out = more
		}
		return out, true
	}
	word, ok := directiveWord(v)
	if !ok {
		return nil, false
	}
	if path != "" {
		word = path + "=" + word
	}
	return append(out, word), true
}

func directiveWord(v *source.Value) (string, bool) {
	switch v.Kind {
	case source.Map:
		return "{}", true
	case source.List:
		words := make([]string, len(v.List))
		for i := range v.List {
			if v.List[i].Kind == source.Map || v.List[i].Kind == source.List {
				return "", false
			}
			words[i] = v.List[i].Text
		}
		return strings.Join(words, ","), len(words) > 0
	case source.Null:
		return "null", true
	case source.Bool, source.Number, source.String:
		if v.Text == "" || strings.ContainsAny(v.Text, " \t\"`,") {
			return strconv.Quote(v.Text), true
		}
		return v.Text, true
	default:
		return v.Text, true
	}
}
