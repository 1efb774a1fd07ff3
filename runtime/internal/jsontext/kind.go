package jsontext

import (
	"bytes"
	"strconv"
)

// Kind is what a JSON text is.
type Kind uint8

// The kinds.
const (
	Nothing Kind = iota
	Object
	Array
	String
	Number
	Boolean
	Null
)

// String returns the name that JSON Schema has for the kind.
func (k Kind) String() string {
	return [...]string{"nothing", "object", "array", "string", "number", "boolean", "null"}[k]
}

// KindOf returns the kind of a text, by its first character.
func KindOf(text []byte) Kind {
	c := At(text)
	switch c.peek() {
	case 0:
		return Nothing
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Boolean
	case 'n':
		return Null
	default:
		return Number
	}
}

// IsNull reports whether a text is null.
func IsNull(text []byte) bool { return string(Trim(text)) == "null" }

// Trim returns the text without the white space of JSON around it.
func Trim(text []byte) []byte {
	if len(text) > 0 && text[0] > ' ' && text[len(text)-1] > ' ' {
		return text
	}
	return bytes.Trim(text, " \t\r\n")
}

// Text returns the text of a scalar: what a string means, any other as it is written. Of an object or an array it returns nothing but that
// it is there; null is nothing.
func Text(value []byte) (string, bool) {
	value = Trim(value)
	switch KindOf(value) {
	case Nothing, Null:
		return "", false
	case Object, Array:
		return "", true
	case String:
		c := At(value)
		escaped := c.key()
		if c.bad {
			return "", false
		}
		return Key{written: c.text[1 : c.at-1], escaped: escaped}.Text(), true
	default:
		return string(value), true
	}
}

// Float returns the number that a text is, and whether it is one.
func Float(value []byte) (float64, bool) {
	if KindOf(value) != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(Trim(value)), 64)
	return f, err == nil
}
