package sdkerror

import (
	"encoding/json"
	"net/http"
	"reflect"
	"time"
)

// readMethods asks an error what it is, by methods whose names are all but standard.
func (f *found) readMethods(err error) {
	if e, ok := err.(interface{ HTTPStatusCode() int }); ok { // smithy
		f.setStatus(e.HTTPStatusCode())
	}
	if e, ok := err.(interface{ StatusCode() int }); ok { // aws-sdk-go
		f.setStatus(e.StatusCode())
	}
	if e, ok := err.(interface {
		ErrorCode() string
		ErrorMessage() string
	}); ok { // smithy.APIError
		f.setName(e.ErrorCode(), e.ErrorMessage())
		f.fault = faultOf(err)
	}
	if e, ok := err.(interface {
		Code() string
		Message() string
		OrigErr() error
	}); ok { // awserr.Error
		f.setName(e.Code(), e.Message())
	}
	if e, ok := err.(interface{ RawJSON() string }); ok { // openai-go, anthropic-sdk-go
		f.setRaw([]byte(e.RawJSON()))
	}
	if e, ok := err.(interface{ Meta() http.Header }); ok { // connect-go
		f.setHeader(e.Meta())
	}
	if e, ok := err.(interface{ RetryAfter() time.Duration }); ok {
		f.setWait(e.RetryAfter())
	}
}

// structOf returns the struct that an error is, or points to.
func structOf(err error) (reflect.Value, bool) {
	v := reflect.ValueOf(err)
	for range 2 {
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
	}
	return v, v.Kind() == reflect.Struct
}

// field returns an exported field, also of an embedded struct.
func field(v reflect.Value, name string) (reflect.Value, bool) {
	if v.Kind() != reflect.Struct {
		return reflect.Value{}, false
	}
	sf, ok := v.Type().FieldByName(name)
	if !ok || !sf.IsExported() {
		return reflect.Value{}, false
	}
	at, err := v.FieldByIndexErr(sf.Index)
	return at, err == nil && at.CanInterface()
}

// textField returns a field of some type of string; empty for none, and for a nil pointer to one.
func textField(v reflect.Value, name string) string {
	at, ok := field(v, name)
	if ok && at.Kind() == reflect.Pointer && !at.IsNil() {
		at = at.Elem()
	}
	if ok && at.Kind() == reflect.String {
		return at.String()
	}
	return ""
}

// readFields reads what the fields of an error's type say.
func (f *found) readFields(v reflect.Value) {
	for _, name := range [...]string{"StatusCode", "HTTPStatusCode", "HTTPCode", "Status", "Code"} {
		at, ok := field(v, name)
		if ok && at.CanInt() && (name != "Code" || isStatus(v, at)) {
			f.setStatus(int(at.Int()))
		}
	}
	for _, name := range [...]string{"Response", "RawResponse", "HTTPResponse"} {
		if at, ok := field(v, name); ok {
			f.readResponse(at)
		}
	}
	for _, name := range [...]string{"Header", "Headers"} {
		if at, ok := field(v, name); ok {
			f.setHeader(headerOf(at))
		}
	}
	if f.raw == nil {
		f.readBody(v)
	}
	f.readObject(v)
	f.readWait(v)
	if at, ok := field(v, "DerivedFromError"); ok { // Weaviate's client does not unwrap
		if cause, ok := reflect.TypeAssert[error](at); ok && f.cause == nil {
			f.cause = cause
			f.walk(cause)
		}
	}
}

// isStatus reports whether a number that is called Code, as many are, is a status code of HTTP: a plain int beside what only answers have.
func isStatus(v, code reflect.Value) bool {
	if code.Type() != reflect.TypeFor[int]() {
		return false
	}
	if at, ok := field(v, "Msg"); ok { // go-pinecone. That of net/textproto, whose codes are others, is a string
		return at.Kind() == reflect.Interface
	}
	status, hasStatus := field(v, "Status")
	_, hasHeader := field(v, "Header")
	return hasStatus && status.Kind() == reflect.String || hasHeader // genai; googleapi
}

// readResponse reads a response, or what embeds one.
func (f *found) readResponse(at reflect.Value) {
	r, ok := reflect.TypeAssert[*http.Response](at)         //nolint:bodyclose // its body is the client's
	if !ok && at.Kind() == reflect.Pointer && !at.IsNil() { // smithy's
		if inner, has := field(at.Elem(), "Response"); has {
			r, ok = reflect.TypeAssert[*http.Response](inner) //nolint:bodyclose // as above
		}
	}
	if ok && r != nil {
		f.setStatus(r.StatusCode)
		f.setHeader(r.Header)
	}
}

// headerOf returns a header; nil for what is none.
func headerOf(at reflect.Value) http.Header {
	if t := reflect.TypeFor[http.Header](); at.Type().ConvertibleTo(t) {
		h, _ := reflect.TypeAssert[http.Header](at.Convert(t))
		return h
	}
	return nil
}

// readBody reads the body where a field has it: as bytes, as text, as what was decoded, as the event of a stream, or as the text of an error.
func (f *found) readBody(v reflect.Value) {
	if at, ok := field(v, "Body"); ok {
		switch body := at.Interface().(type) {
		case []byte:
			f.setRaw(body)
		case json.RawMessage:
			f.setRaw(body)
		case string:
			f.setRaw([]byte(body))
		case map[string]any:
			f.setRaw(marshal(body))
		}
	}
	if event, ok := field(v, "Event"); ok { // openai-go, inside a stream
		if at, ok := field(event, "Data"); ok && at.Type() == reflect.TypeFor[[]byte]() {
			f.setRaw(at.Bytes())
		}
	}
	if at, ok := field(v, "Msg"); ok {
		switch msg := at.Interface().(type) {
		case string: // weaviate-go-client
			f.setText(msg)
		case error: // go-pinecone
			f.setText(msg.Error())
		}
	}
}

// readWait reads how long an error says to wait.
func (f *found) readWait(v reflect.Value) {
	at, ok := field(v, "RetryAfter")
	if ok && at.Kind() == reflect.Pointer && !at.IsNil() {
		at = at.Elem()
	}
	if ok {
		if d, is := reflect.TypeAssert[time.Duration](at); is {
			f.setWait(d)
		}
	}
	if at, ok = field(v, "RetryAfterS"); ok && at.CanInt() { // qdrant/go-client
		if s := at.Int(); s >= 0 && s < int64(maxWait/time.Second) {
			f.setWait(time.Duration(s) * time.Second)
		}
	}
}

// maxWait is longer than any wait that makes sense.
const maxWait = 100 * 365 * 24 * time.Hour

func (f *found) setWait(d time.Duration) {
	if !f.waits && d >= 0 && d < maxWait {
		f.wait, f.waits = d, true
	}
}

func (f *found) setStatus(code int) {
	if f.status == 0 && code >= 100 && code <= 599 {
		f.status = code
	}
}

func (f *found) setHeader(h http.Header) {
	if f.header == nil && len(h) > 0 {
		f.header = h
	}
}

func (f *found) setName(name, message string) {
	if f.name == "" && name != "" {
		f.name = name
		f.fields.set("__type", name)
		f.fields.set("message", message)
	}
}
