package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

// odd is C076: names that fold together, and keys that no tag can hold.
type odd struct {
	Name  string         `json:"name"`
	Upper string         `json:"NAME,omitzero"`
	Dash  string         `json:"-,"` //nolint:staticcheck // it is the tag for a key that is a dash
	Tags  []string       `json:"tags"`
	Comma string         `json:"-"             wire:"name=a,b"`
	Quote wire.Opt[int]  `json:"-"             wire:"omitzero,name=\"q\""`
	Empty []string       `json:"-"             wire:"name="`
	Extra map[string]int `json:"-"             wire:"additional"`
}

func (v odd) MarshalJSON() ([]byte, error)     { return wire.Marshal(&v) }
func (v *odd) UnmarshalJSON(data []byte) error { return wire.Unmarshal(data, v) }

// fields is odd without additional members.
type fields struct {
	A     int `json:"a"`
	Comma int `json:"-" wire:"name=a,b"`
}

func (v fields) MarshalJSON() ([]byte, error)     { return wire.Marshal(&v) }
func (v *fields) UnmarshalJSON(data []byte) error { return wire.Unmarshal(data, v) }

func TestObjects(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		json string
		want odd
		back string // empty: json
	}{
		"every property": {
			`{"name":"n","NAME":"N","-":"d","tags":["t"],"a,b":"c","\"q\"":1,"":["e"],"x":1,"y":2}`,
			odd{"n", "N", "d", []string{"t"}, "c", wire.Some(1), []string{"e"}, map[string]int{"x": 1, "y": 2}},
			"",
		},
		"keys are exact": {
			`{"Name":1,"nAmE":2,"Tags":3}`,
			odd{Extra: map[string]int{"Name": 1, "nAmE": 2, "Tags": 3}},
			`{"name":"","-":"","tags":[],"a,b":"","":[],"Name":1,"Tags":3,"nAmE":2}`,
		},
		"null": {`null`, odd{}, `{"name":"","-":"","tags":[],"a,b":"","":[]}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got odd
			if err := json.Unmarshal([]byte(tt.json), &got); err != nil {
				t.Fatalf("decode: %v", err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(wire.Opt[int]{})); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
			if tt.back == "" {
				tt.back = tt.json
			}
			if back, err := json.Marshal(got); err != nil || string(back) != tt.back {
				t.Errorf("encoded %s, %v; want %s", back, err, tt.back)
			}
		})
	}
	for _, bad := range []string{`[]`, `1`, `{"x":"no number"}`, `{"tags":1}`, `{"a,b":1}`, `{"name":`, `{"name":"1","name":"2"}`, `{"x":1,"x":2}`, `{"a,b":"1","a,b":"2"}`} {
		var v odd
		if err := json.Unmarshal([]byte(bad), &v); err == nil {
			t.Errorf("%s was read as %+v", bad, v)
		}
	}
	if _, err := json.Marshal(odd{Extra: map[string]int{"name": 1}}); err == nil {
		t.Error("an additional member took the place of a field")
	}
	if _, err := json.Marshal(odd{Extra: map[string]int{"a,b": 1}}); err == nil {
		t.Error("an additional member took the place of an exact field")
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	var v fields
	if err := json.Unmarshal([]byte(`{"a":1,"a,b":2,"other":3}`), &v); err != nil || v != (fields{1, 2}) {
		t.Fatalf("decoded %+v, %v", v, err)
	}
	if back, err := json.Marshal(v); err != nil || string(back) != `{"a":1,"a,b":2}` {
		t.Errorf("encoded %s, %v", back, err)
	}
}

type (
	created struct {
		Type string `json:"type"`
		ID   int64  `json:"id"`
	}
	event struct{ wire.Union }
)

func (u *event) UnmarshalJSON(data []byte) error { return wire.UnmarshalTagged(&u.Union, data, "type") }

// C082, C083: variants are told apart, unknown ones survive digit by digit, a missing discriminator is named.
func TestUnions(t *testing.T) {
	t.Parallel()
	var all []event
	const text = `[{"type":"created","id":9007199254740993},{"type":"crypto","n":1.0,"deep":{"a":null}},null]`
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatalf("decode: %v", err)
	}
	made := wire.Tag("type", "created", "made")
	var v created
	if ok := wire.As(all[0].Union, &v, made); !ok || v.ID != 9007199254740993 {
		t.Errorf("As(created) = %+v, %t", v, ok)
	}
	if wire.As(all[1].Union, &v, made) || v != (created{ID: 9007199254740993, Type: "created"}) {
		t.Errorf("crypto is taken for %+v", v)
	}
	if got := wire.TagOf(all[1].Union, "type"); got != "crypto" {
		t.Errorf("the tag is %q", got)
	}
	if back, err := json.Marshal(all); err != nil || string(back) != text {
		t.Errorf("encoded %s, %v; want %s", back, err, text)
	}
	var one event
	err := json.Unmarshal([]byte(`{"id":1}`), &one)
	if err == nil || !cmp.Equal(err.Error(), `the discriminator "type" is missing`) {
		t.Errorf("no discriminator: %v", err)
	}
	if err := json.Unmarshal([]byte(`"text"`), &one); err == nil {
		t.Error("a text was taken for an object with a discriminator")
	}
}

func TestUnionsWithoutDiscriminator(t *testing.T) {
	t.Parallel()
	input := func(text string) string {
		var u wire.Union
		if err := json.Unmarshal([]byte(text), &u); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if back, err := json.Marshal(u); err != nil || string(back) != text {
			t.Errorf("%s is written as %s, %v", text, back, err)
		}
		isText := wire.As(u, new(string), wire.Kinds("string"))
		isTexts := wire.As(u, new([]string), wire.Kinds("array"))
		isInts := wire.As(u, new([]int64), wire.Kinds("array"))
		isDeep := wire.As(u, new([][]int64), wire.Kinds("array"))
		isOwner := wire.As(u, new(map[string]any), wire.Required("owner", "id"))
		switch {
		case isText:
			return "text"
		case isTexts:
			return "texts"
		case isInts:
			return "ints"
		case isDeep:
			return "deep"
		case isOwner:
			return "owner"
		default:
			return "unknown"
		}
	}
	for text, want := range map[string]string{
		`"a"`: "text", `["a"]`: "texts", `[9007199254740993]`: "ints", `[[1],[2,3]]`: "deep", `{"owner":null,"id":1}`: "owner",
		`{"id":1}`: "unknown", `1.50`: "unknown", `[1,"a"]`: "unknown", `null`: "unknown", `true`: "unknown",
	} {
		if got := input(text); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// C107: a constructor sets the tag that its value does not have.
func TestUnionOfSetsTheTag(t *testing.T) {
	t.Parallel()
	tag := wire.Tag("type", "created", "made")
	for _, tt := range []struct {
		v    any
		want string
	}{
		{created{ID: 1}, `{"id":1,"type":"created"}`},
		{created{Type: "made", ID: 1}, `{"type":"made","id":1}`},
		{map[string]int{"id": 1}, `{"id":1,"type":"created"}`},
		{"text", `"text"`},
	} {
		if got := string(wire.UnionOf(tt.v, tag).Raw()); got != tt.want {
			t.Errorf("UnionOf(%+v) = %s, want %s", tt.v, got, tt.want)
		}
	}
	if wire.IsNull(wire.Union{}.Raw()) || wire.IsNull(wire.UnionOf(0).Raw()) || !wire.IsNull(wire.UnionOf(nil).Raw()) {
		t.Error("IsNull")
	}
	if out, err := json.Marshal(struct {
		U wire.Union `json:"u,omitzero"`
	}{}); err != nil || string(out) != "{}" {
		t.Errorf("no value is written as %s, %v", out, err)
	}
}
