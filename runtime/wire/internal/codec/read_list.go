package codec

import (
	"reflect"
	"strconv"
)

func sliceReader(t reflect.Type) reader {
	switch t.Elem().Kind() {
	case reflect.Uint8:
		if e := reflect.PointerTo(t.Elem()); !e.Implements(jsonUnmarshaler) && !e.Implements(textUnmarshaler) {
			return readBytes
		}
	case reflect.Float32:
		if t.Elem() == float32Type {
			return readVector32
		}
	case reflect.Float64:
		if t.Elem() == float64Type {
			return readVector64
		}
	default:
	}
	return readSlice
}

// firstItems returns how many items of a size have room in a list's first memory: a list of large ones has mostly one.
func firstItems(size uintptr) int {
	const room = 64
	return max(1, room/int(max(size, 1)))
}

func readSlice(d *decoder, s *shape, v reflect.Value) error {
	if d.sign() == 'n' {
		v.SetZero()
		return d.literal("null")
	}
	if d.sign() != '[' {
		return d.other("an array")
	}
	switch empty, err := d.enter(']'); {
	case err != nil:
		return err
	case empty:
		v.Set(reflect.MakeSlice(s.typ, 0, 0))
		return nil
	}
	of := s.elem.get()
	v.SetLen(0)
	begin, old := d.at, v.Cap()
	for i := 0; ; i++ {
		if i == v.Cap() {
			d.grow(v, of, i, begin)
		}
		v.SetLen(i + 1)
		item := v.Index(i)
		if i < old { // the memory is that of an older list
			item.SetZero()
		}
		if err := of.read(d, of, item); err != nil {
			return within(err, strconv.Itoa(i))
		}
		if next, err := d.more(']'); err != nil || !next {
			return err
		}
	}
}

// grow makes room in a list that has n items, which began at an offset: as much as the text that is left may need if it goes on like this,
// within bounds, for it may not.
func (d *decoder) grow(v reflect.Value, of *shape, n, begin int) {
	if n == 0 {
		v.Grow(firstItems(of.typ.Size()))
		return
	}
	const least, most = 4, 8
	left := (len(d.data) - d.at) * n / max(d.at-begin, 1)
	v.Grow(min(max(left+left/least, n/least)+1, most*n))
}

// readArray reads as many items as there is room for. More are passed over, and what is missing is zero, as with encoding/json.
func readArray(d *decoder, s *shape, v reflect.Value) error {
	if d.sign() != '[' {
		return d.other("an array")
	}
	empty, err := d.enter(']')
	if err != nil {
		return err
	}
	of := s.elem.get()
	i := 0
	for next := !empty; next; i++ {
		if i < v.Len() {
			item := v.Index(i)
			item.SetZero()
			err = of.read(d, of, item)
		} else {
			_, err = d.skip()
		}
		if err != nil {
			return within(err, strconv.Itoa(i))
		}
		if next, err = d.more(']'); err != nil {
			return err
		}
	}
	for ; i < v.Len(); i++ {
		v.Index(i).SetZero()
	}
	return nil
}
