package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Union is a JSON value that is one of several types. It keeps the JSON as it came, so that a variant which this build does not
// know survives, digit by digit. The zero value is no value. Generated unions embed it and add a constructor and an accessor for
// each variant.
type Union struct { //nolint:recvcheck // encoding/json reads through pointers and writes values
	raw json.RawMessage
	err error
}

// UnionOf returns the union that holds v. With a Tag, an object that does not set its discriminator gets the tag's first value. A
// value that cannot be encoded is an error of whatever the union is sent with.
func UnionOf(v any, is ...Match) Union {
	raw, err := encodeJSON(v)
	for _, m := range is {
		if err == nil {
			raw, err = m.tag(raw)
		}
	}
	return Union{raw: raw, err: err}
}

// Raw returns the JSON. It must not be changed.
func (u Union) Raw() json.RawMessage { return u.raw }

// IsZero reports whether it is no value; encoding/json asks it for `omitzero`.
func (u Union) IsZero() bool { return u.raw == nil && u.err == nil }

// IsNull reports whether the value is null, or none.
func (u Union) IsNull() bool { return u.err == nil && (u.raw == nil || isNull(u.raw)) }

// MarshalJSON writes the value; none as null.
func (u Union) MarshalJSON() ([]byte, error) {
	switch {
	case u.err != nil:
		return nil, u.err
	case u.raw == nil:
		return []byte("null"), nil
	default:
		return u.raw, nil
	}
}

// UnmarshalJSON keeps a copy of the JSON.
func (u *Union) UnmarshalJSON(data []byte) error {
	*u = Union{raw: bytes.Clone(data)}
	return nil
}

// UnmarshalTagged is UnmarshalJSON for unions with a discriminator: an object without it is an error that names it. null is taken.
func (u *Union) UnmarshalTagged(data []byte, tag string) error {
	if err := u.UnmarshalJSON(data); err != nil || isNull(data) {
		return err
	}
	members, err := readObject(data)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(members, func(m member) bool { return m.key == tag }) {
		return fmt.Errorf("the discriminator %q is missing", tag)
	}
	return nil
}

// Tag returns the text of a member of the object that the union holds: its discriminator. It is empty where there is none.
func (u Union) Tag(name string) string {
	text, _ := tagOf(u.raw, name)
	return text
}

// tagOf returns a member as text, and whether it is there: a string's text, any other scalar as it is written.
func tagOf(raw json.RawMessage, name string) (string, bool) {
	if kindOf(raw) != "object" {
		return "", false
	}
	members, err := readObject(raw)
	if err != nil {
		return "", false
	}
	for _, m := range members {
		if m.key == name {
			n, err := parseNode(m.value)
			return n.text, err == nil && n.kind == scalar
		}
	}
	return "", false
}

// Match is a test that tells a variant from the others.
type Match struct {
	holds func(json.RawMessage) bool
	name  string
	first string
}

// Kinds matches values of the JSON kinds "string", "number", "boolean", "object", "array" and "null".
func Kinds(kinds ...string) Match {
	return Match{holds: func(raw json.RawMessage) bool { return slices.Contains(kinds, kindOf(raw)) }}
}

// Tag matches objects whose member has one of the values.
func Tag(name string, values ...string) Match {
	m := Match{name: name, holds: func(raw json.RawMessage) bool {
		text, ok := tagOf(raw, name)
		return ok && slices.Contains(values, text)
	}}
	if len(values) > 0 {
		m.first = values[0]
	}
	return m
}

// Required matches objects that have all the members.
func Required(names ...string) Match {
	return Match{holds: func(raw json.RawMessage) bool {
		if kindOf(raw) != "object" {
			return false
		}
		members, err := readObject(raw)
		return err == nil && !slices.ContainsFunc(names, func(name string) bool {
			return !slices.ContainsFunc(members, func(m member) bool { return m.key == name })
		})
	}}
}

// tag sets the discriminator of an object that does not have it, or has it empty.
func (m Match) tag(raw json.RawMessage) (json.RawMessage, error) {
	if m.name == "" || m.first == "" || kindOf(raw) != "object" {
		return raw, nil
	}
	if text, ok := tagOf(raw, m.name); ok && text != "" {
		return raw, nil
	}
	members, err := readObject(raw)
	if err != nil {
		return nil, err
	}
	members = slices.DeleteFunc(members, func(old member) bool { return old.key == m.name })
	if members, err = appendMember(members, m.name, m.first); err != nil {
		return nil, err
	}
	return writeObject(members)
}

// As returns the union's value as a T, and whether it is one: every match holds and the JSON decodes.
func As[T any](u Union, is ...Match) (T, bool) {
	var v T
	if len(u.raw) == 0 {
		return v, false
	}
	for _, m := range is {
		if !m.holds(u.raw) {
			return v, false
		}
	}
	if err := decodeJSON(u.raw, &v); err != nil {
		var none T
		return none, false
	}
	return v, true
}

// kindOf returns the JSON kind of a text by its first character.
func kindOf(raw []byte) string {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	default:
		return "number"
	}
}
