package wire

import "bytes"

// Opt is a value that may be absent. The zero value is absent: with the tag `omitzero` the member is left out, and a parameter is
// not sent. JSON null reads as absent, because documents in the wild send it where they mean "not there".
type Opt[T any] struct {
	value T
	set   bool
}

// Some returns a present value.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, set: true} }

// Get returns the value and whether it is present.
func (o Opt[T]) Get() (T, bool) { return o.value, o.set }

// Or returns the value, or fallback where it is absent.
func (o Opt[T]) Or(fallback T) T {
	if o.set {
		return o.value
	}
	return fallback
}

// IsSet reports whether the value is present.
func (o Opt[T]) IsSet() bool { return o.set }

// IsZero reports whether the value is absent; encoding/json asks it for `omitzero`.
func (o Opt[T]) IsZero() bool { return !o.set }

// MarshalJSON writes the value; an absent one, where no `omitzero` leaves it out, as null.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if !o.set {
		return []byte("null"), nil
	}
	return encodeJSON(o.value)
}

// UnmarshalJSON reads a value; null is absent.
func (o *Opt[T]) UnmarshalJSON(data []byte) error {
	var read Opt[T]
	if !isNull(data) {
		if err := decodeJSON(data, &read.value); err != nil {
			return err
		}
		read.set = true
	}
	*o = read
	return nil
}

func (o Opt[T]) param() (value any, state presence) {
	if !o.set {
		return nil, absent
	}
	return o.value, present
}

// Null is a value that may be null and is always there. The zero value is null.
type Null[T any] struct {
	value T
	set   bool
}

// NotNull returns a value that is not null.
func NotNull[T any](v T) Null[T] { return Null[T]{value: v, set: true} }

// NullOf returns null; it is the zero value, spelled out.
func NullOf[T any]() Null[T] { return Null[T]{} }

// Get returns the value and whether there is one: false is null.
func (n Null[T]) Get() (T, bool) { return n.value, n.set }

// Or returns the value, or fallback for null.
func (n Null[T]) Or(fallback T) T {
	if n.set {
		return n.value
	}
	return fallback
}

// IsNull reports whether it is null.
func (n Null[T]) IsNull() bool { return !n.set }

// MarshalJSON writes the value, or null.
func (n Null[T]) MarshalJSON() ([]byte, error) {
	if !n.set {
		return []byte("null"), nil
	}
	return encodeJSON(n.value)
}

// UnmarshalJSON reads a value or null.
func (n *Null[T]) UnmarshalJSON(data []byte) error {
	var read Null[T]
	if !isNull(data) {
		if err := decodeJSON(data, &read.value); err != nil {
			return err
		}
		read.set = true
	}
	*n = read
	return nil
}

func (n Null[T]) param() (value any, state presence) {
	if !n.set {
		return nil, null
	}
	return n.value, present
}

// presence says whether there is a value. The zero value is absent.
type presence uint8

const (
	absent presence = iota
	null
	present
)

// OptNull is a value that may be absent, null, or there: what a PATCH needs to tell "leave it" from "clear it". The zero value is
// absent; use the tag `omitzero`.
type OptNull[T any] struct {
	value T
	state presence
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

// IsSet reports whether it is there, as a value or as null.
func (o OptNull[T]) IsSet() bool { return o.state != absent }

// IsNull reports whether it is there and null.
func (o OptNull[T]) IsNull() bool { return o.state == null }

// IsZero reports whether it is absent; encoding/json asks it for `omitzero`.
func (o OptNull[T]) IsZero() bool { return o.state == absent }

// MarshalJSON writes the value, or null.
func (o OptNull[T]) MarshalJSON() ([]byte, error) {
	if o.state != present {
		return []byte("null"), nil
	}
	return encodeJSON(o.value)
}

// UnmarshalJSON reads a value or null. That it is called at all says that the member is there.
func (o *OptNull[T]) UnmarshalJSON(data []byte) error {
	read := OptNull[T]{state: null}
	if !isNull(data) {
		if err := decodeJSON(data, &read.value); err != nil {
			return err
		}
		read.state = present
	}
	*o = read
	return nil
}

func (o OptNull[T]) param() (value any, state presence) { return o.value, o.state }

// isNull reports whether a JSON text is null.
func isNull(data []byte) bool { return string(bytes.TrimSpace(data)) == "null" }

// optional is what Opt, Null and OptNull are to parameters and bodies.
type optional interface{ param() (any, presence) }
