package source_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// at is a position in the file that the tests read.
func at(line, column int) source.Pos { return source.Pos{File: "f", Line: line, Column: column} }

func str(pos source.Pos, text string) source.Value {
	return source.Value{Pos: pos, Kind: source.String, Text: text}
}

func num(pos source.Pos, text string) source.Value {
	return source.Value{Pos: pos, Kind: source.Number, Text: text}
}

func TestReadJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       source.Value
	}{
		{"null", "null", source.Value{Pos: at(1, 1)}},
		{"true", " true\n", source.Value{Pos: at(1, 2), Kind: source.Bool, Text: "true"}},
		{"false", "\r\n\tfalse", source.Value{Pos: at(2, 2), Kind: source.Bool, Text: "false"}},
		{"digits are kept", "12345678901234567890.10e+007", num(at(1, 1), "12345678901234567890.10e+007")},
		{"minus zero", "-0", num(at(1, 1), "-0")},
		{"byte order mark", "\xef\xbb\xbf1", num(at(1, 1), "1")},
		{"lone carriage return ends a line", "\r\r1", num(at(3, 1), "1")},
		{"columns are bytes", `["é", 1]`, source.Value{Pos: at(1, 1), Kind: source.List, List: []source.Value{
			str(at(1, 2), "é"), num(at(1, 8), "1"),
		}}},
		{"escapes", `"\"\\\/\b\f\n\r\t\u0041\u00e9"`, str(at(1, 1), "\"\\/\b\f\n\r\tAé")},
		{"surrogate pair", `"\uD83D\uDE00!"`, str(at(1, 1), "😀!")},
		{"lone high surrogate", `"\uD83D!"`, str(at(1, 1), "\uFFFD!")},
		{"lone low surrogate", `"\uDE00\uD83D"`, str(at(1, 1), "\uFFFD\uFFFD")},
		{"high surrogate, then another escape", `"\uD83D\n\uD83DA"`, str(at(1, 1), "\uFFFD\n\uFFFDA")},
		{"high surrogate, then a pair", `"\uD83D\uD83D\uDE00"`, str(at(1, 1), "\uFFFD😀")},
		{"NUL", `"\u0000"`, str(at(1, 1), "\x00")},
		{"empty collections", `[{}, []]`, source.Value{Pos: at(1, 1), Kind: source.List, List: []source.Value{
			{Pos: at(1, 2), Kind: source.Map}, {Pos: at(1, 6), Kind: source.List},
		}}},
		{"keys have positions", "{\n  \"b\" : 1,\n  \"a\": \"null\"\n}", source.Value{Pos: at(1, 1), Kind: source.Map, Map: []source.Field{
			{Key: "b", KeyPos: at(2, 3), Value: num(at(2, 9), "1")},
			{Key: "a", KeyPos: at(3, 3), Value: str(at(3, 8), "null")},
		}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := source.ReadJSON("f", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, *got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestReadJSONFaults(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"empty", "", "f:1:1: the document ends where a value was expected"},
		{"two values", "1 2", "f:1:3: '2' where the end of the document was expected"},
		{"trailing comma in a list", "[1,]", "f:1:4: ']' where a value was expected"},
		{"trailing comma in an object", "{\"a\": 1,\n}", "f:2:1: '}' where a key in double quotes was expected"},
		{"no comma", "[1 2]", "f:1:4: '2' where ',' or ']' was expected"},
		{"no colon", `{"a" 1}`, "f:1:6: '1' where ':' after a key was expected"},
		{"comment", "// c\n1", "f:1:1: '/' where a value was expected"},
		{"single quotes", "{'a': 1}", "f:1:2: '\\'' where a key in double quotes was expected"},
		{"bare word", "[nul]", "f:1:2: 'n' where a value was expected"},
		{"leading zero", "[01]", `f:1:2: "01" is no number`},
		{"plus", "+1", "f:1:1: '+' where a value was expected"},
		{"point without digits", "1.", `f:1:1: "1." is no number`},
		{"exponent without digits", "1e", `f:1:1: "1e" is no number`},
		{"minus alone", "-", `f:1:1: "-" is no number`},
		{"infinity", "-Infinity", `f:1:1: "-Infinity" is no number`},
		{"raw line break in a string", "\"a\nb\"", "f:1:3: a raw control character in a string: 0x0a"},
		{"raw control after an escape", "\"\\n\x01\"", "f:1:4: a raw control character in a string: 0x01"},
		{"unknown escape", `"\x41"`, "f:1:2: an escape that JSON does not have"},
		{"short escape", `"\u12"`, "f:1:2: an escape that JSON does not have"},
		{"signed escape", `"\u+123"`, "f:1:2: an escape that JSON does not have"},
		{"open string", `"abc`, `f:1:5: the document ends where '"' at the end of a string was expected`},
		{"open escape", `"abc\`, "f:1:5: an escape that JSON does not have"},
		{"open object", `{"a": {`, "f:1:8: the document ends where a key in double quotes was expected"},
		{"not UTF-8", "\"\n\xff\"", "f:2:1: the byte 0xFF is not UTF-8"},
		{"UTF-16", "\xff\xfe1\x00", "f:1:1: the file is UTF-16"},
		{"second byte order mark", "\xef\xbb\xbf\xef\xbb\xbf1", `f:1:1: '\ufeff' where a value was expected`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := source.ReadJSON("f", []byte(tt.text))
			checkFault(t, err, source.Syntax, tt.want)
		})
	}
}

// checkFault wants exactly one fault of a sort, with all that a diagnostic needs.
func checkFault(t *testing.T, err error, fault source.Fault, want string) {
	t.Helper()
	var errs source.Errors
	if !errors.As(err, &errs) {
		t.Fatalf("error is %v, want source.Errors", err)
	}
	if errs.Error() != want {
		t.Errorf("got  %s\nwant %s", errs, want)
	}
	if errs[0].Fault != fault {
		t.Errorf("fault %d, want %d", errs[0].Fault, fault)
	}
	if errs[0].Why == "" || errs[0].Fix == "" {
		t.Errorf("no why or no fix: %+v", errs[0])
	}
}

func TestReadJSONReportsEveryDuplicate(t *testing.T) {
	t.Parallel()
	_, err := source.ReadJSON("f", []byte("{\"a\": 1,\n \"a\": 2, \"b\": {\"c\": 1, \"\\u0063\": 2}, \"a\": 3}"))
	var errs source.Errors
	if !errors.As(err, &errs) {
		t.Fatalf("error is %v, want source.Errors", err)
	}
	type place struct{ At, First source.Span }
	var got []place
	for _, e := range errs {
		if e.Fault != source.Duplicate {
			t.Errorf("fault of %v is %d, want Duplicate", e, e.Fault)
		}
		got = append(got, place{e.Span, e.Related})
	}
	want := []place{
		{source.Span{Pos: at(2, 2), Len: 3}, source.Span{Pos: at(1, 2), Len: 3}},
		{source.Span{Pos: at(2, 24), Len: 8}, source.Span{Pos: at(2, 16), Len: 3}},
		{source.Span{Pos: at(2, 38), Len: 3}, source.Span{Pos: at(1, 2), Len: 3}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReadJSONDuplicateInALargeObject(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("{")
	for i := range 300 {
		b.WriteString("\"k" + strings.Repeat("x", i) + "\":1,\n")
	}
	b.WriteString(`"kx": 2}`)
	_, err := source.ReadJSON("f", []byte(b.String()))
	checkFault(t, err, source.Duplicate, `f:301:1: the key "kx" is already in this object`)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	deep := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if _, err := source.ReadJSON("f", deep(source.MaxDepth)); err != nil {
		t.Errorf("depth %d: %v", source.MaxDepth, err)
	}
	_, err := source.ReadJSON("f", deep(source.MaxDepth+1))
	checkFault(t, err, source.Limit, "f:1:501: values nest deeper than 500")
	_, err = source.ReadYAML("f", deep(source.MaxDepth+1))
	checkFault(t, err, source.Limit, "f:1:501: values nest deeper than 500")

	_, err = source.Read("f", make([]byte, source.MaxBytes+1))
	checkFault(t, err, source.Limit, "f:1:1: the file has 67108865 bytes, more than 67108864")
	many := []byte("[0" + strings.Repeat(",0", source.MaxNodes) + "]")
	_, err = source.ReadJSON("f", many)
	checkFault(t, err, source.Limit, "f:1:4000000: the document holds more than 2000000 values")
}
