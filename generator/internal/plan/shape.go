package plan

import "github.com/resgen-go/resgen/runtime/policy"

// Request says what a method takes after ctx and how it becomes an HTTP request.
type Request struct {
	// Param is the type of the method's `req` parameter: nil where it takes ctx alone, the body's type where there is only a
	// JSON body, else a pointer to the request struct (a StructDecl in Package.Types with role RequestRole).
	Param GoType
	// Optional says that a nil Param is a request of which nothing is set. A nil pointer is a caller's error otherwise.
	Optional bool
	// Method and Path are as sent; Path is the template.
	Method string
	Path   string
	Params []Param
	// Body is nil where there is none.
	Body *Body
	// Accept are the media types that the method can read, best first.
	Accept []string
	// Security are the alternatives of scheme names, as in model.HTTPBinding.
	Security [][]string
	// BaseURL replaces the client's default for operations with servers of their own; empty otherwise. An address that an
	// option gives wins over it.
	BaseURL string
}

// Param is one parameter: where its value is found in the request struct and how it is written.
type Param struct {
	// Field is the Go field of the request struct.
	Field string
	// Name, In, Style, Explode, AllowReserved are as in model.Param. In is "path", "query", "header" or "cookie".
	Name          string
	In            string
	Style         string
	Explode       bool
	AllowReserved bool
	Required      bool
}

// Codec says how a body is written or read.
type Codec uint8

// The codecs.
const (
	// JSONCodec is JSON, vendor +json types included.
	JSONCodec Codec = iota + 1
	// FormCodec is application/x-www-form-urlencoded.
	FormCodec
	// MultipartCodec is multipart/form-data.
	MultipartCodec
	// TextCodec is text/*: a string.
	TextCodec
	// BinaryCodec is bytes as they are: wire.Content in requests, *wire.Download in responses.
	BinaryCodec
	// NoCodec is no body.
	NoCodec
	// LinesCodec is a list in a request body, of which each item is a JSON text of its own: JSON Lines, ndjson, JSON text sequences.
	LinesCodec
)

// Body is a request body.
type Body struct {
	Codec     Codec
	MediaType string
	Type      GoType
	// Field is the request struct's field that holds the body; empty where the parameter itself is the body.
	Field    string
	Required bool
	// Encodings are per property, for FormCodec and MultipartCodec.
	Encodings []Encoding
	// Set are assignments that the method makes on a shallow copy of its parameter first: where stream.when is given, the stream
	// twin sets that field and the plain method clears it. Nothing is done for a nil parameter.
	Set []Assignment
}

// Encoding says how one property of a form or multipart body travels.
type Encoding struct {
	Name        string
	ContentType string
	Style       string
	Explode     bool
}

// Response says what a method answers with.
type Response struct {
	// Result is the type of the value: a pointer to a struct, a slice, a scalar ..., the interface of a ResponseDecl. Nil where
	// the method returns an error only, and where Stream or Download is set.
	Result GoType
	// Stream is set where the method returns a *runtime.Stream of items.
	Stream *Stream
	// Download is set where the method returns a *wire.Download.
	Download bool
	// Cases are by status, exact first, then ranges, then default. What no case matches is a *wire.StatusError.
	Cases []ResponseCase
}

// Stream says how items are read.
type Stream struct {
	// Item is the item's type: T itself, no pointer. Text is set where an item is the data as it came; Item is then string.
	Item   GoType
	Text   bool
	Policy policy.Stream
}

// ResponseCase is what one status means.
type ResponseCase struct {
	// Lo and Hi bound the status codes, inclusive. Both are 0 for the default of a document, which is a Failure: it stands for
	// every status from 400 on that no other case matches. A default that is a success too has a case of its own, 200 to 299.
	Lo, Hi int
	// Failure says that the case is an error: Type is then the payload of a *wire.PayloadError. A Failure with NoCodec is the
	// bare *wire.StatusError; it stands here only where a later case would match otherwise.
	Failure bool
	// Codec is NoCodec where there is no body; BinaryCodec with Response.Download; JSONCodec or TextCodec else, and for each
	// item where Response.Stream is set.
	Codec     Codec
	MediaType string
	// Type is the type that is decoded: T itself, not the pointer that Response.Result is for a struct. Nil with NoCodec,
	// BinaryCodec, and for a success of a stream.
	Type GoType
	// Variant is the name of the wrapper that makes Type one of several 2xx bodies, empty where there is only one.
	Variant string
}
