package play

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"time"
)

// isUnion reports whether a type is a generated union: it keeps its JSON and has an accessor for each variant.
func isUnion(t reflect.Type) bool {
	_, ok := t.MethodByName("Raw")
	return ok && t.Kind() == reflect.Struct
}

// sayTheSame holds a typed value against the JSON that it was read from: it must say all of it again, and every union in it must know
// the variant that it holds, which in turn says all of it.
func sayTheSame(v reflect.Value, raw []byte) error {
	again, err := json.Marshal(v.Interface())
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	return errors.Join(sameJSON(again, raw), known(v))
}

// known looks for unions in a value and checks that each knows what it holds.
func known(v reflect.Value) error {
	if !v.IsValid() {
		return nil
	}
	if isUnion(v.Type()) {
		return knownVariant(v)
	}
	if _, ok := innerOf(v.Type()); ok {
		if !v.CanInterface() {
			return nil
		}
		out := v.MethodByName("Get").Call(nil)
		if !out[1].Bool() {
			return nil
		}
		return known(out[0])
	}
	var errs []error
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return known(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				errs = append(errs, known(v.Field(i)))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			errs = append(errs, known(v.Index(i)))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			errs = append(errs, known(v.MapIndex(key)))
		}
	}
	return errors.Join(errs...)
}

// ErrNoVariant says that a union holds none of the variants that it knows.
var ErrNoVariant = errors.New("holds no variant that it knows")

func knownVariant(v reflect.Value) error {
	raw, _ := v.MethodByName("Raw").Call(nil)[0].Interface().(json.RawMessage)
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var errs []error
	for i := range v.NumMethod() {
		m := v.Type().Method(i)
		if !strings.HasPrefix(m.Name, "As") || m.Type.NumIn() != 1 || m.Type.NumOut() != 2 {
			continue
		}
		out := v.Method(i).Call(nil)
		if ok := out[1].Kind() == reflect.Bool && out[1].Bool(); !ok {
			continue
		}
		err := sayTheSame(out[0], withoutTag(v, out[0], raw))
		if err == nil {
			return nil
		}
		errs = append(errs, fmt.Errorf("%v.%s: %w", v.Type(), m.Name, err))
	}
	if errs == nil {
		return fmt.Errorf("%v: %w: %.200s", v.Type(), ErrNoVariant, raw)
	}
	return errors.Join(errs...)
}

// withoutTag takes the discriminator out of a union's JSON where the variant has no field for it: then the union alone tells it, by a
// method without parameters.
func withoutTag(union, variant reflect.Value, raw []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || variant.Kind() != reflect.Struct || isUnion(variant.Type()) {
		return raw
	}
	for name, value := range members {
		var text string
		if _, has := fieldOf(variant, name); !has && json.Unmarshal(value, &text) == nil && tells(union, text) {
			delete(members, name)
		}
	}
	rest, err := json.Marshal(members)
	if err != nil {
		return raw
	}
	return rest
}

// tells reports whether a method of the union returns the text.
func tells(union reflect.Value, text string) bool {
	for i := range union.NumMethod() {
		m := union.Method(i).Type()
		if m.NumIn() == 0 && m.NumOut() == 1 && m.Out(0).Kind() == reflect.String && union.Method(i).Call(nil)[0].String() == text {
			return true
		}
	}
	return false
}

// sameJSON reports a difference between two JSON texts. Numbers are compared as numbers, and times as moments.
func sameJSON(got, want []byte) error {
	g, err := parse(got)
	if err != nil {
		return fmt.Errorf("%.200s: %w", got, err)
	}
	w, err := parse(want)
	if err != nil {
		return fmt.Errorf("%.200s: %w", want, err)
	}
	return sameValue("$", g, w)
}

func parse(data []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

func sameValue(at string, got, want any) error {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return differ(at, got, want)
		}
		for key := range g {
			if _, ok := w[key]; !ok {
				return differ(at+"."+key, g[key], nil)
			}
		}
		for key := range w {
			if _, ok := g[key]; !ok {
				return differ(at+"."+key, nil, w[key])
			}
			if err := sameValue(at+"."+key, g[key], w[key]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return differ(at, got, want)
		}
		for i := range w {
			if err := sameValue(fmt.Sprintf("%s[%d]", at, i), g[i], w[i]); err != nil {
				return err
			}
		}
		return nil
	case json.Number:
		g, ok := got.(json.Number)
		if ok && sameNumber(g, w) {
			return nil
		}
	case string:
		g, ok := got.(string)
		if ok && (g == w || sameTime(g, w)) {
			return nil
		}
	default:
		if reflect.DeepEqual(got, want) {
			return nil
		}
	}
	return differ(at, got, want)
}

func sameNumber(a, b json.Number) bool {
	x, okx := new(big.Rat).SetString(a.String())
	y, oky := new(big.Rat).SetString(b.String())
	return okx && oky && x.Cmp(y) == 0
}

func sameTime(a, b string) bool {
	x, errx := time.Parse(time.RFC3339Nano, a)
	y, erry := time.Parse(time.RFC3339Nano, b)
	return errx == nil && erry == nil && x.Equal(y)
}
