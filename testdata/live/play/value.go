package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// member is a property of an object in a parameter.
type member struct{ key, value string }

// parts is what a parameter's text says: one of text, a list, or an object, as its type asks for.
type parts struct {
	text    string
	list    []string
	members []member
}

// shape is what a Go type asks of a parameter's text.
type shape int

const (
	scalar shape = iota
	list
	object
)

// innerOf returns the T of wire.Opt[T], wire.Null[T] and wire.OptNull[T]; ok is false for any other type.
func innerOf(t reflect.Type) (inner reflect.Type, ok bool) {
	get, ok := t.MethodByName("Get")
	if !ok || t.Kind() != reflect.Struct || get.Type.NumIn() != 1 || get.Type.NumOut() != 2 {
		return nil, false
	}
	return get.Type.Out(0), true
}

func shapeOf(t reflect.Type) shape {
	if inner, ok := innerOf(t); ok {
		return shapeOf(inner)
	}
	switch {
	case t.Kind() == reflect.Pointer:
		return shapeOf(t.Elem())
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return list
	case t.Kind() == reflect.Map:
		return object
	case t.Kind() == reflect.Struct && !isUnion(t) && t.NumField() > 0 && t.Field(0).IsExported():
		return object
	default:
		return scalar
	}
}

// pathParts reads the text of a path parameter.
func (p *Param) pathParts(text string, want shape) (parts, error) {
	separator, prefix := ",", ""
	switch p.Style {
	case "label":
		prefix = "."
		if p.Explode {
			separator = "."
		}
	case "matrix":
		prefix = ";"
		if p.Explode {
			separator = ";"
		} else {
			prefix += p.Name + "="
		}
	}
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return parts{}, fmt.Errorf("%q does not begin with %q", text, prefix)
	}
	if p.Style == "matrix" && p.Explode && want == scalar {
		rest = strings.TrimPrefix(rest, p.Name+"=")
	}
	pieces := strings.Split(rest, separator)
	if p.Style == "matrix" && p.Explode && want == list {
		for i := range pieces {
			pieces[i] = strings.TrimPrefix(pieces[i], p.Name+"=")
		}
	}
	return split(rest, pieces, p.Explode, want, url.PathUnescape)
}

func split(text string, pieces []string, explode bool, want shape, unescape func(string) (string, error)) (parts, error) {
	var out parts
	var errs []error
	plain := func(s string) string {
		s, err := unescape(s)
		errs = append(errs, err)
		return s
	}
	switch {
	case want == scalar:
		out.text = plain(text)
	case want == list:
		for _, piece := range pieces {
			out.list = append(out.list, plain(piece))
		}
	case explode:
		for _, piece := range pieces {
			key, value, _ := strings.Cut(piece, "=")
			out.members = append(out.members, member{plain(key), plain(value)})
		}
	default:
		for pair := range slices.Chunk(pieces, 2) {
			out.members = append(out.members, member{plain(pair[0]), plain(pair[len(pair)-1])})
		}
	}
	return out, errors.Join(errs...)
}

func asItIs(s string) (string, error) { return s, nil }

// queryParts reads a query parameter. ok is false where it is not there.
func (p *Param) queryParts(query map[string][]string, t reflect.Type, own []string) (out parts, ok bool, err error) {
	want := shapeOf(t)
	if p.Style == "deepObject" {
		for key, values := range query {
			if inner, found := strings.CutPrefix(key, p.Name+"["); found {
				out.members = append(out.members, member{strings.TrimSuffix(inner, "]"), values[0]})
			}
		}
		return out, len(out.members) > 0, nil
	}
	values, ok := query[p.Name]
	if want == object && p.Explode {
		for key, values := range query {
			if !slices.Contains(own, key) {
				out.members = append(out.members, member{key, values[0]})
			}
		}
		return out, len(out.members) > 0, nil
	}
	if !ok || len(values) == 0 {
		return parts{}, false, nil
	}
	if want == list && p.Explode || len(values) > 1 {
		return parts{list: values}, true, nil
	}
	separator := map[string]string{"spaceDelimited": " ", "pipeDelimited": "|"}[p.Style]
	if separator == "" {
		separator = ","
	}
	out, err = split(values[0], strings.Split(values[0], separator), p.Explode, want, asItIs)
	return out, true, err
}

// fill sets a value from what a parameter's text says.
func fill(v reflect.Value, from parts) error {
	if inner, ok := innerOf(v.Type()); ok {
		value := reflect.New(inner)
		if err := fill(value.Elem(), from); err != nil {
			return err
		}
		return recode(value.Interface(), v)
	}
	switch shapeOf(v.Type()) {
	case list:
		return fillList(v, from.list)
	case object:
		return fillObject(v, from.members)
	case scalar:
		if from.list != nil { // a union of one and several
			return recode(from.list, v)
		}
	}
	return fillScalar(v, from.text)
}

func fillList(v reflect.Value, items []string) error {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		if err := fillScalar(v.Index(i), item); err != nil {
			return err
		}
	}
	return nil
}

func fillObject(v reflect.Value, members []member) error {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if v.Kind() == reflect.Map {
		v.Set(reflect.MakeMap(v.Type()))
		for _, m := range members {
			value := reflect.New(v.Type().Elem()).Elem()
			if err := fillScalar(value, m.value); err != nil {
				return err
			}
			v.SetMapIndex(reflect.ValueOf(m.key).Convert(v.Type().Key()), value)
		}
		return nil
	}
	for _, m := range members {
		field, ok := fieldOf(v, m.key)
		if !ok {
			return fmt.Errorf("%v has no field for %q", v.Type(), m.key)
		}
		if err := fillScalar(field, m.value); err != nil {
			return err
		}
	}
	return nil
}

// fieldOf finds a struct's field by its name on the wire.
func fieldOf(v reflect.Value, name string) (reflect.Value, bool) {
	for i := range v.NumField() {
		tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if tag == name {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// fillScalar sets a value that one text stands for: as JSON if the type takes that, as a JSON string otherwise.
func fillScalar(v reflect.Value, text string) error {
	quoted, err := json.Marshal(text)
	if err != nil {
		return err
	}
	target := v.Addr().Interface()
	if json.Valid([]byte(text)) && !strings.HasPrefix(text, `"`) && text != "null" && json.Unmarshal([]byte(text), target) == nil {
		return nil
	}
	if err := json.Unmarshal(quoted, target); err != nil {
		return fmt.Errorf("%v does not take %q: %w", v.Type(), text, err)
	}
	return nil
}

// recode sets v to what from says as JSON.
func recode(from any, v reflect.Value) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v.Addr().Interface())
}
