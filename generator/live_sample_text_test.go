package generator_test

import (
	"regexp/syntax"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// formats are texts of the formats that validators know.
var formats = map[string]string{
	"date-time": "2024-05-06T07:08:09Z", "date": "2024-05-06", "time": "07:08:09Z", "duration": "P1DT2H",
	"uuid": "6f1a1c2e-6a0f-4c1e-8f43-0e1a5b0c7d9e", "email": "someone@example.com", "idn-email": "someone@example.com",
	"uri": "https://example.com/a", "url": "https://example.com/a", "uri-reference": "/a", "iri": "https://example.com/a",
	"hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "byte": "Ynl0ZXM=", "json-pointer": "/a", "regex": "^a$",
}

// sampledText is a string that a schema allows: of its format, its example where it has a pattern, or one that the pattern allows.
func sampledText(v *source.Value) any {
	if f := v.Get("format"); f != nil && formats[f.Text] != "" {
		return formats[f.Text]
	}
	if encoding := v.Get("contentEncoding"); encoding != nil {
		return formats["byte"]
	}
	if pattern := v.Get("pattern"); pattern != nil {
		if example := exampleOf(v); example != nil {
			return example.Text
		}
		if made, ok := matching(pattern.Text); ok {
			return padded(made, v)
		}
	}
	return padded("text", v)
}

func exampleOf(v *source.Value) *source.Value {
	example := v.Get("example")
	if examples := list(v.Get("examples")); example == nil && len(examples) > 0 {
		example = &examples[0]
	}
	if example == nil || example.Kind != source.String {
		return nil
	}
	return example
}

// padded makes a text as long as the schema wants it.
func padded(s string, v *source.Value) string {
	if least := int(bound(v.Get("minLength"), 0)); len(s) < least {
		s += strings.Repeat(s[len(s)-1:], least-len(s))
	}
	if most := int(bound(v.Get("maxLength"), 1<<20)); len(s) > most {
		s = s[:most]
	}
	return s
}

// matching is a short text that a pattern matches; ok is false for a pattern that Go does not know.
func matching(pattern string) (s string, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	match(&b, re)
	return b.String(), b.Len() > 0
}

func match(b *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(oneOf(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpAlternate, syntax.OpCapture, syntax.OpPlus:
		match(b, re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			match(b, sub)
		}
	case syntax.OpRepeat:
		for range max(re.Min, min(1, re.Max)) {
			match(b, re.Sub[0])
		}
	case syntax.OpStar, syntax.OpQuest: // once, so that the text is not empty
		match(b, re.Sub[0])
	default: // what matches no character
	}
}

// oneOf is a character of a class, a letter or digit if there is one.
func oneOf(ranges []rune) rune {
	for _, want := range "a1A" {
		for i := 0; i < len(ranges); i += 2 {
			if ranges[i] <= want && want <= ranges[i+1] {
				return want
			}
		}
	}
	return ranges[0]
}
