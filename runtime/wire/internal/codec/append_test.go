package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/google/go-cmp/cmp"
)

// standard is what encoding/json writes.
func standard(t *testing.T, v any) string {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatalf("encoding/json: %v", err)
	}
	return strings.TrimSuffix(buf.String(), "\n")
}

// Lent has fields that outer takes, hides, or cannot see.
type Lent struct {
	A, B int
	C    string `json:"c"`
}

type unseen struct{ A int }

type LentDeep struct {
	B     string `json:"B"`
	Extra []int8
}

type (
	rank   int16
	labels map[string]string
	chain  struct {
		Next *chain `json:"next,omitempty"`
		Name string `json:"name"`
	}
	methods struct{}
	texts   struct{ s string }
	adds    struct{ s string }
	pointed struct{ s string }
	key     struct{ a, b int }
	mark    bool
	zeroed  struct{ N int }
)

func (m methods) MarshalJSON() ([]byte, error)     { return []byte(` { "s" : [ 1, "a b\" " ] } `), nil }
func (m texts) MarshalText() ([]byte, error)       { return []byte("<" + m.s + ">"), nil }
func (m adds) MarshalText() ([]byte, error)        { return m.AppendText(nil) }
func (m adds) AppendText(b []byte) ([]byte, error) { return append(b, "\n"+m.s...), nil }
func (m *pointed) MarshalJSON() ([]byte, error)    { return json.Marshal(m.s) }
func (k key) MarshalText() ([]byte, error)         { return fmt.Appendf(nil, "%d/%d", k.a, k.b), nil }
func (f mark) MarshalText() ([]byte, error)        { return []byte{'f'}, nil }
func (z zeroed) IsZero() bool                      { return z.N == 7 }

type allKinds struct {
	Lent
	*LentDeep

	Bool  bool           `json:"bool"`
	Int   int            `json:"int"`
	I8    int8           `json:"i8"`
	I64   int64          `json:"i64,string"`
	U     uint           `json:"u"`
	U64   uint64         `json:"u64"`
	F32   float32        `json:"f32"`
	F64   float64        `json:"f64"`
	FS    float64        `json:"fs,string"`
	BS    *bool          `json:"bs,string"`
	S     string         `json:"s"`
	SS    string         `json:"ss,string"`
	Odd   string         `json:"-,"` //nolint:staticcheck // the name is a dash
	Not   string         `json:"-"`
	HTML  string         `json:"<&>"`
	Empty string         `json:"empty,omitempty"`
	Zero  int            `json:"zero,omitzero"`
	When  zeroed         `json:"when,omitzero"`
	Ptr   *int           `json:"ptr,omitempty"`
	PP    **string       `json:"pp"`
	List  []string       `json:"list"`
	Lists [][]int        `json:"lists"`
	Bytes []byte         `json:"bytes"`
	Arr   [3]float32     `json:"arr"`
	Vec   []float32      `json:"vec"`
	Vec64 []float64      `json:"vec64"`
	Map   map[string]int `json:"map"`
	IntK  map[int8]bool  `json:"intk"`
	UintK map[uint]bool  `json:"uintk"`
	Level rank           `json:"rank"`
	Label labels         `json:"label"`
	Flags []mark         `json:"flags"`
	Ring  *chain         `json:"chain"`
}

