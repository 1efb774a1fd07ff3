package codec

import (
	"reflect"
	"sync"
	"unicode/utf8"
)

// decoder reads one text from its beginning to its end. A reader is called with at on the first byte of its value, or at the end of the
// text, and leaves it after the value.
type decoder struct {
	data  []byte
	at    int
	depth int

	words   words
	scratch []byte // for texts with escapes
	seen    []uint64
	notes   *Notes // nil where nothing is asked for
	last    *shape // of the value that was read last: mostly the next is of its type
}

// decoders are kept for their memory only.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// Decode reads one JSON text into what v points to. All errors but those of the program itself are *Error. After one, what v points to may
// hold a part of the text. Nothing of v aliases data, save what methods of types keep against the rules of json.Unmarshaler.
func Decode(data []byte, v any) error {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return errNotPointer
	}
	return decode(data, p.Elem(), nil)
}

func decode(data []byte, v reflect.Value, notes *Notes) error {
	d := decoders.Get().(*decoder) //nolint:forcetypeassert // nothing else is in the pool
	d.data, d.at, d.depth, d.notes = data, space(data, 0), 0, notes
	err := d.whole(v)
	d.release()
	return err
}

// release gives the decoder back, without what is too large to be kept.
func (d *decoder) release() {
	const kept = 64 << 10
	d.data, d.seen, d.notes = nil, d.seen[:0], nil
	if cap(d.scratch) > kept {
		d.scratch = nil
	}
	decoders.Put(d)
}

// whole reads a value that is all of the text.
func (d *decoder) whole(v reflect.Value) error {
	s := d.last
	if t := v.Type(); s == nil || s.typ != t {
		s = shapeOf(t)
		d.last = s
	}
	if err := s.read(d, s, v); err != nil {
		return err
	}
	if d.at = space(d.data, d.at); d.at < len(d.data) {
		return d.fault(faultSign, d.at, expectEnd)
	}
	return nil
}

// sign returns the byte that is next; 0, which begins nothing, at the end.
func (d *decoder) sign() byte {
	if d.at < len(d.data) {
		return d.data[d.at]
	}
	return 0
}

// space passes over white space.
func (d *decoder) space() {
	if d.at < len(d.data) && d.data[d.at] <= ' ' {
		d.at = space(d.data, d.at)
	}
}

// literal passes over true, false or null.
func (d *decoder) literal(text string) error {
	end, f := scanLiteral(d.data, d.at, text)
	if f != fine {
		return d.fault(f, end, text)
	}
	d.at = end
	return nil
}

// skip passes over a value and returns it as it is written.
func (d *decoder) skip() ([]byte, error) {
	from := d.at
	end, f := scanValue(d.data, d.at, maxDepth-d.depth)
	if f != fine {
		return nil, d.fault(f, end, "a JSON value")
	}
	d.at = end
	d.passed(from, end)
	return d.data[from:end], nil
}

// enter passes over the bracket that begins a list or an object, and reports whether it is empty: then closing is passed over too. Lists and
// objects lie in each other as deep as depth says; more counts them out again.
func (d *decoder) enter(closing byte) (empty bool, err error) {
	d.at++
	if d.depth++; d.depth > maxDepth {
		return false, &Error{Offset: d.at - 1, Err: errDepth}
	}
	if d.space(); d.sign() != closing {
		return false, nil
	}
	d.at++
	d.depth--
	return true, nil
}

// more passes over what stands between two items or members, and reports whether there is one more; closing ends them. It is called after
// each, and not before the first.
func (d *decoder) more(closing byte) (bool, error) {
	d.space()
	switch c := d.sign(); c {
	case ',':
		d.at++
		d.space()
		return true, nil
	case closing:
		d.at++
		d.depth--
		return false, nil
	default:
		if closing == '}' {
			return false, d.missing("',' or '}'")
		}
		return false, d.missing("',' or ']'")
	}
}

// missing is for a sign that is not what must stand there, or the end of the text.
func (d *decoder) missing(expected string) error {
	if d.at >= len(d.data) {
		return d.fault(faultEnd, d.at, expected)
	}
	return d.fault(faultSign, d.at, expected)
}

// span passes over a string and returns what is between its quotes, its escapes undone. It is valid until the next one is read.
func (d *decoder) span() ([]byte, error) {
	from := d.at + 1
	end, wide := plain(d.data, from)
	if end < len(d.data) && d.data[end] == '"' && wide&highs == 0 { // most are
		d.at = end + 1
		return d.data[from:end], nil
	}
	return d.oddSpan(from, end, wide)
}

// oddSpan is span for a string that is more than ASCII without escapes; plain has come to i. What is between escapes is put together as it is
// passed over.
func (d *decoder) oddSpan(from, i int, wide uint64) ([]byte, error) {
	out, begin := d.scratch[:0], from
	for {
		if i >= len(d.data) {
			return nil, d.fault(faultEnd, i, "a string")
		}
		if wide&highs != 0 && !utf8.Valid(d.data[begin:i]) {
			return nil, d.fault(faultUTF8, badUTF8(d.data, begin), "a string")
		}
		switch d.data[i] {
		case '"':
			d.at = i + 1
			if begin == from { // no escape
				return d.data[from:i], nil
			}
			out = append(out, d.data[begin:i]...)
			d.scratch = out
			return out, nil
		case '\\':
			if end, f := scanEscape(d.data, i+1); f != fine {
				return nil, d.fault(f, end, "a string")
			}
			out = appendPart(out, d.data, begin, i)
			out, begin = unescapeOne(out, d.data, i)
			i, wide = plain(d.data, begin)
		default:
			return nil, d.fault(faultControl, i, "a string")
		}
	}
}

// text reads a string.
func (d *decoder) text() (string, error) {
	from := d.at
	inside, err := d.span()
	if err != nil {
		return "", err
	}
	d.passed(from, d.at)
	return d.words.text(inside), nil
}

// name reads the name of a member and its colon.
func (d *decoder) name() ([]byte, error) {
	if d.sign() != '"' {
		return nil, d.missing("the name of a member")
	}
	name, err := d.span()
	if err != nil {
		return nil, err
	}
	if d.space(); d.sign() != ':' {
		return nil, d.missing("':'")
	}
	d.at++
	d.space()
	return name, nil
}
