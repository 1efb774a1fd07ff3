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

// entry is a member of a map: its key, and where it stands in what is written.
type entry struct {
	key      string
	from, to int
}

func writeMap(e *encoder, dst []byte, s *shape, v reflect.Value) ([]byte, error) {
	if v.Len() == 0 {
		return append(dst, "{}"...), nil
	}
	if err := e.enter(); err != nil {
		return dst, err
	}
	dst = append(dst, '{')
	begin := len(dst)
	elem := s.elem.get()
	key, value := reflect.New(s.key.typ).Elem(), reflect.New(s.elem.typ).Elem()
	members := make([]entry, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		key.SetIterKey(it)
		value.SetIterValue(it)
		m := entry{from: len(dst)}
		var err error
		if m.key, err = keyOf(key); err != nil {
			return dst, &Error{Err: err}
		}
		if dst, err = appendKey(dst, m.key); err == nil {
			dst, err = e.write(dst, elem, value)
		}
		if err != nil {
			return dst, within(err, strings.ToValidUTF8(m.key, "\ufffd"))
		}
		dst = append(dst, ',')
		m.to = len(dst)
		members = append(members, m)
	}
	e.leave()
	return e.sorted(dst, begin, members)
}

// object writes an object of values of any type.
func (e *encoder) object(dst []byte, v map[string]any) ([]byte, error) {
	if len(v) == 0 {
		return append(dst, "{}"...), nil
	}
	if err := e.enter(); err != nil {
		return dst, err
	}
	dst = append(dst, '{')
	begin := len(dst)
	members := make([]entry, 0, len(v))
	for key, value := range v {
		m := entry{key: key, from: len(dst)}
		var err error
		if dst, err = appendKey(dst, key); err == nil {
			dst, err = e.value(dst, value)
		}
		if err != nil {
			return dst, within(err, strings.ToValidUTF8(key, "\ufffd"))
		}
		dst = append(dst, ',')
		m.to = len(dst)
		members = append(members, m)
	}
	e.leave()
	return e.sorted(dst, begin, members)
}

// appendKey appends the key of a member, and the colon.
func appendKey(dst []byte, key string) ([]byte, error) {
	dst, err := appendString(dst, key)
	return append(dst, ':'), err
}

var errSameKey = errors.New("several keys of the map read alike")

// sorted puts the members that begin at a place of dst in the order of their keys, and ends the object. Each has a comma after it.
func (e *encoder) sorted(dst []byte, begin int, members []entry) ([]byte, error) {
	byKey := func(a, b entry) int { return strings.Compare(a.key, b.key) }
	if !slices.IsSortedFunc(members, byKey) {
		slices.SortFunc(members, byKey)
		e.spare = append(e.spare[:0], dst[begin:]...)
		dst = dst[:begin]
		for _, m := range members {
			dst = append(dst, e.spare[m.from-begin:m.to-begin]...)
		}
	}
	for i := range members[1:] {
		if members[i].key == members[i+1].key {
			return dst, within(&Error{Err: errSameKey}, members[i].key)
		}
	}
	dst[len(dst)-1] = '}' // in place of the last comma
	return dst, nil
}
