package codec

import "reflect"

// slot returns a field that the package which declares it does not export, as if it were exported.
//
// This file is the one place where the codec goes round Go's rules of access. It is sound: v is addressable, so that the pointer is into a
// live value that the garbage collector knows of, and of just the type that it is given; and the types that it is used on (isOptional, and
// those that begin with a Kept) are those of the package above this one, whose fields mean nothing but what they hold.
func slot(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// open returns the state of an optional value and what it holds. A pointer to a struct is one to its first field, and isOptional has seen
// that this is a Presence, or a type made of it.
func open(v reflect.Value, of reflect.Type) (*Presence, reflect.Value) {
	return (*Presence)(v.Addr().UnsafePointer()), reflect.NewAt(of, v.Field(1).Addr().UnsafePointer()).Elem()
}
