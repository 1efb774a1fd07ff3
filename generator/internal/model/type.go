package model

import "github.com/resgen-go/resgen/generator/internal/source"

// TypeID identifies a declared type: the JSON pointer of its schema with its file, such as "#/components/schemas/Pet" or
// "parts.yaml#/Pet"; "parts/pet.yaml#" is a file that is one schema. Files are relative to the document's folder, so that IDs are
// the same on every machine. Inline types get the pointer of the place where they stand; of a union that combines its
// alternatives with what stands beside them, or of a base with a discriminator, also a place below it that the document does
// not have.
type TypeID string

// TypeDecl is a type that needs a name.
type TypeDecl struct {
	ID TypeID
	// Name is the name that its author gave: the component's key. Empty for an inline type.
	Name string
	// Hint is what an inline type's name derives from, outermost first: its owner, then the steps to it, such as ["createChat",
	// "request", "messages", "item"]. The owner is a type ID (it holds a '#'; that type need not be declared, when only a part
	// of it is in use: its name is then the ID's last step), an operation ID, the key of another component, or a path in words.
	// It depends on the place of the type alone, not on what else refers to it.
	Hint []string
	// Doc is the schema's title and description.
	Doc        string
	Deprecated bool
	Pos        source.Pos
	// Type is what it is. Never a bare Ref to itself.
	Type Type
	// Limits are what the schema says beyond the type; nil for nothing.
	Limits *Limits
	// Nullable says that null is a value of the type wherever it is referred to. Only types with a Name have it; at an inline
	// type it is the Elem that says so.
	Nullable bool
}

// Type is one of Primitive, JSONText, Enum, Array, Map, Object, Union, Ref, Any. Object, Enum and Union stand only in a TypeDecl; everywhere
// else there is a Ref to it.
type Type interface{ typ() }

// PrimitiveKind says which values a Primitive has.
type PrimitiveKind uint8

// The primitive kinds.
const (
	// Bool is a boolean.
	Bool PrimitiveKind = iota + 1
	// String is text, whatever its format unless another kind is named for it.
	String
	// Bytes is base64 text in JSON (format: byte, or contentEncoding: base64).
	Bytes
	// Binary is raw bytes: a body, or a field (or an Array as a field) of a multipart body's object, never JSON.
	Binary
	// Int32, Int64 are integers that fit; Int is an integer without a format.
	Int
	Int32
	Int64
	// Uint32, Uint64 are unsigned integers (format: uint32, uint64, uint, or a minimum of 0 with such a format).
	Uint32
	Uint64
	// Float32, Float64 are numbers.
	Float32
	Float64
	// Number is a number that no Go type holds exactly (format: decimal, integers beyond 64 bits): its digits are kept.
	Number
	// Time is an RFC 3339 time (format: date-time), Date a full date (format: date).
	Time
	Date
	// Null is the value null alone. An Elem of it is not Nullable.
	Null
)

// Primitive is a scalar.
type Primitive struct {
	Kind PrimitiveKind
	// Format is the document's format, for documentation.
	Format string
}

// JSONText is a string that holds JSON of a type (contentMediaType with contentSchema).
type JSONText struct{ Elem Elem }

// Enum is a scalar with known values. Unknown values must survive. One with a single value is a constant (const, or an enum of
// one): the field of a tagged union that tells, mostly.
type Enum struct {
	Base   PrimitiveKind // String, Int, Int64, Float64, Bool
	Values []EnumValue
}

// EnumValue is one known value.
type EnumValue struct {
	// Text is the value: the string itself, or the digits.
	Text string
	// Name is the document's own name for it (x-enum-varnames), or empty.
	Name string
	Doc  string
}

// Elem is a type at a place that may be null. Any is never Nullable: null is among its values.
type Elem struct {
	Type     Type
	Nullable bool
}

// Array is a list.
type Array struct{ Elem Elem }

// Map is an object of which only the values' type is known.
type Map struct{ Elem Elem }

// Object is a set of fields, in the order of the document.
type Object struct {
	Fields []Field
	// Additional is the type of fields that are not listed, where the document asks for them (additionalProperties or
	// patternProperties with a schema, or additionalProperties: true written beside properties, which is Any). Nil: none are
	// expected.
	Additional *Elem
}

// Field is one member of an object.
type Field struct {
	// Name is the key in JSON, exactly.
	Name string
	Doc  string
	Elem Elem
	// Most is the highest whole number that the document allows for it, where that is at least 1; 0 is no bound.
	Most int64
	// Limits are what the schema says beyond the type; nil for nothing.
	Limits     *Limits
	Required   bool
	ReadOnly   bool
	WriteOnly  bool
	Deprecated bool
	Pos        source.Pos
}

// Union is one of several types (oneOf, anyOf, or a type array). A value that is none of them must survive. There may be a single
// variant: any value is allowed, and one shape of it is known.
type Union struct {
	Variants []Variant
	// Discriminator names the field that tells; nil where there is none.
	Discriminator *Discriminator
}

// Variant is one alternative.
type Variant struct {
	// Hint names the alternative: its component's name, title, or kind ("string", "list of string").
	Hint string
	Type Type
	// Tags are the discriminator's values for the variant. Beside an inferred discriminator the variants that are scalars and
	// lists have none, and neither have those of which the document does not say it.
	Tags []string
	// Limits are what its schema says beyond the type; nil for nothing.
	Limits *Limits
	// IsDefault says that a value without a tag, or with one that no variant has, is of this one (defaultMapping).
	IsDefault bool
}

// Discriminator is the field whose value tells the variants of a union apart: declared by the document, or inferred by the
// loader because each variant that is an object requires the field with constant strings of its own.
type Discriminator struct {
	Field    string
	Inferred bool
	// Optional says that values may come without the field. Then it tells only which variants a value is not of. Only inferred ones
	// have it.
	Optional bool
}

// Ref refers to a declared type.
type Ref struct{ ID TypeID }

// Any is any JSON value, kept raw.
type Any struct{}

func (Primitive) typ() {}
func (JSONText) typ()  {}
func (Enum) typ()      {}
func (Array) typ()     {}
func (Map) typ()       {}
func (Object) typ()    {}
func (Union) typ()     {}
func (Ref) typ()       {}
func (Any) typ()       {}
