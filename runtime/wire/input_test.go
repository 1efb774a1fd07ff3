package wire_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/wire"
)

func TestCacheKeyIsWhatIsAsked(t *testing.T) {
	t.Parallel()
	get := func(path string, change func(r *wire.Request)) *wire.Request {
		r := wire.NewRequest("GET", path)
		if change != nil {
			change(r)
		}
		return r
	}
	post := func(body string) *wire.Request {
		r := wire.NewRequest("POST", "/chat")
		r.JSON(json.RawMessage(body))
		return r
	}
	header := func(name, value string) *wire.Request {
		return get("/a", func(r *wire.Request) { r.Header(name, wire.Simple, value) })
	}
	tests := []struct {
		name     string
		a, b     *wire.Request
		pointers []string
		same     bool
	}{
		{"the same", get("/a", nil), get("/a", nil), nil, true},
		{"another method", get("/a", nil), wire.NewRequest("DELETE", "/a"), nil, false},
		{"another path", get("/a", nil), get("/b", nil), nil, false},
		{"another server", get("/a", func(r *wire.Request) { r.Server("https://x") }), get("/a", nil), nil, false},
		{"another query", get("/a?x=1", nil), get("/a?x=2", nil), nil, false},
		{"a query is no path", get("/a?x=1", nil), get("/a%3Fx=1", nil), nil, false},
		{"a header", header("Accept-Language", "de"), header("Accept-Language", "en"), nil, false},
		{"an idempotency key", header("Idempotency-Key", "1"), header("idempotency-key", "2"), nil, true},
		{"a request id", header("X-Request-ID", "1"), get("/a", nil), nil, true},
		{
			"headers in another order",
			get("/a", func(r *wire.Request) { r.Header("B", wire.Simple, "1"); r.Header("C", wire.Simple, "2") }),
			get("/a", func(r *wire.Request) { r.Header("C", wire.Simple, "2"); r.Header("B", wire.Simple, "1") }),
			nil, true,
		},
		{
			"no header holds another",
			header("B", `1"C":"2`), get("/a", func(r *wire.Request) { r.Header("B", wire.Simple, "1"); r.Header("C", wire.Simple, "2") }),
			nil, false,
		},
		{"members in another order", post(`{"a":1,"b":[{"c":2,"d":3}]}`), post(`{ "b": [ {"d":3, "c":2} ], "a": 1 }`), nil, true},
		{"items in another order", post(`[1,2]`), post(`[2,1]`), nil, false},
		{"a number and its text", post(`{"a":1}`), post(`{"a":"1"}`), nil, false},
		{"numbers beyond a float", post(`{"a":9007199254740992}`), post(`{"a":9007199254740993}`), nil, false},
		{"a string that looks like a member", post(`{"a":"1,\"b\":2"}`), post(`{"a":"1","b":2}`), nil, false},
		{"strings that no text can hold", post(`{"a":"\ud800"}`), post(`{"a":"\ud801"}`), nil, false},
		{"one of two members with one key", post(`{"a":1,"a":2}`), post(`{"a":2}`), nil, false},
		{"no body", post(`{}`), wire.NewRequest("POST", "/chat"), nil, false},
		{"what the pointers do not name", post(`{"q":"x","user":"1"}`), post(`{"user":"2","q":"x"}`), []string{"/q"}, true},
		{"what they name", post(`{"q":"x"}`), post(`{"q":"y"}`), []string{"/q"}, false},
		{"null is not absent", post(`{"q":null}`), post(`{}`), []string{"/q"}, false},
		{"values do not move", post(`{"a":"x"}`), post(`{"b":"x"}`), []string{"/a", "/b"}, false},
		{"items by number", post(`{"m":[{"c":1},{"c":2}]}`), post(`{"m":[{"c":3},{"c":2}]}`), []string{"/m/1/c"}, true},
		{"keys that are escaped", post(`{"a/b":{"~":1},"z":1}`), post(`{"a\/b":{"~":1},"z":2}`), []string{"/a~1b/~0"}, true},
		{"an empty key", post(`{"":{"":1},"z":1}`), post(`{"":{"":2},"z":1}`), []string{"//"}, false},
		{"another path, the same values", post(`{"q":1}`), wire.NewRequest("POST", "/other"), []string{"/none"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, okA := tt.a.CacheKey(tt.pointers)
			b, okB := tt.b.CacheKey(tt.pointers)
			if !okA || !okB {
				t.Fatalf("CacheKey has no key: %v, %v", okA, okB)
			}
			if (a == b) != tt.same {
				t.Errorf("keys equal = %v, want %v\n%s\n%s", a == b, tt.same, a, b)
			}
		})
	}
}

