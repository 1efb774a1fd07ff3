package jsontext

// Extent tells where a text that comes in parts is whole: where its brackets and strings are closed. The zero value has seen nothing.
type Extent struct {
	depth    int
	inString bool
	escape   bool // the part before ended with a backslash in a string
}

// Add takes the next part.
func (e *Extent) Add(part []byte) {
	for at := 0; at < len(part); {
		if e.inString {
			at = e.string(part, at)
			continue
		}
		switch part[at] {
		case '"':
			e.inString = true
		case '{', '[':
			e.depth++
		case '}', ']':
			e.depth--
		}
		at++
	}
}

// string passes over what is left of a string in the part.
func (e *Extent) string(part []byte, at int) int {
	for ; at < len(part); at++ {
		switch b := part[at]; {
		case e.escape:
			e.escape = false
		case b == '\\':
			e.escape = true
		case b == '"':
			e.inString = false
			return at + 1
		}
	}
	return at
}

// Closed reports whether nothing is open: what came is a whole text, if it is one at all.
func (e *Extent) Closed() bool { return e.depth <= 0 && !e.inString }
