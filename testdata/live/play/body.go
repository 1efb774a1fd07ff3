package play

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"github.com/resgen-go/resgen/runtime/wire"
)

// fill sets a value from a recorded body.
func (b *Body) fill(v reflect.Value, c *Content) error {
	switch b.Codec {
	case JSON:
		if err := json.Unmarshal(c.Data, v.Addr().Interface()); err != nil {
			return fmt.Errorf("body: %w", err)
		}
		if err := sayTheSame(v, c.Data); err != nil {
			return fmt.Errorf("body: %w", err)
		}
		return nil
	case Text:
		return fillScalar(v, c.text())
	case Binary:
		return fillContent(v, wire.FromBytes(c.Data).Typed(c.ContentType))
	case Lines:
		return fillLines(v, c.Data)
	case Multipart, Form:
		return fillParts(v, c)
	default:
		return fmt.Errorf("no codec %q", b.Codec)
	}
}

// text returns the body as text. A recording may hold text as a JSON string.
func (c *Content) text() string {
	var text string
	if bytes.HasPrefix(c.Data, []byte(`"`)) && json.Unmarshal(c.Data, &text) == nil {
		return text
	}
	return string(c.Data)
}

// fillContent sets a file, in one of the types that hold one: wire.Content, and it in an optional value, a pointer or a list.
func fillContent(v reflect.Value, c wire.Content) error {
	file := reflect.ValueOf(c)
	switch {
	case v.Type() == file.Type():
		v.Set(file)
	case v.Type() == reflect.TypeFor[wire.Opt[wire.Content]]():
		v.Set(reflect.ValueOf(wire.Some(c)))
	case v.Kind() == reflect.Slice && v.Type().Elem() == file.Type():
		v.Set(reflect.Append(v, file))
	case v.Kind() == reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return fillContent(v.Elem(), c)
	default:
		return fmt.Errorf("%v does not take a file", v.Type())
	}
	return nil
}

// fillParts sets the properties of an object from parts.
func fillParts(v reflect.Value, c *Content) error {
	for v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if v.Kind() == reflect.Map && len(c.Files) == 0 {
		return recode(c.Parts, v)
	}
	if v.Kind() != reflect.Struct {
		return fmt.Errorf("%v has no properties", v.Type())
	}
	for name, value := range c.Parts {
		field, ok := fieldOf(v, name)
		if !ok {
			return fmt.Errorf("%v has no field for %q", v.Type(), name)
		}
		if err := fillPart(field, value); err != nil {
			return fmt.Errorf("part %q: %w", name, err)
		}
	}
	for _, f := range c.Files {
		field, ok := fieldOf(v, f.Field)
		if !ok {
			return fmt.Errorf("%v has no field for %q", v.Type(), f.Field)
		}
		if err := fillContent(field, wire.FromBytes(f.Data).Named(f.Name).Typed(f.Type)); err != nil {
			return fmt.Errorf("part %q: %w", f.Field, err)
		}
	}
	return nil
}

// fillPart sets a property from a part that is no file. A number in a recording may be meant as the text of a part.
func fillPart(field reflect.Value, value any) error {
	err := recode(value, field)
	if number, ok := value.(float64); ok && err != nil {
		return fillScalar(field, strconv.FormatFloat(number, 'g', -1, 64))
	}
	return err
}

// fillLines sets a list from lines of JSON.
func fillLines(v reflect.Value, data []byte) error {
	if v.Kind() != reflect.Slice {
		return fmt.Errorf("%v is no list", v.Type())
	}
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		item := reflect.New(v.Type().Elem())
		if err := json.Unmarshal(line, item.Interface()); err != nil {
			return fmt.Errorf("body: %w", err)
		}
		if err := sayTheSame(item.Elem(), line); err != nil {
			return fmt.Errorf("body: %w", err)
		}
		v.Set(reflect.Append(v, item.Elem()))
	}
	return nil
}