func TestCacheKeyOfWhatHasNone(t *testing.T) {
	t.Parallel()
	reader := wire.NewRequest("POST", "/a")
	reader.Content("application/json", wire.FromReader(strings.NewReader(`{}`)))
	form := wire.NewRequest("POST", "/a")
	form.Form(struct {
		A string `json:"a"`
	}{"x"})
	unfilled := wire.NewRequest("GET", "/a/{id}")
	failed := wire.NewRequest("GET", "/a").Fail(io.ErrUnexpectedEOF)
	for name, r := range map[string]*wire.Request{"a reader": reader, "a form": form, "no path": unfilled, "a mistake": failed} {
		if key, ok := r.CacheKey(nil); ok {
			t.Errorf("%s: CacheKey = %q, want none", name, key)
		}
	}
}

func TestSizeAndNumber(t *testing.T) {
	t.Parallel()
	r := wire.NewRequest("POST", "/a")
	r.JSON(json.RawMessage(`{"max":12,"deep":{"list":[1,-2.5e1]},"text":"7","huge":1e999,"max2":1,"max2":3}`))
	if got := r.Size(); got != 79 {
		t.Errorf("Size = %d, want 79", got)
	}
	tests := map[string]struct {
		want float64
		ok   bool
	}{
		"/max": {12, true}, "/deep/list/1": {-25, true}, "/max2": {3, true}, "/text": {}, "/huge": {}, "/none": {},
		"/deep": {}, "": {}, "max": {}, "/deep/list/01": {}, "/deep/list/-": {},
	}
	for pointer, tt := range tests {
		if got, ok := r.Number(pointer); ok != tt.ok || ok && got != tt.want {
			t.Errorf("Number(%q) = %v, %v, want %v, %v", pointer, got, ok, tt.want, tt.ok)
		}
	}
	if _, ok := wire.NewRequest("GET", "/a").Number("/max"); ok {
		t.Error("Number of no body is one")
	}
}

// FuzzCacheKey holds against a body whatever its form: the key is a JSON text that means the same, and has the key of itself.
func FuzzCacheKey(f *testing.F) {
	for _, seed := range []string{`{"b":1,"a":[true,null,"\\\"",{}]}`, ` [ ] `, `"x"`, `-0.0e+1`, `{"a":{"b":{"c":[[[]]]}}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if !json.Valid(body) {
			return
		}
		key := func(text []byte) []byte {
			r := wire.NewRequest("POST", "/a")
			r.JSON(json.RawMessage(text))
			k, ok := r.CacheKey(nil)
			if !ok {
				t.Fatalf("no key: %q", text)
			}
			_, canonical, _ := strings.Cut(k, "\n")
			return []byte(canonical)
		}
		canonical := key(body)
		if !json.Valid(canonical) {
			t.Fatalf("key of %q is no JSON: %q", body, canonical)
		}
		if again := key(canonical); !bytes.Equal(again, canonical) {
			t.Errorf("the key is not its own: %q, then %q", canonical, again)
		}
		r := wire.NewRequest("POST", "/a")
		r.JSON(json.RawMessage(body))
		if whole, ok := r.CacheKey([]string{""}); !ok || !strings.HasSuffix(whole, `"":`+string(canonical)+"\n") {
			t.Errorf("the empty pointer is not the whole body: %q", whole)
		}
	})
}
