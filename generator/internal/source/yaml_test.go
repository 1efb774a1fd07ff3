package source_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/source"
)

func TestReadYAMLScalars(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		kind source.Kind
		want string
	}{
		{"yes", source.String, "yes"},
		{"Off", source.String, "Off"},
		{"TRUE", source.Bool, "true"},
		{"False", source.Bool, "false"},
		{"~", source.Null, ""},
		{"Null", source.Null, ""},
		{"nUll", source.String, "nUll"},
		{"'null'", source.String, "null"},
		{"2024-01-02", source.String, "2024-01-02"},
		{"2024-01-02T03:04:05Z", source.String, "2024-01-02T03:04:05Z"},
		{"12:30:45", source.String, "12:30:45"},
		{"1_000", source.String, "1_000"},
		{"0b11", source.String, "0b11"},
		{"1.10", source.Number, "1.10"},
		{"12345678901234567890", source.Number, "12345678901234567890"},
		{"0.1000000000000000055511151231257827", source.Number, "0.1000000000000000055511151231257827"},
		{"1e400", source.Number, "1e400"},
		{"+12", source.Number, "12"},
		{"-012", source.Number, "-12"},
		{"000", source.Number, "0"},
		{".5", source.Number, "0.5"},
		{"-.5e3", source.Number, "-0.5e3"},
		{"5.", source.Number, "5"},
		{"5.e3", source.Number, "5e3"},
		{"0x1F", source.Number, "31"},
		{"0o17", source.Number, "15"},
		{"0o18", source.String, "0o18"},
		{"-0x1F", source.String, "-0x1F"},
		{".", source.String, "."},
		{"-", source.List, ""},
		{"1.2.3", source.String, "1.2.3"},
		{"1e", source.String, "1e"},
		{".e3", source.String, ".e3"},
		{".inf", source.String, ".inf"},
		{".NaN", source.String, ".NaN"},
		{"!!str 5", source.String, "5"},
		{"!!int '5'", source.Number, "5"},
		{"!!float 5", source.Number, "5"},
		{"!!bool 'true'", source.Bool, "true"},
		{"!!null ''", source.Null, ""},
		{"!!timestamp 2024-01-02", source.String, "2024-01-02"},
		{"!!binary aGk=", source.String, "aGk="},
		{`"\U0001F600\x41\u0085"`, source.String, "😀A\u0085"},
		{"|\n  a\n  b\n", source.String, "a\nb\n"},
		{">-\n  a\n  b\n", source.String, "a b"},
		{"%YAML 1.2\n--- a\n...\n", source.String, "a"},
		{"# c\n\n%YAML 1.1\n---\na\n", source.String, "a"},
		{"--- |\n%YAML 1.2\n", source.String, "%YAML 1.2\n"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			got, err := source.ReadYAML("f", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if got.Kind != tt.kind || got.Text != tt.want {
				t.Errorf("got %s %q, want %s %q", got.Kind, got.Text, tt.kind, tt.want)
			}
		})
	}
}

