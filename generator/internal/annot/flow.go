package annot

import (
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// Flow spells a value on one line, as an author would in YAML's flow form.
func Flow(v *source.Value) string {
	switch v.Kind {
	case source.Map:
		parts := make([]string, len(v.Map))
		for i := range v.Map {
			parts[i] = plainOrQuoted(v.Map[i].Key) + ": " + Flow(&v.Map[i].Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case source.List:
		parts := make([]string, len(v.List))
		for i := range v.List {
			parts[i] = Flow(&v.List[i])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case source.Null:
		return "null"
	case source.String:
		return plainOrQuoted(v.Text)
	default:
		return v.Text
	}
}

// plainOrQuoted leaves words alone and quotes everything else.
func plainOrQuoted(s string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./%*", c)
	}
	if s == "" || strings.ContainsFunc(s, func(c rune) bool { return !plain(c) }) {
		return strconv.Quote(s)
	}
	return s
}
