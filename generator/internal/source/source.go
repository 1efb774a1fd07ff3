// Package source reads JSON and YAML into one untyped tree that keeps the position of every node and the text of every scalar.
//
// Every later stage carries these positions, so that each diagnostic can name file, line and column.
//
//	bytes ──Read──▶ Value ──Lookup, Set, Delete──▶ Value ──JSON──▶ bytes + LineMap
//
// Read in this order: source.go (the tree), read.go (which reader, limits, errors), json.go, yaml.go and yamlscalar.go (the
// readers), pointer.go and edit.go (finding and changing nodes), print.go (the tree as JSON, one token a line).
package source

import "fmt"

// Pos is a place in a file. Line and Column count from 1, columns in bytes. The zero value is no place.
type Pos struct {
	// File is the path as diagnostics print it: relative to the working directory where possible, with forward slashes.
	File   string
	Line   int
	Column int
}

// IsValid reports whether the position names a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String returns file:line:col, as editors link it.
func (p Pos) String() string {
	if !p.IsValid() {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Compare orders positions by file, line and column.
func (p Pos) Compare(q Pos) int {
	switch {
	case p.File != q.File:
		return compare(p.File, q.File)
	case p.Line != q.Line:
		return compare(p.Line, q.Line)
	default:
		return compare(p.Column, q.Column)
	}
}

func compare[T string | int](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}

// Span is a stretch of one line: a position and a length in bytes; 0 means unknown.
type Span struct {
	Pos

	Len int
}

// Kind says what sort of node a Value is. The zero value is Null.
type Kind uint8

// The kinds. A string "null" is a String, not a Null; a number keeps its digits in Text.
const (
	Null Kind = iota
	Bool
	Number
	String
	Map
	List
)

// String names the kind as diagnostics do.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Map:
		return "object"
	case List:
		return "list"
	default:
		return "unknown"
	}
}

// Value is what an author wrote, before anything is known of its meaning.
type Value struct {
	// Pos is where the value begins.
	Pos Pos
	// Kind says which of the following fields are in use.
	Kind Kind
	// Text is the scalar: "true" or "false" for Bool, the digits as written for Number, the decoded text for String. A number
	// that YAML spells in a way that JSON does not have, such as +1, 007, .5 or 0x1F, is respelled as JSON.
	Text string
	// Written is the scalar as YAML spells it without quotes, where Text is another spelling: 007, True. Who wants a text means it.
	Written string
	// Map holds the fields in the order of the document.
	Map []Field
	// List holds the items.
	List []Value
}

// Field is one key of a map, with the position of the key.
type Field struct {
	Key    string
	KeyPos Pos
	Value  Value
}

// Get returns the value of a key, or nil where there is none or v is no map. The pointer is into v: it stays valid until
// fields are added to or removed from the map.
func (v *Value) Get(key string) *Value {
	if v == nil || v.Kind != Map {
		return nil
	}
	for i := range v.Map {
		if v.Map[i].Key == key {
			return &v.Map[i].Value
		}
	}
	return nil
}
