package codec

import (
	"fmt"
	"reflect"
)

// maxBits is how many fields one word can say of that they were read.
const maxBits = 64

func readStruct(d *decoder, s *shape, v reflect.Value) error {
	if d.sign() != '{' {
		return d.other("an object")
	}
	if empty, err := d.enter('}'); empty || err != nil {
		return err
	}
	t := s.table()
	r := object{t: t, v: v}
	if d.depth == 1 && d.notes != nil {
		r.notes = d.notes
		r.notes.begin()
	}
	if len(t.list) <= maxBits {
		return r.members(d)
	}
	r.base = len(d.seen)
	d.seen = append(d.seen, make([]uint64, (len(t.list)-1)/maxBits)...)
	err := r.members(d)
	d.seen = d.seen[:r.base]
	return err
}

// object is a struct that is being read.
type object struct {
	t    *fields
	v    reflect.Value
	last *field // the field that was read last
	seen uint64 // of the first 64 fields, which were read
	base int    // where those of the others are in the decoder's

	extra *entries // the members of no field
	notes *Notes   // of the outermost object
}

// members reads the members up to the end of the object.
func (r *object) members(d *decoder) error {
	for {
		if err := r.member(d); err != nil {
			return err
		}
		// What follows is more(), spelled out: it is the most frequent thing in all texts.
		if i := d.at; i+1 < len(d.data) && d.data[i] == ',' && d.data[i+1] == '"' {
			d.at = i + 1
			continue
		}
		if next, err := d.more('}'); err != nil || !next {
			return err
		}
	}
}

// member reads one member.
func (r *object) member(d *decoder) error {
	f := r.next()
	if from := d.at; f != nil && d.begins(f.expect) {
		if from += len(f.expect); from < len(d.data) && d.data[from] <= ' ' {
			from = space(d.data, from)
		}
		d.at = from
	} else {
		name, err := d.name()
		if err != nil {
			return err
		}
		if f = r.t.find(name); f == nil {
			return r.other(d, from, name)
		}
		r.learn(f)
	}
	r.last = f
	if !r.first(d, f.at) {
		return within(misfit(d.at, "the member comes twice"), f.name)
	}
	var v reflect.Value
	if len(f.index) == 1 {
		v = r.v.Field(f.index[0])
	} else if v = f.value(r.v); !v.IsValid() {
		return within(misfit(d.at, "the field lies behind an embedded pointer that cannot be set"), f.name)
	}
	from := d.at
	if end := d.plain(f.plain, v, from); end > 0 {
		d.at = end
	} else if err := d.field(f, v); err != nil {
		return within(err, f.name)
	}
	if r.notes != nil {
		r.notes.put(askedFor(r.notes, f.name), d.data[from:d.at])
	}
	return nil
}

// field reads the value of a field.
func (d *decoder) field(f *field, v reflect.Value) error {
	if f.quoted {
		return d.quoted(v)
	}
	of := f.of.get()
	return of.read(d, of, v)
}

// plain reads what most members are, texts without escapes and integers of some digits, in one step. It returns where they end; 0 for all
// other values.
func (d *decoder) plain(kind scalar, v reflect.Value, i int) int {
	data := d.data
	if i >= len(data) {
		return 0
	}
	switch kind {
	case scalarString:
		if data[i] != '"' {
			return 0
		}
		end, wide := plain(data, i+1)
		if end >= len(data) || data[end] != '"' || wide&highs != 0 {
			return 0
		}
		v.SetString(d.words.text(data[i+1 : end]))
		d.passed(i, end+1)
		return end + 1
	case scalarInt64:
		n, from := int64(0), i
		for i < len(data) && data[i]-'0' <= 9 {
			n = n*10 + int64(data[i]-'0')
			i++
		}
		const most = 18 // digits that fit
		if i == from || i > from+most || i >= len(data) || data[i] != ',' && data[i] != '}' || data[from] == '0' && i > from+1 {
			return 0
		}
		v.SetInt(n)
		return i
	default:
		return 0
	}
}

// next guesses the field that comes next; nil at the end. Members mostly come in the order of the fields, and else in one order of their own.
func (r *object) next() *field {
	after := &r.t.begin
	at := 0
	if r.last != nil {
		after, at = &r.last.after, r.last.at+1
	}
	if f := after.Load(); f != nil {
		return f
	}
	if at < len(r.t.list) {
		return r.t.list[at]
	}
	return nil
}

// learn notes a field that was not guessed.
func (r *object) learn(f *field) {
	if r.last == nil {
		r.t.begin.learn(f)
	} else {
		r.last.after.learn(f)
	}
}

// begins reports whether the rest of the text begins with what is expected.
func (d *decoder) begins(expect string) bool {
	n := len(expect)
	return n > 0 && len(d.data)-d.at >= n && string(d.data[d.at:d.at+n]) == expect
}

// first notes that a field was read; false if it had been.
func (r *object) first(d *decoder, at int) bool {
	word, bit := &r.seen, uint64(1)<<(at%maxBits)
	if at >= maxBits {
		word = &d.seen[r.base+at/maxBits-1]
	}
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}

// other reads a member that has no field.
func (r *object) other(d *decoder, from int, name []byte) error {
	if r.notes == nil {
		return r.unknown(d, from, name)
	}
	asked, value := askedFor(r.notes, name), d.at
	if err := r.unknown(d, from, name); err != nil {
		return err
	}
	r.notes.put(asked, d.data[value:d.at])
	return nil
}

func (r *object) unknown(d *decoder, from int, name []byte) error {
	if r.t.extra == nil {
		_, err := d.skip()
		if err != nil {
			return within(err, string(name))
		}
		return nil
	}
	if r.extra == nil {
		r.extra = newEntries(r.t.extra.value(r.v), r.t.extra.of.get())
	}
	return r.extra.read(d, d.words.text(name), from)
}

// quoted reads a scalar that is written in a string, as the option `string` of a tag has it.
func (d *decoder) quoted(v reflect.Value) error {
	if d.sign() != '"' {
		return d.other("a string with a value in it")
	}
	from := d.at
	text, err := d.text()
	if err != nil {
		return err
	}
	if err := Decode([]byte(text), v.Addr().Interface()); err != nil {
		return &Error{Offset: from, Err: fmt.Errorf("in the string: %w", err)}
	}
	return nil
}
