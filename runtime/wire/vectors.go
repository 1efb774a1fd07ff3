package wire

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// Vector is what the shape of a vector in an answer says.
type Vector struct {
	// Length is how many numbers a list has, or, with Bytes, how many bytes.
	Length int
	// Bytes says that the vector came as text in base64, of numbers of a size that only who asked knows: mostly four bytes each.
	Bytes bool
}

// VectorPlaces say where the vectors of an answer are. Safe for concurrent use.
type VectorPlaces struct{ places [][]string }

// VectorsAt returns the places of JSON pointers (RFC 6901) in which a segment `*` stands for every item of a list and every member of an
// object.
func VectorsAt(pointers ...string) *VectorPlaces {
	p := &VectorPlaces{}
	for _, pointer := range pointers {
		p.places = append(p.places, jsontext.Steps(pointer))
	}
	return p
}

// CheckVectors has the vectors of a JSON answer checked when it was decoded: an error of accept makes it a *DecodeError, and fine is called
// where there is none. They are counted in what was decoded, and not in its text, which is long.
func (r *Response) CheckVectors(places *VectorPlaces, accept func(Vector) error, fine func()) {
	r.vectors, r.accept, r.fine = places, accept, fine
}

// checkVectors asks about the vectors of what was decoded. The error says where in the JSON.
func (r *Response) checkVectors(v any) *vectorError {
	for _, steps := range r.vectors.places {
		w := vectorWalk{accept: r.accept}
		if w.into(reflect.ValueOf(v), steps); w.err != nil {
			return &vectorError{path: w.pointer(), err: w.err}
		}
	}
	r.fine()
	return nil
}

// vectorError is a vector that was not accepted.
type vectorError struct {
	path string
	err  error
}

// vectorWalk follows steps through decoded values, until a vector is not accepted.
type vectorWalk struct {
	accept func(Vector) error
	err    error
	path   []string // to the vector that was not accepted, backwards

	fields [mostSteps]knownField // what each step, by how many follow it, last led to
}

// mostSteps is how many steps remember the field that they lead to: items of a list are of one type.
const mostSteps = 6

type knownField struct {
	typ   reflect.Type
	index []int
}

func (w *vectorWalk) pointer() string {
	var b strings.Builder
	for _, step := range slices.Backward(w.path) {
		b.WriteString("/" + strings.ReplaceAll(strings.ReplaceAll(step, "~", "~0"), "/", "~1"))
	}
	return b.String()
}

// came notes the step by which a vector was reached that was not accepted.
func (w *vectorWalk) came(step string) {
	if w.err != nil {
		w.path = append(w.path, step)
	}
}

// into follows the steps into a value. What is not there is no vector.
func (w *vectorWalk) into(v reflect.Value, steps []string) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || w.err != nil {
		return
	}
	if inner, state, known := optionalOf(v); known {
		if state == present {
			w.into(inner, steps)
		}
		return
	}
	if raw, ok := rawOf(v); ok {
		w.text(raw, steps)
		return
	}
	if len(steps) == 0 {
		w.ends(v)
		return
	}
	step, rest := steps[0], steps[1:]
	switch v.Kind() { //nolint:exhaustive // nothing else has parts
	case reflect.Slice, reflect.Array:
		w.items(v, step, rest)
	case reflect.Map:
		w.members(v, step, rest)
	case reflect.Struct:
		if field, ok := w.field(v, step, len(rest)); ok {
			w.into(field, rest)
			w.came(step)
		}
	}
}

func (w *vectorWalk) items(v reflect.Value, step string, rest []string) {
	if step != "*" {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < v.Len() {
			w.into(v.Index(i), rest)
			w.came(step)
		}
		return
	}
	for i := 0; i < v.Len() && w.err == nil; i++ {
		if w.into(v.Index(i), rest); w.err != nil {
			w.came(strconv.Itoa(i))
		}
	}
}

func (w *vectorWalk) members(v reflect.Value, step string, rest []string) {
	if v.Type().Key().Kind() != reflect.String {
		return
	}
	if step != "*" {
		w.into(v.MapIndex(reflect.ValueOf(step).Convert(v.Type().Key())), rest)
		w.came(step)
		return
	}
	for member := v.MapRange(); member.Next() && w.err == nil; {
		w.into(member.Value(), rest)
		w.came(member.Key().String())
	}
}

// field returns the field of a struct that has a member's name.
func (w *vectorWalk) field(v reflect.Value, name string, follow int) (reflect.Value, bool) {
	typ := v.Type()
	if follow < mostSteps && w.fields[follow].typ == typ {
		return v.FieldByIndex(w.fields[follow].index), true
	}
	for _, f := range reflect.VisibleFields(typ) {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != name || !f.IsExported() {
			continue
		}
		if follow < mostSteps {
			w.fields[follow] = knownField{typ, f.Index}
		}
		inner, err := v.FieldByIndexErr(f.Index)
		return inner, err == nil
	}
	return reflect.Value{}, false
}

// textKeeper is a value that keeps its JSON text.
type textKeeper interface{ Raw() json.RawMessage }

var (
	rawType        = reflect.TypeFor[json.RawMessage]()
	textKeeperType = reflect.TypeFor[textKeeper]()
)

// rawOf returns the JSON text of a value that keeps it: a union, or what the document leaves open.
func rawOf(v reflect.Value) (json.RawMessage, bool) {
	typ := v.Type()
	if typ != rawType && (v.Kind() != reflect.Struct || !typ.Implements(textKeeperType)) {
		return nil, false
	}
	switch kept := v.Interface().(type) {
	case json.RawMessage:
		return kept, true
	case textKeeper:
		return kept.Raw(), true
	default:
		return nil, false
	}
}

// ends takes the value that the steps lead to.
func (w *vectorWalk) ends(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // nothing else is a vector
	case reflect.Slice:
		if !v.IsNil() {
			w.err = w.accept(Vector{Length: v.Len(), Bytes: v.Type().Elem().Kind() == reflect.Uint8})
		}
	case reflect.Array:
		w.err = w.accept(Vector{Length: v.Len()})
	case reflect.String:
		w.base64(v.String())
	}
}

// text takes the vectors of a JSON text.
func (w *vectorWalk) text(raw json.RawMessage, steps []string) {
	jsontext.Each(raw, steps, func(value []byte) {
		if w.err != nil || value == nil {
			return
		}
		if n, isList := jsontext.Count(value); isList {
			w.err = w.accept(Vector{Length: n})
		} else if text, isText := jsontext.Text(value); isText && jsontext.KindOf(value) == jsontext.String {
			w.base64(text)
		}
	})
	for _, step := range slices.Backward(steps) {
		w.came(step)
	}
}

// base64 takes a vector in base64, of which only the length is looked at.
func (w *vectorWalk) base64(text string) {
	unpadded := strings.TrimRight(text, "=")
	w.err = w.accept(Vector{Length: base64.RawStdEncoding.DecodedLen(len(unpadded)), Bytes: true})
}
