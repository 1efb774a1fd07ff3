package config

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// iface reads a client that is a Go interface. Its name is the type's, its output lies beside it, unless it says otherwise.
func (d *decoder) iface(v *source.Value) (Client, bool) {
	c := Client{
		Pos: v.Pos, Name: d.text(v, "name"), Iface: d.text(v, "iface"), Policy: d.text(v, "policy"), Out: d.text(v, "out"), Package: d.text(v, "package"),
		ImportPath: d.text(v, "import-path"), Tags: d.texts(v, "tags"), Twins: d.flag(v, "twins"),
	}
	for _, key := range []string{"spec", "overlays", "include", "exclude", "tests"} {
		d.onlyFor(v, key, "documents", "remove it, or make two clients")
	}
	typ := c.Iface.Value[strings.LastIndexAny(c.Iface.Value, "./")+1:]
	if strings.HasPrefix(c.Iface.Value, ".") && strings.LastIndexByte(c.Iface.Value, '.') < strings.LastIndexByte(c.Iface.Value, '/') {
		typ = "" // a folder alone
	}
	if c.Iface.IsSet() && !token.IsIdentifier(typ) {
		d.bad(c.Iface, fmt.Sprintf("%q names no Go type", c.Iface.Value), "the interface is found by it",
			"write `iface: Store`, `iface: ./store.Store` or `iface: example.com/app/store.Store`")
	}
	if !c.Name.IsSet() && typ != "" {
		c.Name = Text{Value: typ, Pos: c.Iface.Pos}
	}
	if c.Out.IsSet() && (!strings.HasSuffix(c.Out.Value, ".go") || strings.HasSuffix(c.Out.Value, "_test.go")) {
		d.bad(c.Out, fmt.Sprintf("%q is no Go file that is not a test", c.Out.Value), "the wrapper of an interface is one file of a package",
			"write `out: FILE.go`, or remove the key")
	}
	if !ValidName(c.Name.Value) && c.Name.IsSet() {
		d.bad(c.Name, fmt.Sprintf("%q is no name of an output", c.Name.Value), "the name stands in the second line of the file that is written",
			"use letters, digits, '-', '_' and '.' only, a letter or digit first")
	}
	for _, tag := range c.Tags {
		if strings.ContainsAny(tag.Value, " ,\t\n\"'") {
			d.bad(tag, fmt.Sprintf("%q is no build tag", tag.Value), "the go command is given it", "write a list: `tags: [integration, linux]`")
		}
	}
	return c, c.Iface.IsSet()
}

// bad reports a text that its key cannot have.
func (d *decoder) bad(t Text, what, why, fix string) {
	d.list.Add(diag.Diagnostic{Code: diag.BadValue, Span: spanOf(t), What: what, Why: why, Fix: fix})
}

// onlyFor reports a key that is for clients of the other sort, where it stands.
func (d *decoder) onlyFor(v *source.Value, key, sort, fix string) {
	for i := range v.Map {
		if f := &v.Map[i]; f.Key == key && !asksNothing(&f.Value) {
			d.list.Add(diag.Diagnostic{
				Code: diag.MisplacedKey, Span: source.Span{Pos: f.KeyPos, Len: len(key)}, What: fmt.Sprintf("%q is for %s", key, sort),
				Why: "nothing would read it", Fix: fix,
			})
		}
	}
}

// asksNothing reports a value that means "without".
func asksNothing(v *source.Value) bool {
	return v.Kind == source.Null || v.Kind == source.Bool && v.Text == "false" || v.Kind == source.List && len(v.List) == 0
}

// flag reads a boolean that may be left out.
func (d *decoder) flag(owner *source.Value, key string) bool {
	v := owner.Get(key)
	if v == nil {
		return false
	}
	if v.Kind != source.Bool {
		d.wrongType(v, fmt.Sprintf("%q", key), "true or false")
		return false
	}
	return v.Text == "true"
}
