package codec

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
)

func mapReader(t reflect.Type) reader {
	switch k := t.Key(); {
	case reflect.PointerTo(k).Implements(textUnmarshaler):
		return readMap
	case k.Kind() >= reflect.Int && k.Kind() <= reflect.Uintptr, k.Kind() == reflect.String:
		return readMap
	default:
		return readNothing
	}
}

func readMap(d *decoder, s *shape, v reflect.Value) error {
	if d.sign() == 'n' {
		v.SetZero()
		return d.literal("null")
	}
	if d.sign() != '{' {
		return d.other("an object")
	}
	empty, err := d.enter('}')
	if err != nil {
		return err
	}
	into := newEntries(v, s)
	if empty {
		return nil
	}
	for {
		from := d.at
		name, err := d.name()
		if err != nil {
			return err
		}
		if err := into.read(d, d.words.text(name), from); err != nil {
			return err
		}
		if next, err := d.more('}'); err != nil || !next {
			return err
		}
	}
}

// entries are the members of an object that go into a map.
type entries struct {
	m      reflect.Value
	of     *shape        // of the values
	key    reflect.Value // used again for each
	value  reflect.Value // used again for each
	asText bool          // keys read themselves
	count  int
	old    map[string]bool // the names so far, where the map was not empty before
}

// newEntries makes the map if there is none.
func newEntries(m reflect.Value, s *shape) *entries {
	e := &entries{m: m, of: s.elem.get()}
	if m.IsNil() {
		m.Set(reflect.MakeMap(s.typ))
	} else if m.Len() > 0 {
		e.old = map[string]bool{}
	}
	e.key = reflect.New(s.key.typ).Elem()
	e.value = reflect.New(e.of.typ).Elem()
	e.asText = reflect.PointerTo(s.key.typ).Implements(textUnmarshaler)
	return e
}

// read reads the value of a member into the map.
func (e *entries) read(d *decoder, name string, from int) error {
	if err := e.setKey(name); err != nil {
		return within(&Error{Offset: from, Err: err}, name)
	}
	e.value.SetZero()
	at := d.at
	if err := e.of.read(d, e.of, e.value); err != nil {
		return within(err, name)
	}
	e.m.SetMapIndex(e.key, e.value)
	e.count++
	twice := e.old == nil && e.m.Len() != e.count
	if e.old != nil {
		twice, e.old[name] = e.old[name], true
	}
	if twice {
		return within(misfit(at, "the member comes twice"), name)
	}
	return nil
}

func (e *entries) setKey(name string) error {
	if e.asText {
		e.key.SetZero()
		own, _ := reflect.TypeAssert[encoding.TextUnmarshaler](e.key.Addr())
		return own.UnmarshalText([]byte(name)) //nolint:wrapcheck // the caller says where
	}
	switch kind := e.key.Kind(); kind {
	case reflect.String:
		e.key.SetString(name)
		return nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(name, 10, 64)
		if err != nil || e.key.OverflowInt(n) {
			return fmt.Errorf("the name %q is no %s", snippet([]byte(name)), kind)
		}
		e.key.SetInt(n)
		return nil
	default:
		n, err := strconv.ParseUint(name, 10, 64)
		if err != nil || e.key.OverflowUint(n) {
			return fmt.Errorf("the name %q is no %s", snippet([]byte(name)), kind)
		}
		e.key.SetUint(n)
		return nil
	}
}
