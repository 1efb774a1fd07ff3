package codec

import "strings"

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
