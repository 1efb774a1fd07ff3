package annot

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// scalar is the shape of a value without parts: a kind of node, and a test of its text.
type scalar struct {
	form    string
	example string
	kind    source.Kind
	schema  *schema
	// test says what is wrong with the text, in a clause that continues `"key" `; empty where nothing is.
	test func(text string) string
	// meant is what the author of a text that fails the test may have meant; without it, or where it is empty, the example.
	meant func(text string) string
}

func (s scalar) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind != s.kind {
		c.wrongType(v, s.form, s.example)
		return source.Value{}, false
	}
	if s.test == nil {
		return *v, true
	}
	if wrong := s.test(v.Text); wrong != "" {
		fix := s.example
		if s.meant != nil {
			fix = cmp.Or(s.meant(v.Text), fix)
		}
		c.bad(diag.BadValue, v, c.quoted()+" "+wrong, "the value could not be carried out as written", "write "+c.put(fix))
		return source.Value{}, false
	}
	return *v, true
}

func (s scalar) describe() description { return description{form: s.form, schema: s.schema} }

// flag is a key that is true or false.
func flag[T any](key, doc string, at func(*T) *bool) field[T] {
	return field[T]{
		key: key, doc: doc,
		shape: scalar{form: "a boolean", example: "true", kind: source.Bool, schema: &schema{Type: "boolean"}},
		put:   func(t *T, v *source.Value) { *at(t) = v.Text == "true" },
		take:  func(t *T) (source.Value, bool) { return source.Value{Kind: source.Bool, Text: "true"}, *at(t) },
	}
}

// count is a key that is a whole number of at least least.
func count[T any](key, doc string, least int, at func(*T) *int) field[T] {
	const most = 1_000_000
	return countTo(key, doc, least, most, at)
}

// countTo is a key that is a whole number from least to most.
func countTo[T any](key, doc string, least, most int, at func(*T) *int) field[T] {
	test := func(text string) string {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return "must be a whole number from " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + ", not " + quote(text)
		}
		return ""
	}
	example := strconv.Itoa(max(least, 1))
	return field[T]{
		key: key, doc: doc,
		shape: scalar{
			form: "a whole number", example: example, kind: source.Number, test: test,
			meant: func(text string) string {
				if n, err := strconv.Atoi(text); err == nil && n > most {
					return strconv.Itoa(most)
				}
				return ""
			},
			schema: &schema{Type: "integer", Minimum: new(float64(least)), Maximum: new(float64(most))},
		},
		put:  func(t *T, v *source.Value) { *at(t), _ = strconv.Atoi(v.Text) },
		take: func(t *T) (source.Value, bool) { return integer(*at(t)), *at(t) != 0 },
	}
}

// number is a key that is a number of at least least.
func number[T any](key, doc string, least float64, at func(*T) *float64) field[T] {
	const most = 1e6
	test := func(text string) string {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || x < least || x > most {
			return "must be a number from " + decimal(least) + " to " + decimal(most) + ", not " + quote(text)
		}
		return ""
	}
	return field[T]{
		key: key, doc: doc,
		shape: scalar{
			form: "a number", example: decimal(max(least, 1)), kind: source.Number, test: test,
			schema: &schema{Type: "number", Minimum: &least, Maximum: new(float64(most))},
		},
		put: func(t *T, v *source.Value) { *at(t), _ = strconv.ParseFloat(v.Text, 64) },
		take: func(t *T) (source.Value, bool) {
			return source.Value{Kind: source.Number, Text: decimal(*at(t))}, *at(t) != 0
		},
	}
}

var (
	namePattern   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]{0,63}$`)
	goNamePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
	tokenPattern  = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$")
)

// name is a key that refers to something by a plain name, such as a class or a target.
func name[T any](key, doc string, at func(*T) *string) field[T] {
	return textField(key, doc, nameShape("a name", "fast", namePattern), at)
}

func nameShape(form, example string, pattern *regexp.Regexp) scalar {
	return scalar{
		form: form, example: example, kind: source.String, schema: &schema{Type: "string", Pattern: pattern.String()},
		test: func(text string) string {
			if pattern.MatchString(text) {
				return ""
			}
			return "is no " + strings.TrimPrefix(strings.TrimPrefix(form, "a "), "the ") + ": " + quote(text) + " (" + lettersOf(pattern) + ")"
		},
	}
}

// lettersOf says in words what a pattern of names lets through.
func lettersOf(pattern *regexp.Regexp) string {
	switch pattern {
	case namePattern:
		return "letters, digits, `.`, `_` and `-`, a letter first, at most 64 in all"
	case goNamePattern:
		return "letters, digits and `_`, no digit first, at most 64 in all; no other letters than a to z"
	default:
		return "letters, digits and some marks, no space, at most 64 in all"
	}
}

// pointerField is a key that is a JSON pointer, such as example.
func pointerField[T any](key, doc, example string, at func(*T) *string) field[T] {
	return textField(key, doc, pointerLike(example), at)
}

func pointerShape() scalar { return pointerLike("/error/code") }

func pointerLike(example string) scalar {
	const longest = 1 << 10
	return scalar{
		form: "a JSON pointer", example: example, kind: source.String, schema: &schema{Type: "string", Pattern: "^/"},
		test: func(text string) string {
			if _, err := source.ParsePointer(text); err != nil || text == "" {
				return "is no JSON pointer to a member: " + quote(text)
			}
			if len(text) > longest {
				return "must be a JSON pointer of at most " + strconv.Itoa(longest) + " bytes"
			}
			return ""
		},
		meant: likelyPointer,
	}
}

var pathPattern = regexp.MustCompile(`^#?(\$\.)?/?([A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)*)$`)

// likelyPointer is the pointer for a path that is written in another way: `usage.input`, `$.usage.input` and `#/usage/input` are
// /usage/input. Empty for what is no path.
func likelyPointer(path string) string {
	const longest = 80
	m := pathPattern.FindStringSubmatch(path)
	if m == nil || len(path) > longest {
		return ""
	}
	return "/" + strings.ReplaceAll(m[2], ".", "/")
}

// textOf is a key that is any text of at least one character.
func textOf[T any](key, doc, example string, at func(*T) *string) field[T] {
	return textField(key, doc, textShape(example), at)
}

func textShape(example string) scalar {
	const longest = 1 << 10
	return scalar{
		form: "a text", example: example, kind: source.String, schema: &schema{Type: "string"},
		test: func(text string) string {
			if strings.TrimSpace(text) == "" || len(text) > longest {
				return "must be a text of 1 to " + strconv.Itoa(longest) + " bytes"
			}
			return ""
		},
	}
}

func textField[T any](key, doc string, s shape, at func(*T) *string) field[T] {
	return field[T]{
		key: key, doc: doc, shape: s,
		put:  func(t *T, v *source.Value) { *at(t) = v.Text },
		take: func(t *T) (source.Value, bool) { return text(*at(t)), *at(t) != "" },
	}
}

func text(s string) source.Value { return source.Value{Kind: source.String, Text: s} }

func integer(n int) source.Value { return source.Value{Kind: source.Number, Text: strconv.Itoa(n)} }

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
