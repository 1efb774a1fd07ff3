package codec

import (
	"encoding"
	"encoding/json"
	"reflect"
	"time"
)

// Presence is the first field of a value that may be absent. The zero value is absent, and so is what null reads as.
type Presence uint8

// The states of an optional value, of each of the three types.
const (
	Absent = iota
	Present
	NullThere // null that is there
)

// Nullable is the first field of a value that may be absent or null: null is a state of its own.
type Nullable Presence

// Certainty is the first field of a value that may be null and is always there. The zero value is null; Present is a value.
type Certainty Presence

// Kept is the first field of a value that keeps its JSON as it came.
type Kept struct {
	// Text is the JSON; nil is no value.
	Text json.RawMessage
	// Compact says that Text is known to be valid and to have no white space outside of strings.
	Compact bool
	// Err is why there is no text.
	Err error
}

var (
	presenceType    = reflect.TypeFor[Presence]()
	nullableType    = reflect.TypeFor[Nullable]()
	certaintyType   = reflect.TypeFor[Certainty]()
	keptType        = reflect.TypeFor[Kept]()
	rawType         = reflect.TypeFor[json.RawMessage]()
	numberType      = reflect.TypeFor[json.Number]()
	timeType        = reflect.TypeFor[time.Time]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// optionalFields is how many fields an optional value has: its state and what it holds.
const optionalFields = 2

// isOptional reports whether a type is an optional value: a struct of a state and a value.
func isOptional(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.NumField() != optionalFields {
		return false
	}
	switch t.Field(0).Type {
	case presenceType, nullableType, certaintyType:
		return true
	default:
		return false
	}
}

// IsOptional reports whether a value is an optional one: a struct whose first field is its state, and whose second is what it holds.
func IsOptional(v reflect.Value) bool { return v.IsValid() && isOptional(v.Type()) }

// IsCertain reports whether a type is that of values which may be null and are always there.
func IsCertain(t reflect.Type) bool { return isOptional(t) && t.Field(0).Type == certaintyType }
