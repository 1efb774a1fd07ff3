package model

import "github.com/resgen-go/resgen/generator/internal/source"

// HTTPBinding reaches an operation by HTTP.
type HTTPBinding struct {
	// Method is in upper case, as sent.
	Method string
	// Path is the template as the document spells it, with {names} ({+name}, {name*} and {name=pattern} are made plain, and their
	// parameters AllowReserved); it may hold a fixed query after '?', and after '#' a fragment that only tells it from another
	// path and is never sent.
	Path string
	// Template is the path as the document spells it, with its patterns and with that of its query which Params send; empty: as
	// Path.
	Template string
	// Params are path, query, header and cookie parameters, path-level ones first unless overridden, in document order. Each name
	// in Path has one. Accept and Content-Type are not among them, and Authorization only where Security is empty.
	Params []Param
	// Body is the request body; nil where there is none.
	Body *Body
	// Responses are by status, in ascending order: exact, then ranges, then default.
	Responses []Response
	// Security are the alternatives (OR) of requirements (AND) that apply; empty: none. A requirement with no schemes means
	// that the operation may be called without credentials.
	Security [][]string
	// Servers replace the API's, where the path or the operation names its own.
	Servers []Server
}

// Request is the method and the path as the document spells it, by which its author knows the operation.
func (b *HTTPBinding) Request() string { return b.Method + " " + b.Spelled() }

// Spelled is the path as the document spells it.
func (b *HTTPBinding) Spelled() string {
	if b.Template == "" {
		return b.Path
	}
	return b.Template
}

// ParamIn says where a parameter travels.
type ParamIn uint8

// The places.
const (
	InPath ParamIn = iota + 1
	InQuery
	InHeader
	InCookie
)

// Param is one parameter.
type Param struct {
	// Name is as sent, exactly.
	Name       string
	In         ParamIn
	Doc        string
	Required   bool
	Deprecated bool
	Elem       Elem
	// Style is the OpenAPI style (simple, label, matrix, form, spaceDelimited, pipeDelimited, deepObject, or tabDelimited of OpenAPI 2.0), the default written out.
	// "json" for a parameter with content application/json, "querystring" where that is the query itself.
	Style         string
	Explode       bool
	AllowReserved bool
	// Limits are what the schema says beyond the type; nil for nothing.
	Limits *Limits
	Pos    source.Pos
}

// Body is a request body in one or more media types, in document order.
type Body struct {
	Doc      string
	Required bool
	Contents []Content
	Pos      source.Pos
}

// Content is one media type of a body.
type Content struct {
	// MediaType is as the document spells it, parameters included, such as "application/json; charset=utf-8".
	MediaType string
	// Elem is the body's type: Binary for bytes, and for media types that are neither JSON, form, multipart, event stream nor
	// text (XML: bytes for the caller to decode). Where such a body is described as another of the same place is, it has the type
	// of that. Without a schema it is Any for JSON, String for text and Binary for the rest.
	Elem Elem
	// Item is the type of one item of a stream (itemSchema), nil where there is none.
	Item *Elem
	// Encodings are per property, for form and multipart bodies.
	Encodings []Encoding
	// Limits are what the schema says beyond the type; nil for nothing.
	Limits *Limits
	Pos    source.Pos
}

// Encoding says how one property of a form or multipart body travels.
type Encoding struct {
	Property    string
	ContentType string
	Style       string
	Explode     bool
}

// Response is one answer.
type Response struct {
	// Code is the status: "200", a range "4XX", or "default".
	Code     string
	Doc      string
	Contents []Content
	Headers  []Param
	Pos      source.Pos
}

// Server is a base URL with variables.
type Server struct {
	// Name is the server's name (OpenAPI 3.2); empty where it has none.
	Name string
	// URL is the template as written, with {names}; it may be relative.
	URL       string
	Doc       string
	Variables []ServerVariable
	Pos       source.Pos
}

// ServerVariable is one variable of a server URL.
type ServerVariable struct {
	Name    string
	Default string
	Enum    []string
	Doc     string
}

// SchemeKind says how a credential travels.
type SchemeKind uint8

// The kinds of schemes.
const (
	// Bearer is an Authorization header with a token; OAuth2 and OpenID Connect tokens travel the same way.
	Bearer SchemeKind = iota + 1
	// Basic is HTTP basic authentication.
	Basic
	// APIKey is a key in a header, a query parameter or a cookie.
	APIKey
)

// Scheme is one security scheme.
type Scheme struct {
	// Name is the component's key.
	Name string
	Kind SchemeKind
	// In and Param say where an APIKey travels.
	In    ParamIn
	Param string
	Doc   string
	Pos   source.Pos
	// ClientCredentials is the flow by which programs get tokens (RFC 6749, section 4.4); nil where the scheme has none.
	ClientCredentials *ClientCredentials
}

// ClientCredentials is an OAuth 2.0 flow of that name.
type ClientCredentials struct {
	// TokenURL is as the document spells it; it may be relative to the API's own address.
	TokenURL string
	// Scopes are the names of the scopes, in the order of the document.
	Scopes []string
	// Pos is where the token URL is written.
	Pos source.Pos
}
