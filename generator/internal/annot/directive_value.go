package annot

import (
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// value is what the arguments of a directive say: nothing, a scalar, or an object.
func (b *directives) value(d *source.Directive, args []source.Arg, of *schema) (source.Value, bool) {
	switch {
	case len(args) == 0:
		v := source.Value{Pos: d.Pos, Kind: source.Map}
		if of.admits("boolean") && of.object() == nil {
			v = source.Value{Pos: d.Pos, Kind: source.Bool, Text: "true"}
		}
		return v, true
	case len(args) == 1 && args[0].Key == "":
		return scalarValue(&args[0], of), true
	}
	out := source.Value{Pos: args[0].KeyPos, Kind: source.Map}
	good := true
	for i := range args {
		if args[i].Key == "" {
			b.list.Add(diag.Diagnostic{
				Code: diag.BadDirective, Span: source.Span{Pos: args[i].Pos, Len: len(args[i].Text)},
				What: "//resgen:" + d.Name + " has the value " + quote(args[i].Text) + " beside others",
				Why:  "a directive has one value, or keys with values", Fix: "write `key=" + args[i].Text + "`, or put a value with spaces into quotes",
			})
			good = false
			continue
		}
		good = b.nest(&out, &args[i], of) && good
	}
	return out, good
}

// nest sets path.to.key of an object.
func (b *directives) nest(into *source.Value, a *source.Arg, of *schema) bool {
	pos := a.KeyPos
	steps := strings.Split(a.Key, ".")
	for i, key := range steps {
		of = of.property(key)
		at := into.Get(key)
		switch {
		case i == len(steps)-1 && at != nil, i < len(steps)-1 && at != nil && at.Kind != source.Map && of.list() == nil:
			b.twice(source.Span{Pos: a.KeyPos, Len: len(a.Key)}, a.Key, at.Pos)
			return false
		case i == len(steps)-1:
			into.Map = append(into.Map, source.Field{Key: key, KeyPos: pos, Value: scalarValue(a, of)})
			return true
		case of.listsObjectsWith(steps[i+1]):
			return b.items(into, a, of, steps[i:], pos)
		case at == nil:
			into.Map = append(into.Map, source.Field{Key: key, KeyPos: pos, Value: source.Value{Pos: pos, Kind: source.Map}})
			at = &into.Map[len(into.Map)-1].Value
		}
		into = at
		pos.Column += len(key) + len(".")
	}
	return true
}

// items sets a key of the objects of a list: `transient.is=ErrBusy,ErrGone` is a rule for each, and keys that go together, as
// `throttle.status=429 throttle.pointer=/error`, are one. steps are the list's key and the path in an item.
func (b *directives) items(into *source.Value, a *source.Arg, of *schema, steps []string, pos source.Pos) bool {
	list := into.Get(steps[0])
	if list != nil && list.Kind != source.List { // one quoted text, or null
		b.twice(source.Span{Pos: a.KeyPos, Len: len(a.Key)}, steps[0], list.Pos)
		return false
	}
	if list == nil {
		into.Map = append(into.Map, source.Field{Key: steps[0], KeyPos: pos, Value: source.Value{Pos: pos, Kind: source.List}})
		list = &into.Map[len(into.Map)-1].Value
	}
	item, key := of.list().Items, strings.Join(steps[1:], ".")
	words := []source.Arg{{Text: a.Text, Pos: a.Pos, Quoted: a.Quoted}}
	if isGoKey(key) && !a.Quoted {
		words = splitWords(a)
	}
	good := true
	for _, word := range words {
		word.Key, word.KeyPos = key, pos
		if n := len(list.List); n == 0 || isGoKey(key) || list.List[n-1].Kind != source.Map || list.List[n-1].Get(steps[1]) != nil {
			list.List = append(list.List, source.Value{Pos: pos, Kind: source.Map})
		}
		good = b.nest(&list.List[len(list.List)-1], &word, item) && good
	}
	return good
}

// isGoKey reports a key that asks something of a Go error; each rule has one of them.
func isGoKey(key string) bool { return goRuleKeys.find(key) != nil }

// scalarValue is a word as the value that its key takes: a number where numbers can stand, a list where lists can, and so on. What does
// not fit stays a text, which its key refuses.
func scalarValue(a *source.Arg, of *schema) source.Value {
	text := source.Value{Pos: a.Pos, Kind: source.String, Text: a.Text}
	if a.Quoted {
		if list := of.list(); list != nil && !of.admits("string") {
			return source.Value{Pos: a.Pos, Kind: source.List, List: []source.Value{text}}
		}
		return text
	}
	isList := of.list() != nil
	switch {
	case a.Text == "null":
		return source.Value{Pos: a.Pos, Kind: source.Null, Text: a.Text}
	case (a.Text == "{}" || a.Text == "" && !of.admits("string")) && of.object() != nil:
		return source.Value{Pos: a.Pos, Kind: source.Map}
	case isList:
		return listValue(a, of.list().Items)
	case (of.admits("number") || of.admits("integer")) && isNumber(a.Text):
		return source.Value{Pos: a.Pos, Kind: source.Number, Text: a.Text}
	case of.admits("boolean") && (a.Text == "true" || a.Text == "false"):
		return source.Value{Pos: a.Pos, Kind: source.Bool, Text: a.Text}
	default:
		return text
	}
}

// listValue splits a word at its commas.
func listValue(a *source.Arg, item *schema) source.Value {
	out := source.Value{Pos: a.Pos, Kind: source.List}
	for _, word := range splitWords(a) {
		out.List = append(out.List, scalarValue(&word, item))
	}
	return out
}

// splitWords splits an argument at its commas, each word with its place.
func splitWords(a *source.Arg) []source.Arg {
	var words []source.Arg
	at := a.Pos
	for word := range strings.SplitSeq(a.Text, ",") {
		words = append(words, source.Arg{Text: word, Pos: at})
		at.Column += len(word) + len(",")
	}
	return words
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil && strings.Trim(text, "0123456789.-") == ""
}
