// Package play calls generated clients with requests that were recorded as they travel, and holds what the clients make of the answers
// against the answers as they came. It knows a client by a Table, which tells what is called how on the wire and in Go, and finds the
// rest by reflection.
package play

import (
	"encoding/json"
	"fmt"
)

// Table is what a client's operations are called on the wire and in Go.
type Table struct {
	// Package is the client's package.
	Package string
	// Prefix is the path of the document's server: requests that are recorded for the client begin with it.
	Prefix     string
	Operations []Operation
}

// Operation is one method.
type Operation struct {
	GoName, Method, Path string
	Params               []Param
	// Body is nil where there is none.
	Body   *Body
	Accept []string
	// Pages is the method that iterates over all pages; empty where there is none.
	Pages string
}

// Param is one parameter.
type Param struct {
	Field, Name, In, Style string
	Explode                bool
	Required               bool
}

// Body is the request's body.
type Body struct {
	// Field is the request's field; empty where the parameter is the body.
	Field     string
	MediaType string
	Codec     string
	Required  bool
}

// The codecs of a body.
const (
	JSON      = "json"
	Form      = "form"
	Multipart = "multipart"
	Text      = "text"
	Binary    = "binary"
	Lines     = "lines"
)

// Exchange is one request as it travels, and its answer, of which Status is looked at and Answer kept for whoever plays pages.
type Exchange struct {
	Method string              `json:"method"`
	Path   string              `json:"path"`
	Query  map[string][]string `json:"query"`
	Header map[string][]string `json:"header"`
	Body   *Content            `json:"body"`
	Status int                 `json:"status"`
	Answer *Content            `json:"answer"`
}

// String returns what is asked.
func (e *Exchange) String() string { return e.Method + " " + e.Path }

// Call is one call with values that were made for it.
type Call struct {
	// Operation is the method's name, Name what reports call the call.
	Operation, Name string
	// Values are the parameters as JSON, by place and name: "query limit".
	Values map[string]json.RawMessage
	Body   *Content
}

// Content is a body.
type Content struct {
	ContentType string         `json:"contentType"`
	Data        []byte         `json:"data"`
	Parts       map[string]any `json:"parts"`
	Files       []File         `json:"files"`
}

// File is a file among the parts of a body.
type File struct {
	Field string `json:"field"`
	Name  string `json:"name"`
	Type  string `json:"type"`
	Data  []byte `json:"data"`
}

// Difference is something that was to be said and was not, or otherwise. Got or Want is nil for what is not there.
type Difference struct {
	// At is where: a path into JSON, or a word.
	At        string
	Got, Want any
}

// Error says what differs.
func (d *Difference) Error() string {
	return fmt.Sprintf("%s: got %.300v, want %.300v", d.At, d.Got, d.Want)
}

func differ(at string, got, want any) error { return &Difference{At: at, Got: got, Want: want} }
