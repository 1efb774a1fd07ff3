package sdkerror

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// object is a JSON object in the making, without what is empty.
type object map[string]any

func (o *object) set(name string, value any) {
	if text, ok := value.(string); ok && text == "" || value == nil {
		return
	}
	if *o == nil {
		*o = object{}
	}
	if _, has := (*o)[name]; !has {
		(*o)[name] = value
	}
}

// setRaw takes the body as it came.
func (f *found) setRaw(body []byte) {
	if len(f.raw) == 0 && len(body) > 0 {
		f.raw = bytes.Clone(body[:min(len(body), mostBytes)])
	}
}

// setText takes a text that is a body of JSON, or has one in it as its own member, and no other.
func (f *found) setText(text string) {
	body := []byte(text[:min(len(text), mostBytes)])
	if jsontext.KindOf(body) != jsontext.Object {
		return
	}
	if value, ok := jsontext.Find(body, "/body"); ok {
		if inner, is := jsontext.Text(value); is && strings.HasPrefix(inner, "{") {
			body = []byte(inner)
		}
	}
	f.setRaw(body)
}

// readObject reads the members of a body from the fields of an error that was decoded from it.
func (f *found) readObject(v reflect.Value) {
	message, status, kind := textField(v, "Message"), textField(v, "Status"), textField(v, "Type")
	_, hasParam := field(v, "Param")
	if hasParam { // openai-go, go-openai: what stands inside "error"
		f.bare = true
	}
	code := codeOf(v)
	if f.status == 0 && (kind == "" || message == "") && code == nil {
		return // nothing of an answer
	}
	f.typed = f.typed || kind != "" && message != ""
	f.fields.set("message", message)
	f.fields.set("type", kind)
	f.fields.set("code", code)
	f.fields.set("status", status)
	f.fields.set("param", textField(v, "Param"))
	if at, ok := field(v, "InnerError"); ok && at.Kind() == reflect.Pointer && !at.IsNil() { // go-openai, of Azure
		if code := textField(at.Elem(), "Code"); code != "" {
			f.fields.set("innererror", map[string]any{"code": code})
		}
	}
	if at, ok := field(v, "Details"); ok && at.Type() == reflect.TypeFor[[]map[string]any]() && at.Len() > 0 { // genai
		f.fields.set("details", at.Interface())
	}
}

// codeOf returns the code of an error: a text or a number; nil for none.
func codeOf(v reflect.Value) any {
	if text := textField(v, "ErrorCode"); text != "" { // azcore
		return text
	}
	at, ok := field(v, "Code")
	if ok && at.Kind() == reflect.Interface && !at.IsNil() {
		at = at.Elem()
	}
	switch {
	case !ok:
		return nil
	case at.Kind() == reflect.String && at.Len() > 0:
		return at.String()
	case at.CanInt():
		return at.Int()
	default:
		return nil
	}
}

// body returns the body as it came, or one made of the fields, in the provider's form: what stands inside "error" is put there.
func (f *found) body() []byte {
	switch {
	case jsontext.KindOf(f.raw) == jsontext.Object && f.bare && !has(f.raw, "/error"):
		return inside(f.raw)
	case len(f.raw) > 0:
		return f.raw
	case len(f.fields) == 0 || f.status == 0 && f.name == "" && !f.typed:
		return nil
	default:
		return inside(marshal(f.fields))
	}
}

// inside returns an object that has the members of another one, and that one as its "error".
func inside(members []byte) []byte {
	members = bytes.TrimSpace(members)
	if len(members) < len("{}") {
		return nil
	}
	out := append([]byte(`{"error":`), members...)
	if rest := bytes.TrimSpace(members[1:]); len(rest) > 1 {
		return append(append(out, ','), rest...)
	}
	return append(out, '}')
}

func has(body []byte, pointer string) bool {
	_, ok := jsontext.Find(body, pointer)
	return ok
}

// marshal returns a value as JSON; nil for one that has none, and for one that is too large.
func marshal(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil || len(text) > mostBytes {
		return nil
	}
	return text
}
