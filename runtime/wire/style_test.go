package wire_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

type rgb struct {
	R int `json:"R"`
	G int `json:"G"`
	B int `json:"B"`
}

var (
	colors = []string{"blue", "black", "brown"}
	color  = rgb{100, 200, 150}
)

// The table of OpenAPI 3.1.1, section 4.8.12.4, which is RFC 6570 where that has the style.
func TestPathStyles(t *testing.T) {
	t.Parallel()
	tests := []struct {
		style wire.Style
		value any
		want  string
	}{
		{wire.Simple, "blue", "blue"},
		{wire.Simple, colors, "blue,black,brown"},
		{wire.Simple, color, "R,100,G,200,B,150"},
		{wire.Simple | wire.Explode, colors, "blue,black,brown"},
		{wire.Simple | wire.Explode, color, "R=100,G=200,B=150"},
		{wire.Label, "blue", ".blue"},
		{wire.Label, "", "!"},
		{wire.Label, colors, ".blue,black,brown"},
		{wire.Label, color, ".R,100,G,200,B,150"},
		{wire.Label | wire.Explode, colors, ".blue.black.brown"},
		{wire.Label | wire.Explode, color, ".R=100.G=200.B=150"},
		{wire.Matrix, "blue", ";color=blue"},
		{wire.Matrix, colors, ";color=blue,black,brown"},
		{wire.Matrix, color, ";color=R,100,G,200,B,150"},
		{wire.Matrix | wire.Explode, colors, ";color=blue;color=black;color=brown"},
		{wire.Matrix | wire.Explode, color, ";R=100;G=200;B=150"},
		// RFC 6570, sections 3.2.2 and 3.2.3
		{wire.Simple, "Hello World!", "Hello%20World%21"},
		{wire.Simple, "50%", "50%25"},
		{wire.Simple, []string{"1024", "768"}, "1024,768"},
		{wire.Simple | wire.AllowReserved, "Hello World!", "Hello%20World!"},
		{wire.Simple | wire.AllowReserved, "50%", "50%25"},
		{wire.Simple | wire.AllowReserved, "50%25", "50%25"},
		{wire.Simple | wire.AllowReserved, "/foo/bar", "/foo/bar"},
		{wire.Simple | wire.AllowReserved, "a/../b", "!"},
		{wire.Form, "x", "!"},
	}
	for _, tt := range tests {
		r := wire.NewRequest("GET", "/{color}")
		r.Path("color", tt.style, tt.value)
		s, err := trySend(t, wire.Config{}, r)
		if tt.want == "!" {
			if err == nil {
				t.Errorf("style %d of %v: sent as %s", tt.style, tt.value, s.uri)
			}
			continue
		}
		if err != nil || s.uri != "/"+tt.want {
			t.Errorf("style %d of %v = %q, %v; want %q", tt.style, tt.value, s.uri, err, "/"+tt.want)
		}
	}
}

