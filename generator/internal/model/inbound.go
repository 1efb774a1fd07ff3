package model

import "github.com/resgen-go/resgen/generator/internal/source"

// InboundKind says what sort of request an API sends.
type InboundKind uint8

// The kinds.
const (
	// Webhook is sent without a call that asks for it.
	Webhook InboundKind = iota
	// Callback is sent because of a call of an operation.
	Callback
)

// String returns the kind as documents call it.
func (k InboundKind) String() string {
	if k == Callback {
		return "callback"
	}
	return "webhook"
}

// Inbound is a request that the API sends. A client has the types of its body, and no method.
type Inbound struct {
	// ID stands where inline types of the body have an operation in their TypeDecl.Hint. It need not be unique.
	ID   string
	Kind InboundKind
	// Name is the document's name of the webhook or callback, and Operation the ID of the operation that a callback belongs to.
	Name      string
	Operation string
	Body      *Body
	Pos       source.Pos
}
