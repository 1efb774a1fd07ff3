package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

var (
	errEmptyBody = errors.New("empty body")
	errNull      = errors.New("null where a value is required")
)

// JSON reads the body as a JSON object or any other value that is returned by pointer. The result is never nil without an error: an
// empty body and null are a *DecodeError, and so is a media type that cannot be JSON.
func JSON[T any](r *Response) (*T, error) {
	v := new(T)
	if err := r.readJSON(v); err != nil {
		return nil, err
	}
	return v, nil
}

// JSONValue reads the body as a JSON value that is returned as it is: a list, a map, a scalar, a union. null is an error unless T can
// hold it (json.RawMessage, any, Null, OptNull, a union).
func JSONValue[T any](r *Response) (T, error) {
	var v T
	if err := r.readJSON(&v); err != nil {
		var none T
		return none, err
	}
	return v, nil
}

// JSONOn is JSON for answers of the given statuses; any other is Unexpected.
func JSONOn[T any](r *Response, statuses ...int) (*T, error) {
	v := new(T)
	if err := r.readOn(v, statuses); err != nil {
		return nil, err
	}
	return v, nil
}

// JSONValueOn is JSONValue for answers of the given statuses; any other is Unexpected.
func JSONValueOn[T any](r *Response, statuses ...int) (T, error) {
	var v T
	if err := r.readOn(&v, statuses); err != nil {
		var none T
		return none, err
	}
	return v, nil
}

// NoBodyOn is NoBody for answers of the given statuses; any other is Unexpected.
func NoBodyOn(r *Response, statuses ...int) (struct{}, error) {
	if slices.Contains(statuses, r.Status) {
		return NoBody(r)
	}
	return struct{}{}, r.Unexpected()
}

func (r *Response) readOn(v any, statuses []int) error {
	if slices.Contains(statuses, r.Status) {
		return r.readJSON(v)
	}
	return r.Unexpected()
}

// holdsNull reports whether what v points to can tell null from a value.
func holdsNull(v any) bool {
	switch v.(type) {
	case interface{ Raw() json.RawMessage }, interface{ IsNull() bool }, *json.RawMessage: // a union, an OptNull, and what is not typed
		return true
	}
	t := reflect.TypeOf(v).Elem()
	return t.Kind() == reflect.Interface || codec.IsCertain(t)
}

// readJSON reads the whole body into what v points to.
func (r *Response) readJSON(v any) error {
	if !mayBeJSON(r.MediaType()) {
		body, _ := r.readAll(bodyKept) // what came of it is shown
		return r.undecodable(body, fmt.Errorf("JSON was expected: %s", r.x.hide.line(string(body), snippetLength)))
	}
	b := takeBuffer(r.expected())
	defer b.give()
	return r.decodeIn(b, v)
}

// decodeIn reads the whole body into a buffer, and what it says into what v points to, which does not refer to the buffer.
func (r *Response) decodeIn(b *buffer, v any) error {
	var err error
	if b.data, err = r.readInto(b.data, r.Limit); err != nil {
		return r.unreadable(b.data, err)
	}
	r.room = b
	err = r.unmarshal(b.data, v, holdsNull(v))
	r.room = nil
	return err
}

// mayBeJSON reports whether a body of that media type is worth a try. Servers that forget to say what they send are many, and what
// net/http guesses for JSON is text/plain; HTML, XML and images on a JSON route come from something in between.
func mayBeJSON(mediaType string) bool {
	return mediaType == "" || mediaType == "text/plain" || mediaType == octetStream || isJSON(mediaType)
}

// unreadable sorts the errors of reading a body that was to be decoded: one that was cut or is too large cannot be decoded.
func (r *Response) unreadable(data []byte, err error) error {
	if t, ok := errors.AsType[*TransportError](err); ok {
		if !isPlainCut(t.Err) {
			return err
		}
		err = t.Err
	}
	if _, ok := errors.AsType[*DecodeError](err); ok {
		return err
	}
	return r.undecodable(data, err)
}

