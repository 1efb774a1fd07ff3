package codec

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type (
	color  string
	temper float32
	grade  int8
	yesno  bool
	vector []float32
	bag    map[color]grade
	// opt, null and both are the optional values of the package above.
	opt[T any] struct {
		state Presence
		value T
	}
	null[T any] struct {
		state Certainty
		value T
	}
	both[T any] struct {
		state Nullable
		value T
	}
	// upper reads itself.
	upper string
	// point reads itself from a text.
	point struct{ x, y int }
	base  struct {
		ID   string `json:"id"`
		Kind string `json:"kind"`
	}
	Below struct {
		Kind string `json:"kind"`
		Deep int    `json:"deep"`
	}
	holder struct {
		base
		*Below

		Name string `json:"name"`
	}
	tree struct {
		Value int              `json:"value"`
		Left  *tree            `json:"left"`
		More  []tree           `json:"more"`
		Named map[string]*tree `json:"named"`
	}
	native struct {
		A     int             `json:"a"`
		Comma string          `json:"-" wire:"name=a,b"`
		Empty []string        `json:"-" wire:"omitzero,name="`
		Extra map[string]uint `json:"-" wire:"additional"`
	}
	list  []list
	quote struct {
		N int      `json:"n,string"`
		F *float64 `json:"f,string"`
		S string   `json:"s,string"`
		B bool     `json:",string"`
	}
	odd struct {
		Dash string `json:"-,"` //nolint:staticcheck // it is the tag for a key that is a dash
		Skip string `json:"-"`
		Own  string
		Bad  string `json:"a\"b"` //nolint:staticcheck // it is no name
		same string //nolint:unused // it must not be read
	}
)

func (u *upper) UnmarshalJSON(data []byte) error {
	var text string
	if err := Decode(data, &text); err != nil {
		return err
	}
	*u = upper(strings.ToUpper(text))
	return nil
}

var errPoint = errors.New("a point is x,y")

func (p *point) UnmarshalText(text []byte) error {
	x, y, ok := strings.Cut(string(text), ",")
	if !ok {
		return errPoint
	}
	p.x, p.y = len(x), len(y)
	return nil
}

// UnmarshalJSON is never called: the tags say what it would.
func (n *native) UnmarshalJSON([]byte) error { return errors.New("called") }

//go:fix inline

var unexported = cmp.Exporter(func(reflect.Type) bool { return true })

