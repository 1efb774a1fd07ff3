package codec

import (
	"bytes"
	"reflect"
	"strconv"
)

var (
	float32Type  = reflect.TypeFor[float32]()
	float64Type  = reflect.TypeFor[float64]()
	vector32Type = reflect.TypeFor[*[]float32]()
	vector64Type = reflect.TypeFor[*[]float64]()
	float64Shape = &shape{typ: float64Type}
)

// readVector32 reads []float32, and types that are made of it.
func readVector32(d *decoder, s *shape, v reflect.Value) error {
	p, _ := reflect.TypeAssert[*[]float32](v.Addr().Convert(vector32Type))
	return readVector(d, s, p)
}

// readVector64 reads []float64, and types that are made of it.
func readVector64(d *decoder, s *shape, v reflect.Value) error {
	p, _ := reflect.TypeAssert[*[]float64](v.Addr().Convert(vector64Type))
	return readVector(d, s, p)
}

// readVector reads an array of numbers, or base64 of little-endian float32: what embeddings come as with encoding_format: base64.
func readVector[T float32 | float64](d *decoder, s *shape, p *[]T) error {
	switch d.sign() {
	case 'n':
		*p = nil
		return d.literal("null")
	case '"':
		return readPacked(d, p)
	case '[':
	default:
		return d.other("an array of numbers")
	}
	from := d.at
	empty, err := d.enter(']')
	if err != nil {
		return err
	}
	out := (*p)[:0]
	if empty {
		if out == nil {
			out = []T{}
		}
		*p = out
		return nil
	}
	if cap(out) == 0 {
		out = make([]T, 0, d.numbers())
	}
	out, err = readNumbers(d, s, out)
	if *p = out; err != nil {
		return err
	}
	d.depth--
	d.passed(from, d.at)
	return nil
}

// numbers returns how many numbers the array has that has just begun, as its commas say.
func (d *decoder) numbers() int {
	rest := d.data[d.at:]
	before, _, ok := bytes.Cut(rest, []byte{']'})
	if !ok {
		return 0 // it is cut off
	}
	return bytes.Count(before, comma) + 1
}

var comma = []byte{','}

// readNumbers reads numbers up to the end of their array. null is 0, as it is in other lists.
func readNumbers[T float32 | float64](d *decoder, s *shape, out []T) ([]T, error) {
	const uneven = 1<<24 + 1 // no float32
	narrow := T(uneven) == T(uneven-1)
	data, i := d.data, d.at
	for {
		var number T
		n, end, f := scanDecimal(data, i)
		switch {
		case f != fine:
			if d.at = i; isNumber(d.sign()) {
				return out, within(d.fault(f, end, "a digit"), strconv.Itoa(len(out)))
			}
			if err := d.other("a number"); err != nil {
				return out, within(err, strconv.Itoa(len(out)))
			}
			end = d.at
		case narrow:
			exact, ok := n.float32()
			if number = T(exact); !ok {
				d.at = i
				slow, err := d.float32(s.elem.get())
				if err != nil {
					return out, within(err, strconv.Itoa(len(out)))
				}
				number = T(slow)
			}
		default:
			exact, ok := n.float64()
			if number = T(exact); !ok {
				d.at = i
				slow, err := d.float64(s.elem.get())
				if err != nil {
					return out, within(err, strconv.Itoa(len(out)))
				}
				number = T(slow)
			}
		}
		out = append(out, number)
		i = end
		if i+1 < len(data) && data[i] == ',' && data[i+1] > ' ' {
			i++
			continue
		}
		i = space(data, i)
		if i < len(data) && data[i] == ',' {
			i = space(data, i+1)
			continue
		}
		if d.at = i; i < len(data) && data[i] == ']' {
			d.at++
			return out, nil
		}
		return out, d.missing("',' or ']'")
	}
}
