package codec

import (
	"encoding"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// writerOfMap writes maps whose keys are texts, integers, or have a text.
func writerOfMap(t reflect.Type) writer {
	switch t.Key().Kind() {
	case reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return writeMap
	default:
		if t.Key().Implements(textMarshaler) {
			return writeMap
		}
		return writeUnsupported
	}
}

// keyOf returns a key of a map as text.
func keyOf(k reflect.Value) (string, error) {
	if k.Kind() == reflect.String {
		return k.String(), nil
	}
	if k.Type().Implements(textMarshaler) {
		if k.Kind() == reflect.Pointer && k.IsNil() {
			return "", nil
		}
		text, err := k.Interface().(encoding.TextMarshaler).MarshalText() //nolint:forcetypeassert // its type says so
		return string(text), err
	}
	if k.CanInt() {
		return strconv.FormatInt(k.Int(), 10), nil
	}
	return strconv.FormatUint(k.Uint(), 10), nil
}

// entry is a member of a map: its key, and where it stands in the buffer.
type entry struct {
	key      string
	from, to int
}

func writeMap(e *encoder, s *shape, v reflect.Value) error {
	if v.Len() == 0 {
		e.buf = append(e.buf, "{}"...)
		return nil
	}
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	e.buf = append(e.buf, '{')
	begin := len(e.buf)
	elem := s.elem.get()
	key, value := reflect.New(s.key.typ).Elem(), reflect.New(s.elem.typ).Elem()
	entries := make([]entry, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		key.SetIterKey(it)
		value.SetIterValue(it)
		name, err := keyOf(key)
		if err != nil {
			return &Error{Err: err}
		}
		if entries, err = e.entry(entries, name, func() error { return e.write(elem, value) }); err != nil {
			return err
		}
	}
	return e.sorted(begin, entries)
}

// object writes an object of values of any type.
func (e *encoder) object(v map[string]any) error {
	if len(v) == 0 {
		e.buf = append(e.buf, "{}"...)
		return nil
	}
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	e.buf = append(e.buf, '{')
	begin := len(e.buf)
	entries := make([]entry, 0, len(v))
	for key, value := range v {
		var err error
		if entries, err = e.entry(entries, key, func() error { return e.value(value) }); err != nil {
			return err
		}
	}
	return e.sorted(begin, entries)
}

// entry writes a member, and a comma after it.
func (e *encoder) entry(entries []entry, key string, write func() error) ([]entry, error) {
	from := len(e.buf)
	if err := e.text(key); err != nil {
		return nil, within(err, strings.ToValidUTF8(key, "\ufffd"))
	}
	e.buf = append(e.buf, ':')
	if err := write(); err != nil {
		return nil, within(err, key)
	}
	e.buf = append(e.buf, ',')
	return append(entries, entry{key, from, len(e.buf)}), nil
}

var errSameKey = errors.New("several keys of the map read alike")

// sorted puts the members that begin at a place of the buffer in the order of their keys, and ends the object.
func (e *encoder) sorted(begin int, entries []entry) error {
	byKey := func(a, b entry) int { return strings.Compare(a.key, b.key) }
	if !slices.IsSortedFunc(entries, byKey) {
		slices.SortFunc(entries, byKey)
		e.spare = append(e.spare[:0], e.buf[begin:]...)
		e.buf = e.buf[:begin]
		for _, m := range entries {
			e.buf = append(e.buf, e.spare[m.from-begin:m.to-begin]...)
		}
	}
	for i := range entries[1:] {
		if entries[i].key == entries[i+1].key {
			return within(&Error{Err: errSameKey}, entries[i].key)
		}
	}
	e.buf[len(e.buf)-1] = '}' // in place of the last comma
	return nil
}
