package wire

import (
	"bytes"
	"crypto/rand"
	"encoding"
	"encoding/json"
	"fmt"
	"mime"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

// Multipart sets a body of type multipart/form-data. v is an object: a Content becomes a file, a scalar a text part, an object a
// JSON part, and a list one part for each item. Files are streamed when the body is sent, and opened anew for each attempt.
func (r *Request) Multipart(v any, encodings ...Encoding) { r.MultipartAs(formData, v, encodings...) }

const formData = "multipart/form-data"

// MultipartAs is Multipart for another multipart media type, such as multipart/mixed: its parts are in the order of the properties and
// have no names, as only those of a form have; a file keeps its own.
func (r *Request) MultipartAs(mediaType string, v any, encodings ...Encoding) {
	if isAbsent(v) {
		return
	}
	a := newAssembly(encodings)
	a.unnamed = !sameType(formData, mediaType)
	err := a.object(reflect.ValueOf(v))
	if err == nil {
		err = a.close()
	}
	if err != nil {
		r.Fail(fmt.Errorf("encode multipart: %w", err))
		return
	}
	r.setBody(partsBody(concrete(mediaType, "", "multipart/mixed")+"; boundary="+a.writer.Boundary(), a.parts))
}

// assembly puts the parts of a multipart body together: what lies between the files is memory, the files stay where they are.
type assembly struct {
	encodings []Encoding
	unnamed   bool // parts are told apart by their order
	memory    *bytes.Buffer
	writer    *multipart.Writer
	parts     []Content
}

func newAssembly(encodings []Encoding) *assembly {
	a := &assembly{encodings: encodings, memory: new(bytes.Buffer)}
	a.writer = multipart.NewWriter(a.memory)
	_ = a.writer.SetBoundary("resgen-" + rand.Text()) // letters and digits are a boundary
	return a
}

// object adds a part for each property of a struct, a map, or anything that is an object as JSON.
func (a *assembly) object(v reflect.Value) error {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	_, custom := reflect.TypeAssert[json.Marshaler](v)
	switch {
	case v.Kind() == reflect.Struct && custom:
		return a.customObject(v)
	case v.Kind() == reflect.Struct:
		return a.fields(v, func(reflect.Type) bool { return true })
	case v.Kind() == reflect.Map && !custom:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
		for _, key := range keys {
			if err := a.named(key.String(), v.MapIndex(key).Interface()); err != nil {
				return err
			}
		}
		return nil
	default:
		return a.encoded(v.Interface())
	}
}

// customObject adds the parts of a struct that writes its own JSON: first what that says, then the files, which JSON cannot hold.
func (a *assembly) customObject(v reflect.Value) error {
	plain := reflect.New(v.Type()).Elem()
	plain.Set(v)
	for i := range v.NumField() {
		if isFile(v.Type().Field(i).Type) {
			plain.Field(i).SetZero()
		}
	}
	if err := a.encoded(plain.Interface()); err != nil {
		return err
	}
	return a.fields(v, isFile)
}

// isFile reports whether a property of that type is one file, or several.
func isFile(t reflect.Type) bool {
	return t == reflect.TypeFor[Content]() || t == reflect.TypeFor[[]Content]() || t == reflect.TypeFor[Opt[Content]]()
}

// fields adds the parts of the fields whose type is wanted.
func (a *assembly) fields(v reflect.Value, wanted func(reflect.Type) bool) error {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, omitZero, ok := codec.NameOf(field)
		if !ok || !wanted(field.Type) || omitZero && isZero(v.Field(i)) {
			continue
		}
		if err := a.named(name, v.Field(i).Interface()); err != nil {
			return err
		}
	}
	return nil
}

// named adds the parts of one property; its errors name it.
func (a *assembly) named(name string, v any) error {
	if err := a.property(name, v); err != nil {
		return fmt.Errorf("property %q: %w", name, err)
	}
	return nil
}

