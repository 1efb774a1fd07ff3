package wire

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// decodeJSON is json.Unmarshal that also takes what servers in the wild send where encoding/json is stricter than JSON Schema or than
// practice: integers written 1.0 or 1e3, and times in forms near RFC 3339. It costs nothing where nothing is wrong: only a failure
// that one of these can have caused has the text looked at again.
func decodeJSON(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if err == nil || !isRepairable(err) {
		return err //nolint:wrapcheck // encoding/json adds the field to its own errors only
	}
	repaired, changed := repair(reflect.TypeOf(v).Elem(), data)
	if !changed {
		return err //nolint:wrapcheck // as above
	}
	return json.Unmarshal(repaired, v) //nolint:wrapcheck // as above
}

// isRepairable reports whether a failure may be one of a number or a time.
func isRepairable(err error) bool {
	if _, isTime := errors.AsType[*time.ParseError](err); isTime {
		return true
	}
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	return ok && strings.HasPrefix(wrong.Value, "number ")
}

var (
	timeType    = reflect.TypeFor[time.Time]()
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
)

// repair returns a JSON text with the numbers and times in it respelled that the type refuses, and whether there were any. Types with a
// method of their own are left alone: those of this package repair what they hold themselves.
func repair(t reflect.Type, data []byte) ([]byte, bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case isNull(data):
		return data, false
	case t == timeType:
		return repairTime(data)
	case reflect.PointerTo(t).Implements(unmarshaler):
		return data, false
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return wholeNumber(data)
	case reflect.Struct, reflect.Map:
		return repairMembers(t, data)
	case reflect.Slice:
		return repairItems(t.Elem(), data)
	default:
		return data, false
	}
}

// repairMembers repairs the members of an object: those that a struct has fields for, or all of a map.
func repairMembers(t reflect.Type, data []byte) ([]byte, bool) {
	members, err := readObject(data)
	if err != nil {
		return data, false
	}
	types := map[string]reflect.Type{}
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.IsExported() && name != "" {
				types[name] = f.Type
			}
		}
	}
	changed := false
	for i := range members {
		of, known := types[members[i].key]
		if t.Kind() == reflect.Map {
			of, known = t.Elem(), true
		}
		if !known {
			continue
		}
		if value, repaired := repair(of, members[i].value); repaired {
			members[i].value, changed = value, true
		}
	}
	if !changed {
		return data, false
	}
	out, err := writeObject(members)
	return out, err == nil
}

func repairItems(of reflect.Type, data []byte) ([]byte, bool) {
	var items []json.RawMessage
	if json.Unmarshal(data, &items) != nil {
		return data, false
	}
	changed := false
	for i := range items {
		if value, repaired := repair(of, items[i]); repaired {
			items[i], changed = value, true
		}
	}
	if !changed {
		return data, false
	}
	out, err := json.Marshal(items)
	return out, err == nil
}

// wholeNumber respells a number that is an integer written with a fraction of zeros or an exponent. To JSON Schema it is one.
func wholeNumber(data []byte) ([]byte, bool) {
	text := strings.TrimSpace(string(data))
	if kindOf(data) != "number" || !strings.ContainsAny(text, ".eE") {
		return data, false
	}
	if whole, fraction, _ := strings.Cut(text, "."); strings.Trim(fraction, "0") == "" && !strings.ContainsAny(text, "eE") {
		if whole == "-0" {
			whole = "0"
		}
		return []byte(whole), true
	}
	const exact = 1 << 53 // integers up to here are exact as floating-point numbers
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > exact {
		return data, false
	}
	return strconv.AppendInt(nil, int64(f), 10), true
}

// repairTime respells a time that is none of RFC 3339.
func repairTime(data []byte) ([]byte, bool) {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return data, false
	}
	t, ok := parseTime(text)
	if !ok {
		return data, false
	}
	out, err := json.Marshal(t)
	return out, err == nil
}

// timeLayouts are the forms of times that servers send for RFC 3339's. A fraction of seconds may follow in all of them.
var timeLayouts = [...]string{
	"2006-01-02T15:04:05Z07:00",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04:05Z07",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
	"2006-01-02T15:04:05 Z07:00",
	"2006-01-02T15:04:05 Z0700",
	"2006-01-02T15:04:05 MST",
	"2006-01-02",
	"20060102T150405Z0700",
	"20060102T150405",
	"20060102",
	time.RFC1123,
	time.RFC1123Z,
	time.RFC850,
	time.ANSIC,
}

// parseTime reads a time in one of the forms, in UTC where it names no zone. An empty text is no time.
func parseTime(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, true
	}
	if day := len(time.DateOnly); len(text) > day && strings.ContainsRune(" t_", rune(text[day])) {
		text = text[:day] + "T" + text[day+1:]
	}
	if last := len(text) - 1; text[last] == 'z' {
		text = text[:last] + "Z"
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
