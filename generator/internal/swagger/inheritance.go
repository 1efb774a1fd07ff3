package swagger

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

const definitions = "definitions"

// inheritance gives each definition with a discriminator the mapping that 2.0 implies: a value is of the definition that its tag
// names, which is the base or extends it by allOf, directly or not. AutoRest's x-ms-discriminator-value is a tag in place of the
// name.
func (c *converter) inheritance(out *source.Value) {
	all := out.Get(definitions)
	children := c.children(all)
	for i := range mapOf(all) {
		f := &all.Map[i]
		name := f.Value.Get("discriminator")
		if textOf(name) == "" || len(children[f.Key]) == 0 {
			continue
		}
		mapping, seen := object(name.Pos), map[string]bool{}
		for _, sub := range c.family(f.Key, children) {
			at := &all.Map[c.defined[sub]]
			tag := source.TextAt(at.KeyPos, sub)
			if value := at.Value.Get("x-ms-discriminator-value"); textOf(value) != "" {
				tag = *value
			}
			if !seen[tag.Text] {
				seen[tag.Text] = true
				to := source.TextAt(tag.Pos, "#"+source.Pointer(definitions, sub))
				mapping.Map = append(mapping.Map, source.Field{Key: tag.Text, KeyPos: tag.Pos, Value: to})
			}
		}
		*name = object(name.Pos, source.FieldAt("propertyName", *name), source.FieldAt("mapping", mapping))
	}
}

// children returns the definitions that extend each definition.
func (c *converter) children(all *source.Value) map[string][]string {
	out := map[string][]string{}
	for _, f := range mapOf(all) {
		bases := listOf(f.Value.Get("allOf"))
		for i := range bases {
			base := refOf(&bases[i])
			if name, ok := strings.CutPrefix(base, "#/"+definitions+"/"); ok {
				base = unescaped(name)
			}
			if _, isDefined := c.defined[base]; isDefined {
				out[base] = append(out[base], f.Key)
			}
		}
	}
	return out
}

// family returns a definition and all that extend it, each once, a base before what extends it.
func (c *converter) family(base string, children map[string][]string) []string {
	out, seen := []string{base}, map[string]bool{base: true}
	for i := 0; i < len(out) && c.spend(1); i++ {
		for _, sub := range children[out[i]] {
			if !seen[sub] {
				seen[sub] = true
				out = append(out, sub)
			}
		}
	}
	return out
}
