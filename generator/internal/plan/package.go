package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Package is one Go package to be printed. Every slice is in the order of printing; emitters never range over a map.
type Package struct {
	// Name is the package clause; Output is the NAME of the header's second line.
	Name   string
	Output string
	// ImportPath is the package's own import path, empty where unknown.
	ImportPath string
	// Tests says that the tests of the client are printed beside it. They need ImportPath.
	Tests bool
	// Source is the path of the document relative to the output folder, for the header.
	Source string
	// Doc are the lines of the package comment, hostile text already made harmless (see Comment).
	Doc Comment
	// Client is the client type with its operations.
	Client Client
	// Interface is set for the wrapper of a Go interface, whose operations are Client's; nil for the client of a document.
	Interface *Interface
	// Types are the declared types.
	Types []TypeDecl
	// Renamed are the names that met a collision, for notes.
	Renamed []Renaming
	// Given are all exported names that come from the document, for resgen.lock.
	Given []Given
}

// Comment is a doc comment: lines without "//", none of which can become a directive or leave the comment.
type Comment []string

// Renaming is a name that could not be given as wished.
type Renaming struct {
	Pos       source.Pos
	ID        string
	Want, Got string
}

// Client is the client type.
type Client struct {
	Operations []Operation
	// BaseURL is the default address of the primary target; empty where an option must give it.
	BaseURL string
	// BasePath is the path that the document's own server has where its address is relative ("/api/v1"), for the comment of
	// WithBaseURL: the address that an option gives must end in it. Empty where BaseURL is set or the path is "/".
	BasePath string
	// Servers are the addresses that the document names, where there is a choice.
	Servers []Server
	// Targets are all targets that some operation names, primary first.
	Targets []policy.Target
	// Schemes are the security schemes in use, and the options that wire them.
	Schemes []Scheme
	// Wirings are the functions and values that must be wired in Go, one option each.
	Wirings []Wiring
	// Examples are the constants that static rungs answer with.
	Examples []Example
}

// Scheme is a security scheme: what travels where, and the option that gives the credential.
type Scheme struct {
	Model model.Scheme
	// Option is the option's Go name, such as WithBearer, WithAPIKey or WithBasicAuth. A Bearer scheme has a second option,
	// which takes a function; its name is Option with "Func" at its end, and is free.
	Option string
	// TokensOption is the option by which tokens come by the client credentials grant, such as WithClientCredentials; empty where the
	// scheme has no such flow.
	TokensOption string
}

// Wiring is a function (func rung, key func) or a value (static rung wired in Go) that New requires.
type Wiring struct {
	// Name is how the annotation calls it.
	Name string
	// Option is the option's Go name, such as WithKeywordSearch.
	Option string
	// Field is the Client's field that holds it; empty where only the runtime asks for it, as for the function of a key.
	Field string
	// Request and Result give the function's signature func(ctx, Request) (Result, error): the method's own. A nil Request is no
	// parameter after ctx, a nil Result is no result but the error. A stream's Result is a *runtime.Stream. A value has Value
	// instead.
	Request GoType
	Result  GoType
	Value   GoType
	// Func is the whole type of a function that stands in for a method of a Go interface, is given another method to answer by, or says to
	// which conversation a call belongs; Request and Result are then nil.
	Func GoType
	// Asks is the other method that the function is given; empty for none.
	Asks string
}

// Example is a component example that a static rung answers with.
type Example struct {
	// Const is the Go name of the constant that holds JSON, compact and checked against Type.
	Const string
	JSON  string
	// Type is the result of the (first) operation that answers with it, as in Response.Result: a pointer to a struct, or a value; for a
	// stream, the list of its items.
	Type GoType
}

