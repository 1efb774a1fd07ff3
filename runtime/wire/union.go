package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

// Union is a JSON value that is one of several types. It keeps the JSON as it came, so that a variant which this build does not
// know survives, digit by digit. null is a value; the zero value is none: with the tag `omitzero` it is left out. Generated unions embed
// it and add a constructor and an accessor for each variant.
type Union struct {
	kept codec.Kept
}

// UnionOf returns the union that holds v. With a Tag, an object that does not set its discriminator gets the tag's first value. A
// value that cannot be encoded is an error of whatever the union is sent with.
func UnionOf(v any, is ...Match) Union {
	raw, err := Marshal(v)
	for _, m := range is {
		if err == nil {
			raw, err = m.tag(raw)
		}
	}
	return Union{codec.Kept{Text: raw, Compact: err == nil, Err: err}}
}

// Raw returns the JSON. It must not be changed.
func (u Union) Raw() json.RawMessage { return u.kept.Text }

// MarshalJSON writes the value; none as null.
func (u Union) MarshalJSON() ([]byte, error) {
	switch {
	case u.kept.Err != nil:
		return nil, u.kept.Err
	case u.kept.Text == nil:
		return []byte("null"), nil
	default:
		return u.kept.Text, nil
	}
}

// UnmarshalJSON keeps a copy of the JSON.
func (u *Union) UnmarshalJSON(data []byte) error {
	*u = Union{codec.Kept{Text: bytes.Clone(data)}}
	return nil
}

// UnmarshalTagged is UnmarshalJSON for unions with a discriminator: an object without it is an error that names it. null is taken.
func UnmarshalTagged(u *Union, data []byte, tag string) error {
	if err := u.UnmarshalJSON(data); err != nil || jsontext.IsNull(data) {
		return err
	}
	if kind := jsontext.KindOf(data); kind != jsontext.Object {
		return fmt.Errorf("expected an object with the discriminator %q, found a JSON %s", tag, kind)
	}
	if _, ok := jsontext.Member(data, tag); !ok {
		return fmt.Errorf("the discriminator %q is missing", tag)
	}
	return nil
}

// TagOf returns the text of a member of the object that a union holds: its discriminator. It is empty where there is none.
func TagOf(u Union, name string) string {
	text, _ := tagOf(u.kept.Text, name)
	return text
}

// IsNull reports whether a JSON text is null: what a union, or a value of no type, holds. A value that is absent is not null.
func IsNull(raw json.RawMessage) bool { return jsontext.IsNull(raw) }

// tagOf returns a member as text, and whether it is there: a string's text, any other scalar as it is written.
func tagOf(raw json.RawMessage, name string) (string, bool) {
	value, _ := jsontext.Member(raw, name)
	switch jsontext.KindOf(value) {
	case jsontext.String, jsontext.Number, jsontext.Boolean:
		return jsontext.Text(value)
	default:
		return "", false
	}
}

// Match is a test that tells a variant from the others. The zero value holds for every value.
type Match struct {
	want   want
	member string   // of wantTag and wantOtherTag
	words  []string // the values, kinds or members of which one, or all, are wanted
}

type want uint8

const (
	wantAny want = iota
	wantKind
	wantTag
	wantOtherTag
	wantMembers
)

// Kinds matches values of the JSON kinds "string", "number", "boolean", "object", "array" and "null".
func Kinds(kinds ...string) Match { return Match{want: wantKind, words: kinds} }

// Tag matches objects whose member has one of the values.
func Tag(name string, values ...string) Match {
	return Match{want: wantTag, member: name, words: values}
}

// Except matches objects whose member has none of the values, or that do not have it: values of other variants.
func Except(name string, values ...string) Match {
	return Match{want: wantOtherTag, member: name, words: values}
}

// Required matches objects that have all the members.
func Required(names ...string) Match { return Match{want: wantMembers, words: names} }

// holds reports whether a value passes the test.
func (m Match) holds(raw json.RawMessage) bool {
	switch m.want {
	case wantKind:
		return slices.Contains(m.words, jsontext.KindOf(raw).String())
	case wantTag:
		text, ok := tagOf(raw, m.member)
		return ok && slices.Contains(m.words, text)
	case wantOtherTag:
		text, _ := tagOf(raw, m.member)
		return jsontext.KindOf(raw) == jsontext.Object && !slices.Contains(m.words, text)
	case wantMembers:
		return !slices.ContainsFunc(m.words, func(name string) bool {
			_, ok := jsontext.Member(raw, name)
			return !ok
		}) && jsontext.KindOf(raw) == jsontext.Object
	default:
		return true
	}
}

// tag sets the discriminator of an object that does not have it, or has it empty.
func (m Match) tag(raw json.RawMessage) (json.RawMessage, error) {
	if m.want != wantTag || len(m.words) == 0 || m.words[0] == "" || jsontext.KindOf(raw) != jsontext.Object {
		return raw, nil
	}
	if text, ok := tagOf(raw, m.member); ok && text != "" {
		return raw, nil
	}
	return codec.SetMember(raw, m.member, m.words[0])
}

// As reads the union's value into what v points to, and reports whether it is one: every match holds and the JSON decodes. Where that
// is not so, what v points to is as it was, or zero.
//
// It does not know the type, because every type that it knew would be a function of its own to compile.
func As(u Union, v any, is ...Match) bool {
	if len(u.kept.Text) == 0 || slices.ContainsFunc(is, func(m Match) bool { return !m.holds(u.kept.Text) }) {
		return false
	}
	if err := codec.Decode(u.kept.Text, v); err != nil {
		reflect.ValueOf(v).Elem().SetZero()
		return false
	}
	return true
}