// isPlainCut reports whether the body ended before its announced length, without an error of the connection.
func isPlainCut(err error) bool { return err == io.ErrUnexpectedEOF } //nolint:errorlint // the very value: a wrapped one says more

// unmarshal decodes one JSON text.
func (r *Response) unmarshal(data []byte, v any, nullable bool) error {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	isFault := false
	var err error
	switch text := bytes.TrimSpace(data); {
	case len(text) == 0:
		err = errEmptyBody
	case !nullable && string(text) == "null":
		err = errNull
	default:
		var long jsontext.Long
		long, isFault, err = r.lookThrough(data, v)
		isFault = isFault || r.fails(data, long, err == nil)
	}
	switch {
	case isFault:
		return r.fault("", data)
	case err != nil:
		return r.malformed(data, err)
	case r.vectors != nil:
		return r.misshapen(data, v)
	default:
		return nil
	}
}

// lookThrough decodes a text, and reports whether the lookout takes it for an error. long is what was noted for the judge.
func (r *Response) lookThrough(data []byte, v any) (long jsontext.Long, isFault bool, err error) {
	if r.look != nil && r.look.isOut() {
		isFault, err = r.look.decode(data, v)
		return r.look.notes.Long, isFault, err
	}
	if r.judge == nil {
		return nil, false, codec.Decode(data, v)
	}
	notes := new(codec.Notes)
	if r.room != nil {
		notes = &r.room.notes
	}
	err = codec.DecodeNoting(data, v, notes)
	return notes.Long, false, err
}

// misshapen returns the DecodeError of an answer with a vector that is not accepted; nil where all are.
func (r *Response) misshapen(data []byte, v any) error {
	bad := r.checkVectors(v)
	if bad == nil {
		return nil
	}
	d := r.undecodable(data, bad.err)
	d.Path = bad.path
	return d
}

// malformed returns the DecodeError of a JSON text that is none, or not of the type that was wanted.
func (r *Response) malformed(data []byte, err error) error {
	d := r.undecodable(data, err)
	if where, ok := err.(*codec.Error); ok { //nolint:errorlint // it comes from the codec as it is
		d.Path, d.Err = where.Path(), where.Err
	}
	return d
}

// Text reads the body as text, at most Limit bytes.
func Text(r *Response) (string, error) {
	b := takeBuffer(r.expected())
	defer b.give()
	var err error
	if b.data, err = r.readInto(b.data, r.Limit); err != nil {
		return "", r.unreadable(b.data, err)
	}
	return string(b.data), nil
}

// Bytes reads the body as it is, at most Limit bytes. An empty body is an empty slice, not nil.
func Bytes(r *Response) ([]byte, error) {
	data, err := r.readAll(r.Limit)
	if err != nil {
		return nil, r.unreadable(data, err)
	}
	return data, nil
}

// NoBody is for responses that have none: 204, 205, 304, any response to HEAD. What a server sends all the same is ignored.
func NoBody(*Response) (struct{}, error) { return struct{}{}, nil }

// Failure returns the response as an error whose body is a T: a *PayloadError[T]. If the body is no T, or longer than 64 KiB, it is
// the *StatusError alone.
func Failure[T any](r *Response) error {
	status := r.statusError()
	payload := new(T)
	if status.Truncated || !mayBeJSON(r.MediaType()) || r.unmarshal(status.Body, payload, holdsNull(payload)) != nil {
		return status
	}
	return &PayloadError[T]{Payload: *payload, status: status}
}

// Example decodes a value that was checked when the code was generated: the answer of a static rung.
func Example[T any](text string) (*T, error) {
	v, err := ExampleValue[T](text)
	return &v, err
}

// ExampleValue is Example for values that are returned as they are.
func ExampleValue[T any](text string) (T, error) {
	var v T
	if err := codec.Decode([]byte(text), &v); err != nil {
		return v, fmt.Errorf("decode example: %w", err)
	}
	return v, nil
}
