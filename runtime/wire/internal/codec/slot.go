package codec

import "reflect"

// slot returns a field of an optional value, which the package that declares it does not export, as one that can be set.
//
// It is the one place where the codec goes round Go's rules of access. It is sound: v is addressable, so that the pointer is one to a live
// value of just that type, which the garbage collector knows of; and the types that it is used on (see isOptional) are those of the package
// above this one, whose fields mean nothing but what they hold.
func slot(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}
