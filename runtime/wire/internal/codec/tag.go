package codec

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// wireTag is a struct tag of this module: `wire:"additional"` on the map that takes the members of no field, and `wire:"name=KEY"` or
// `wire:"omitzero,name=KEY"` for a key that no json tag can hold. The key is all that follows, commas and quotes among it.
type wireTag struct {
	name       string
	hasName    bool
	omitZero   bool
	additional bool
}

// parseTag reads a tag; false if it is none.
func parseTag(tag string) (t wireTag, ok bool) {
	if tag == "additional" {
		return wireTag{additional: true}, true
	}
	rest, omit := strings.CutPrefix(tag, "omitzero,")
	name, named := strings.CutPrefix(rest, "name=")
	return wireTag{name: name, hasName: named, omitZero: omit && named}, named
}

// NameOf returns the name of the member that JSON has for a field of a struct, and whether the member is left out where the field is zero.
// ok is false for fields that have none of their own: those that are not exported, those left out by their tags, and that of additional
// members.
func NameOf(f reflect.StructField) (name string, omitZero, ok bool) {
	if wire, tagged := parseTag(f.Tag.Get("wire")); tagged {
		return wire.name, wire.omitZero, wire.hasName && f.IsExported()
	}
	tag := f.Tag.Get("json")
	name, options, _ := strings.Cut(tag, ",")
	return cmp.Or(name, f.Name), slices.Contains(strings.Split(options, ","), "omitzero"), tag != "-" && f.IsExported()
}
