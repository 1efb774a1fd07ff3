package wire_test

import (
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/wire"
)

// loud is a union that writes itself in its own way.
type loud struct{ wire.Union }

func (u loud) MarshalJSON() ([]byte, error) { return []byte(`["loud", ` + string(u.Raw()) + `]`), nil }

func TestMarshalUnions(t *testing.T) {
	t.Parallel()
	var spaced, broken event
	if err := spaced.UnmarshalJSON([]byte(` { "type" : "a b" , "n" : [ 1.0 ] } `)); err != nil {
		t.Fatal(err)
	}
	if err := broken.Union.UnmarshalJSON([]byte(`{"type":`)); err != nil {
		t.Fatal(err)
	}
	type holder struct {
		Only event `json:"only"`
	}
	type choices struct {
		A event           `json:"a,omitzero"`
		B event           `json:"b"`
		C wire.Opt[event] `json:"c,omitzero"`
		D []loud          `json:"d,omitzero"`
	}
	made := event{wire.UnionOf(created{ID: 1}, wire.Tag("type", "created"))}
	tests := map[string]struct {
		v    any
		want string
	}{
		"none":              {choices{}, `{"b":null}`},
		"made":              {choices{A: made, B: made, C: wire.Some(made)}, `{"a":{"id":1,"type":"created"},"b":{"id":1,"type":"created"},"c":{"id":1,"type":"created"}}`},
		"as it came":        {choices{A: spaced, B: spaced}, `{"a":{"type":"a b","n":[1.0]},"b":{"type":"a b","n":[1.0]}}`},
		"in a struct alone": {holder{made}, `{"only":{"id":1,"type":"created"}}`},
		"of its own":        {&choices{D: []loud{{made.Union}}}, `{"b":null,"d":[["loud",{"id":1,"type":"created"}]]}`},
		"in another":        {wire.UnionOf(map[string]any{"x": made}), `{"x":{"id":1,"type":"created"}}`},
	}
	for name, tt := range tests {
		if got, err := wire.Marshal(tt.v); err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, tt.want)
		}
	}
	for want, v := range map[string]any{
		"/only": holder{broken}, "chan int": choices{B: event{wire.UnionOf(make(chan int))}}, "/b": choices{B: event{wire.UnionOf("\xff")}},
	} {
		if got, err := wire.Marshal(v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %s, %v, want an error with %q", got, err, want)
		}
	}
}

func TestUnionOfSetsItsTag(t *testing.T) {
	t.Parallel()
	tag := wire.Tag("type", "x\"y", "z")
	for text, want := range map[string]string{
		`{}`: `{"type":"x\"y"}`, `{"a":1}`: `{"a":1,"type":"x\"y"}`, `{"type":"","a":{"type":2}}`: `{"a":{"type":2},"type":"x\"y"}`,
		`{"a":[],"ty\u0070e":""}`: `{"a":[],"type":"x\"y"}`, `{"type":"z"}`: `{"type":"z"}`, `{"type":"other"}`: `{"type":"other"}`, `[1]`: `[1]`, `"a"`: `"a"`,
	} {
		var given event
		if err := given.Union.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := string(wire.UnionOf(given, tag).Raw()); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestAppend(t *testing.T) {
	t.Parallel()
	before := []byte("before ")
	if got, err := wire.Append(before, []int{1, 2}); err != nil || string(got) != "before [1,2]" {
		t.Errorf("got %s, %v", got, err)
	}
	if got, err := wire.Append(before, []any{1, make(chan int)}); err == nil || string(got) != "before " {
		t.Errorf("got %q, %v, want what was there, and an error", got, err)
	}
}
