package codec

import "reflect"

// place is where writing finds the text of a field, and whether an optional value is there, without reflection. The zero value knows nothing.
type place struct {
	offset     uintptr // of the field in the struct
	textOffset uintptr // of the text, where isText
	isText     bool    // a text that has no form of its own, or an optional value of one
	isOptional bool
	omitAbsent bool // an optional value that is left out where it is absent
	omitNoText bool // a text that is left out where it is empty
}

// placeOf returns the place of a field of a struct. Behind embedded pointers there is none.
func placeOf(t reflect.Type, f *field) place {
	var p place
	for i, at := range f.index {
		if i > 0 && t.Kind() == reflect.Pointer {
			return place{}
		}
		in := t.Field(at)
		p.offset += in.Offset
		t = in.Type
	}
	p.textOffset = p.offset
	if p.isOptional = isOptional(t); p.isOptional {
		held := t.Field(1)
		p.textOffset += held.Offset
		t = held.Type
		p.omitAbsent = f.omitZero
	} else {
		p.omitNoText = f.omitZero || f.omitEmpty
		if f.omitZero && reflect.PointerTo(t).Implements(zeroer) {
			return p // which says what is zero
		}
	}
	p.isText = !f.quoted && isText(t)
	return p
}

// isText reports whether the texts of a type are written as they are: writerOf has writeString for it.
func isText(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return t.Kind() == reflect.String && t != numberType && !p.Implements(jsonMarshaler) && !p.Implements(textMarshaler)
}
