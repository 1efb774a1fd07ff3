package sdkerror_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// The types below look like those of the SDKs, of which the runtime's module knows none; bench/sdks has the real ones.

// openAIError is that of openai-go: the body is what stands in "error".
type openAIError struct {
	Code, Message, Param, Type string
	raw                        string
	StatusCode                 int
	Response                   *http.Response
}

func (*openAIError) Error() string     { return "openai" }
func (e *openAIError) RawJSON() string { return e.raw }
func (e *openAIError) String() string  { return e.raw }
func (*openAIError) DumpResponse() int { panic("nobody is to call it") }

// anthropic is that of anthropic-sdk-go.
type anthropicError struct {
	raw        string
	StatusCode int
	Response   *http.Response
}

func (e *anthropicError) Error() string   { return fmt.Sprintf("anthropic %d", e.Response.StatusCode) }
func (e *anthropicError) RawJSON() string { return e.raw }

// streamError is that of openai-go inside a stream.
type streamError struct {
	Message string
	Event   struct {
		Type string
		Data []byte
	}
}

func (*streamError) Error() string { return "stream" }

// goOpenAIError is that of go-openai.
type goOpenAIError struct {
	Code           any
	Message        string
	Param          *string
	Type           string
	HTTPStatus     string
	HTTPStatusCode int
	InnerError     *struct{ Code string }
}

func (*goOpenAIError) Error() string { return "go-openai" }

// requestError is that of go-openai for what it cannot read.
type requestError struct {
	HTTPStatusCode int
	Err            error
	Body           []byte
}

func (*requestError) Error() string   { return "request" }
func (e *requestError) Unwrap() error { return e.Err }

// gemini is that of genai: a value.
type gemini struct {
	Code            int
	Message, Status string
	Details         []map[string]any
}

func (gemini) Error() string { return "genai" }

// smithyError and its kin are those of aws-sdk-go-v2: an operation's, a response's, and what the service says.
type smithyError struct {
	code, message string
	fault         awsFault
}

type awsFault int

func (*smithyError) Error() string          { return "smithy" }
func (e *smithyError) ErrorCode() string    { return e.code }
func (e *smithyError) ErrorMessage() string { return e.message }
func (e *smithyError) ErrorFault() awsFault { return e.fault }

type smithyResponse struct{ *http.Response }

type responseError struct {
	Response *smithyResponse
	Err      error
}

func (*responseError) Error() string         { return "response" }
func (e *responseError) Unwrap() error       { return e.Err }
func (e *responseError) HTTPStatusCode() int { return e.Response.StatusCode }

type awsResponseError struct {
	*responseError

	RequestID string
}

// awsV1 is that of aws-sdk-go.
type awsError struct {
	code   string
	status int
}

func (*awsError) Error() string     { return "aws" }
func (e *awsError) Code() string    { return e.code }
func (*awsError) Message() string   { return "slow down" }
func (*awsError) OrigErr() error    { return nil }
func (e *awsError) StatusCode() int { return e.status }

// grpcError and its kin are those of grpc-go.
type grpcError struct{ s *grpcStatus }

type (
	code       uint32
	grpcStatus struct {
		code    code
		message string
		details []*anyMessage
	}
	anyMessage struct {
		TypeUrl string
		Value   []byte
	}
	statusMessage struct {
		Code    int32
		Message string
		Details []*anyMessage
	}
)

func (*grpcError) Error() string             { return "rpc" }
func (e *grpcError) GRPCStatus() *grpcStatus { return e.s }
func (s *grpcStatus) Code() code             { return s.code }
func (s *grpcStatus) Message() string        { return s.message }
func (s *grpcStatus) Proto() *statusMessage {
	return &statusMessage{int32(s.code), s.message, s.details}
}
func rpc(c code, message string) error { return &grpcError{&grpcStatus{code: c, message: message}} }
func detailed(c code, all ...*anyMessage) error {
	return &grpcError{&grpcStatus{code: c, details: all}}
}

func detail(name string, value ...byte) *anyMessage {
	return &anyMessage{TypeUrl: "type.googleapis.com/google.rpc." + name, Value: value}
}

// connect is that of connect-go.
type connect struct{ meta http.Header }

func (*connect) Error() string       { return "connect" }
func (*connect) Code() code          { return 8 }
func (*connect) Message() string     { return "slow down" }
func (e *connect) Meta() http.Header { return e.meta }

// qdrant is that of qdrant/go-client for a limit.
type qdrant struct {
	Reason      string
	RetryAfterS int
}

func (*qdrant) Error() string { return "qdrant" }

// weaviate is that of weaviate-go-client.
type weaviate struct {
	StatusCode       int
	Msg              string
	DerivedFromError error
}

func (*weaviate) Error() string { return "weaviate" }

// pinecone is that of go-pinecone.
type pinecone struct {
	Code int
	Msg  error
}

func (*pinecone) Error() string { return "pinecone" }

// cohere is that of cohere-go: the status is embedded.
type cohereError struct {
	err        error
	StatusCode int
}

func (*cohereError) Error() string   { return "api" }
func (e *cohereError) Unwrap() error { return e.err }

type cohere struct {
	*cohereError

	Body any
}

// azure is that of azcore.
type azure struct {
	ErrorCode   string
	StatusCode  int
	RawResponse *http.Response
}

func (*azure) Error() string { return "azure" }

// google is that of google.golang.org/api.
type google struct {
	Code    int
	Message string
	Body    string
	Header  http.Header
}

func (*google) Error() string { return "google" }

// later says when to come again, and nothing else.
type later struct{ RetryAfter time.Duration }

func (later) Error() string { return "later" }

// Errors that are of no answer, however they look.
type (
	sqlite struct{ Code sqliteCode }
	mail   struct {
		Code int
		Msg  string
	} // as in net/textproto
	process struct{ Code int }
	sql     struct{ Severity, Code, Message string }
)

type sqliteCode int

func (sqlite) Error() string  { return "sqlite" }
func (*mail) Error() string   { return "mail" }
func (process) Error() string { return "process" }
func (*sql) Error() string    { return "sql" }

// Errors that are hostile.
type (
	bomb     struct{ StatusCode int }
	loop     struct{ StatusCode string }
	endless  struct{ at *int }
	hidden   struct{ *openAIError }
	liar     struct{}
	circular struct{ DerivedFromError error }
	custom   struct {
		StatusCode int
		Body       map[string]any
	}
	explosive struct{}
)

func (*bomb) Error() string                    { panic("no text") }
func (*bomb) HTTPStatusCode() int              { panic("no status") }
func (*bomb) RawJSON() string                  { panic("no body") }
func (*bomb) Unwrap() error                    { panic("nothing inside") }
func (e *loop) Error() string                  { return "loop" }
func (e *loop) Unwrap() error                  { return e }
func (e *endless) Error() string               { return "endless" }
func (e *endless) Unwrap() []error             { *e.at++; return []error{e, e, e} }
func (liar) Error() string                     { return "liar" }
func (liar) GRPCStatus(int) string             { return "" }
func (liar) ErrorCode() string                 { return "X" }
func (liar) ErrorMessage() string              { return "" }
func (liar) ErrorFault(int) bool               { return true }
func (e *circular) Error() string              { return "circular" }
func (custom) Error() string                   { return "custom" }
func (explosive) MarshalJSON() ([]byte, error) { panic("no JSON") }

var (
	_        json.Marshaler = explosive{}
	errPlain                = errors.New("plain")
)
