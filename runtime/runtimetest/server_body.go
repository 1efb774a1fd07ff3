package runtimetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/resgen-go/resgen/runtime/wire"
)

// ServerBody is how the body of a request is checked.
type ServerBody struct {
	// MediaType is how it is sent.
	MediaType string
	// Required says that there must be one.
	Required bool
	// Decode reads it, for JSON; nil for any other.
	Decode func(body []byte) error
}

// JSONBody is a body that is a T: it has no members that T does not have, all that T requires, and each of its type.
func JSONBody[T any](mediaType string, required bool) *ServerBody {
	return &ServerBody{MediaType: mediaType, Required: required, Decode: func(body []byte) error {
		var v T
		if err := wire.Unmarshal(body, &v); err != nil {
			return fmt.Errorf("decode: %w", err)
		}
		again, err := wire.Marshal(&v)
		if err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		return sameShape(body, again)
	}}
}

// check says what is wrong with a request; nil is nothing.
func (op *ServerOperation) check(req *http.Request, body []byte, params map[string]string) error {
	var wrong []error
	for name, value := range params {
		if value == "" {
			wrong = append(wrong, fmt.Errorf("the path parameter %q is empty", name))
		}
	}
	query := req.URL.Query()
	for _, name := range op.Query {
		if !query.Has(name) && !query.Has(name+"[]") {
			wrong = append(wrong, fmt.Errorf("the query parameter %q is missing", name))
		}
	}
	for _, name := range op.Header {
		if req.Header.Get(name) == "" {
			wrong = append(wrong, fmt.Errorf("the header %q is missing", name))
		}
	}
	for _, name := range op.Cookie {
		if _, err := req.Cookie(name); err != nil {
			wrong = append(wrong, fmt.Errorf("the cookie %q is missing", name))
		}
	}
	return errors.Join(append(wrong, op.checkBody(req, body))...)
}

func (op *ServerOperation) checkBody(req *http.Request, body []byte) error {
	switch b := op.Body; {
	case b == nil && len(body) > 0:
		return errors.New("it has a body, and the operation takes none")
	case b == nil:
		return nil
	case len(body) == 0 && b.Required && b.Decode != nil:
		return errors.New("the body is missing")
	case len(body) == 0:
		return nil
	case mediaBase(b.MediaType) != mediaBase(req.Header.Get("Content-Type")):
		return fmt.Errorf("the body is %q, want %q", req.Header.Get("Content-Type"), b.MediaType)
	case b.Decode == nil:
		return nil
	default:
		return b.Decode(body)
	}
}

// sameShape compares a text with what a type makes of it: the same members at every place. Members that are null may be missing.
func sameShape(text, again []byte) error {
	var a, b any
	if err := json.Unmarshal(text, &a); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	if err := json.Unmarshal(again, &b); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	return errors.Join(differences("", a, b)...)
}

func differences(at string, sent, known any) (wrong []error) {
	switch sent := sent.(type) {
	case map[string]any:
		known, ok := known.(map[string]any)
		if !ok {
			return nil
		}
		for _, name := range sortedKeys(sent) {
			value, has := known[name]
			if !has && sent[name] != nil {
				wrong = append(wrong, fmt.Errorf("the type has no member %s/%s", at, name))
			} else if has {
				wrong = append(wrong, differences(at+"/"+name, sent[name], value)...)
			}
		}
		for _, name := range sortedKeys(known) {
			if _, has := sent[name]; !has {
				wrong = append(wrong, fmt.Errorf("the member %s/%s is missing", at, name))
			}
		}
	case []any:
		if known, ok := known.([]any); ok {
			for i := range min(len(sent), len(known)) {
				wrong = append(wrong, differences(fmt.Sprintf("%s/%d", at, i), sent[i], known[i])...)
			}
		}
	}
	return wrong
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for name := range m {
		keys = append(keys, name)
	}
	slices.Sort(keys)
	return keys
}

// reader is a body that ends with the context of its request, as those of connections do.
type reader struct {
	*bytes.Reader

	req *http.Request
}

// Read reads on.
func (r *reader) Read(p []byte) (int, error) {
	if err := r.req.Context().Err(); err != nil {
		return 0, err //nolint:wrapcheck // as connections do
	}
	return r.Reader.Read(p) //nolint:wrapcheck // a reader passes errors through
}

// Close ends nothing: the body lies in memory.
func (*reader) Close() error { return nil }
