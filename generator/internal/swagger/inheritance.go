package swagger

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

const definitions = "definitions"

// inheritance gives each definition with a discriminator the mapping that 2.0 implies: a value is of the definition that its tag
// names, which is the base or extends it by allOf, directly or not. AutoRest's x-ms-discriminator-value is a tag in place of the
// name.
func inheritance(out *source.Value) {
	all := out.Get(definitions)
	children := map[string][]string{}
	for i := range mapOf(all) {
		f := &all.Map[i]
		for j := range listOf(f.Value.Get("allOf")) {
			if base := baseOf(all, refOf(&f.Value.Get("allOf").List[j])); base != "" {
				children[base] = append(children[base], f.Key)
			}
		}
	}
	for i := range mapOf(all) {
		f := &all.Map[i]
		name := f.Value.Get("discriminator")
		if textOf(name) == "" || len(children[f.Key]) == 0 {
			continue
		}
		mapping := object(name.Pos)
		for _, sub := range family(f.Key, children) {
			tag := text(f.KeyPos, sub)
			if value := all.Get(sub).Get("x-ms-discriminator-value"); textOf(value) != "" {
				tag = *value
			}
			if mapping.Get(tag.Text) == nil {
				mapping.Set(source.Field{Key: tag.Text, KeyPos: tag.Pos, Value: text(tag.Pos, "#"+source.Pointer(definitions, sub))})
			}
		}
		*name = object(name.Pos, field("propertyName", *name), field("mapping", mapping))
	}
}

// baseOf returns the definition that a reference leads to; empty where it leads elsewhere.
func baseOf(all *source.Value, ref string) string {
	if name, ok := strings.CutPrefix(ref, "#/"+definitions+"/"); ok {
		return unescaped(name)
	}
	if all.Get(ref) != nil {
		return ref
	}
	return ""
}

// family returns a definition and all that extend it, each once, a base before what extends it.
func family(base string, children map[string][]string) []string {
	out, seen := []string{base}, map[string]bool{base: true}
	for i := 0; i < len(out); i++ {
		for _, sub := range children[out[i]] {
			if !seen[sub] {
				seen[sub] = true
				out = append(out, sub)
			}
		}
	}
	return out
}