func TestQueryStyles(t *testing.T) {
	t.Parallel()
	type deep struct {
		O map[string]string `json:"o"`
		L []string          `json:"l"`
		M []rgb             `json:"m,omitzero"`
	}
	tests := []struct {
		style wire.Style
		value any
		want  string
	}{
		{wire.Form, "", "color="},
		{wire.Form, "blue", "color=blue"},
		{wire.Form, colors, "color=blue,black,brown"},
		{wire.Form, color, "color=R,100,G,200,B,150"},
		{wire.Form | wire.Explode, colors, "color=blue&color=black&color=brown"},
		{wire.Form | wire.Explode, color, "R=100&G=200&B=150"},
		{wire.Form | wire.Explode, map[string]string{"b": "x y", "a": ""}, "a=&b=x%20y"},
		{wire.Form | wire.Explode, []string{}, ""},
		{wire.Form, []string(nil), ""},
		{wire.Form | wire.Explode, map[string]string{}, ""},
		{wire.SpaceDelimited, colors, "color=blue%20black%20brown"},
		{wire.SpaceDelimited, color, "color=R%20100%20G%20200%20B%20150"},
		{wire.SpaceDelimited | wire.Explode, colors, "color=blue&color=black&color=brown"},
		{wire.PipeDelimited, colors, "color=blue%7Cblack%7Cbrown"},
		{wire.TabDelimited, colors, "color=blue%09black%09brown"},
		{wire.PipeDelimited, color, "color=R%7C100%7CG%7C200%7CB%7C150"},
		{wire.DeepObject | wire.Explode, color, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"},
		{
			wire.DeepObject,
			deep{O: map[string]string{"k": "v"}, L: []string{"a", "b"}, M: []rgb{{R: 1}}},
			"color%5Bo%5D%5Bk%5D=v&color%5Bl%5D%5B0%5D=a&color%5Bl%5D%5B1%5D=b&color%5Bm%5D%5B0%5D%5BR%5D=1&color%5Bm%5D%5B0%5D%5BG%5D=0&color%5Bm%5D%5B0%5D%5BB%5D=0",
		},
		{wire.JSONStyle, color, "color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D"},
		{wire.JSONStyle, []string(nil), "color=%5B%5D"},
		{wire.DeepObject, []string{"a", "b"}, "color%5B0%5D=a&color%5B1%5D=b"},
		{wire.Form | wire.Explode, struct {
			A []string `json:"a"`
			B int      `json:"b"`
		}{[]string{"x", "y"}, 1}, "a=x&a=y&b=1"},
		// a delimiter in a value is never taken for one between values
		{wire.Form, []string{"a,b", "c"}, "color=a%2Cb,c"},
		{wire.PipeDelimited, []string{"a|b", "c d"}, "color=a%7Cb%7Cc%20d"},
		{wire.Form | wire.AllowReserved, "a/b?c:d@e!f$g'h(i)j*k;l=m,n", "color=a/b?c:d@e!f$g'h(i)j*k;l=m,n"},
		{wire.Form | wire.AllowReserved, "a&b#c+d[e]", "color=a%26b%23c%2Bd%5Be%5D"},
		{wire.Form, "a+b&c=d", "color=a%2Bb%26c%3Dd"},
		{0, "x", "color=x"},
		{wire.Form, [][]string{{"a"}}, "!"},
		{wire.Form | wire.Explode, map[string]any{"a": map[string]int{"b": 1}}, "!"},
		{wire.Simple, "x", "!"},
	}
	for _, tt := range tests {
		r := wire.NewRequest("GET", "/")
		r.Query("color", tt.style, tt.value)
		s, err := trySend(t, wire.Config{}, r)
		got := strings.TrimPrefix(strings.TrimPrefix(s.uri, "/"), "?")
		if tt.want == "!" {
			if err == nil {
				t.Errorf("style %d of %v: sent as %s", tt.style, tt.value, got)
			}
			continue
		}
		if err != nil || got != tt.want {
			t.Errorf("style %d of %v = %q, %v; want %q", tt.style, tt.value, got, err, tt.want)
		}
	}
}

type level string

type point struct{}

func (p point) MarshalText() ([]byte, error) { return []byte("at"), nil }

// Scalars have one text each, in every place: C088, and no exponent ever.
func TestScalars(t *testing.T) {
	t.Parallel()
	f := 2.5
	when := time.Date(2024, 5, 6, 7, 8, 9, 120_000_000, time.FixedZone("", 3600))
	tests := []struct {
		value any
		want  string
	}{
		{"a", "a"},
		{true, "true"},
		{int8(-3), "-3"},
		{int64(9007199254740993), "9007199254740993"},
		{uint64(18446744073709551615), "18446744073709551615"},
		{1234567890123, "1234567890123"},
		{1234567890123.0, "1234567890123"},
		{1e21, "1000000000000000000000"},
		{1e-7, "0.0000001"},
		{float32(0.1), "0.1"},
		{0.1, "0.1"},
		{-0.5, "-0.5"},
		{json.Number("12345678901234567890.10"), "12345678901234567890.10"},
		{json.RawMessage(`123456789012345678901`), "123456789012345678901"},
		{json.RawMessage(`1e3`), "1000"},
		{json.RawMessage(`"text"`), "text"},
		{when, "2024-05-06T07:08:09.12+01:00"},
		{wire.Date{Year: 2024, Month: 5, Day: 6}, "2024-05-06"},
		{[]byte{0xff, 0xfe}, "//4="},
		{level("low"), "low"},
		{point{}, "at"},
		{&f, "2.5"},
		{wire.Some(level("x")), "x"},
		{wire.NotNull(1), "1"},
		{wire.SomeNotNull(false), "false"},
		{wire.UnionOf(9007199254740993), "9007199254740993"},
		{struct{ wire.Union }{wire.UnionOf("u")}, "u"},
	}
	for _, tt := range tests {
		r := wire.NewRequest("GET", "/")
		r.Query("v", wire.Form, tt.value)
		s := send(t, wire.Config{}, r)
		if got := s.raw.URL.Query().Get("v"); got != tt.want {
			t.Errorf("%T %v is sent as %q, want %q", tt.value, tt.value, got, tt.want)
		}
	}
}

func TestNothingIsSentForNothing(t *testing.T) {
	t.Parallel()
	var p *string
	var o *wire.Opt[string]
	for _, v := range []any{
		nil, p, o,
		wire.Opt[string]{},
		wire.NullOf[int](),
		wire.OptNull[int]{},
		wire.SomeNull[int](),
		wire.Union{},
		json.RawMessage(nil), json.RawMessage("null"), []byte(nil),
	} {
		for _, style := range []wire.Style{wire.Form, wire.DeepObject} {
			r := wire.NewRequest("GET", "/")
			r.Query("q", style, v)
			r.Header("X-H", wire.Simple, v)
			r.Cookie("c", wire.Form, v)
			s := send(t, wire.Config{}, r)
			if s.uri != "/" || s.header.Get("X-H") != "" || s.header.Get("Cookie") != "" {
				t.Errorf("%T %v is sent: %s %v", v, v, s.uri, s.header)
			}
		}
		r := wire.NewRequest("GET", "/{p}")
		r.Path("p", wire.Simple, v)
		if _, err := trySend(t, wire.Config{}, r); err == nil {
			t.Errorf("%T %v is sent in a path", v, v)
		}
	}
}

// C097: objects in a query.
func TestC097_ObjectsInQueries(t *testing.T) {
	t.Parallel()
	type deep struct {
		A wire.Opt[int]    `json:"a,omitzero"`
		B wire.Opt[string] `json:"b,omitzero"`
	}
	type form struct {
		A2 int    `json:"a2"`
		B2 string `json:"b2"`
	}
	r := wire.NewRequest("GET", "/o")
	r.Query("deep", wire.DeepObject|wire.Explode, &deep{wire.Some(1), wire.Some("x")})
	r.Query("form", wire.Form|wire.Explode, &form{1, "x"})
	r.Query("flat", wire.Form, map[string]any{"a3": 1, "b3": "x"})
	r.Query("json", wire.JSONStyle, map[string]any{"k": "v&", "n": []int{1, 2}})
	s := send(t, wire.Config{}, r)
	want := url.Values{
		"deep[a]": {"1"}, "deep[b]": {"x"}, "a2": {"1"}, "b2": {"x"}, "flat": {"a3,1,b3,x"}, "json": {`{"k":"v&","n":[1,2]}`},
	}
	got, err := url.ParseQuery(s.raw.URL.RawQuery)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("query %s: %v (-want +got):\n%s", s.uri, err, diff)
	}
}