// A tag that is no name leaves the field its own: encoding/json has dropped such fields since Go 1.27.
func TestAppendTagThatIsNoName(t *testing.T) {
	t.Parallel()
	type odd struct {
		Bad int `json:"a\"b"` //nolint:staticcheck // see above
	}
	if got, err := Marshal(odd{Bad: 1}); err != nil || string(got) != `{"Bad":1}` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestAppendIsEncodingJSON(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	for range 300 {
		v, ok := quick.Value(reflect.TypeFor[allKinds](), random)
		if !ok {
			t.Fatal("no value of the type can be made")
		}
		all := v.Interface()
		want := standard(t, all)
		got, err := Append([]byte("before"), all)
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if diff := cmp.Diff("before"+want, string(got)); diff != "" {
			t.Fatalf("(-encoding/json +got):\n%s", diff)
		}
		if again, err := Marshal(all); err != nil || string(again) != want {
			t.Fatalf("Marshal: %s, %v, want %s", again, err, want)
		}
	}
}

func TestAppendOfKinds(t *testing.T) {
	t.Parallel()
	num, text := 5, "x"
	p := &text
	tests := []any{
		nil, true, "", "plain", 1, int8(-1), uint64(math.MaxUint64), int64(math.MinInt64), 1.5, float32(0.1),
		0.0, math.Copysign(0, -1), 1e-6, 9.9e-7, 1e20, 1e21, 1e300, 5e-324, float32(1e-6), float32(9.9e-7), float32(1e21), math.MaxFloat64, math.MaxFloat32,
		&num, &p, (*int)(nil),
		struct{}{},
		&struct{ A int }{1},
		[0]int{},
		[2][1]int{{1}, {2}},
		[]any{1, nil, "a", []any{}, map[string]any{"z": 1, "a": nil}},
		map[string]any{},
		map[string]any{"b": 1.25, "a": []int{1}, "": true},
		map[string]*int{"x": &num, "n": nil},
		json.RawMessage(` {"a" : [1, 2 , "x y"] } `), json.RawMessage(nil), json.RawMessage("null"), json.Number("12345678901234567890.10"), json.Number(""),
		struct{ R json.RawMessage }{json.RawMessage("[ ]")},
		struct{ R *json.RawMessage }{},
		methods{},
		&methods{},
		[]methods{{}},
		map[string]methods{"m": {}},
		texts{"a\"<"},
		adds{"b"},
		[]adds{{"b"}},
		&pointed{"by pointer"}, (*pointed)(nil),
		map[key]int{{2, 1}: 1, {1, 2}: 2, {10, 0}: 3},
		map[mark]string{},
		map[rank]int{3: 1, -20: 2, 100: 3},
		time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600)),
		struct{ T time.Time }{time.Unix(0, 0).UTC()},
		netip.MustParseAddr("::1"), big.NewInt(-3),
		errors.New("no field"),
		struct{ E error }{},
		struct{ A any }{&num},
		struct{ A fmt.Stringer }{},
		time.Second,
		[]byte("bytes"),
		[]byte{},
		[]rank{1},
		[]mark{true},
		[2]byte{1, 2},
		struct {
			A int `json:",omitempty"`
			B int `json:"A,omitempty"`
		}{1, 2},
		struct {
			time.Time

			N int
		}{N: 1},
		struct{ *LentDeep }{},
		struct{ unseen }{unseen{A: 1}},
		struct{ *unseen }{&unseen{A: 1}},
		struct{ *unseen }{},
	}
	for _, v := range tests {
		want := standard(t, v)
		if got, err := Append(nil, v); err != nil || string(got) != want {
			t.Errorf("%T %v: got %s, %v, want %s", v, v, got, err, want)
		}
	}
}

