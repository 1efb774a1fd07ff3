package plan

import "github.com/resgen-go/resgen/generator/internal/model"

// LocalOf is a type declared in this package with type arguments.
type LocalOf struct {
	Name string
	Args []GoType
}

// TypeRef is a type parameter of the interface.
type TypeRef struct{ Name string }

type (
	// ArrayOf is [Len]Elem.
	ArrayOf struct {
		Len  int64
		Elem GoType
	}
	// KeyedMap is map[Key]Elem.
	KeyedMap struct{ Key, Elem GoType }
	// ChanOf is a channel.
	ChanOf struct {
		Dir  model.ChanDir
		Elem GoType
	}
)

// FuncOf is a function type; the type of the last parameter is a Slice where it is variadic.
type FuncOf struct {
	Params, Results []Named
	Variadic        bool
}

// Named is a parameter or a result with the name that it has in the generated code; an empty Name is none.
type Named struct {
	Name string
	Type GoType
}

type (
	// StructOf is a struct literal.
	StructOf struct{ Fields []LiteralField }
	// InterfaceOf is an interface literal.
	InterfaceOf struct {
		Methods []LiteralMethod
		Embeds  []GoType
	}
	// UnionOf is a union of a constraint.
	UnionOf struct{ Terms []Term }
)

// LiteralField is a field of a struct literal; Tag is unquoted.
type LiteralField struct {
	Named

	Embedded bool
	Tag      string
}

// LiteralMethod is a method of an interface literal.
type LiteralMethod struct {
	Name string
	Func FuncOf
}

// Term is one term of a union.
type Term struct {
	Tilde bool
	Type  GoType
}

func (LocalOf) goType()     {}
func (TypeRef) goType()     {}
func (ArrayOf) goType()     {}
func (KeyedMap) goType()    {}
func (ChanOf) goType()      {}
func (FuncOf) goType()      {}
func (StructOf) goType()    {}
func (InterfaceOf) goType() {}
func (UnionOf) goType()     {}
