package plan

import (
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// GoType is how a Go type is spelled. It is one of Basic, Qual, Local, Pointer, Slice, MapOf, and in the signatures of Go interfaces one of
// those in functype.go too.
type GoType interface{ goType() }

// Basic is a predeclared type.
type Basic struct{ Name string }

// Qual is a type of another package, with type arguments.
type Qual struct {
	Path string
	Name string
	Args []GoType
}

// Local is a type declared in this package.
type Local struct{ Name string }

// Pointer is *Elem.
type Pointer struct{ Elem GoType }

// Slice is []Elem.
type Slice struct{ Elem GoType }

// MapOf is map[string]Elem.
type MapOf struct{ Elem GoType }

func (Basic) goType()   {}
func (Qual) goType()    {}
func (Local) goType()   {}
func (Pointer) goType() {}
func (Slice) goType()   {}
func (MapOf) goType()   {}

// TypeDecl is one declared type: StructDecl, EnumDecl, UnionDecl, DefinedDecl, ResponseDecl or HeaderDecl.
type TypeDecl interface {
	typeDecl()
	declName() string
	// Place is where what the type stands for is defined.
	Place() source.Pos
}

// Decl is what all declared types have.
type Decl struct {
	Name string
	Doc  Comment
	Pos  source.Pos
	// Limits are what the schema says of values beyond their type, for samples; nil for nothing.
	Limits *model.Limits
}

func (d *Decl) declName() string { return d.Name }

// Place makes it a TypeDecl.
func (d *Decl) Place() source.Pos { return d.Pos }

// StructDecl is an object, or the request struct of an operation.
type StructDecl struct {
	Decl

	Fields []Field
	// Additional is the Go field (a map) that holds what is not listed; empty Name: there is none, and the struct needs no
	// methods of its own.
	Additional AdditionalField
	// IsRequest says that the struct is an operation's request: its fields carry no JSON tags.
	IsRequest bool
}

// Field is one field of a struct.
type Field struct {
	Name string
	// JSON is the key, exactly as the document spells it; empty in a request struct. Where a struct tag cannot hold it (quotes,
	// commas, control characters, empty), Exact is set and the key stands in a tag that package wire reads. The key "-" is
	// not Exact: its tag is `json:"-,"`.
	JSON  string
	Exact bool
	Type  GoType
	// OmitZero says that the zero value is left out: optional fields, and required ones that only the server sets.
	OmitZero bool
	Doc      Comment
	// Model is the member of the object that it stands for; nil in a request struct.
	Model *model.Field
}

// AdditionalField holds the members of an object that are not listed.
type AdditionalField struct {
	Name string
	Elem GoType
}

// EnumDecl is a scalar with known values: a defined type and prefixed constants. Where servers answer with it, it has a method Known too.
type EnumDecl struct {
	Decl

	Base   Basic
	Values []EnumValue
	// Const says that there is one value only, which is not Go's zero value: where nothing was set the value encodes as that
	// one, so that a struct of constant fields need not be filled in. Where requests hold it, it then has a method more: MarshalText
	// for a string, else MarshalJSON.
	Const bool
	// Use says who writes its values.
	Use Use
}

// EnumValue is one constant.
type EnumValue struct {
	Name string
	// Literal is the Go literal, printed as it is: made by strconv, never the document's own text.
	Literal string
	Doc     Comment
}

// UnionDecl is one of several types.
type UnionDecl struct {
	Decl

	// Discriminator is the JSON field that tells; empty where there is none.
	Discriminator string
	// TagMethod is the method that returns the discriminator's value, such as Type; empty where there is no discriminator.
	TagMethod string
	// IsStrict says that each variant requires the discriminator, so that a value without it is an error.
	IsStrict bool
	Variants []Variant
}

// Variant is one alternative of a union: accessor As<Name>, and a constructor.
type Variant struct {
	// Name is unique among the variants of the union.
	Name string
	// Of is the constructor, <Union>Of<Name> unless that name was taken.
	Of   string
	Type GoType
	// Tags are the discriminator's values for it. A variant without tags is told by Kinds, discriminator or not.
	Tags []string
	// Except are values that the discriminator does not have for it, of other variants: of a value without the discriminator, or with
	// another one, it may be this variant.
	Except []string
	// Kinds are the JSON kinds that its values have, out of "string", "number", "boolean", "object", "array", in this order.
	// Empty where any kind will do, and for variants with Tags.
	Kinds []string
	// Required are the JSON fields that a value of it must have, where that tells it from the other objects, sorted.
	Required []string
	// Limits are what the schema says of its values beyond the type, for samples; nil for nothing.
	Limits *model.Limits
}

// DefinedDecl is `type Name Type`, or `type Name = Type` where Alias is set. Named lists and maps are defined types, because
// they may hold themselves; named scalars and references to other names are aliases, because a type of its own would only cost
// its users conversions, and lose the methods of time.Time and its like.
type DefinedDecl struct {
	Decl

	Type  GoType
	Alias bool
}

// ResponseDecl is the sealed interface of an operation with several 2xx bodies, with one wrapper struct for each.
type ResponseDecl struct {
	Decl

	Variants []ResponseVariant
}

// ResponseVariant is one wrapper: a struct with a field Body of that type, or none where Type is nil. Type is the decoded
// type itself: no pointer to a struct.
type ResponseVariant struct {
	Name string
	Type GoType
	Doc  Comment
}

func (*StructDecl) typeDecl()   {}
func (*EnumDecl) typeDecl()     {}
func (*UnionDecl) typeDecl()    {}
func (*DefinedDecl) typeDecl()  {}
func (*ResponseDecl) typeDecl() {}
