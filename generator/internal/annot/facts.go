package annot

import (
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Facts are what the annotations of one operation say beyond its policy.Plan: what the planner needs to type the stream and the
// rungs. The zero value is an operation that nobody annotated.
type Facts struct {
	// Stream says how the items of the operation are told and typed; its Format is policy.NoStream for an operation that streams
	// nothing.
	Stream StreamFacts
	// Page says how the pages of a list follow each other; its Style is NoPages for an operation that has none.
	Page PageFacts
	// Go says of which kinds the errors of a Go method are, in the order of asking.
	Go []GoRule
	// Rungs are beside policy.Plan.Fallback.Rungs, by the same index.
	Rungs []RungFacts
}

// StreamFacts say which requests stream, and what one item is.
type StreamFacts struct {
	policy.Stream

	// When is the request field that asks for a stream: the stream twin sets it and the plain method clears it. Nil where the
	// author named none.
	When *When
	// Item is the reference to an item's schema as the author wrote it ("#/components/schemas/ChatChunk"), empty where the
	// document's own item schema counts. ItemPos is where it was written.
	Item    string
	ItemPos source.Pos
}

// When is a field of the request and the value that it must have.
type When struct {
	// Pointer is a JSON pointer (RFC 6901) into the request body.
	Pointer string
	// Equals is the value, as the author wrote it.
	Equals source.Value
	Pos    source.Pos
}

// RungFacts are what a rung does where it does not simply send the request.
type RungFacts struct {
	// Pos is where the rung was written.
	Pos source.Pos
	// Patch are the operations (RFC 6902) of a policy.RungPatch, in order.
	Patch []PatchOp
	// Static is what a policy.RungStatic answers with: a reference to a component example ("#/components/examples/Apology"), or
	// the name of a value that is wired in Go. StaticPos is where it was written.
	Static    string
	StaticPos source.Pos
	// FuncPos is where the name of its function was written, LacksPos where each of its Lacks was.
	FuncPos  source.Pos
	LacksPos []source.Pos
	// Items is what the method that streams answers with there, in the same words; empty where that is to be made of Static. ItemsPos is
	// where it was written.
	Items    string
	ItemsPos source.Pos
}

// PatchOp is one operation of a JSON Patch: "replace", "add" or "remove".
type PatchOp struct {
	Op string
	// Path is a JSON pointer (RFC 6901) into the request body.
	Path string
	// Value is nil for "remove".
	Value *source.Value
	Pos   source.Pos
}
