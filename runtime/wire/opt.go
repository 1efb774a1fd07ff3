package wire

import (
	"reflect"

	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

// Opt, Null and OptNull have few methods, and these do little: all of them are compiled for every type that they hold, and there are
// thousands in a large API. What they share does not know the type.

// Opt is a value that may be absent. The zero value is absent: with the tag `omitzero` the member is left out, and a parameter is
// not sent. JSON null reads as absent, because documents in the wild send it where they mean "not there".
type Opt[T any] struct {
	state codec.Presence
	value T
}

// Some returns a present value.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, state: present} }

// Get returns the value and whether it is present.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == present }

// Or returns the value, or fallback where it is absent.
func (o Opt[T]) Or(fallback T) T {
	if o.state == present {
		return o.value
	}
	return fallback
}

// MarshalJSON writes the value; an absent one, where no `omitzero` leaves it out, as null.
func (o Opt[T]) MarshalJSON() ([]byte, error) { return Marshal(&o) }

// UnmarshalJSON reads a value; null is absent.
func (o *Opt[T]) UnmarshalJSON(data []byte) error { return Unmarshal(data, o) }

// Null is a value that may be null and is always there. The zero value is null.
type Null[T any] struct {
	state codec.Certainty
	value T
}

// NotNull returns a value that is not null.
func NotNull[T any](v T) Null[T] { return Null[T]{value: v, state: present} }

// NullOf returns null; it is the zero value, spelled out.
func NullOf[T any]() Null[T] { return Null[T]{} }

// Get returns the value and whether there is one: false is null.
func (n Null[T]) Get() (T, bool) { return n.value, n.state == present }

// Or returns the value, or fallback for null.
func (n Null[T]) Or(fallback T) T {
	if n.state == present {
		return n.value
	}
	return fallback
}

// MarshalJSON writes the value, or null.
func (n Null[T]) MarshalJSON() ([]byte, error) { return Marshal(&n) }

// UnmarshalJSON reads a value or null.
func (n *Null[T]) UnmarshalJSON(data []byte) error { return Unmarshal(data, n) }

// OptNull is a value that may be absent, null, or there: what a PATCH needs to tell "leave it" from "clear it". The zero value is
// absent; use the tag `omitzero`.
type OptNull[T any] struct {
	state codec.Nullable
	value T
}

// SomeNotNull returns a value that is there.
func SomeNotNull[T any](v T) OptNull[T] { return OptNull[T]{value: v, state: present} }

// SomeNull returns null that is there: it is sent as null.
func SomeNull[T any]() OptNull[T] { return OptNull[T]{state: null} }

// Get returns the value and whether there is one: false is absent or null.
func (o OptNull[T]) Get() (T, bool) { return o.value, o.state == present }

// Or returns the value, or fallback where it is absent or null.
func (o OptNull[T]) Or(fallback T) T {
	if o.state == present {
		return o.value
	}
	return fallback
}

// IsNull reports whether it is there and null.
func (o OptNull[T]) IsNull() bool { return o.state == null }

// MarshalJSON writes the value, or null.
func (o OptNull[T]) MarshalJSON() ([]byte, error) { return Marshal(&o) }

// UnmarshalJSON reads a value or null. That it is called at all says that the member is there.
func (o *OptNull[T]) UnmarshalJSON(data []byte) error { return Unmarshal(data, o) }

// The states of Opt, Null and OptNull. The zero value of each is its first.
const (
	absent  = codec.Absent
	present = codec.Present
	null    = codec.NullThere
)

// optionalOf returns what an Opt, a Null or an OptNull holds, and whether there is a value; known is false for all other values. The value
// is for reading by its kind only.
func optionalOf(r reflect.Value) (value reflect.Value, state codec.Presence, known bool) {
	if !codec.IsOptional(r) {
		return reflect.Value{}, absent, false
	}
	state = codec.Presence(r.Field(0).Uint())
	if state == absent && codec.IsCertain(r.Type()) {
		state = null
	}
	return r.Field(1), state, true
}
