// Package model is the API as its author sees it: operations, types and raw annotations, whatever front end read them.
//
// It holds no Go names, no defaults and no policies; those are plan's. Everything is a slice sorted at load, in the order of the
// document, and nothing points back into the library that read it.
//
// Read in this order: model.go, type.go, limits.go, http.go, func.go, gotype.go.
package model

import "github.com/resgen-go/resgen/generator/internal/source"

// API is everything that a front end read.
type API struct {
	// Title and Doc are the document's own words: hostile text.
	Title string
	Doc   string
	// Source is the path of the document as the generated header names it, with forward slashes, "-" for standard input.
	Source string
	// Pos is where the document begins.
	Pos source.Pos
	// Operations are in the order of the document.
	Operations []Operation
	// Types are the named types, components first, then inline types that need a name, each in document order.
	Types []TypeDecl
	// Servers are the document's servers, in its order.
	Servers []Server
	// Schemes are the security schemes that some operation uses, in document order.
	Schemes []Scheme
	// Examples are the component examples that a static rung may name.
	Examples []Example
	// Inbound are the requests that the API sends and that have a body: webhooks, then callbacks, each in document order.
	Inbound []Inbound
	// Absent is what the document has and the API leaves out.
	Absent Absent
	// Interface is the Go interface that the API is; nil for a document. Each of its methods is an operation with a FuncBinding.
	Interface *Interface
	// Raw are the document's annotations (x-resilience at its top level), still undecoded; nil where there are none.
	Raw *source.Value
}

// Absent is what a selection of operations leaves out. Its names stay its own, so that what is there is not renamed when more is
// selected.
type Absent struct {
	// Types are components that no operation reaches, in document order.
	Types []AbsentType
	// Operations are those that are not selected, in document order.
	Operations []AbsentOperation
}

// AbsentType is a component that no operation reaches.
type AbsentType struct {
	ID   TypeID
	Name string
	Pos  source.Pos
}

// AbsentOperation is an operation that is not selected, by its stable name.
type AbsentOperation struct {
	ID  string
	Pos source.Pos
}

// Operation is one thing that a client can ask.
type Operation struct {
	// ID is the operation's stable name: its operationId, made unique, or Interface.Method. Where the document has no
	// operationId it is derived from method and path, and Derived is set.
	ID      string
	Derived bool
	// Summary and Doc are the document's own words.
	Summary string
	Doc     string
	// Deprecated says that the document advises against it.
	Deprecated bool
	Tags       []string
	// Pos is where the operation is defined: its method key, for OpenAPI.
	Pos source.Pos
	// Links are the operations that the document says to go on with, in its order.
	Links []Link
	// Bind says how the operation is reached.
	Bind Binding
	// Raw are the annotations that were written for the operation, lowest layer first, still undecoded.
	Raw []Annotation
	// Directives are those of a Go method, in the order of the file.
	Directives []source.Directive
}

// Annotation is an undecoded x-resilience object (or its directive form) and the layer that it stands on.
type Annotation struct {
	// Layer is "path" or "operation" ("interface" or "method" for Go).
	Layer string
	Value source.Value
}

// Link leads from an answer of one operation to another operation.
type Link struct {
	// Operation is the ID of the other operation, and Params are those of its parameters that the answer gives.
	Operation string
	Params    []string
}

// Binding says how an operation is reached. It is an HTTPBinding or a FuncBinding.
type Binding interface{ binding() }

func (*HTTPBinding) binding() {}

// Example is a component example: a JSON value by name.
type Example struct {
	// Name is the component's name; it is referred to as #/components/examples/NAME.
	Name  string
	Value source.Value
}