func TestDecode(t *testing.T) {
	t.Parallel()
	day := time.Date(2024, 2, 29, 10, 11, 12, 0, time.UTC)
	for text, want := range map[string]any{
		` true `: true, "false": yesno(false), `"x"`: "x", `"red"`: color("red"), "-12": grade(-12), "\n 3\t": 3, "1.5": 1.5, "-0.25": temper(-0.25),
		"9223372036854775807": int64(math.MaxInt64), "-9223372036854775808": int64(math.MinInt64), "18446744073709551615": uint64(math.MaxUint64),
		"1.0": 1, "2e3": uint32(2000), "-3.00": int32(-3), "1.5e1": 15, "0e9": 0, "-0": uint(0), "1200e-2": int8(12), "9007199254740993.0": int64(9007199254740993),
		"1844674407370955161500e-2": uint64(18446744073709551615), "0.0000e-7": 0,
		`"\"\\\/\b\f\n\r\té\u20AC\ud83d\ude00"`: "\"\\/\b\f\n\r\té€😀", `"\ud83d"`: "\ufffd", `"\ude00\ud83d x"`: "\ufffd\ufffd x", `"\ud83d\u0041"`: "\ufffdA",
		`"naïve — 你好 😀"`: "naïve — 你好 😀", `""`: "", `"\u0000"`: "\x00",
		`[1,2.5,-3e2]`: vector{1, 2.5, -300}, `[ 1 , null ]`: []float64{1, 0}, `[]`: []float32{}, `"AACAPwAAAEA="`: vector{1, 2}, `""  `: []float32{},
		`"AACAPwAAAEAAAEBAAACAQAAAoEA="`: []float64{1, 2, 3, 4, 5}, `"AACA\/wAAAEA\u003d"`: vector{float32(math.Inf(-1)), 2}, `"AACAPw\nAAAEA="`: vector{1, 2},
		`"aGk="`: []byte("hi"), `"a\nGk\r\n="`: []byte("hi"), `""` + "\n": time.Time{}, `[{"x":1,"x":2}]`: json.RawMessage(`[{"x":1,"x":2}]`), `{"z":{"x":1,"x":2},"z":2}`: tree{}, `[1,2]`: []byte{1, 2}, `[1,2,3]`: [2]int{1, 2}, `[1]`: [2]int{1, 0}, `["a",null]`: []*string{new("a"), nil}, "[ ]": []int{},
		`[[],[[]]]`:                             list{list{}, list{list{}}},
		`{"a":1,"b":{"c":[null,"x",1e2,true]}}`: map[string]any{"a": 1.0, "b": map[string]any{"c": []any{nil, "x", 100.0, true}}},
		`{}`:                                    map[string]int{}, `{"red":1,"blue":-2}`: bag{"red": 1, "blue": -2}, `{"-1":"a","2":"b"}`: map[int8]string{-1: "a", 2: "b"},
		`{"7":null}`: map[uint]*int{7: nil}, `{"a,bc":1}`: map[point]int{{1, 2}: 1},
		`12345678901234567890.10`: json.Number("12345678901234567890.10"), `"1e5"`: json.Number("1e5"), ` {"n" : 1e400 } `: json.RawMessage(`{"n" : 1e400 }`), `null `: json.RawMessage("null"),
		`"2024-02-29T10:11:12Z"`: day, `"2024-02-29 10:11:12"`: day, `"abc"`: upper("ABC"), `"ab,c"`: point{2, 1},
		"5": opt[int]{Present, 5}, " null": opt[string]{}, "null\n": null[[]int]{}, " [1]": null[[]int]{Certainty(Present), []int{1}}, "null\t": both[int]{state: Nullable(NullThere)},
		"7": both[uint8]{Nullable(Present), 7},
		`{"id":"i","kind":"k","deep":2,"name":"n"}`: holder{base: base{ID: "i"}, Below: &Below{Deep: 2}, Name: "n"},
		`{"value":1,"left":{"value":2},"more":[{"left":null},{}],"named":{"x":{"value":3}}}`: tree{
			Value: 1, Left: &tree{Value: 2}, More: []tree{{}, {}}, Named: map[string]*tree{"x": {Value: 3}},
		},
		`{"a,b":"c","":["e"],"A":3,"a":1,"z":4}`: native{1, "c", []string{"e"}, map[string]uint{"A": 3, "z": 4}},
		`{"a":2}`:                                native{A: 2}, `{"n":"12","f":"1.5","s":"\"x\"","B":"true"}`: quote{12, new(1.5), "x", true}, `{"f":null,"n":"3"}`: quote{N: 3},
		`{"-":"d","Skip":"no","Own":"o","Bad":"b","own":"no","same":"no","":1}`: odd{Dash: "d", Own: "o", Bad: "b"},
		`{"\u0076alue":1,"Value":[{"x":[]},"\"",-1.5e-3,true,null]}`:            tree{Value: 1},
		"null  ": 0, " null ": tree{}, "null": (*int)(nil), " null\n": map[string]int(nil), " null\r": []int(nil), "\tnull": []float32(nil), "  null": any(nil),
	} {
		var got reflect.Value
		if want == nil {
			got = reflect.New(reflect.TypeFor[any]())
		} else {
			got = reflect.New(reflect.TypeOf(want))
		}
		if err := Decode([]byte(text), got.Interface()); err != nil {
			t.Errorf("%s into %T: %v", text, want, err)
			continue
		}
		if diff := cmp.Diff(want, got.Elem().Interface(), unexported); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestDecodeFaults(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", maxDepth+1)
	for _, tt := range []struct {
		text string
		into any
		at   int
		want string
		cut  bool
	}{
		{"", new(int), 0, "JSON: unexpected EOF: the JSON text ends before its value does", true},
		{" [1,", new([]int), 4, "JSON at /1: unexpected EOF: the JSON text ends before its value does", true},
		{`{"value":`, new(tree), 9, "JSON at /value: unexpected EOF: the JSON text ends before its value does", true},
		{`{"more":[{},{"value":1`, new(tree), 22, "JSON at /more/1: unexpected EOF: the JSON text ends before its value does", true},
		{`"abc`, new(string), 4, "JSON: unexpected EOF: the JSON text ends before its value does", true},
		{`"abc\`, new(string), 5, "JSON: unexpected EOF: the JSON text ends before its value does", true},
		{`"\u12`, new(string), 5, "JSON: unexpected EOF: the JSON text ends before its value does", true},
		{`-`, new(int), 1, "JSON: unexpected EOF: the JSON text ends before its value does", true},
		{`1.`, new(float64), 2, "JSON: unexpected EOF: the JSON text ends before its value does", true},
		{`[1e+`, new([]float32), 4, "JSON at /0: unexpected EOF: the JSON text ends before its value does", true},
		{`tru`, new(bool), 3, "JSON: unexpected EOF: the JSON text ends before its value does", true},
		{`{"x":[[{"y":"`, new(tree), 13, "JSON at /x: unexpected EOF: the JSON text ends before its value does", true},
		{`1 2`, new(int), 2, "JSON: invalid character '2' at byte 2, expected the end of the text", false},
		{`{"value" 1}`, new(tree), 9, "JSON: invalid character '1' at byte 9, expected ':'", false},
		{`{value:1}`, new(tree), 1, "JSON: invalid character 'v' at byte 1, expected the name of a member", false},
		{`{"value":1,}`, new(tree), 11, "JSON: invalid character '}' at byte 11, expected the name of a member", false},
		{`{"value":1 "left":null}`, new(tree), 11, "JSON: invalid character '\"' at byte 11, expected ',' or '}'", false},
		{`[1 2]`, new([]int), 3, "JSON: invalid character '2' at byte 3, expected ',' or ']'", false},
		{`[1,]`, new([]int), 3, "JSON at /1: invalid character ']' at byte 3, expected a JSON value", false},
		{`[1,]`, new([]float64), 3, "JSON at /1: invalid character ']' at byte 3, expected a JSON value", false},
		{`[1;2]`, new([]float64), 2, "JSON: invalid character ';' at byte 2, expected ',' or ']'", false},
		{"\"a\nb\"", new(string), 2, "JSON: control character 0x0a in a string at byte 2", false},
		{`"a\x"`, new(string), 3, "JSON: bad escape 'x' in a string at byte 3", false},
		{`"\u00g0"`, new(string), 5, "JSON: bad escape 'g' in a string at byte 5", false},
		{"\"abc\xffdef\"", new(string), 4, "JSON: invalid UTF-8 0xff in a string at byte 4", false},
		{"{\"x\":\"\xc3\"}", new(map[string]any), 6, "JSON at /x: invalid UTF-8 0xc3 in a string at byte 6", false},
		{"{\"y\":[\"\xed\xa0\x80\"]}", new(tree), 7, "JSON at /y: invalid UTF-8 0xed in a string at byte 7", false},
		{`01`, new(int), 1, "JSON: invalid character '1' in a number at byte 1", false},
		{`-01.5`, new(float64), 2, "JSON: invalid character '1' in a number at byte 2", false},
		{`1.e1`, new(float32), 2, "JSON: invalid character 'e' in a number at byte 2", false},
		{`+1`, new(int), 0, "JSON: invalid character '+' at byte 0, expected a JSON value", false},
		{`.5`, new(float64), 0, "JSON: invalid character '.' at byte 0, expected a JSON value", false},
		{`NaN`, new(float64), 0, "JSON: invalid character 'N' at byte 0, expected a JSON value", false},
		{`nul!`, new(tree), 3, "JSON: invalid character '!' at byte 3, expected null", false},
		{`'a'`, new(string), 0, `JSON: invalid character '\'' at byte 0, expected a JSON value`, false},
		{`"x"`, new(int), 0, "JSON: expected an integer, found a string", false},
		{`[{"value":true}]`, new([]tree), 10, "JSON at /0/value: expected an integer, found a boolean", false},
		{`{"a\n\u202e\u001bb":[]}`, new(map[string]int), 20, "JSON at /a???b: expected an integer, found an array", false},
		{`{"named":{"a/~b":[]}}`, new(tree), 17, "JSON at /named/a~1~0b: expected an object, found an array", false},
		{`1.5`, new(int), 0, "JSON: expected an integer, found 1.5", false},
		{`15e-1`, new(uint), 0, "JSON: expected an integer, found 15e-1", false},
		{`300`, new(uint8), 0, "JSON: the number 300 does not fit uint8", false},
		{`-129`, new(int8), 0, "JSON: the number -129 does not fit int8", false},
		{`-1`, new(uint), 0, "JSON: the number -1 does not fit uint", false},
		{`9223372036854775808`, new(int64), 0, "JSON: the number 9223372036854775808 does not fit int64", false},
		{`18446744073709551616`, new(uint64), 0, "JSON: the number 18446744073709551616 does not fit uint64", false},
		{`1e40`, new(int64), 0, "JSON: the number 1e40 does not fit int64", false},
		{`1e400`, new(float64), 0, "JSON: the number 1e400 does not fit float64", false},
		{`[0,4e38]`, new([]float32), 3, "JSON at /1: the number 4e38 does not fit float32", false},
		{`[` + strings.Repeat("9", 400) + `]`, new([]float64), 1, "JSON at /0: the number " + strings.Repeat("9", 40) + "... does not fit float64", false},
		{`"AAAA"`, new([]float32), 0, "JSON: expected base64 of float32, found 3 bytes", false},
		{`"AACAPwAAAEAAAEBA*"`, new([]float32), 0, "JSON: illegal base64 data at input byte 0", false},
		{`["a$"]`, new([][]byte), 1, "JSON at /0: illegal base64 data at input byte 1", false},
		{`[1,"2"]`, new(vector), 3, "JSON at /1: expected a number, found a string", false},
		{`true`, new(vector), 0, "JSON: expected an array of numbers, found a boolean", false},
		{`{"value":1,"value":2}`, new(tree), 19, "JSON at /value: the member comes twice", false},
		{`{"a":1,"x":1,"x":2}`, new(native), 17, "JSON at /x: the member comes twice", false},
		{`{"x":1,"x":2}`, new(map[string]int), 11, "JSON at /x: the member comes twice", false},
		{`[{"x":1,"\u0078":2}]`, new(any), 8, "JSON at /0/x: the member comes twice", false},
		{`{"a,bc":1,"q,rs":1}`, new(map[point]int), 17, "JSON at /q,rs: the member comes twice", false},
		{`{"128":1}`, new(map[int8]int), 1, `JSON at /128: the name "128" is no int8`, false},
		{`{"-1":1}`, new(map[uint]int), 1, `JSON at /-1: the name "-1" is no uint`, false},
		{`{"a":1}`, new(map[point]int), 1, "JSON at /a: a point is x,y", false},
		{`["a"]`, new([]point), 1, "JSON at /0: a point is x,y", false},
		{`[1]`, new([]point), 1, "JSON at /0: expected a string, found a number", false},
		{`[ {"u" : 1}]`, new([]map[string]upper), 9, "JSON at /0/u: expected a string, found a number", false},
		{`"yesterday"`, new(time.Time), 0, `JSON: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`, false},
		{`"1x"`, new(json.Number), 0, "JSON: expected a number, found a string that is none", false},
		{`{"n":1}`, new(quote), 5, "JSON at /n: expected a string with a value in it, found a number", false},
		{`{"n":"1 2"}`, new(quote), 5, "JSON at /n: in the string: JSON: invalid character '2' at byte 2, expected the end of the text", false},
		{`{"id":"x"}`, new(struct{ *base }), 6, "JSON at /id: the field lies behind an embedded pointer that cannot be set", false},
		{`1`, new(io.Reader), 0, "JSON: JSON does not say what type of io.Reader it is", false},
		{`1`, new(chan int), 0, "JSON: JSON has no value for the type chan int", false},
		{`{"1":1}`, new(map[float64]int), 0, "JSON: JSON has no value for the type map[float64]int", false},
		{deep, new(any), maxDepth, "JSON at " + strings.Repeat("/0", 50) + "..." + strings.Repeat("/0", 50) + ": lists and objects lie more than 10000 deep in each other", false},
		{deep, new(list), maxDepth, "JSON at " + strings.Repeat("/0", 50) + "..." + strings.Repeat("/0", 50) + ": lists and objects lie more than 10000 deep in each other", false},
		{deep, new(json.RawMessage), maxDepth, "JSON: lists and objects lie more than 10000 deep in each other", false},
		{`{"x":` + deep, new(tree), 5 + maxDepth - 1, "JSON at /x: lists and objects lie more than 10000 deep in each other", false},
	} {
		err := Decode([]byte(tt.text), tt.into)
		e, ok := err.(*Error) //nolint:errorlint // it is the type that is promised
		if !ok {
			t.Errorf("%.60q into %T: got %v, want an *Error", tt.text, tt.into, err)
			continue
		}
		if got := err.Error(); got != tt.want || e.Offset != tt.at || errors.Is(err, io.ErrUnexpectedEOF) != tt.cut {
			t.Errorf("%.60q into %T: got %.200q at %d, want %.200q at %d", tt.text, tt.into, got, e.Offset, tt.want, tt.at)
		}
	}
	if err := Decode([]byte("1"), 1); !errors.Is(err, errNotPointer) {
		t.Errorf("into no pointer: %v", err)
	}
	if err := Decode([]byte("1"), (*int)(nil)); !errors.Is(err, errNotPointer) {
		t.Errorf("into a nil pointer: %v", err)
	}
}

// TestDecodeInto holds what becomes of a value that was there before.
func TestDecodeInto(t *testing.T) {
	t.Parallel()
	inner := &tree{Value: 1}
	for name, tt := range map[string]struct {
		text       string
		into, want any
	}{
		"a struct keeps what is not named":   {`{"left":{"value":2}}`, &tree{Value: 7, Left: &tree{More: []tree{{}}}}, &tree{Value: 7, Left: &tree{Value: 2, More: []tree{{}}}}},
		"null takes pointers and lists":      {`{"value":null,"left":null,"more":null,"named":null}`, &tree{Value: 7, Left: inner, More: []tree{{}}, Named: map[string]*tree{}}, &tree{Value: 7}},
		"a list begins anew":                 {`[{"value":1}]`, &[]tree{{Value: 5, Left: inner}, {Value: 6}}, &[]tree{{Value: 1}}},
		"a list in old memory":               {`[{},{"left":null},{"value":9},{}]`, new(make([]tree, 1, 3)), &[]tree{{}, {}, {Value: 9}, {}}},
		"a vector begins anew":               {`[1]`, &[]float32{5, 6}, &[]float32{1}},
		"a map keeps its entries":            {`{"a":1,"b":2}`, &map[string]int{"a": 5, "c": 6}, &map[string]int{"a": 1, "b": 2, "c": 6}},
		"an optional value is a new one":     {`{"b":2}`, &opt[map[string]int]{Present, map[string]int{"a": 1}}, &opt[map[string]int]{Present, map[string]int{"b": 2}}},
		"an interface's pointer is kept":     {`{"value":3}`, new(any(&tree{Left: inner})), new(any(&tree{Value: 3, Left: inner}))},
		"an interface's value is not":        {`{"value":3}`, new(any(5)), new(any(map[string]any{"value": 3.0}))},
		"additional members join the others": {`{"x":1}`, &native{Extra: map[string]uint{"y": 2}}, &native{Extra: map[string]uint{"x": 1, "y": 2}}},
	} {
		if err := Decode([]byte(tt.text), tt.into); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tt.want, tt.into, unexported); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	old := []tree{{Value: 5, Left: inner}, {Value: 6, Left: inner}, {Value: 7}}[:1]
	if err := Decode([]byte(`[{},{},{},{}]`), &old); err != nil || !cmp.Equal(old, make([]tree, 4)) {
		t.Errorf("a list that was longer: %+v, %v", old, err)
	}
	kept := opt[int]{Present, 7}
	if err := Decode([]byte(`"x"`), &kept); err == nil || kept != (opt[int]{Present, 7}) {
		t.Errorf("after an error an optional value is %+v, %v", kept, err)
	}
}

// TestDecodeKeepsNothing holds that the text may be changed afterwards.
func TestDecodeKeepsNothing(t *testing.T) {
	t.Parallel()
	text := []byte(`{"a":"some text that is longer than what is kept as a word","b":["short",{"c":[1,2]}],"d":"YWJj"}`)
	type all struct {
		A string          `json:"a"`
		B any             `json:"b"`
		C json.RawMessage `json:"c"`
		D []byte          `json:"d"`
	}
	var got, want all
	if err := Decode(text, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	clear(text)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestManyFields reads a struct with more fields than one word can note.
func TestManyFields(t *testing.T) {
	t.Parallel()
	fields := make([]reflect.StructField, 200)
	for i := range fields {
		name := strings.Repeat("f", i/26+1) + string(rune('a'+i%26))
		fields[i] = reflect.StructField{Name: "F" + name, Type: reflect.TypeFor[int](), Tag: reflect.StructTag(`json:"` + name + `"`)}
	}
	of := reflect.StructOf(fields)
	v := reflect.New(of)
	for i := range fields {
		v.Elem().Field(i).SetInt(int64(i))
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	got := reflect.New(of)
	if err := Decode(text, got.Interface()); err != nil {
		t.Fatal(err)
	}
	if got.Elem().Interface() != v.Elem().Interface() {
		t.Errorf("got %v", got.Elem())
	}
	twice := append(text[:len(text)-1:len(text)-1], `,"ffffa":5,"ffffffffa":1,"fffffffb":3}`...)
	var e *Error
	if err := Decode(twice, got.Interface()); !errors.As(err, &e) || e.Path() != "/ffffa" {
		t.Errorf("a member that comes twice: %v", err)
	}
}

// TestDecodeAllocates holds what a value costs beside itself: nothing.
func TestDecodeAllocates(t *testing.T) {
	if raced {
		t.Skip("the race detector allocates; run without -race")
	}
	vec := []byte(`{"object":"embedding","index":3,"embedding":[` + strings.Repeat("0.0123456,", 1000) + `1]}`)
	packed := []byte(`{"object":"embedding","index":3,"embedding":"` + strings.Repeat("AACAPwAAAEAAAEBA", 1000) + `"}`)
	type embedding struct {
		Object    string    `json:"object"`
		Index     int64     `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	for name, tt := range map[string]struct {
		want float64
		call func() error
	}{
		"numbers":  {0, func() error { return Decode([]byte(`{"value":1,"x":[true,null,{"a":"b"}]}`), new(tree)) }},
		"a vector": {1, func() error { var v embedding; return Decode(vec, &v) }},
		"base64":   {1, func() error { var v embedding; return Decode(packed, &v) }},
	} {
		if got := testing.AllocsPerRun(100, func() {
			if err := tt.call(); err != nil {
				t.Error(err)
			}
		}); got > tt.want+2 { // the value itself, and the text of the first case
			t.Errorf("%s: %v allocations, want %v", name, got, tt.want+2)
		}
	}
}

// TestDecodeAtOnce reads types that nobody has read before on many goroutines, in two orders of members.
func TestDecodeAtOnce(t *testing.T) {
	t.Parallel()
	type leaf struct {
		X opt[string] `json:"x"`
		Y []float32   `json:"y"`
	}
	type node struct {
		A leaf             `json:"a"`
		B map[string]*leaf `json:"b"`
		C *node            `json:"c"`
		D null[leaf]       `json:"d"`
	}
	const one, other = `{"a":{"y":[1],"x":"1"},"c":{"d":{"x":"2"}},"b":{"k":{"x":"3"}}}`, `{"b":{"k":{"x":"3"}},"c":{"d":{"x":"2"}},"a":{"x":"1","y":[1]}}`
	var all sync.WaitGroup
	got := make([]node, 32)
	for i := range got {
		text := []byte(one)
		if i%2 == 1 {
			text = []byte(other)
		}
		all.Go(func() {
			for range 20 {
				got[i] = node{}
				if err := Decode(text, &got[i]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	x := func(text string) leaf { return leaf{X: opt[string]{Present, text}} }
	third := x("3")
	want := node{A: x("1"), B: map[string]*leaf{"k": &third}, C: &node{D: null[leaf]{Certainty(Present), x("2")}}}
	want.A.Y = []float32{1}
	for i := range got {
		if diff := cmp.Diff(want, got[i], unexported); diff != "" {
			t.Fatalf("%d (-want +got):\n%s", i, diff)
		}
	}
}