func TestAppendText(t *testing.T) {
	t.Parallel()
	texts := []string{
		"", "a", "12345678", "123456789", `"`, `\`, "\n\r\t\b\f", "\x00\x1f\x7f", "<>&'/", "\u2028", "\u2029x", "a\u2028\u2029\u2028", "\u2027\u202a“quoted”", "日本語", "😀", "é\n" + strings.Repeat("x", 40) + "\"",
		strings.Repeat("a", 31) + "\"" + strings.Repeat("b", 31) + "\u2028", strings.Repeat("\\", 100), strings.Repeat("ü\n", 50), "\ufffd", "\U0010ffff",
	}
	for i := range 70 { // every place in a block
		texts = append(texts, strings.Repeat("a", i)+"\n"+strings.Repeat("b", 70-i), strings.Repeat("a", i)+"ü"+strings.Repeat("b", 70-i)+"\"ü\u2029")
	}
	for _, s := range texts {
		want := standard(t, s)
		got, bad := appendText(nil, "", s)
		if bad >= 0 || string(got) != want {
			t.Errorf("%q: got %s, bad at %d, want %s", s, got, bad, want)
		}
	}
	for s, want := range map[string]int{"\xff": 0, "a\xc3": 1, "ü\xed\xa0\x80": 2, "a\nb\xf8\u2028": 3, strings.Repeat("é\n", 20) + "\x80": 60} {
		if got, bad := appendText([]byte("kept"), "", s); bad != want || string(got) != "kept" {
			t.Errorf("%q: got %q, bad at %d, want %d", s, got, bad, want)
		}
	}
}

// TestAppendTextMakesRoom has texts that grow by their escapes, after others, where there is little room or none.
func TestAppendTextMakesRoom(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(1))
	signs := []string{"a", " ", "\"", "\\", "\n", "\x00", "\x1f", "<", "\u00e9", "\u65e5", "\u2028", "\u2029", "\u2019", "\U0001f600", "plain text of some length, "}
	for i := range 20_000 {
		some, b := signs[r.Intn(len(signs)):], new(strings.Builder)
		for range r.Intn(60) {
			b.WriteString(some[r.Intn(len(some))])
		}
		dst := append(make([]byte, 0, 4+r.Intn(b.Len()+40)), "kept"...)
		want := "kept," + standard(t, b.String())
		if got, bad := appendText(dst, ",", b.String()); bad >= 0 || string(got) != want {
			t.Fatalf("%d: %q into %d: got %s, bad at %d, want %s", i, b.String(), cap(dst), got, bad, want)
		}
	}
}

// What differs from encoding/json, each with what is documented.
func TestAppendDiffers(t *testing.T) {
	t.Parallel()
	type lists struct {
		L []int          `json:"l"`
		M map[string]int `json:"m"`
		B []byte         `json:"b"`
		O []int          `json:"o,omitzero"`
		A [1][]int       `json:"a"`
	}
	tests := map[string]struct {
		v    any
		want string
	}{
		"nil lists":                 {lists{}, `{"l":[],"m":{},"b":"","a":[[]]}`},
		"nil lists in any":          {map[string]any{"x": []string(nil), "y": map[string]any(nil), "z": []any(nil)}, `{"x":[],"y":{},"z":[]}`},
		"pointer methods of values": {[]any{pointed{"v"}, map[string]pointed{"k": {"w"}}}, `["v",{"k":"w"}]`},
	}
	for name, tt := range tests {
		if got, err := Append(nil, tt.v); err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, tt.want)
		}
	}
}

type failing struct{}

func (failing) MarshalJSON() ([]byte, error) { return nil, errMarshal }

type wrong struct{ text string }

func (w wrong) MarshalJSON() ([]byte, error) { return []byte(w.text), nil }

var errMarshal = errors.New("no value today")

func TestAppendFails(t *testing.T) {
	t.Parallel()
	self := &chain{Name: "a"}
	self.Next = self
	loop := map[string]any{}
	loop["in"] = loop
	type pointer *pointer
	var p pointer
	p = &p
	tests := map[string]struct {
		v          any
		path, want string
	}{
		"NaN":                 {map[string]any{"a": []float64{1, math.NaN()}}, "/a/1", "NaN"},
		"infinite":            {struct{ F float32 }{float32(math.Inf(-1))}, "/F", "-Inf"},
		"text":                {[]any{struct{ S string }{"ab\xff"}}, "/0/S", "0xff at 2 of 3"},
		"key":                 {map[string]int{"\xff": 1}, "/\ufffd", "not UTF-8"},
		"channel":             {struct{ C chan int }{}, "/C", "chan int"},
		"function in any":     {map[string]any{"f/": func() {}}, "/f~1", "func()"},
		"key of no kind":      {map[[1]int]int{}, "", "map[[1]int]int"},
		"method":              {[]failing{{}}, "/0", "no value today"},
		"method's text":       {struct{ W wrong }{wrong{`{"a":}`}}, "/W", "invalid character '}'"},
		"method's nothing":    {struct{ W wrong }{}, "/W", "unexpected EOF"},
		"raw":                 {struct{ R json.RawMessage }{json.RawMessage(`[1,]`)}, "/R", "invalid character"},
		"raw of two":          {json.RawMessage(`1 2`), "", "expected the end"},
		"number":              {struct{ N json.Number }{"0x1"}, "/N", `"0x1" is no number`},
		"year":                {struct{ T time.Time }{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, "/T", "year"},
		"pointers in a chain": {p, "", "10000 deep"},
		"keys that are one":   {map[mark]int{true: 1, false: 2}, "/f", "read alike"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Append([]byte("kept"), tt.v)
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Path() != tt.path || !strings.Contains(err.Error(), tt.want) || string(got) != "kept" {
				t.Errorf("got %q and the error %v, want %q at %q", got, err, tt.want, tt.path)
			}
		})
	}
	for _, v := range []any{self, loop} {
		if _, err := Append(nil, v); !errors.Is(err, errDepth) {
			t.Errorf("a chain of %T: got %.100v", v, err)
		}
	}
	if _, err := Marshal(failing{}); !errors.Is(err, errMarshal) {
		t.Errorf("the method's own error is lost: %v", err)
	}
}

// extras is a struct as the generator makes them: with members that have no field, and names that no other tag can hold.
type extras struct {
	Name  string            `json:"name"`
	Quote int               `json:"-"             wire:"name=a\"b"`
	Comma *int              `json:"-"             wire:"omitzero,name=x,y"`
	Zero  int               `json:"zero,omitzero"`
	Extra map[string]string `json:"-"             wire:"additional"`
}

func (extras) MarshalJSON() ([]byte, error) { return nil, errMarshal } // it is not asked

func TestAppendAdditional(t *testing.T) {
	t.Parallel()
	one := 1
	tests := map[string]struct {
		v    any
		want string
	}{
		"none": {extras{}, `{"name":"","a\"b":0}`},
		"some": {&extras{Name: "n", Comma: &one, Extra: map[string]string{"z": "1", "": "2", "a": "3"}}, `{"name":"n","a\"b":0,"x,y":1,"":"2","a":"3","z":"1"}`},
		"nothing else": {struct {
			Extra map[string][]int `json:"-" wire:"additional"`
		}{map[string][]int{"a": nil}}, `{"a":[]}`},
		"nothing at all": {struct {
			Extra map[string]int `json:"-" wire:"additional"`
		}{}, `{}`},
		"inside": {[]any{extras{Extra: map[string]string{"k": "v"}}, 1}, `[{"name":"","a\"b":0,"k":"v"},1]`},
	}
	for name, tt := range tests {
		if got, err := Append(nil, tt.v); err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, tt.want)
		}
	}
	for _, key := range []string{"name", "a\"b", "x,y", "zero"} {
		if _, err := Append(nil, extras{Extra: map[string]string{key: ""}}); err == nil || !strings.Contains(err.Error(), "a field of its own") {
			t.Errorf("an additional member %q: %v", key, err)
		}
	}
}

func TestAppendAllocates(t *testing.T) {
	type message struct {
		Role    string    `json:"role"`
		Content string    `json:"content"`
		Score   *float64  `json:"score,omitzero"`
		Vector  []float32 `json:"vector"`
		Raw     json.RawMessage
		When    time.Time
	}
	half := 0.5
	v := &[]message{{Role: "user", Content: "text\n", Vector: []float32{1, 2.5}, Raw: json.RawMessage("[1]")}, {Role: "é", Score: &half}}
	buf := make([]byte, 0, 1024)
	got := testing.AllocsPerRun(100, func() {
		if _, err := Append(buf, v); err != nil {
			t.Fatal(err)
		}
	})
	if got != 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

// FuzzAppend writes what it read, and reads what it wrote.
func FuzzAppend(f *testing.F) {
	for _, seed := range []string{`null`, `{"a":[1,-2.5e-7,"x\u2028\"",{}],"":null}`, `"\ud83d\ude00"`, `[1e400]`, `{"b":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v any
		if Decode(data, &v) != nil {
			return
		}
		text, err := Marshal(v)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if want := standard(t, v); string(text) != want && !strings.Contains(want, "null") {
			t.Errorf("wrote %s, encoding/json %s", text, want)
		}
		var again any
		if err := Decode(text, &again); err != nil || !reflect.DeepEqual(v, again) {
			t.Errorf("wrote %s, which reads as %v (%v), not %v", text, again, err, v)
		}
		raw, err := Marshal(json.RawMessage(data))
		if err != nil {
			t.Fatalf("a text that was read is not written as it is: %v", err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, data); err != nil || compact.String() != string(raw) {
			t.Errorf("compact %s, encoding/json %s (%v)", raw, compact.String(), err)
		}
	})
}
