package model

// GoType is how a Go type is spelled, without go/types. It is one of GoNamed, GoPointer, GoSlice, GoArray, GoMap, GoChan, GoFunc,
// GoStruct, GoInterface, GoUnion, GoTypeRef.
type GoType interface{ goType() }

// GoNamed is a type with a name, possibly an alias (which is kept, not followed). PkgPath is empty for predeclared types.
type GoNamed struct {
	PkgPath, PkgName, Name string
	Args                   []GoType
}

// GoPointer is *Elem.
type GoPointer struct{ Elem GoType }

// GoSlice is []Elem.
type GoSlice struct{ Elem GoType }

// GoArray is [Len]Elem.
type GoArray struct {
	Len  int64
	Elem GoType
}

// GoMap is map[Key]Elem.
type GoMap struct{ Key, Elem GoType }

// ChanDir is the direction of a channel.
type ChanDir uint8

// The directions.
const (
	BothWays ChanDir = iota
	SendOnly
	ReceiveOnly
)

// GoChan is a channel.
type GoChan struct {
	Dir  ChanDir
	Elem GoType
}

// GoFunc is a function; the type of the last parameter is a GoSlice where it is variadic.
type GoFunc struct {
	Params, Results []GoParam
	Variadic        bool
}

// GoStruct is a struct literal.
type GoStruct struct{ Fields []GoField }

// GoField is a field of a struct literal, with its tag as it is, unquoted.
type GoField struct {
	Name     string
	Type     GoType
	Embedded bool
	Tag      string
}

// GoInterface is an interface literal.
type GoInterface struct {
	Methods []GoMethod
	Embeds  []GoType
}

// GoMethod is a method of an interface literal.
type GoMethod struct {
	Name string
	Func GoFunc
}

// GoUnion is a union of a constraint: ~int | string.
type GoUnion struct{ Terms []GoTerm }

// GoTerm is one term of a union.
type GoTerm struct {
	Tilde bool
	Type  GoType
}

// GoTypeRef is a type parameter.
type GoTypeRef struct{ Name string }

func (GoNamed) goType()     {}
func (GoPointer) goType()   {}
func (GoSlice) goType()     {}
func (GoArray) goType()     {}
func (GoMap) goType()       {}
func (GoChan) goType()      {}
func (GoFunc) goType()      {}
func (GoStruct) goType()    {}
func (GoInterface) goType() {}
func (GoUnion) goType()     {}
func (GoTypeRef) goType()   {}
