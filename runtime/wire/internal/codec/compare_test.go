package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/google/go-cmp/cmp"
)

// kinds has a field of each kind that both this package and encoding/json read alike.
type kinds struct {
	Kinds

	When  time.Time            `json:"when"`
	Whens map[string]time.Time `json:"whens,omitempty"`
}

// Kinds are those that testing/quick can make.
type Kinds struct {
	Shared
	*Below

	Bool   bool                 `json:"bool"`
	Int    int                  `json:"int"`
	Int8   int8                 `json:"int8"`
	Int64  int64                `json:"int64"`
	Uint16 uint16               `json:"uint16"`
	Uint64 uint64               `json:"uint64"`
	F32    float32              `json:"f32"`
	F64    float64              `json:"f64"`
	Text   string               `json:"text"`
	Bytes  []byte               `json:"bytes"`
	Array  [3]int16             `json:"array"`
	Vec    []float32            `json:"vec"`
	Wide   []float64            `json:"wide"`
	Names  []color              `json:"names"`
	Map    map[string]int       `json:"map"`
	ByInt  map[int8]*string     `json:"byInt"`
	Sub    *Kinds               `json:"sub,omitempty"`
	Subs   []Shared             `json:"subs,omitempty"`
	Quoted int                  `json:"quoted,string"`
	Opt    *bool                `json:"a<b>&"`
	Deep   map[color][]Below    `json:"Straße"`
	Many   []map[string]*Shared `json:"many"`
}

// Shared is embedded.
type Shared struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
}

// TestDecodeAsEncodingJSON reads what encoding/json writes of random values, in its form and indented, and compares what both read.
func TestDecodeAsEncodingJSON(t *testing.T) {
	t.Parallel()
	same := func(some Kinds, sec int32, nano uint16) bool {
		v := kinds{Kinds: some, When: time.Unix(int64(sec), int64(nano)).UTC()}
		v.Whens = map[string]time.Time{some.Text: v.When}
		compact, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := json.MarshalIndent(v, "\t", "  ")
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{compact, wide} {
			var got, want kinds
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			if err := Decode(text, &got); err != nil {
				t.Errorf("%s: %v", text, err)
				return false
			}
			if diff := cmp.Diff(want, got, unexported); diff != "" {
				t.Errorf("%s (-want +got):\n%s", text, diff)
				return false
			}
			var gotAny, wantAny any
			_ = json.Unmarshal(text, &wantAny)
			if err := Decode(text, &gotAny); err != nil || !reflect.DeepEqual(gotAny, wantAny) {
				t.Errorf("%s is read as %v, %v", text, gotAny, err)
				return false
			}
		}
		return true
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 300}); err != nil {
		t.Error(err)
	}
}

// mutants yields texts that are JSON, or nearly.
func mutants(n int, yield func(text []byte)) {
	r := rand.New(rand.NewPCG(3, 4))
	seeds := []string{
		`{"a":[1,-2.5e+3,"x\u00e9\n",true,false,null,{"b":{}}],"c":"\ud83d\ude00"}`, `[[],[[]],{},"",0,-0,1E1]`, "\t{ \"k\" : [ 1 , 2 ] } \r\n", `"é€😀"`,
		`{"value":1,"left":{"value":2},"more":[{}]}`, `[0.1,0.25,1e-7,123456789012345678901234567890]`, `"` + strings.Repeat("plain text, ", 9) + `\"é"`,
	}
	alphabet := []string{"", `"`, `\`, "{", "}", "[", "]", ",", ":", "0", "1", "-", ".", "e", " ", "\n", "t", "null", "\x00", "\x1f", "\x7f", "é", "\xff", "u", "\u2028"}
	for range n {
		text := []byte(seeds[r.IntN(len(seeds))])
		for range r.IntN(4) {
			at := r.IntN(len(text) + 1)
			end := min(len(text), at+r.IntN(3))
			text = append(append(append([]byte(nil), text[:at]...), alphabet[r.IntN(len(alphabet))]...), text[end:]...)
		}
		yield(text)
	}
}

// TestCheckAsEncodingJSON holds that the grammar is that of encoding/json, but that UTF-8 must be valid.
func TestCheckAsEncodingJSON(t *testing.T) {
	t.Parallel()
	valid := 0
	mutants(50_000, func(text []byte) {
		err := Check(text)
		want := json.Valid(text) && strings.ToValidUTF8(string(text), "") == string(text)
		if want {
			valid++
		}
		if (err == nil) != want {
			t.Errorf("%q: got %v, want valid: %t", text, err, want)
		}
		var v any
		if read := Decode(text, &v); (read == nil) != want && !strings.Contains(fmt.Sprint(read), "twice") && !strings.Contains(fmt.Sprint(read), "fit") {
			t.Errorf("%q: read as %v, %v, want valid: %t", text, v, read, want)
		}
		var e *Error
		if errors.As(err, &e) && (e.Offset < 0 || e.Offset > len(text) || e.Offset == len(text) != errors.Is(err, io.ErrUnexpectedEOF)) {
			t.Errorf("%q: the error is at %d: %v", text, e.Offset, err)
		}
	})
	if valid < 1000 {
		t.Errorf("only %d texts were valid: the test says little", valid)
	}
}

// TestPlain finds the end of a string at every place of the words that are looked at at once.
func TestPlain(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		for n := range 100 {
			text := append([]byte(strings.Repeat("a", n)), byte(c))
			text = append(text, strings.Repeat("b", n%41)...)
			end, wide := plain(text, 0)
			stop := c < ' ' || c == '"' || c == '\\'
			if want := n; stop && end != want || !stop && end != len(text) || wide&highs != 0 != (c >= 0x80) {
				t.Fatalf("byte %#x at %d of %d: got %d, %#x", c, n, len(text), end, wide)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	mutants(200, func(text []byte) { f.Add(text) })
	f.Add([]byte(`{"bool":true,"vec":"AACAPw==","byInt":{"1":"x"},"quoted":"3","when":"2024-02-29T10:11:12Z","Straße":{"a":[{"deep":1}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, v := range []any{new(any), new(kinds), new(tree), new(native), new([]float32), new(map[string]opt[any]), new(json.RawMessage)} {
			err := Decode(text, v)
			if e, ok := err.(*Error); err != nil && (!ok || e.Offset < 0 || e.Offset > len(text) || !strings.HasPrefix(e.Error(), "JSON")) { //nolint:errorlint // the type is promised
				t.Fatalf("%q into %T: %v", text, v, err)
			}
			if err != nil {
				continue
			}
			if Check(text) != nil {
				t.Fatalf("%q is read into %T, but is no JSON", text, v)
			}
			written, err := Append(nil, v)
			if err != nil {
				continue // a value that JSON cannot hold: infinity, which base64 can
			}
			again := reflect.New(reflect.TypeOf(v).Elem())
			if err := Decode(written, again.Interface()); err != nil {
				t.Fatalf("%q into %T is written as %q, which is not read: %v", text, v, written, err)
			}
			if twice, err := Append(nil, again.Interface()); err != nil || string(twice) != string(written) {
				t.Fatalf("%q into %T: %q, then %q, %v", text, v, written, twice, err)
			}
		}
	})
}
