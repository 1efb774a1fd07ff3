package source

import (
	"math/big"
	"strings"

	"go.yaml.in/yaml/v4"
)

// The tags of YAML's core schema, in short form.
const (
	tagNull  = "!!null"
	tagBool  = "!!bool"
	tagInt   = "!!int"
	tagFloat = "!!float"
	tagMap   = "!!map"
	tagSeq   = "!!seq"
	tagMerge = "!!merge"
)

// scalar resolves a scalar by the core schema of YAML 1.2, as OpenAPI asks for: yes, on and 12:30 are strings, and so are times,
// infinities and NaN, which JSON does not have.
func scalar(n *yaml.Node) (Kind, string, *Error) {
	if n.Style&yaml.TaggedStyle != 0 {
		return tagged(n.Tag, n.Value)
	}
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return String, n.Value, nil
	}
	return plain(n.Value)
}

// plain resolves an unquoted scalar.
func plain(text string) (Kind, string, *Error) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return Null, "", nil
	case "true", "True", "TRUE":
		return Bool, "true", nil
	case "false", "False", "FALSE":
		return Bool, "false", nil
	}
	if number, ok := coreNumber(text); ok {
		return Number, number, nil
	}
	return String, text, nil
}

// tagged resolves a scalar that says what it is.
func tagged(tag, text string) (Kind, string, *Error) {
	kind, value, _ := plain(text)
	switch tag {
	case "!!str", "!!timestamp", "!!binary":
		return String, text, nil
	case tagInt, tagFloat:
		if kind == Number {
			return kind, value, nil
		}
	case tagBool:
		if kind == Bool {
			return kind, value, nil
		}
	case tagNull:
		if kind == Null {
			return kind, value, nil
		}
	default:
		return 0, "", unknownTag(tag)
	}
	return 0, "", &Error{
		What: "the value " + quote(text) + " does not fit its tag " + tag,
		Why:  "a tag says how the text is read", Fix: "remove the tag, or correct the value",
	}
}

func unknownTag(tag string) *Error {
	return &Error{
		What: "the tag " + quote(tag) + " is not known",
		Why:  "OpenAPI documents use the tags of YAML's JSON schema only; what another tag means would be guessed", Fix: "remove the tag",
	}
}

// coreNumber reports whether a plain scalar is a number of the core schema, and spells it as JSON does, digits kept.
func coreNumber(text string) (string, bool) {
	if isJSONNumber(text) {
		return text, true
	}
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0o") {
		return basedInt(text)
	}
	sign, rest := "", text
	if strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "+") {
		sign, rest = strings.TrimPrefix(rest[:1], "+"), rest[1:]
	}
	mantissa, exponent := rest, ""
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, exponent = rest[:i], rest[i:]
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" || point && whole == "" && !allDigits(fraction) {
		return "", false
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	number := sign + whole
	if fraction != "" {
		number += "." + fraction
	}
	number += exponent
	return number, isJSONNumber(number)
}

// basedInt reads 0x1F and 0o17. The length is bounded, since the digits are converted.
func basedInt(text string) (string, bool) {
	const most = 66
	digits, base := text[2:], 16
	if text[1] == 'o' {
		base = 8
	}
	if len(text) > most || strings.ContainsAny(digits, "+-_") {
		return "", false
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return "", false
	}
	return n.String(), true
}

// isJSONNumber reports whether a text is a number of RFC 8259.
func isJSONNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, rest := leadingDigits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	if strings.HasPrefix(rest, ".") {
		var fraction int
		if fraction, rest = leadingDigits(rest[1:]); fraction == 0 {
			return false
		}
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		rest = rest[1:]
		if rest != "" && (rest[0] == '+' || rest[0] == '-') {
			rest = rest[1:]
		}
		return allDigits(rest)
	}
	return rest == ""
}

func leadingDigits(s string) (n int, rest string) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n, s[n:]
}

func allDigits(s string) bool {
	n, _ := leadingDigits(s)
	return n > 0 && n == len(s)
}

// quote shows a text of the document in a message.
func quote(s string) string { return `"` + clip(s) + `"` }
