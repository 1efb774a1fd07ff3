package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/resgen-go/resgen/runtime/policy"
)

// ErrRequest says that the request could not be built: the caller's mistake, and nothing was sent.
var ErrRequest = errors.New("the request is wrong")

// ErrNilRequest is a nil request, or a nil body, where the operation needs one.
var ErrNilRequest = fmt.Errorf("%w: it, or the body that it needs, is nil", ErrRequest)

func requestError(err error) error {
	if errors.Is(err, ErrRequest) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrRequest, err)
}

// Stage says how far an attempt came.
type Stage uint8

// The stages, in the order of an attempt.
const (
	// StageCredential is asking for a credential.
	StageCredential Stage = iota + 1
	// StageConnect is waiting for a connection.
	StageConnect
	// StageDial is making one.
	StageDial
	// StageTLS is its TLS handshake.
	StageTLS
	// StageSend is sending the request.
	StageSend
	// StageWait is waiting for the header of the response: the request was sent whole.
	StageWait
	// StageBody is reading the body of the response.
	StageBody
)

var stageNames = [...]string{ //nolint:gosec // words, no credentials
	StageCredential: "get credential", StageConnect: "wait for a connection", StageDial: "dial", StageTLS: "TLS handshake",
	StageSend: "send request", StageWait: "wait for the response", StageBody: "read the response",
}

// String returns the stage as error texts spell it.
func (s Stage) String() string {
	if int(s) < len(stageNames) && s > 0 {
		return stageNames[s]
	}
	return "send"
}

// TransportError is an attempt that ended without a whole response.
type TransportError struct {
	// Stage says how far the attempt came.
	Stage Stage
	// Wrote says that something of the request may have reached the target. Where nothing is known it is true.
	Wrote bool
	// Refused says that the target is proven not to have executed the request: there was no connection, nothing was written, or
	// the target said so (HTTP/2 REFUSED_STREAM, or GOAWAY with a lower last stream: RFC 9113, section 8.7).
	Refused bool
	// Status is the status code, where the header came; else 0.
	Status int
	// Sends is how often the request was sent, redirects not counted: more than 1 if net/http replayed it on another connection.
	Sends int
	// Err is what happened. It says no URL and no credential. Of a body that was cut it is io.ErrUnexpectedEOF too.
	Err error

	hide redactor
}

// Error returns the stage and what happened.
func (e *TransportError) Error() string {
	return e.Stage.String() + ": " + e.hide.line(e.Err.Error(), reasonLength)
}

// Unwrap returns Err.
func (e *TransportError) Unwrap() error { return e.Err }

// StatusError is a response whose status is an error, or one that the document does not know.
type StatusError struct {
	Status int
	Header http.Header
	// Body is the beginning of the body, at most 64 KiB.
	Body []byte
	// Truncated says that there was more, or that the body was cut.
	Truncated bool

	note string
	hide redactor
}

// Error returns the status and the beginning of the body in one line.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("status %d", e.Status)
	if name := http.StatusText(e.Status); name != "" {
		text += " " + name
	}
	if e.note != "" {
		text += " (" + e.note + ")"
	}
	if body := e.hide.line(string(e.Body), snippetLength); body != "" {
		text += ": " + body
	}
	return text
}

// PayloadError is a StatusError whose body is what the document says it is. errors.As finds the *StatusError in it too.
type PayloadError[T any] struct {
	// Payload is the body, decoded.
	Payload T

	status *StatusError
}

// Error returns the status and the beginning of the body.
func (e *PayloadError[T]) Error() string { return e.status.Error() }

// Unwrap returns the *StatusError.
func (e *PayloadError[T]) Unwrap() error { return e.status }

// DecodeError is a response that cannot be understood: malformed or truncated JSON, another media type, too many bytes.
type DecodeError struct {
	// Status and MediaType are the response's.
	Status    int
	MediaType string
	// Path says where in the JSON, as a JSON pointer (RFC 6901), if that is known.
	Path string
	// Body is the beginning of what was read, at most 4 KiB.
	Body []byte
	// Err says what is wrong. A body that ends too early is io.ErrUnexpectedEOF, one that is too large a *LimitError.
	Err error

	hide redactor
}

