package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

var errNoHeader = errors.New("it is missing")

// ReadHeader reads a header into the fields of T, a struct as generated code has it for the answers of an operation: a field's tag is
// `header:"Name"`, followed by ",required" where the document says so, by ",explode" for objects of the form a=1,b=2 (a,1,b,2 otherwise),
// or by ",json". Values are as OpenAPI's style simple has them; a time may be an HTTP date too. What is absent leaves its field zero.
//
// What is missing though it is required, or cannot be read, is an error that names it, one joined to the other; the other fields are read
// all the same. The header of an answer is in runtime.Meta, in a Download, and in the errors of this package.
func ReadHeader[T any](h http.Header) (T, error) {
	var v T
	return v, readHeader(h, reflect.ValueOf(&v).Elem())
}

func readHeader(h http.Header, into reflect.Value) error {
	var errs []error
	for i := range into.NumField() {
		tag := into.Type().Field(i).Tag.Get("header")
		name, options, _ := strings.Cut(tag, ",")
		if name == "" {
			continue
		}
		values := h.Values(name)
		var err error
		switch {
		case len(values) > 0:
			err = readField(strings.Join(values, ", "), options, into.Field(i))
		case strings.Contains(options, "required"):
			err = errNoHeader
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("header %q: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// readField reads one value.
func readField(text, options string, into reflect.Value) error {
	if strings.Contains(options, "json") {
		return codec.Decode([]byte(text), into.Addr().Interface())
	}
	typ := into.Type()
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	switch _, isOptional, known := optionalOf(reflect.Zero(typ)); {
	case known || isOptional != absent:
	case typ.Kind() == reflect.Slice && typ.Elem().Kind() != reflect.Uint8:
		return readList(text, into)
	case typ.Kind() == reflect.Map, typ.Kind() == reflect.Struct && typ.NumField() > 0 && typ.Field(0).Tag.Get("json") != "":
		return readMembersOf(text, strings.Contains(options, "explode"), into)
	}
	return readScalar(text, into.Addr().Interface())
}

func readList(text string, into reflect.Value) error {
	parts := strings.Split(text, ",")
	list := reflect.MakeSlice(into.Type(), len(parts), len(parts))
	for i, part := range parts {
		if err := readScalar(strings.TrimSpace(part), list.Index(i).Addr().Interface()); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	into.Set(list)
	return nil
}

// readMembersOf reads an object, member by member: whether a text is a string is for the member's type to say.
func readMembersOf(text string, exploded bool, into reflect.Value) error {
	parts := strings.Split(text, ",")
	for i := 0; i < len(parts); i++ {
		key, value := strings.TrimSpace(parts[i]), ""
		switch {
		case exploded:
			key, value, _ = strings.Cut(key, "=")
		case i+1 < len(parts):
			i++
			value = strings.TrimSpace(parts[i])
		}
		name, err := json.Marshal(key)
		if err != nil {
			return fmt.Errorf("member %q: %w", key, err)
		}
		err = tryTexts(value, func(text []byte) error {
			return codec.Decode([]byte("{"+string(name)+":"+string(text)+"}"), into.Addr().Interface())
		})
		if err != nil {
			return fmt.Errorf("member %q: %w", key, err)
		}
	}
	return nil
}

func readScalar(text string, into any) error {
	return tryTexts(text, func(text []byte) error { return codec.Decode(text, into) })
}

// tryTexts reads a text as a string, as a time in the form of HTTP, and as it is, and returns the error of the last.
func tryTexts(text string, read func([]byte) error) error {
	quoted, err := json.Marshal(text)
	if err != nil {
		return fmt.Errorf("read text: %w", err)
	}
	if read(quoted) == nil {
		return nil
	}
	if at, err := http.ParseTime(text); err == nil && read([]byte(`"`+at.Format(time.RFC3339)+`"`)) == nil {
		return nil
	}
	return read([]byte(text))
}
