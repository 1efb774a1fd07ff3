package jsontext_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

func TestFind(t *testing.T) {
	t.Parallel()
	const text = "\ufeff" + ` {"a":{"b~/c":[1,{"d":"x\"]}"}, null ]},"\u0065rror":1,"a2":-1.50e+3,"twice":1,"twice":{"in":2},"":{"":true},"7":{"0":[]}} `
	for pointer, want := range map[string]string{
		"":            strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")),
		"/a/b~0~1c/0": "1", "/a/b~0~1c/1/d": `"x\"]}"`, "/a/b~0~1c/2": "null", "/a/b~0~1c/3": "", "/a/b~0~1c/01": "", "/a/b~0~1c/-1": "",
		"/error": "1", "/a2": "-1.50e+3", "/twice": `{"in":2}`, "/twice/in": "2", "/": `{"":true}`, "//": "true", "/7/0": "[]", "/7/0/0": "",
		"/a2/x": "", "/no": "", "no": "", "a": "",
	} {
		value, found := jsontext.Find([]byte(text), pointer)
		if string(value) != want || found != (want != "") {
			t.Errorf("%q: %q, %t; want %q", pointer, value, found, want)
		}
	}
}

func TestMember(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":{"b":1},"b":2}`: "2", ` {"b":1,"\u0062":[3]}`: "[3]", `{"b":null}`: "null", `{"0":1}`: "", `[1]`: "", `"b"`: "", ``: "", `{"b":1`: "",
	} {
		if got, ok := jsontext.Member([]byte(text), "b"); ok != (want != "") || ok && string(got) != want {
			t.Errorf("%s: got %s, %t, want %q", text, got, ok, want)
		}
	}
}

// Pointers find together what each finds alone.
func TestPointers(t *testing.T) {
	t.Parallel()
	pointers := []string{"/a", "/a/b", "/a/b/0", "/e", "", "no", "/a/b/1/c", "/e", "/x~1y"}
	compiled := jsontext.Compile(pointers...)
	found := make([][]byte, compiled.Len())
	for _, text := range []string{
		`{"a":{"b":[1,{"c":2}]},"e":null,"x/y":0}`, `{"a":{"b":1},"a":{}}`, `{"a":1,"a":{"b":[2]}}`, `[]`, `1`, ``, `{"a":{"b":[`, `{"e":1}}`, `{"e":1,}`,
		`{"e" 1}`, `{"a":{"b":{"0":"key"}}}`, `{"e":`, `{,"e":1}`, `{"a":[,1]}`,
	} {
		ok := compiled.Find([]byte(text), found)
		for i, pointer := range pointers {
			want, _ := jsontext.Find([]byte(text), pointer)
			if got := string(found[i]); got != string(want) && ok {
				t.Errorf("%s: %q: %q, alone %q", text, pointer, got, want)
			}
			if !ok && found[i] != nil {
				t.Errorf("%s is broken, but has %q at %q", text, found[i], pointer)
			}
		}
	}
}