// Operation is one method of the client.
type Operation struct {
	Model *model.Operation
	// GoName is the method; Field is the unexported stem of everything that belongs to it: the Client's field, `<field>Policy`.
	// The names Field, Field+"Policy", "new"+GoName and "read"+GoName are free for it, each in its scope.
	GoName string
	Field  string
	// ServerName is the method of the fake server that says how the operation is answered; it is GoName unless the server has a method of
	// that name.
	ServerName string
	// Doc are the author's words; PolicyDoc is the paragraph that begins with "METHOD /path" and states the policy.
	Doc       Comment
	PolicyDoc Comment
	// Source is what the policy literal's comment names: "openai.yaml createChatCompletion.{retry,fallback}".
	Source string
	// Policy is the very value that the runtime executes.
	Policy policy.Plan
	// Why says which layer set each value that is not built in.
	Why []Provenance
	// WhyTargets says it of what the targets of the policy have of their own, with paths such as "targets.eu.breaker.open-for".
	WhyTargets []Provenance
	// Effective is what the facts and policies come to, as annotations spell it, without positions: two operations with equal ones mean the
	// same. Below `timeout` are the timeouts by key, below `targets` those that the operation calls, by name. Methods of one operation
	// have the same.
	Effective source.Value
	// Removed are what a null took away, by path and place.
	Removed []Provenance
	// Request says what the method takes and how it becomes a request.
	Request Request
	// Response says what the method answers with and how it is read.
	Response Response
	// PolicyOf is the method whose runtime.Operation, with its policy and its machines, this one uses: it is then neither printed nor
	// made again. Empty for a method with its own.
	PolicyOf string
	// RequestOf is the method that sends the same request and only accepts another answer, AnswerOf the one that reads the same
	// answers. Empty for none.
	RequestOf, AnswerOf string
	// Steps are what the generated closure does on rungs that do not simply send the request, by rung number.
	Steps []Step
	// Pages is the method that iterates over all pages; nil where the operation has none.
	Pages *Pages
	// MostOutput is the most output that a request can ask for, in tokens; 0 is not bounded.
	MostOutput int64
}

// HasLadder reports whether the method returns a runtime.Result.
func (o *Operation) HasLadder() bool { return len(o.Policy.Fallback.Rungs) > 0 }

// ShowsRequest reports whether the runtime looks into the request: for the key of a cache, for the tokens that a limit or a
// price counts, for ids, or for what a rung cannot take.
func (o *Operation) ShowsRequest() bool {
	p := &o.Policy
	counts := func(l *policy.LimitConfig) bool { return l.CountsTokens() || l.Cost != policy.Rate{} }
	if p.Cache.On || p.IsNamed() || policy.FitsOf(p) != nil || counts(&p.Limit) ||
		slices.ContainsFunc(p.Targets, func(t policy.Target) bool { return counts(&t.Limit) }) {
		return true
	}
	places := policy.TokenPlacesOf(p)
	return len(places.Input)+len(places.Output) > 0 && o.IsPriced()
}

// Step is what one rung of the generated closure does: PatchStep, StaticStep, FuncStep or OtherStep. Target and cache rungs need none.
type Step interface{ step() }

// PatchStep changes a shallow copy of the request.
type PatchStep struct {
	Rung int
	Name string
	// Var is the local variable that holds the copy: the rung's name as an identifier that hides nothing.
	Var    string
	Assign []Assignment
}

// Assignment sets one field of the request, or clears it. Path are Go field names from the request on; where it has several,
// the nested objects are copied on the way, so that the caller's request is not touched. A nested object that is absent is
// made, unless the field is cleared: then nothing is to be done.
type Assignment struct {
	Path []string
	// Types are the types of the fields of Path, by the same index: T, *T, or wire.Null, wire.OptNull, wire.Opt of T or *T.
	Types []GoType
	Value Literal
}

// Literal is a value to print as Go.
type Literal struct {
	// Type is the type of the field that it is assigned to, its wire.Opt and its like included.
	Type GoType
	// JSON is the value, compact, as the author wrote it, checked against Type. Empty where Zero is set.
	JSON string
	// Zero says that the field gets the zero value of Type.
	Zero bool
}

// StaticStep answers with a constant (Example) or a wired value (Wiring).
type StaticStep struct {
	Rung    int
	Name    string
	Example string // Example.Const, or empty
	Wiring  string // Wiring.Field, or empty
	// Items says that it is the items of a stream: the constant and the value are lists of them.
	Items bool
}

// FuncStep answers by a wired function.
type FuncStep struct {
	Rung   int
	Name   string
	Wiring string // Wiring.Field
}

// OtherStep answers by another method of the same client.
type OtherStep struct {
	Rung int
	Name string
	// Method is the other method. Tagged says that it returns a runtime.Result, Empty that it returns nothing else beside its error.
	Method        string
	Tagged, Empty bool
	// Wiring is the Wiring.Field of the function that is given the other method; empty where the two methods have the same types.
	Wiring string
}

func (PatchStep) step()  {}
func (StaticStep) step() {}
func (FuncStep) step()   {}
func (OtherStep) step()  {}

// Provenance says which layer set a value of the policy.
type Provenance struct {
	// Path is the field's annotation path, such as "retry.attempts".
	Path string
	// Value is the value as annotations spell it.
	Value string
	// Layer is "built-in", "policy-file defaults", "document", "path", "operation", "rule N", "policy NAME" ...
	Layer string
	// Pos is where it was written; the zero value for built-in.
	Pos source.Pos

	items []source.Pos // of a list
}

// BuiltIn reports whether nobody wrote the value.
func (p *Provenance) BuiltIn() bool { return p.Layer == layerBuiltIn }
