package fuzz

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// rule is a difference that docs/reference/json.md states: what resgen takes and json/v2 refuses. It rewrites the place at which json/v2 failed into
// what both take; nil if it does not apply.
type rule struct {
	// row is how the line of the table of differences begins.
	row     string
	rewrite func(text []byte, err error) []byte
}

var rules = []rule{
	{"an integer written `1.0` or `1e3`", fraction},
	{"`-0` for an unsigned integer", minusZero},
	{"a base64 string for `[]float32`, `[]float64`", packedVector},
	{"a time near RFC 3339", nearTime},
	{"an array of numbers for `[]byte`", listOfBytes},
	{"ends of lines in base64", brokenBase64},
	{"an array that is longer or shorter than Go's array", arrayOfOtherLength},
	{"a key that is not written as Go writes it", oddKey},
	{"half of a surrogate pair", loneSurrogates},
	{"the same inside of a value that is kept as it came", unreadTwice},
}

// failedAt returns where and why json/v2 did not take a value that is JSON.
func failedAt(text []byte, err error) (*jsonv2.SemanticError, place, bool) {
	var semantic *jsonv2.SemanticError
	if !errors.As(err, &semantic) || semantic.GoType == nil {
		return nil, place{}, false
	}
	p, ok := placeOf(text, semantic.JSONPointer)
	return semantic, p, ok
}

func fraction(text []byte, err error) []byte {
	p, ok := integerAt(text, err)
	if number := string(text[p.from:p.to]); ok && strings.ContainsAny(number, ".eE") {
		if n, ok := whole(number); ok {
			return replaced(text, p, []byte(n))
		}
	}
	return nil
}

func minusZero(text []byte, err error) []byte {
	if p, ok := integerAt(text, err); ok && string(text[p.from:p.to]) == "-0" {
		return replaced(text, p, []byte("0"))
	}
	return nil
}

// integerAt returns the number that json/v2 did not take for an integer.
func integerAt(text []byte, err error) (place, bool) {
	e, p, ok := failedAt(text, err)
	return p, ok && e.JSONKind == '0' && e.GoType.Kind() >= reflect.Int && e.GoType.Kind() <= reflect.Uint64
}

// whole returns an integer as Go writes it, if the number is one of at most 20 digits.
func whole(number string) (string, bool) {
	const digits = 20
	if mantissa, exponent, ok := strings.Cut(strings.ToLower(number), "e"); ok {
		if strings.Trim(mantissa, "-0.") == "" {
			return "0", true
		}
		if n, err := strconv.Atoi(exponent); err != nil || n > 1000 || n < -1000 {
			return "", false // too much for big.Rat, and out of range
		}
	}
	r, ok := new(big.Rat).SetString(number)
	if !ok || !r.IsInt() || len(r.Num().String()) > digits {
		return "", false
	}
	return r.Num().String(), true
}

func packedVector(text []byte, err error) []byte {
	p, values, ok := packed(text, err)
	if !ok || slices.ContainsFunc(values, notFinite) {
		return nil
	}
	list := []byte{'['}
	for _, f := range values {
		list = append(strconv.AppendFloat(list, f, 'g', -1, 64), ',')
	}
	return replaced(text, p, append(bytes.TrimSuffix(list, []byte(",")), ']'))
}

// notANumber reports whether json/v2 failed at a vector in base64 that has values for which JSON has no number: no text says the same.
func notANumber(text []byte, err error) bool {
	_, values, ok := packed(text, err)
	return ok && slices.ContainsFunc(values, notFinite)
}

func notFinite(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }

// packed returns what the base64 at which json/v2 failed holds.
func packed(text []byte, err error) (place, []float64, bool) {
	e, p, ok := failedAt(text, err)
	if !ok || e.JSONKind != '"' || e.GoType.Kind() != reflect.Slice {
		return place{}, nil, false
	}
	if of := e.GoType.Elem().Kind(); of != reflect.Float32 && of != reflect.Float64 {
		return place{}, nil, false
	}
	var raw []byte
	if json.Unmarshal(text[p.from:p.to], &raw) != nil || len(raw)%4 != 0 {
		return place{}, nil, false
	}
	values := make([]float64, 0, len(raw)/4)
	for four := range slices.Chunk(raw, 4) {
		values = append(values, float64(math.Float32frombits(binary.LittleEndian.Uint32(four))))
	}
	return p, values, true
}

// timeForms are those that docs/reference/json.md lists.
var timeForms = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	"2006-01-02T15:04:05 Z07:00", "2006-01-02T15:04:05 Z0700", "2006-01-02T15:04:05 MST", "2006-01-02", "20060102T150405Z0700", "20060102T150405", "20060102",
	time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC,
}

