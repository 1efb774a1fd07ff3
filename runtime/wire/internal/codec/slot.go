package codec

import (
	"reflect"
	"unsafe"
)

// slot returns a field that the package which declares it does not export, as if it were exported.
//
// This file is the one place where the codec goes round Go's rules of access. It is sound: v is addressable, so that the pointer is into a
// live value that the garbage collector knows of, and of just the type that it is given; and the types that it is used on (isOptional, and
// those that begin with a Kept) are those of the package above this one, whose fields mean nothing but what they hold.
func slot(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), address(v)).Elem()
}

// address returns where a value is. It is v.Addr().UnsafePointer(), and cheaper, for it needs no type for the pointer.
func address(v reflect.Value) unsafe.Pointer {
	return unsafe.Pointer(v.UnsafeAddr()) //nolint:gosec // in one expression, as package unsafe asks (pattern 5)
}

// open returns the state of an optional value and what it holds. A pointer to a struct is one to its first field, and isOptional has seen
// that this is a Presence, or a type made of it.
func open(v reflect.Value, of reflect.Type) (*Presence, reflect.Value) {
	return (*Presence)(address(v)), reflect.NewAt(of, address(v.Field(1))).Elem()
}

// absent reports whether the field of the struct at base is an optional value that is absent, and so left out. It is sound to read there: base
// is the address of a live struct of the type that the place was made for (writeStruct), offset is where reflect says that the field lies in
// that type, with no pointer on the way (placeOf), and an optional value begins with a Presence, or a type made of it (isOptional).
func (p *place) absent(base unsafe.Pointer) bool {
	return p.omitAbsent && *(*Presence)(unsafe.Add(base, p.offset)) == Absent
}

// text returns the text of a field of the kind String, or of an optional value of one that is present, in the struct at base; false for
// all others. It is sound for the same reasons, and because types of one kind have one form in memory.
func (p *place) text(base unsafe.Pointer) (string, bool) {
	if !p.isText || p.isOptional && *(*Presence)(unsafe.Add(base, p.offset)) != Present {
		return "", false
	}
	return *(*string)(unsafe.Add(base, p.textOffset)), true
}

// bytesOf returns the bytes of a text, which are for reading alone: as long as nobody writes to them, and nobody keeps them, they are the text in
// another form. The conversion that the language has copies them where they are given to a function in assembly.
func bytesOf(s string) []byte {
	return unsafe.Slice(unsafe.StringData(s), len(s)) //nolint:gosec // as said
}

// scalar is a kind of values that optional values hold so often that they are read without reflection.
type scalar uint8

const (
	noScalar scalar = iota
	scalarString
	scalarInt64
	scalarFloat64
	scalarBool
)

// scalarOf returns which of these a type is: by its kind, where no method of its own says otherwise.
func scalarOf(t reflect.Type) scalar {
	p := reflect.PointerTo(t)
	if t == numberType || p.Implements(jsonUnmarshaler) || p.Implements(textUnmarshaler) {
		return noScalar
	}
	switch t.Kind() {
	case reflect.String:
		return scalarString
	case reflect.Int64:
		return scalarInt64
	case reflect.Float64:
		return scalarFloat64
	case reflect.Bool:
		return scalarBool
	default:
		return noScalar
	}
}

// optionalScalar reads an optional value of such a kind: it is sound to write through a pointer to a string, say, where the kind of the value
// is String, because types of one kind have one form in memory.
func (d *decoder) optionalScalar(s *shape, v reflect.Value) error {
	to := address(v.Field(1))
	switch c := d.sign(); {
	case s.scalar == scalarString && c == '"':
		text, err := d.text()
		if err != nil {
			return err
		}
		*(*string)(to) = text
	case s.scalar == scalarInt64 && isNumber(c):
		n, err := d.int64(s.elem.get())
		if err != nil {
			return err
		}
		*(*int64)(to) = n
	case s.scalar == scalarFloat64 && isNumber(c):
		n, err := d.float64(s.elem.get())
		if err != nil {
			return err
		}
		*(*float64)(to) = n
	case s.scalar == scalarBool && (c == 't' || c == 'f'):
		if err := d.boolean(); err != nil {
			return err
		}
		*(*bool)(to) = c == 't'
	default:
		of := s.elem.get()
		return of.read(d, of, reflect.New(of.typ).Elem()) // which says what is wrong
	}
	*(*Presence)(address(v)) = Present
	return nil
}
