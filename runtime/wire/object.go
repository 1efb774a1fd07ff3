package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// member is one member of a JSON object, its value as it was written.
type member struct {
	key   string
	value json.RawMessage
}

// readObject returns the members of a JSON object in order. Of two with one key the last counts, as with encoding/json.
func readObject(data []byte) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	token, err := dec.Token()
	if err != nil {
		return nil, fmt.Errorf("read object: %w", err)
	}
	if token != json.Delim('{') {
		return nil, &json.UnmarshalTypeError{Value: kindOf(data), Type: reflect.TypeFor[map[string]any](), Offset: 1}
	}
	var members []member
	at := map[string]int{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("read object: %w", err)
		}
		m := member{}
		m.key, _ = token.(string)
		if err := dec.Decode(&m.value); err != nil {
			return nil, fmt.Errorf("read object: %w", err)
		}
		if i, twice := at[m.key]; twice {
			members[i] = m
			continue
		}
		at[m.key] = len(members)
		members = append(members, m)
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("read object: %w", err)
	}
	return members, nil
}

// writeObject writes members in their order.
func writeObject(members []member) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := encodeJSON(m.key)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Exact is a member whose key no struct tag can hold: one with a quote, a comma or a control character in it, or an empty one. The
// field is tagged json:"-". For reading, Value is a pointer to the field.
type Exact struct {
	Key   string
	Value any
	// OmitZero leaves the member out where the value is zero, as the tag does.
	OmitZero bool
}

// MarshalObject writes a struct (of a type without methods) and the members beside its fields: extra, sorted by key, and exact ones.
// An extra member with the key of a field is an error.
func MarshalObject[E any](v any, extra map[string]E, exact ...Exact) ([]byte, error) {
	data, err := encodeJSON(v)
	if err != nil || len(extra) == 0 && len(exact) == 0 {
		return data, err
	}
	members, err := readObject(data)
	if err != nil {
		return nil, err
	}
	for _, e := range exact {
		if e.OmitZero && isZero(reflect.ValueOf(e.Value)) {
			continue
		}
		if members, err = appendMember(members, e.Key, e.Value); err != nil {
			return nil, err
		}
	}
	keys := fieldKeys(v)
	for _, key := range sortedKeys(extra) {
		if slices.Contains(keys, key) || slices.ContainsFunc(exact, func(e Exact) bool { return e.Key == key }) {
			return nil, fmt.Errorf("additional member %q is a field of its own", key)
		}
		if members, err = appendMember(members, key, extra[key]); err != nil {
			return nil, err
		}
	}
	return writeObject(members)
}

func appendMember(members []member, key string, v any) ([]member, error) {
	data, err := encodeJSON(v)
	if err != nil {
		return nil, fmt.Errorf("member %q: %w", key, err)
	}
	return append(members, member{key: key, value: data}), nil
}

func sortedKeys[E any](m map[string]E) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// UnmarshalObject reads an object into a struct (a pointer to a type without methods), exact members, and extra for all others. Keys
// are matched exactly: "Name" is not "name".
func UnmarshalObject[E any](data []byte, v any, extra *map[string]E, exact ...Exact) error {
	if isNull(data) {
		return nil
	}
	members, err := readObject(data)
	if err != nil {
		return err
	}
	keys := fieldKeys(v)
	known := members[:0:0]
	others := map[string]E{}
	for _, m := range members {
		at := slices.IndexFunc(exact, func(e Exact) bool { return e.Key == m.key })
		switch {
		case slices.Contains(keys, m.key):
			known = append(known, m)
		case at >= 0:
			err = decodeJSON(m.value, exact[at].Value)
		case extra != nil:
			var value E
			err = decodeJSON(m.value, &value)
			others[m.key] = value
		}
		if err != nil {
			return fmt.Errorf("member %q: %w", m.key, err)
		}
	}
	if extra != nil && len(others) > 0 {
		*extra = others
	}
	if data, err = writeObject(known); err != nil {
		return err
	}
	return decodeJSON(data, v)
}

// MarshalFields is MarshalObject without additional members.
func MarshalFields(v any, exact ...Exact) ([]byte, error) {
	return MarshalObject[struct{}](v, nil, exact...)
}

// UnmarshalFields is UnmarshalObject that drops additional members.
func UnmarshalFields(data []byte, v any, exact ...Exact) error {
	return UnmarshalObject[struct{}](data, v, nil, exact...)
}

// fieldKeys returns the JSON keys of a struct, or of what v points to.
func fieldKeys(v any) []string {
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	keys := make([]string, 0, t.NumField())
	for f := range t.Fields() {
		tag := f.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		if f.IsExported() && tag != "-" {
			keys = append(keys, name)
		}
	}
	return keys
}
