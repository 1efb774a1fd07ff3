package wire

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// node is a value as parameters and forms see it: text, a list, or an object with its keys in order.
type node struct {
	kind nodeKind
	text string
	keys []string
	list []node // the items, or the values of keys
}

type nodeKind uint8

const (
	nothing nodeKind = iota // absent or null: not sent (RFC 6570, section 2.3, undefined)
	scalar
	list
	object
)

func textNode(s string) node { return node{kind: scalar, text: s} }

var errNotFinite = errors.New("NaN and infinity cannot be sent")

// formatFloat writes the shortest decimal that reads back as f, never with an exponent.
func formatFloat(f float64, bits int) (string, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "", errNotFinite
	}
	return strconv.FormatFloat(f, 'f', -1, bits), nil
}

// nodeOf returns the value as a node. Integers are plain decimals, times RFC 3339 with the fraction they have, bytes base64,
// structs, maps and unions what their JSON says.
func nodeOf(v any) (node, error) {
	if text, ok := v.(string); ok {
		return textNode(text), nil
	}
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
		return node{}, nil
	}
	if inner, state, known := optionalOf(r); known {
		switch {
		case state != present:
			return node{}, nil
		case inner.NumMethod() == 0 && isText(inner.Kind()):
			return reflectNode(inner)
		}
		return jsonNode(v)
	}
	switch v := v.(type) {
	case json.RawMessage:
		return parseNode(v)
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		if err != nil {
			return node{}, err //nolint:wrapcheck // the caller names the parameter
		}
		return textNode(string(text)), nil
	case json.Marshaler:
		return jsonNode(v)
	}
	if r.Kind() == reflect.Pointer {
		return nodeOf(r.Elem().Interface())
	}
	return reflectNode(r)
}

// isText reports whether values of a kind are text that can be read without being asked: what is optional keeps its value to itself.
func isText(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Float64 || k == reflect.String
}

func reflectNode(r reflect.Value) (node, error) {
	switch r.Kind() {
	case reflect.String:
		return textNode(r.String()), nil
	case reflect.Bool:
		return textNode(strconv.FormatBool(r.Bool())), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return textNode(strconv.FormatInt(r.Int(), 10)), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return textNode(strconv.FormatUint(r.Uint(), 10)), nil
	case reflect.Float32, reflect.Float64:
		text, err := formatFloat(r.Float(), r.Type().Bits())
		return textNode(text), err
	case reflect.Slice:
		if r.Type().Elem().Kind() == reflect.Uint8 {
			if r.IsNil() {
				return node{}, nil
			}
			return textNode(base64.StdEncoding.EncodeToString(r.Bytes())), nil
		}
		return listNode(r)
	case reflect.Array:
		return listNode(r)
	default:
		return jsonNode(r.Interface())
	}
}

func listNode(r reflect.Value) (node, error) {
	n := node{kind: list, list: make([]node, 0, r.Len())}
	for i := range r.Len() {
		item, err := nodeOf(r.Index(i).Interface())
		if err != nil {
			return node{}, fmt.Errorf("item %d: %w", i, err)
		}
		if item.kind != nothing {
			n.list = append(n.list, item)
		}
	}
	return n, nil
}

func jsonNode(v any) (node, error) {
	data, err := Marshal(v)
	if err != nil {
		return node{}, err
	}
	return parseNode(data)
}

// parseNode reads a JSON text into a node, with the digits of numbers as they are. No text at all is nothing.
func parseNode(data []byte) (node, error) {
	if len(data) == 0 {
		return node{}, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return readNode(dec)
}

func readNode(dec *json.Decoder) (node, error) {
	token, err := dec.Token()
	if err != nil {
		return node{}, fmt.Errorf("read JSON: %w", err)
	}
	switch t := token.(type) {
	case json.Delim:
		return readMembers(dec, t == '{')
	case string:
		return textNode(t), nil
	case json.Number:
		return numberNode(t)
	case bool:
		return textNode(strconv.FormatBool(t)), nil
	default:
		return node{}, nil
	}
}

// numberNode keeps the digits that an author wrote; only an exponent is written out.
func numberNode(n json.Number) (node, error) {
	if !strings.ContainsAny(n.String(), "eE") {
		return textNode(n.String()), nil
	}
	f, err := n.Float64()
	if err != nil {
		return node{}, fmt.Errorf("number %s: %w", n, err)
	}
	text, err := formatFloat(f, 64)
	return textNode(text), err
}

func readMembers(dec *json.Decoder, keyed bool) (node, error) {
	n := node{kind: list}
	if keyed {
		n.kind = object
	}
	for dec.More() {
		var key string
		if keyed {
			token, err := dec.Token()
			if err != nil {
				return node{}, fmt.Errorf("read JSON: %w", err)
			}
			key, _ = token.(string)
		}
		value, err := readNode(dec)
		if err != nil {
			return node{}, err
		}
		if value.kind == nothing {
			continue
		}
		if keyed {
			n.keys = append(n.keys, key)
		}
		n.list = append(n.list, value)
	}
	if _, err := dec.Token(); err != nil {
		return node{}, fmt.Errorf("read JSON: %w", err)
	}
	return n, nil
}