func TestFindAllocatesNothing(t *testing.T) {
	text := []byte(`{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":" \"word\""}}],"usage":{"input":1,"output":{"all":2}},"error":null}`)
	compiled := jsontext.Compile("/error", "/usage/input", "/usage/output/all")
	found := make([][]byte, compiled.Len())
	if n := testing.AllocsPerRun(100, func() { compiled.Find(text, found) }); n != 0 {
		t.Errorf("%v allocations to find several", n)
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = jsontext.Find(text, "/usage/output/all") }); n != 0 {
		t.Errorf("%v allocations to find one", n)
	}
	if got := string(bytes.Join(found, []byte(" "))); got != "null 1 2" {
		t.Errorf("found %q", got)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`"a\u00e9\n"`: "aé\n", ` "x" `: "x", `""`: "", "1.50": "1.50", "true": "true", "{}": "", "[1]": "",
	} {
		if got, ok := jsontext.Text([]byte(value)); got != want || !ok {
			t.Errorf("%s: %q, %t", value, got, ok)
		}
	}
	for _, value := range []string{"null", "", " ", `"open`, ` null`} {
		if got, ok := jsontext.Text([]byte(value)); got != "" || ok {
			t.Errorf("%s: %q, %t; want nothing", value, got, ok)
		}
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "nothing", " \n": "nothing", "{}": "object", "\t[]": "array", `"`: "string", "-1": "number", "true": "boolean", "false": "boolean",
		"null": "null",
	} {
		if got := jsontext.KindOf([]byte(text)).String(); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// FuzzWalk compares with encoding/json on valid texts, and sees every other end without harm.
func FuzzWalk(f *testing.F) {
	for _, s := range []string{
		`{"a":{"b":[1,"x\\\"",null]},"a":[{}],"\u0061":2}`, `[[],{},"\ud83d\ude00",-1.5e-7,true]`, ` {"k" : [ 1 , 2 ] } `, `{"a":1,}`, `{"a`, `]`, `"\`,
		`[1 2]`, `{"a":b:c}`,
	} {
		f.Add([]byte(s), "/a/b/2")
	}
	f.Fuzz(func(t *testing.T, text []byte, pointer string) {
		compiled := jsontext.Compile(pointer, "/a", "/a/0", "")
		found := make([][]byte, compiled.Len())
		sound := compiled.Find(text, found)
		value, ok := jsontext.Find(text, pointer)
		_ = jsontext.Canonical(nil, text)
		_, _ = jsontext.Text(text)
		if !json.Valid(text) {
			return
		}
		if !sound || string(found[0]) != string(value) {
			t.Fatalf("%s at %q: %q, together %q (%t)", text, pointer, value, found[0], sound)
		}
		want, exists := reference(t, text, pointer)
		if ok != exists {
			t.Fatalf("%s at %q: found %t, want %t", text, pointer, ok, exists)
		}
		if ok && !cmp.Equal(decode(t, value), want) {
			t.Fatalf("%s at %q: %s, want %v", text, pointer, value, want)
		}
		canonical := jsontext.Canonical(nil, text)
		if again := jsontext.Canonical(nil, canonical); !bytes.Equal(again, canonical) {
			t.Fatalf("%s: canonical %s, again %s", text, canonical, again)
		}
		if !bytes.Contains(text, []byte(`\`)) && !cmp.Equal(decode(t, canonical), decode(t, text)) { // the order of keys that differ in escapes alone may change
			t.Fatalf("%s: canonical %s", text, canonical)
		}
	})
}

// decode reads a text with the digits of numbers kept.
func decode(t *testing.T, text []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// reference finds the value in the decoded text.
func reference(t *testing.T, text []byte, pointer string) (any, bool) {
	t.Helper()
	v := decode(t, text)
	if pointer == "" {
		return v, true
	}
	tokens := strings.Split(pointer, "/")
	if tokens[0] != "" {
		return nil, false
	}
	for _, token := range tokens[1:] {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch in := v.(type) {
		case map[string]any:
			next, ok := in[token]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(in) || strconv.Itoa(i) != token {
				return nil, false
			}
			v = in[i]
		default:
			return nil, false
		}
	}
	return v, true
}

func BenchmarkPointers(b *testing.B) {
	text := []byte(`{"id":"chatcmpl-AbC123dEf456GhI789","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o-2024-08-06",` +
		`"service_tier":"default","system_fingerprint":"fp_fc9f1d7035","choices":[{"index":0,"delta":{"content":" resilient"},"logprobs":null,` +
		`"finish_reason":null}],"obfuscation":"Zk3x9"}`)
	compiled := jsontext.Compile("/error", "/usage/prompt_tokens", "/usage/completion_tokens")
	found := make([][]byte, compiled.Len())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		compiled.Find(text, found)
	}
}
