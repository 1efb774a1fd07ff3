package codec

import (
	"math"
	"reflect"
	"strconv"
)

// isNumber reports whether a number begins with c.
func isNumber(c byte) bool { return c == '-' || c-'0' <= 9 }

func readInt(d *decoder, s *shape, v reflect.Value) error {
	if !isNumber(d.sign()) {
		return d.other("an integer")
	}
	from := d.at
	n, err := d.int64(s)
	if err != nil {
		return err
	}
	if v.OverflowInt(n) {
		return d.unfit(from, s)
	}
	v.SetInt(n)
	return nil
}

func (d *decoder) int64(s *shape) (int64, error) {
	from := d.at
	size, neg, err := d.integer(s)
	if err != nil {
		return 0, err
	}
	if size > math.MaxInt64 && (!neg || size > 1<<63) {
		return 0, d.unfit(from, s)
	}
	if neg {
		return -int64(size), nil
	}
	return int64(size), nil
}

func readUint(d *decoder, s *shape, v reflect.Value) error {
	if !isNumber(d.sign()) {
		return d.other("an integer")
	}
	from := d.at
	n, neg, err := d.integer(s)
	if err != nil {
		return err
	}
	if neg && n != 0 || v.OverflowUint(n) {
		return d.unfit(from, s)
	}
	v.SetUint(n)
	return nil
}

// unfit is for a number, just read, that the type has no room for.
func (d *decoder) unfit(from int, s *shape) error {
	return misfit(from, "the number %s does not fit %s", snippet(d.data[from:d.at]), s.typ.Kind())
}

// snippet returns the beginning of a text that may be long.
func snippet(text []byte) []byte {
	const most = 40
	if len(text) > most {
		return append(append([]byte(nil), text[:most]...), "..."...)
	}
	return text
}

// integer reads an integer. 1.0 and 1e3 are integers, as they are to JSON Schema.
func (d *decoder) integer(s *shape) (n uint64, neg bool, _ error) {
	data, i := d.data, d.at
	if data[i] == '-' {
		neg = true
		i++
	}
	from := i
	for i < len(data) && data[i]-'0' <= 9 {
		n = n*10 + uint64(data[i]-'0')
		i++
	}
	count := i - from
	plain := i >= len(data) || data[i] != '.' && data[i]|0x20 != 'e'
	if plain && count > 0 && count <= maxDigits && (count == 1 || data[from] != '0') {
		d.at = i
		return n, neg, nil
	}
	return d.odd(s)
}

// odd reads an integer that is written with a fraction or an exponent, or that is long.
func (d *decoder) odd(s *shape) (n uint64, neg bool, _ error) {
	from := d.at
	end, f := scanNumber(d.data, from)
	if f != fine {
		return 0, false, d.fault(f, end, "a digit")
	}
	text := d.data[from:end]
	d.at = end
	n, exact, fits := whole(text)
	switch {
	case !exact:
		return 0, false, misfit(from, "expected an integer, found %s", snippet(text))
	case !fits:
		return 0, false, d.unfit(from, s)
	default:
		return n, text[0] == '-', nil
	}
}

// whole returns the size of a number that was scanned, whether it is an integer, and whether it fits.
func whole(text []byte) (n uint64, exact, fits bool) {
	written, i := decimal{}, 0
	zeros := 0 // before the next digit that is none; they count only if there is one
	scale := 0 // how many digits follow the point
	fits = true
	point := false
	for ; i < len(text) && text[i]|0x20 != 'e'; i++ {
		switch c := text[i]; c {
		case '-':
			continue
		case '.':
			point = true
			continue
		case '0':
			zeros++
		default:
			n, fits = shifted(n, zeros+1, fits)
			if next := n + uint64(c-'0'); next < n {
				fits = false
			} else {
				n = next
			}
			zeros = 0
		}
		if point {
			scale++
		}
	}
	if i < len(text) {
		written.exponent(text, i+1)
	}
	if n == 0 && fits {
		return 0, true, true
	}
	power := written.exp - scale + zeros // n × 10^power is the number
	if power < 0 {
		return 0, false, false
	}
	n, fits = shifted(n, power, fits)
	return n, true, fits
}

// shifted returns n × 10^power, and whether it fits.
func shifted(n uint64, power int, fits bool) (uint64, bool) {
	for ; fits && power > 0 && n > 0; power-- {
		if n > math.MaxUint64/10 {
			return n, false
		}
		n *= 10
	}
	return n, fits
}

func readFloat64(d *decoder, s *shape, v reflect.Value) error {
	if !isNumber(d.sign()) {
		return d.other("a number")
	}
	f, err := d.float64(s)
	if err != nil {
		return err
	}
	v.SetFloat(f)
	return nil
}

func (d *decoder) float64(s *shape) (float64, error) {
	from := d.at
	n, end, f := scanDecimal(d.data, from)
	if f != fine {
		return 0, d.fault(f, end, "a digit")
	}
	d.at = end
	number, ok := n.float64()
	if !ok {
		var err error
		if number, err = strconv.ParseFloat(string(d.data[from:end]), 64); err != nil {
			return 0, d.unfit(from, s)
		}
	}
	return number, nil
}

func readFloat32(d *decoder, s *shape, v reflect.Value) error {
	if !isNumber(d.sign()) {
		return d.other("a number")
	}
	f, err := d.float32(s)
	if err != nil {
		return err
	}
	v.SetFloat(float64(f))
	return nil
}

func (d *decoder) float32(s *shape) (float32, error) {
	from := d.at
	n, end, f := scanDecimal(d.data, from)
	if f != fine {
		return 0, d.fault(f, end, "a digit")
	}
	d.at = end
	number, ok := n.float32()
	if !ok {
		wide, err := strconv.ParseFloat(string(d.data[from:end]), 32)
		if err != nil {
			return 0, d.unfit(from, s)
		}
		number = float32(wide)
	}
	return number, nil
}