func isZero(v reflect.Value) bool {
	if z, ok := reflect.TypeAssert[interface{ IsZero() bool }](v); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

// encoded adds a part for each member of the JSON object that v is.
func (a *assembly) encoded(v any) error {
	data, err := Marshal(v)
	if err != nil {
		return err
	}
	members, err := membersOf(data)
	if err != nil {
		return err
	}
	for _, m := range members {
		if err := a.named(m.key, m.value); err != nil {
			return err
		}
	}
	return nil
}

// property adds the parts of one property.
func (a *assembly) property(name string, v any) error {
	if isAbsent(v) {
		return nil
	}
	if held, ok := heldFile(v); ok {
		return a.property(name, held)
	}
	if u, ok := v.(interface{ Raw() json.RawMessage }); ok { // a union
		return a.property(name, u.Raw())
	}
	if _, _, known := optionalOf(reflect.ValueOf(v)); known {
		raw, err := Marshal(v)
		if err != nil {
			return err
		}
		return a.property(name, json.RawMessage(raw))
	}
	e := encodingOf(name, a.encodings)
	if c, ok := v.(Content); ok {
		return a.file(name, c, e)
	}
	if isJSON(e.ContentType) {
		return a.json(name, v, e)
	}
	if e.Style.base() != 0 && !isFile(reflect.TypeOf(v)) {
		return a.styled(name, v, e)
	}
	if raw, ok := v.(json.RawMessage); ok && jsontext.KindOf(raw) == jsontext.Array {
		text, err := Marshal(raw) // it may be the caller's own
		if err != nil {
			return err
		}
		v = itemsOf(text)
	}
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Pointer {
		return a.property(name, r.Elem().Interface())
	}
	if isList(r) {
		for i := range r.Len() {
			if err := a.property(name, r.Index(i).Interface()); err != nil {
				return err
			}
		}
		return nil
	}
	n, err := nodeOf(v)
	switch {
	case err != nil || n.kind == nothing:
		return err
	case n.kind == scalar:
		return a.part(name, "", e.ContentType, []byte(n.text))
	default:
		return a.json(name, v, e)
	}
}

// heldFile returns the file, or the files, that an optional value holds. Others are read as JSON, which files are not.
func heldFile(v any) (held any, ok bool) {
	switch o := v.(type) {
	case Opt[Content]:
		return o.value, true
	case Null[Content]:
		return o.value, true
	case OptNull[Content]:
		return o.value, true
	case Null[[]Content]:
		return o.value, true
	case OptNull[[]Content]:
		return o.value, true
	default:
		return nil, false
	}
}

// styled adds the parts of a value that has a style: one for each pair.
func (a *assembly) styled(name string, v any, e Encoding) error {
	n, err := nodeOf(v)
	if err != nil || n.kind == nothing {
		return err
	}
	pairs, err := n.pairs(name, e.Style, url.QueryEscape)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		key, value, _ := strings.Cut(p, "=")
		if key, err = url.QueryUnescape(key); err == nil {
			value, err = url.QueryUnescape(value)
		}
		if err == nil {
			err = a.part(key, "", "", []byte(value))
		}
		if err != nil {
			return fmt.Errorf("part %q: %w", key, err)
		}
	}
	return nil
}

func isList(r reflect.Value) bool {
	if _, text := reflect.TypeAssert[encoding.TextMarshaler](r); text {
		return false
	}
	return r.Kind() == reflect.Slice && r.Type().Elem().Kind() != reflect.Uint8 || r.Kind() == reflect.Array
}

func (a *assembly) json(name string, v any, e Encoding) error {
	data, err := Marshal(v)
	if err != nil {
		return err
	}
	return a.part(name, "", concrete(firstType(e.ContentType), "", "application/json"), data)
}

func (a *assembly) file(name string, c Content, e Encoding) error {
	if c.IsZero() {
		return nil
	}
	file := c.name
	if file == "" {
		file = name
	}
	mediaType := c.mediaType
	if mediaType == "" {
		mediaType = concrete(firstType(e.ContentType), "", octetStream)
	}
	if err := a.part(name, file, mediaType, nil, c.header...); err != nil {
		return err
	}
	a.flush()
	a.parts = append(a.parts, c)
	return nil
}

// part begins a part and writes data into it.
func (a *assembly) part(name, file, mediaType string, data []byte, more ...Field) error {
	header := textproto.MIMEHeader{}
	for _, f := range more {
		if err := checkHeader(f.Name, f.Value); err != nil {
			return fmt.Errorf("header %q: %w", f.Name, err)
		}
		header.Set(f.Name, f.Value)
	}
	switch {
	case a.unnamed && file == name, a.unnamed && file == "":
	case a.unnamed:
		header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file}))
	case file == "":
		header.Set("Content-Disposition", `form-data; name="`+quoter.Replace(name)+`"`)
	default:
		header.Set("Content-Disposition", multipart.FileContentDisposition(name, file))
	}
	if mediaType != "" {
		header.Set("Content-Type", firstType(mediaType))
	}
	w, err := a.writer.CreatePart(header)
	if err == nil {
		_, err = w.Write(data)
	}
	if err != nil {
		return fmt.Errorf("write part: %w", err)
	}
	return checkHeader("Content-Type", mediaType)
}

var quoter = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "%0D", "\n", "%0A")

// firstType returns the first of several media types.
func firstType(list string) string {
	first, _, _ := strings.Cut(list, ",")
	return strings.TrimSpace(first)
}

// flush makes what was written so far a part of the body.
func (a *assembly) flush() {
	if a.memory.Len() == 0 {
		return
	}
	a.parts = append(a.parts, FromBytes(a.memory.Bytes()))
	a.memory.Reset()
}

func (a *assembly) close() error {
	if err := a.writer.Close(); err != nil {
		return fmt.Errorf("end multipart: %w", err)
	}
	a.flush()
	return nil
}