func nearTime(text []byte, err error) []byte {
	e, p, ok := failedAt(text, err)
	if !ok || e.JSONKind != '"' || e.GoType != reflect.TypeFor[time.Time]() {
		return nil
	}
	var said string
	if json.Unmarshal(text[p.from:p.to], &said) != nil {
		return nil
	}
	said = strings.TrimSpace(said)
	if said == "" {
		return replaced(text, p, []byte("null"))
	}
	if len(said) > 10 && strings.ContainsRune(" t_", rune(said[10])) {
		said = said[:10] + "T" + said[11:]
	}
	if strings.HasSuffix(said, "z") {
		said = said[:len(said)-1] + "Z"
	}
	for _, form := range timeForms {
		if at, err := time.Parse(form, said); err == nil {
			return replaced(text, p, []byte(at.Format(`"`+time.RFC3339Nano+`"`)))
		}
	}
	return nil
}

func listOfBytes(text []byte, err error) []byte {
	e, p, ok := failedAt(text, err)
	if !ok || e.JSONKind != '[' || e.GoType.Kind() != reflect.Slice || e.GoType.Elem().Kind() != reflect.Uint8 {
		return nil
	}
	var items []json.Number
	var out []byte
	if json.Unmarshal(text[p.from:p.to], &items) != nil {
		return nil
	}
	for _, item := range items {
		n, _ := whole(item.String()) // null is ""
		b, err := strconv.ParseUint(n+strings.Repeat("0", max(0, 1-len(n))), 10, 8)
		if err != nil {
			return nil
		}
		out = append(out, byte(b))
	}
	return replaced(text, p, []byte(`"`+base64.StdEncoding.EncodeToString(out)+`"`))
}

func brokenBase64(text []byte, err error) []byte {
	e, p, ok := failedAt(text, err)
	if !ok || e.JSONKind != '"' || e.GoType.Kind() != reflect.Slice || e.GoType.Elem().Kind() != reflect.Uint8 {
		return nil
	}
	var said string
	if json.Unmarshal(text[p.from:p.to], &said) != nil || !strings.ContainsAny(said, "\r\n") {
		return nil
	}
	return replaced(text, p, []byte(`"`+strings.NewReplacer("\r", "", "\n", "").Replace(said)+`"`))
}

func arrayOfOtherLength(text []byte, err error) []byte {
	var e *jsonv2.SemanticError
	if !errors.As(err, &e) || e.GoType == nil || e.GoType.Kind() != reflect.Array {
		return nil
	}
	all, _ := places(text)
	var items [][]byte
	var array place
	for _, p := range all {
		switch {
		case p.pointer == e.JSONPointer:
			array = p
		case p.pointer.Parent() == e.JSONPointer:
			items = append(items, text[p.from:p.to])
		}
	}
	if array.to == 0 || text[array.from] != '[' || len(items) == e.GoType.Len() {
		return nil
	}
	for len(items) < e.GoType.Len() {
		items = append(items, []byte("null"))
	}
	return replaced(text, array, append(append([]byte("["), bytes.Join(items[:e.GoType.Len()], []byte(","))...), ']'))
}

func oddKey(text []byte, err error) []byte {
	e, p, ok := failedAt(text, err)
	if !ok || p.member < 0 || e.GoType.Kind() < reflect.Int || e.GoType.Kind() > reflect.Uint64 {
		return nil
	}
	n, err := strconv.ParseInt(e.JSONPointer.LastToken(), 10, 64)
	if err != nil {
		return nil
	}
	name := place{from: p.member, to: p.member + bytes.IndexByte(text[p.member+1:], '"') + 2}
	return replaced(text, name, strconv.AppendQuote(nil, strconv.FormatInt(n, 10)))
}

// loneSurrogates rewrites all of them: json/v2 says only that there is one.
func loneSurrogates(text []byte, err error) []byte {
	var syntactic *jsontext.SyntacticError
	if !errors.As(err, &syntactic) || !strings.Contains(err.Error(), "surrogate") {
		return nil
	}
	out := bytes.Clone(text)
	for i := 0; i+6 <= len(out); {
		switch {
		case out[i] != '\\':
			i++
		case out[i+1] != 'u' || !isSurrogate(out[i:], 0xD800, 0xDFFF):
			i += 2
		case isSurrogate(out[i:], 0xD800, 0xDBFF) && isSurrogate(out[i+6:], 0xDC00, 0xDFFF):
			i += 12
		default:
			copy(out[i:], `\ufffd`)
			i += 6
		}
	}
	return out
}

// isSurrogate reports whether b begins with an escape of that range.
func isSurrogate(b []byte, first, last uint64) bool {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return false
	}
	code, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return err == nil && code >= first && code <= last
}

// unreadTwice cuts the second member out. Whoever calls it checks that nobody read it.
func unreadTwice(text []byte, err error) []byte {
	var syntactic *jsontext.SyntacticError
	if !errors.As(err, &syntactic) || !errors.Is(err, jsontext.ErrDuplicateName) {
		return nil
	}
	all, _ := places(text)
	seen := 0
	for _, p := range all {
		if p.pointer != syntactic.JSONPointer {
			continue
		}
		if seen++; seen == 2 {
			comma := bytes.LastIndexByte(text[:p.member], ',')
			return replaced(text, place{from: comma, to: p.to}, nil)
		}
	}
	return nil
}
