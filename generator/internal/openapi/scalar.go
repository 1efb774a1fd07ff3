package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// scalar reads a text, boolean or number.
func scalar(w want, node *source.Value) (source.Value, bool) {
	v := *node
	switch {
	case v.Kind == source.Map || v.Kind == source.List:
		return v, false
	case w == wantNumber:
		v.Text = bounded(v.Text)
		return v, v.Kind == source.Number
	case w == wantBool:
		v.Kind, v.Text = source.Bool, strings.ToLower(v.Text)
		return v, v.Text == "true" || v.Text == "false"
	default:
		v.Kind, v.Text = source.String, cmp.Or(v.Written, v.Text)
		return v, true
	}
}

// bounded is a number that a float64 holds: beyond its range the nearest. Numbers of keywords bound values, and nothing lies beyond.
func bounded(number string) string {
	f, err := strconv.ParseFloat(number, 64)
	if !errors.Is(err, strconv.ErrRange) {
		return number
	}
	return strconv.FormatFloat(math.Copysign(math.MaxFloat64, f), 'g', -1, 64)
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
			meant := meantTypes[strings.ToLower(v.Text)]
			if meant == "" {
				b.malformed(&v, fmt.Sprintf("%q is no type, so any value is taken", v.Text))
				continue
			}
			b.report(diag.Diagnostic{
				Code: diag.MalformedKeyword, Severity: diag.Warning, Span: source.Span{Pos: v.Pos},
				What: fmt.Sprintf("%q is no type, and is taken for %q", v.Text, meant),
				Why:  "other languages call it so",
				Fix:  "write type: " + meant,
			})
			v.Text = meant
		}
		out.List = append(out.List, v)
	}
	return out, true
}

// meantTypes are what authors mean by words from elsewhere: OpenAPI 2.0, programming languages, and types in capitals.
var meantTypes = map[string]string{
	"string": "string", "str": "string", "text": "string", "char": "string", "uuid": "string", "date": "string", "datetime": "string",
	"date-time": "string", "enum": "string", "file": "string",
	"integer": "integer", "int": "integer", "int32": "integer", "int64": "integer", "long": "integer",
	"number": "number", "float": "number", "double": "number", "decimal": "number",
	"boolean": "boolean", "bool": "boolean",
	"array": "array", "list": "array",
	"object": "object", "dict": "object", "map": "object", "hash": "object",
	"null": "null",
}

func isType(name string) bool {
	switch name {
	case "string", "number", "integer", "boolean", "array", "object", "null":
		return true
	default:
		return false
	}
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
