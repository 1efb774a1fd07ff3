package codec

import (
	"reflect"
	"sync"
	"sync/atomic"
)

// shape is what reading and writing know of a type. It is made once for each type and never changes, but for the parts that are made when
// they are first needed: so types may hold themselves, and a large package costs only what of it is used.
type shape struct {
	typ   reflect.Type
	read  reader
	write writer
	// elem is what a list, a map, a pointer or an optional value holds; key is the key of a map.
	elem, key lazy
	members   atomic.Pointer[fields] // of a struct; see table
	sizes     sizes                  // of the texts that Marshal made
	null      Presence               // what null makes of an optional value
	scalar    scalar                 // what an optional value holds, if it is one of these
}

// isObject reports whether values of the type, or what they point to, are written as an object of their fields, or by a method of their own.
func (s *shape) isObject() bool {
	if s.typ.Kind() == reflect.Pointer {
		s = s.elem.get()
	}
	return s.typ.Kind() == reflect.Struct && !isOptional(s.typ)
}

// sizes say how large the next text of a type may be. The zero value knows nothing.
type sizes struct{ last, least atomic.Int64 }

// expected returns a size that the last two texts had: one large text alone does not make room for those that follow.
func (s *sizes) expected() int { return int(s.least.Load()) }

// note notes the size of a text.
func (s *sizes) note(size int) {
	now := int64(size)
	s.least.Store(min(now, s.last.Swap(now)))
}

// lazy is the shape of a type, made at its first use.
type lazy struct {
	typ  reflect.Type
	made atomic.Pointer[shape]
}

func (l *lazy) get() *shape {
	if s := l.made.Load(); s != nil {
		return s
	}
	return l.first()
}

// first is apart, so that get is no call.
func (l *lazy) first() *shape {
	s := shapeOf(l.typ)
	l.made.Store(s)
	return s
}

// table returns the fields of a struct.
func (s *shape) table() *fields {
	if t := s.members.Load(); t != nil {
		return t
	}
	t := fieldsOf(s.typ)
	s.members.Store(t)
	return t
}

// shapes remembers the shape of each type: it only ever grows, by what the program's types say.
var shapes sync.Map

// shapeOf returns the shape of a type.
func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape) //nolint:forcetypeassert // nothing else is stored
	}
	s := &shape{typ: t}
	switch t.Kind() {
	case reflect.Map:
		s.elem.typ, s.key.typ = t.Elem(), t.Key()
	case reflect.Pointer, reflect.Slice, reflect.Array:
		s.elem.typ = t.Elem()
	default:
		if isOptional(t) {
			s.elem.typ = t.Field(1).Type
			if t.Field(0).Type == nullableType {
				s.null = NullThere
			}
			s.scalar = scalarOf(s.elem.typ)
		}
	}
	s.read, s.write = readerOf(t), writerOf(t)
	known, _ := shapes.LoadOrStore(t, s)
	return known.(*shape) //nolint:forcetypeassert // nothing else is stored
}