// Error returns the status, where, and what.
func (e *DecodeError) Error() string {
	text := fmt.Sprintf("decode response (status %d", e.Status)
	if e.MediaType != "" {
		text += ", " + e.hide.line(e.MediaType, snippetLength)
	}
	text += ")"
	if e.Path != "" {
		text += " at " + e.hide.line(e.Path, snippetLength)
	}
	return text + ": " + e.hide.line(e.Err.Error(), reasonLength)
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// LimitError is a response, or one event of a stream, with more bytes than may be held in memory. Compressed bodies count as they
// are after decompression.
type LimitError struct{ Limit int64 }

// Error names the limit.
func (e *LimitError) Error() string { return fmt.Sprintf("more than the limit of %d bytes", e.Limit) }

// EventError is an error that came inside a response that had begun well: an error event of a stream, or a body that says so although
// its status does not (see Response.JudgeBy).
type EventError struct {
	// Status is the status of the response that it came in, mostly 200.
	Status int
	// Event is the name of the event; empty where it had none.
	Event string
	// Type and Message are what Data says in a form that is widely used: {"error": {"type", "message"}}, or without "error".
	Type, Message string
	// Data is the event's data, at most 64 KiB.
	Data []byte
	// Kind is what the place where it was found says that it is, where Data does not say more: policy.KindRefused for an answer that a filter
	// ended. policy.KindNone leaves it to Data.
	Kind policy.Kind

	hide redactor
}

// Error returns the type and the message, or the beginning of the data.
func (e *EventError) Error() string {
	text := strings.Trim(e.Type+": "+e.Message, ": ")
	if text == "" {
		text = string(e.Data)
	}
	what := "error event: "
	if e.Event == "" {
		what = "error in a response that had begun well: "
	}
	return what + e.hide.line(text, snippetLength)
}

// read fills Type and Message from Data.
func (e *EventError) read() {
	type fault struct {
		Type    string          `json:"type"`
		Code    json.RawMessage `json:"code"`
		Message string          `json:"message"`
	}
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	data := e.Data
	if json.Unmarshal(data, &outer) == nil && len(outer.Error) > 0 {
		data = outer.Error
	}
	var f fault
	if json.Unmarshal(data, &f) != nil {
		_ = json.Unmarshal(data, &e.Message) // an error that is a bare text
		return
	}
	if f.Type == "" {
		f.Type = strings.Trim(string(f.Code), `"`)
	}
	e.Type, e.Message = f.Type, f.Message
}

// What errors quote is the target's word: a body, a key, a malformed header, a number of a million digits. Their texts stay one line of
// bounded length all the same.
const (
	snippetLength = 256
	reasonLength  = 1 << 10
	bodyKept      = 64 << 10 // what is read of a body that is not wanted
)

// redactor holds the credentials of a request. Texts are cleaned of them, because targets and proxies echo what they were sent.
type redactor []string

// shortestSecret is the length below which a credential is not looked for: it would be found in every word.
const shortestSecret = 4

func (r redactor) clean(text string) string {
	for _, secret := range r {
		if len(secret) < shortestSecret {
			continue
		}
		text = strings.ReplaceAll(text, secret, "[redacted]")
		text = strings.ReplaceAll(text, url.QueryEscape(secret), "[redacted]")
	}
	return text
}

// line returns the beginning of a text as one line of plain text. Credentials go first: the cut could leave a part of one.
func (r redactor) line(text string, most int) string {
	cut := len(text) >= bodyKept
	text = r.clean(text[:min(len(text), bodyKept)])
	for _, secret := range r {
		if cut { // its end may be a part of one
			text = text[:max(len(text)-len(secret), 0)]
		}
	}
	cut = cut || len(text) > most
	text = text[:min(len(text), most)]
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Join(strings.Fields(text), " ")
	if cut {
		text += " …"
	}
	return text
}
