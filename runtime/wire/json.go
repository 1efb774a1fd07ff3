package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// encodeJSON writes v as JSON: no HTML escaping, no trailing newline, and lists and maps that are required but nil as empty ones.
func encodeJSON(v any) ([]byte, error) {
	if full, changed := fillNil(reflect.ValueOf(v)); changed {
		v = full.Interface()
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err //nolint:wrapcheck // callers say what was encoded
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// fillNil returns v with each nil list and map in it that JSON would show as null made an empty one, and whether there was any.
// encoding/json has no switch for this, and a schema that requires an array accepts [] but not null. What v points to is never
// changed: the way to a filled field is copied.
func fillNil(v reflect.Value) (reflect.Value, bool) {
	switch v.Kind() {
	case reflect.Pointer:
		return fillPointer(v)
	case reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		return fillNil(v.Elem())
	case reflect.Struct:
		return fillStruct(v)
	case reflect.Slice:
		return fillSlice(v)
	case reflect.Map:
		return fillMap(v)
	default:
		return v, false
	}
}

func fillPointer(v reflect.Value) (reflect.Value, bool) {
	if v.IsNil() {
		return v, false
	}
	full, changed := fillNil(v.Elem())
	if !changed {
		return v, false
	}
	p := reflect.New(v.Type().Elem())
	p.Elem().Set(full)
	return p, true
}

func fillStruct(v reflect.Value) (reflect.Value, bool) {
	var out reflect.Value
	for _, f := range fillFields(v.Type()) {
		field := v.Field(f.index)
		if f.omitted && field.IsZero() {
			continue
		}
		full, changed := fillNil(field)
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.New(v.Type()).Elem()
			out.Set(v)
		}
		out.Field(f.index).Set(full)
	}
	return out, out.IsValid()
}

func fillSlice(v reflect.Value) (reflect.Value, bool) {
	if v.Type() == rawMessage {
		return v, false
	}
	if v.IsNil() {
		return reflect.MakeSlice(v.Type(), 0, 0), true
	}
	if !mayHoldLists(v.Type().Elem()) {
		return v, false
	}
	var out reflect.Value
	for i := range v.Len() {
		full, changed := fillNil(v.Index(i))
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(out, v)
		}
		out.Index(i).Set(full)
	}
	return out, out.IsValid()
}

func fillMap(v reflect.Value) (reflect.Value, bool) {
	if v.IsNil() {
		return reflect.MakeMap(v.Type()), true
	}
	if !mayHoldLists(v.Type().Elem()) {
		return v, false
	}
	var out reflect.Value
	for it := v.MapRange(); it.Next(); {
		full, changed := fillNil(it.Value())
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.MakeMapWithSize(v.Type(), v.Len())
			for all := v.MapRange(); all.Next(); {
				out.SetMapIndex(all.Key(), all.Value())
			}
		}
		out.SetMapIndex(it.Key(), full)
	}
	return out, out.IsValid()
}

func mayHoldLists(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return true
	case reflect.Struct:
		return len(fillFields(t)) > 0
	default:
		return false
	}
}

// fillField is a field of a struct that may hold lists.
type fillField struct {
	index int
	// omitted says that the zero value is left out, so that nil means absent.
	omitted bool
}

// fieldCache remembers fillFields by type, as encoding/json remembers its own: it only ever grows, by what the program's types say.
var fieldCache sync.Map

func fillFields(t reflect.Type) []fillField {
	if known, ok := fieldCache.Load(t); ok {
		return known.([]fillField) //nolint:forcetypeassert // nothing else is stored
	}
	var fields []fillField
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" && options == "" {
			continue
		}
		switch f.Type.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Struct:
			fields = append(fields, fillField{index: i, omitted: strings.Contains(options, "omit")})
		default:
		}
	}
	fieldCache.Store(t, fields)
	return fields
}
