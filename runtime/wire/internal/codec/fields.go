package codec

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
)

// field is a member of an object that has a place in a struct.
type field struct {
	name string
	// expect is the name as nearly all servers write it, colon and all; empty where there is more than one way to write it.
	expect string
	// written is the name as it is written, after a comma and before a colon.
	written string
	index   []int // the way through embedded structs
	at      int   // where the field stands in its table
	of      lazy
	after   follower
	plain   scalar // what the field is, if it is one of these

	omitZero, omitEmpty bool
	quoted              bool // a scalar in a string: the option `string`
	tagged              bool // the name comes from a tag

	isZero func(v reflect.Value) bool // where omitZero is set
	in     place
}

// fields are the members that a struct has places for, in the order of its fields.
type fields struct {
	list []*field
	// extra is the field that takes the members which have no other; nil where there is none.
	extra *field
	begin follower // the field that servers send first
	sums  []uint16 // an open hash table of positions in list, plus one; see find
}

// follower is the field that servers send after another, where that is not the next of the struct. It is what the first text says, and a
// guess: a wrong one costs a look into the table.
type follower struct{ atomic.Pointer[field] }

// learn keeps the first answer.
func (f *follower) learn(next *field) {
	if f.Load() == nil {
		f.Store(next)
	}
}

// value returns the field of a struct. Embedded pointers on the way are made where they are nil; the value is not valid where one cannot be.
func (f *field) value(v reflect.Value) reflect.Value {
	for i, at := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !v.CanSet() {
					return reflect.Value{} // a pointer to a type that is not exported
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v
}

// fieldsOf collects the fields of a struct: those of embedded structs among them, where Go's rules for names let them through (the least
// deep one; of equals the one with a tag; of equals still none).
func fieldsOf(t reflect.Type) *fields {
	out := &fields{}
	var all []*field
	collect(t, nil, map[reflect.Type]bool{}, &all, out)
	byName := map[string][]int{}
	for i, f := range all {
		byName[f.name] = append(byName[f.name], i)
	}
	for i, f := range all {
		if dominant(all, byName[f.name]) == i {
			f.at = len(out.list)
			f.written = writtenName(f.name)
			f.isZero = zeroTest(f.of.typ)
			f.in = placeOf(t, f)
			out.list = append(out.list, f)
		}
	}
	out.hash()
	return out
}

// collect appends the fields of a struct and of the structs embedded in it, in the order of their declaration.
func collect(t reflect.Type, index []int, within map[reflect.Type]bool, all *[]*field, out *fields) {
	if within[t] {
		return // what it would add lies deeper than what is there
	}
	within[t] = true
	defer delete(within, t)
	for f := range t.Fields() {
		way := append(slices.Clone(index), f.Index...)
		if wire, ok := parseTag(f.Tag.Get("wire")); ok && f.IsExported() {
			made := &field{name: wire.name, index: way, omitZero: wire.omitZero, tagged: true, of: lazy{typ: f.Type}}
			switch {
			case wire.additional && len(index) == 0 && f.Type.Kind() == reflect.Map:
				out.extra = made
			case wire.hasName:
				*all = append(*all, made)
			}
			continue
		}
		tag := f.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if !isName(name) {
			name = ""
		}
		if f.Anonymous && name == "" {
			if inner := embedded(f.Type); inner != nil {
				collect(inner, way, within, all, out)
				continue
			}
		}
		if !f.IsExported() {
			continue
		}
		made := &field{name: cmp.Or(name, f.Name), index: way, tagged: name != "", of: lazy{typ: f.Type}}
		made.options(options)
		if !made.quoted {
			made.plain = scalarOf(f.Type)
		}
		made.expect = expected(made.name)
		*all = append(*all, made)
	}
}

// embedded returns the struct whose fields an embedded field lends to its holder; nil where the field is one of its own.
func embedded(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

// options reads what follows the name in a json tag.
func (f *field) options(text string) {
	for option := range strings.SplitSeq(text, ",") {
		switch option {
		case "omitzero":
			f.omitZero = true
		case "omitempty":
			f.omitEmpty = true
		case "string":
			f.quoted = isQuotable(f.of.typ)
		}
	}
}

// isQuotable reports whether the option `string` means anything for a type.
func isQuotable(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.String:
		return true
	default:
		return false
	}
}

// isName reports whether a tag's name is one that encoding/json takes; it uses the field's own name instead of any other.
func isName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// dominant returns which of several fields with one name is seen; -1 if they hide each other.
func dominant(all []*field, same []int) int {
	best, twice := same[0], false
	for _, i := range same[1:] {
		switch a, b := all[i], all[best]; {
		case len(a.index) != len(b.index):
			if len(a.index) < len(b.index) {
				best, twice = i, false
			}
		case a.tagged != b.tagged:
			if a.tagged {
				best, twice = i, false
			}
		default:
			twice = true
		}
	}
	if twice {
		return -1
	}
	return best
}

// isNative reports whether a struct has a tag of ours.
func isNative(t reflect.Type) bool {
	for f := range t.Fields() {
		if _, ok := parseTag(f.Tag.Get("wire")); ok {
			return true
		}
	}
	return false
}

// expected returns `"name":` for names that have one spelling in JSON.
func expected(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\&<>'`, r) }) {
		return ""
	}
	return `"` + name + `":`
}

// The hash table is keyed by a name's length and its ends, which is enough to tell most names of a struct apart.

func (t *fields) hash() {
	size := 4
	for size < 2*len(t.list) {
		size *= 2
	}
	t.sums = make([]uint16, size)
	for i := range t.list {
		at := sum(t.list[i].name, size)
		for t.sums[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		t.sums[at] = uint16(i + 1)
	}
}

func sum[T string | []byte](name T, size int) int {
	n := len(name)
	if n == 0 {
		return 0
	}
	h := uint32(n)*0x9E3779B1 ^ uint32(name[0])*0x85EBCA6B ^ uint32(name[n-1])*0xC2B2AE35 ^ uint32(name[n/2])*0x27D4EB2F
	return int(h>>16^h) & (size - 1)
}

// find returns the field of that name; nil if there is none.
func (t *fields) find(name []byte) *field {
	size := len(t.sums)
	for at := sum(name, size); t.sums[at] != 0; at = (at + 1) & (size - 1) {
		if f := t.list[t.sums[at]-1]; f.name == string(name) {
			return f
		}
	}
	return nil
}
