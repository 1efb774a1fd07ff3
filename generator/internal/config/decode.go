package config

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// decoder reads values of a known form, and reports those of another.
type decoder struct{ list *diag.List }

// object checks that a value is an object with known keys only.
func (d *decoder) object(v *source.Value, what string, known []string) bool {
	if v.Kind != source.Map {
		d.wrongType(v, what, "an object")
		return false
	}
	for i := range v.Map {
		f := &v.Map[i]
		switch {
		case isLater(f.Key) && slices.Contains(known, f.Key):
			d.later(f)
		case !slices.Contains(known, f.Key):
			d.unknown(f, what, known)
		}
	}
	return true
}

func (d *decoder) unknown(f *source.Field, what string, known []string) {
	fix := diag.DidYouMean(f.Key, known)
	if fix == "" {
		fix = "remove it; the keys are " + strings.Join(slices.DeleteFunc(slices.Clone(known), isLater), ", ")
	}
	d.list.Add(diag.Diagnostic{
		Code: diag.UnknownKey, Span: source.Span{Pos: f.KeyPos, Len: len(f.Key)}, What: fmt.Sprintf("%s has no key %q", what, f.Key),
		Why: "a key that nothing reads is a setting that is silently not there", Fix: fix,
	})
}

// later refuses a key that is not carried out yet, unless its value asks for nothing.
func (d *decoder) later(f *source.Field) {
	v := &f.Value
	if asksNothing(v) {
		return
	}
	d.list.Add(diag.Diagnostic{
		Code: diag.NotSupportedYet, Span: source.Span{Pos: f.KeyPos, Len: len(f.Key)}, What: fmt.Sprintf("%q is not supported yet", f.Key),
		Why: "what is asked for must be what is done, so the key is refused and not ignored", Fix: "remove the key",
	})
}

// version checks that the file is of the one version there is.
func (d *decoder) version(tree *source.Value) {
	v := tree.Get("version")
	switch {
	case v == nil:
		d.missing(tree, "version", "the configuration", "`version: 1`")
	case v.Kind != source.Number || v.Text != "1":
		d.list.Add(diag.Diagnostic{
			Code: diag.BadVersion, Span: source.Span{Pos: v.Pos, Len: len(v.Text)}, What: fmt.Sprintf("the configuration is of version %q", v.Text),
			Why: "the version says what the keys mean; there is version 1 only", Fix: "write `version: 1`",
		})
	}
}

// text reads a text that may be left out.
func (d *decoder) text(owner *source.Value, key string) Text {
	v := owner.Get(key)
	if v == nil {
		return Text{}
	}
	return d.scalar(v, key)
}

func (d *decoder) scalar(v *source.Value, key string) Text {
	if v.Kind != source.String {
		d.wrongType(v, fmt.Sprintf("%q", key), "a string")
		return Text{}
	}
	if v.Text == "" {
		d.list.Add(diag.Diagnostic{
			Code: diag.BadValue, Span: source.Span{Pos: v.Pos}, What: fmt.Sprintf("%q is empty", key),
			Why: "an empty text names nothing", Fix: "give it a value, or remove the key",
		})
		return Text{}
	}
	return Text{Value: v.Text, Pos: v.Pos}
}

// required reads a text that must be there. A value of a wrong form is reported once.
func (d *decoder) required(owner *source.Value, key string) Text {
	if owner.Get(key) == nil {
		d.missing(owner, key, "the client", fmt.Sprintf("`%s: ...`", key))
	}
	return d.text(owner, key)
}

// texts reads a list of texts; a single text is short for a list of one.
func (d *decoder) texts(owner *source.Value, key string) []Text {
	v := owner.Get(key)
	if v != nil && v.Kind == source.String {
		return []Text{d.scalar(v, key)}
	}
	var out []Text
	for _, item := range d.items(owner, key) {
		if text := d.scalar(item, key); text.IsSet() {
			out = append(out, text)
		}
	}
	return out
}

// items reads a list that may be left out.
func (d *decoder) items(owner *source.Value, key string) []*source.Value {
	v := owner.Get(key)
	if v == nil {
		return nil
	}
	if v.Kind != source.List {
		d.wrongType(v, fmt.Sprintf("%q", key), "a list")
		return nil
	}
	out := make([]*source.Value, len(v.List))
	for i := range v.List {
		out[i] = &v.List[i]
	}
	return out
}

// unique reports clients that share what must be their own.
func (d *decoder) unique(clients []Client, key string, of func(*Client) Text) {
	first := map[string]Text{}
	for i := range clients {
		text := of(&clients[i])
		if !text.IsSet() {
			continue
		}
		if other, ok := first[text.Value]; ok {
			d.list.Add(diag.Diagnostic{
				Code: diag.ConflictingKeys, Span: spanOf(text), What: fmt.Sprintf("two clients have the %s %q", key, text.Value),
				Why: "each output has its own name and its own folder: a run replaces and deletes files by them", Fix: "give each client its own",
				Related: []diag.Related{{Span: spanOf(other), What: "the first is here"}},
			})
			continue
		}
		first[text.Value] = text
	}
}

func (d *decoder) missing(owner *source.Value, key, what, form string) {
	d.list.Add(diag.Diagnostic{
		Code: diag.MissingKey, Span: source.Span{Pos: owner.Pos}, What: fmt.Sprintf("%s has no %q", what, key),
		Why: "nothing can be generated without it", Fix: "add " + form,
	})
}

func (d *decoder) wrongType(v *source.Value, what, want string) {
	d.list.Add(diag.Diagnostic{
		Code: diag.WrongType, Span: source.Span{Pos: v.Pos}, What: fmt.Sprintf("%s is %s, want %s", what, kindOf(v), want),
		Why: "each key takes one form, and nothing is converted silently", Fix: "write " + want,
	})
}

// kindOf names what a value is, with its article.
func kindOf(v *source.Value) string {
	switch v.Kind {
	case source.Null:
		return "null"
	case source.Map:
		return "an object"
	case source.Bool, source.Number, source.String, source.List:
		return "a " + v.Kind.String()
	default:
		return "a " + v.Kind.String()
	}
}

func spanOf(t Text) source.Span { return source.Span{Pos: t.Pos, Len: len(t.Value)} }

// cleanPath makes spellings of one folder equal; the empty path stays empty.
func cleanPath(p string) string {
	if p == "" {
		return ""
	}
	return path.Clean(p)
}