func TestReadYAMLPositions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"block", "a:\n  - 1\n  - b: c\n", []string{
			"1:1 /", "1:1 /a key", "2:3 /a", "2:5 /a/0", "3:5 /a/1", "3:5 /a/1/b key", "3:8 /a/1/b",
		}},
		{"byte columns", "{é: 1, \"😀\": ü}", []string{
			"1:1 /", "1:2 /é key", "1:6 /é", "1:9 /😀 key", "1:17 /😀",
		}},
		{"byte order mark", "\xef\xbb\xbfa: 1\n", []string{"1:1 /", "1:1 /a key", "1:4 /a"}},
		{"CRLF and CR", "a: 1\r\nb: 2\rc: 3", []string{
			"1:1 /", "1:1 /a key", "1:4 /a", "2:1 /b key", "2:4 /b", "3:1 /c key", "3:4 /c",
		}},
		{"line separators are no lines of an editor", "a: 'x\u2028y\u0085z'\nb: 2\n", []string{
			"1:1 /", "1:1 /a key", "1:4 /a", "2:1 /b key", "2:4 /b",
		}},
		{"aliases lead to the anchor", "a: &x {k: 1}\nb: *x\n", []string{
			"1:1 /", "1:1 /a key", "1:4 /a", "1:8 /a/k key", "1:11 /a/k",
			"2:1 /b key", "1:4 /b", "1:8 /b/k key", "1:11 /b/k",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v, err := source.ReadYAML("f", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, places(v, "")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// places lists the position of every value and key.
func places(v *source.Value, path string) []string {
	show := func(p source.Pos, path, suffix string) string {
		return fmt.Sprintf("%d:%d /%s%s", p.Line, p.Column, strings.TrimPrefix(path, "/"), suffix)
	}
	out := []string{show(v.Pos, path, "")}
	for i := range v.Map {
		f := &v.Map[i]
		out = append(out, show(f.KeyPos, path+"/"+f.Key, " key"))
		out = append(out, places(&f.Value, path+"/"+f.Key)...)
	}
	for i := range v.List {
		out = append(out, places(&v.List[i], fmt.Sprintf("%s/%d", path, i))...)
	}
	return out
}

func TestReadYAMLMaps(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, json string }{
		{"keys become text", "200: a\ntrue: b\nnull: c\n1.50: d\n~: e\n'x': f", `{"200":"a","true":"b","null":"c","1.50":"d","~":"e","x":"f"}`},
		{"merge", "b: &b {x: 1, y: 2}\nc:\n  z: 0\n  <<: *b\n  y: 3\n", `{"b":{"x":1,"y":2},"c":{"z":0,"x":1,"y":3}}`},
		{
			"the first of a merged list counts", "- &a {x: 1}\n- &b {x: 2, y: 2}\n- <<: [*a, *b]\n",
			`[{"x":1},{"x":2,"y":2},{"x":1,"y":2}]`,
		},
		{"merge of a written object", "<<: {x: 1}\ny: 2", `{"x":1,"y":2}`},
		{"merge of an anchored list", "l: &l [{x: 1}]\nm: {<<: *l}", `{"l":[{"x":1}],"m":{"x":1}}`},
		{"quoted << is a key", "'<<': {x: 1}", `{"<<":{"x":1}}`},
		{"alias as key", "&k a: 1\nb: {*k : 2}", `{"a":1,"b":{"a":2}}`},
		{"empty value", "a:\nb:\n", `{"a":null,"b":null}`},
		{"set and tagged collections", "a: !!map {x: 1}\nb: !!seq [1]", `{"a":{"x":1},"b":[1]}`},
		{"one document with its marks", "---\na: 1\n...\n", `{"a":1}`},
		{"JSON in YAML", `{"a": [1, "b"]}`, `{"a":[1,"b"]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v, err := source.ReadYAML("f", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			printed, _ := source.JSON(v)
			if got := strings.ReplaceAll(string(printed), "\n", ""); got != tt.json {
				t.Errorf("\ngot  %s\nwant %s", got, tt.json)
			}
		})
	}
}

func TestReadYAMLFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		fault      source.Fault
		want       string
	}{
		{"empty", "", source.Syntax, "f:1:1: the document is empty"},
		{"comment only", "# nothing\n", source.Syntax, "f:1:1: the document is empty"},
		{"two documents", "a: 1\n---\nb: 2\n", source.Syntax, "f:2:1: a second document in the same file"},
		{"tag of a scalar", "a: !secret x", source.Syntax, `f:1:4: the tag "!secret" is not known`},
		{"tag of an object", "a: !thing {b: 1}", source.Syntax, `f:1:4: the tag "!thing" is not known`},
		{"tag that does not fit", "a: !!int x", source.Syntax, `f:1:4: the value "x" does not fit its tag !!int`},
		{"object as key", "{a: 1}: 2", source.Syntax, "f:1:1: a key that is an object or a list"},
		{"duplicate", "a: 1\nb: 2\n\"a\": 3", source.Duplicate, `f:3:1: the key "a" is already in this object`},
		{"duplicate by its text", "1: a\n'1': b", source.Duplicate, `f:2:1: the key "1" is already in this object`},
		{"merge of a scalar", "<<: 1", source.Syntax, "f:1:5: the merge key << names no object"},
		{"merge of a list of scalars", "<<: [1]", source.Syntax, "f:1:6: the merge key << names no object"},
		{"alias of what holds it", "a: &a\n  b: *a\n", source.Syntax, "f:2:6: the alias *a is inside of what it stands for"},
		{"merge of what holds it", "a: &a\n  <<: *a\n", source.Syntax, "f:2:7: the alias *a is inside of what it stands for"},
		{"too deep for the reader", strings.Repeat("[", 20_000), source.Limit, "f:1:10001: values nest deeper than 500"},
		{"not UTF-8", "a: \xff", source.Syntax, "f:1:4: the byte 0xFF is not UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := source.ReadYAML("f", []byte(tt.text))
			checkFault(t, err, tt.fault, tt.want)
		})
	}
}

// TestReadYAMLPlacesItsSyntaxErrors checks places only: the words are the library's.
func TestReadYAMLPlacesItsSyntaxErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text         string
		line, column int
	}{
		{"a: 1\nb: é: c", 2, 6},
		{"a: \"\\ud83d\"", 1, 7},
		{"x: [1,\ny: 2", 2, 1},
		{"a: *nope", 1, 4},
		{"a: \x01", 1, 4},
		{"\ta: 1", 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			_, err := source.ReadYAML("f", []byte(tt.text))
			var errs source.Errors
			if !errors.As(err, &errs) {
				t.Fatalf("error is %v, want source.Errors", err)
			}
			if got := errs[0].Span.Pos; got != at(tt.line, tt.column) {
				t.Errorf("got %v, want f:%d:%d", errs[0], tt.line, tt.column)
			}
		})
	}
}

func TestReadYAMLRefusesBillionLaughs(t *testing.T) {
	t.Parallel()
	var list, merge strings.Builder
	list.WriteString("a0: &a0 [v, w, x, y]\n")
	merge.WriteString("a0: &a0 {x: 1, y: 2}\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&list, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1, i-1)
		fmt.Fprintf(&merge, "a%d: &a%d {<<: [*a%d, *a%d, *a%d, *a%d]}\n", i, i, i-1, i-1, i-1, i-1)
	}
	for _, text := range []string{list.String(), merge.String()} {
		_, err := source.ReadYAML("f", []byte(text))
		var errs source.Errors
		if !errors.As(err, &errs) || errs[0].Fault != source.Limit {
			t.Errorf("got %v, want a Limit", err)
		}
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		file, text string
		want       string // the value as JSON, or the fault
	}{
		{"a.json", `{"a": "\uD83D\uDE00"}`, `{"a":"😀"}`},
		{"a.json", `a: 1`, `{"a":1}`},
		{"a.json", `{"a": [1, 2,], # c` + "\n}", `{"a":[1,2]}`},
		{"a.json", `{"a": 1,, }`, "a.json:1:9: ',' where a key in double quotes was expected"},
		{"a.json", `nonsense`, "a.json:1:1: 'n' where a value was expected"},
		{"a.yaml", "%YAML 1.2\n---\na: 1\n", `{"a":1}`},
		{"-", "\xef\xbb\xbf%YAML 1.1\r\n---\r\na: on\r\n", `{"a":"on"}`},
		{"a.yaml", `{"a": "\uD83D\uDE00"}`, `{"a":"😀"}`},
		{"a.YML", `{a: 1}`, `{"a":1}`},
		{"a.yaml", "[a, b]\n# c\n", `["a","b"]`},
		{"-", `a: 1`, `{"a":1}`},
		{"-", "\xef\xbb\xbf {\"a\": 1}", `{"a":1}`},
		{"-", "{a: 1}", `{"a":1}`},
		{"-", `{"a": 1,, }`, "-:1:9: ',' where a key in double quotes was expected"},
		{"-", `{"a": 1, "a": 2}`, `-:1:10: the key "a" is already in this object`},
	}
	for _, tt := range tests {
		t.Run(tt.file+" "+tt.text, func(t *testing.T) {
			t.Parallel()
			v, err := source.Read(tt.file, []byte(tt.text))
			got := fmt.Sprint(err)
			if err == nil {
				printed, _ := source.JSON(v)
				got = strings.ReplaceAll(string(printed), "\n", "")
			}
			if got != tt.want {
				t.Errorf("\ngot  %s\nwant %s", got, tt.want)
			}
		})
	}
}
