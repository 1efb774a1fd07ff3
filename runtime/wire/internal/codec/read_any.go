package codec

import (
	"reflect"
	"strconv"
)

// readInterface reads a value of no type: nil, bool, float64, string, []any or map[string]any, as encoding/json does. A pointer that is
// there already is read into.
func readInterface(d *decoder, s *shape, v reflect.Value) error {
	if d.sign() == 'n' {
		v.SetZero()
		return d.literal("null")
	}
	if held := v.Elem(); held.Kind() == reflect.Pointer && !held.IsNil() {
		of := shapeOf(held.Type().Elem())
		return of.read(d, of, held.Elem())
	}
	if s.typ.NumMethod() > 0 {
		return misfit(d.at, "JSON does not say what type of %s it is", s.typ)
	}
	value, err := d.any()
	if err != nil {
		return err
	}
	v.Set(reflect.ValueOf(value))
	return nil
}

// any reads a value that is not null, or null as nil.
func (d *decoder) any() (any, error) {
	switch c := d.sign(); c {
	case '{':
		return d.anyObject()
	case '[':
		return d.anyList()
	case '"':
		return d.text()
	case 't':
		return true, d.literal("true")
	case 'f':
		return false, d.literal("false")
	case 'n':
		return nil, d.literal("null")
	default:
		if !isNumber(c) {
			return nil, d.missing("a JSON value")
		}
		return d.float64(float64Shape)
	}
}

func (d *decoder) anyObject() (any, error) {
	empty, err := d.enter('}')
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	if empty {
		return out, nil
	}
	for {
		from := d.at
		raw, err := d.name()
		if err != nil {
			return nil, err
		}
		name := d.words.text(raw)
		value, err := d.any()
		if err != nil {
			return nil, within(err, name)
		}
		before := len(out)
		if out[name] = value; len(out) == before {
			return nil, within(misfit(from, "the member comes twice"), name)
		}
		if next, err := d.more('}'); err != nil || !next {
			return out, err
		}
	}
}

func (d *decoder) anyList() (any, error) {
	empty, err := d.enter(']')
	if err != nil {
		return nil, err
	}
	out := []any{}
	if empty {
		return out, nil
	}
	for {
		value, err := d.any()
		if err != nil {
			return nil, within(err, strconv.Itoa(len(out)))
		}
		out = append(out, value)
		if next, err := d.more(']'); err != nil || !next {
			return out, err
		}
	}
}
