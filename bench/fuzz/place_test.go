package fuzz

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// place is a value in a text.
type place struct {
	pointer  jsontext.Pointer
	from, to int
	// member is where its name begins, if it is a member of an object.
	member int
}

// places returns all values of a text, parents before what they hold; false if it is no JSON.
func places(text []byte) ([]place, bool) {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	w := walk{d: d}
	ok := w.value(-1)
	return w.found, ok
}

type walk struct {
	d     *jsontext.Decoder
	found []place
}

// value walks over one value.
func (w *walk) value(member int) bool {
	kind := w.d.PeekKind()
	if kind != '{' && kind != '[' {
		v, err := w.d.ReadValue()
		to := int(w.d.InputOffset())
		w.found = append(w.found, place{w.d.StackPointer(), to - len(v), to, member})
		return err == nil
	}
	if _, err := w.d.ReadToken(); err != nil {
		return false
	}
	at := len(w.found)
	w.found = append(w.found, place{from: int(w.d.InputOffset()) - 1, member: member})
	for w.d.PeekKind() != '}' && w.d.PeekKind() != ']' {
		member := -1
		if kind == '{' {
			name, err := w.d.ReadValue()
			if err != nil {
				return false
			}
			member = int(w.d.InputOffset()) - len(name)
		}
		if !w.value(member) {
			return false
		}
	}
	_, err := w.d.ReadToken()
	w.found[at].pointer, w.found[at].to = w.d.StackPointer(), int(w.d.InputOffset())
	return err == nil
}

// placeOf returns the first value at a pointer.
func placeOf(text []byte, pointer jsontext.Pointer) (place, bool) {
	all, _ := places(text)
	for _, p := range all {
		if p.pointer == pointer {
			return p, true
		}
	}
	return place{}, false
}

// replaced is the text with another value at a place.
func replaced(text []byte, p place, with []byte) []byte {
	return append(append(bytes.Clone(text[:p.from]), with...), text[p.to:]...)
}
