package wire_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

type patch struct {
	Count int                      `json:"count"`
	Flag  bool                     `json:"flag"`
	Opt   wire.Opt[int]            `json:"opt,omitzero"`
	Text  wire.Opt[string]         `json:"text,omitzero"`
	Null  wire.OptNull[string]     `json:"null,omitzero"`
	List  wire.OptNull[[]int]      `json:"list,omitzero"`
	When  wire.Opt[time.Time]      `json:"when,omitzero"`
	Day   wire.Opt[wire.Date]      `json:"day,omitzero"`
	Tags  []string                 `json:"tags,omitzero"`
	Deep  map[string]wire.Opt[int] `json:"deep,omitzero"`
}

// C086: nothing, the zero value and null are three bodies.
func TestC086_AbsentNullAndZeroDiffer(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		v    patch
		want string
	}{
		"untouched":     {patch{}, `{"count":0,"flag":false}`},
		"zero":          {patch{Opt: wire.Some(0), Text: wire.Some("")}, `{"count":0,"flag":false,"opt":0,"text":""}`},
		"null":          {patch{Null: wire.SomeNull[string]()}, `{"count":0,"flag":false,"null":null}`},
		"not null":      {patch{Null: wire.SomeNotNull("")}, `{"count":0,"flag":false,"null":""}`},
		"null list":     {patch{List: wire.SomeNull[[]int]()}, `{"count":0,"flag":false,"list":null}`},
		"nil list":      {patch{List: wire.SomeNotNull[[]int](nil)}, `{"count":0,"flag":false,"list":[]}`},
		"empty list":    {patch{Tags: []string{}}, `{"count":0,"flag":false,"tags":[]}`},
		"times":         {patch{When: wire.Some(time.Date(2024, 2, 29, 1, 2, 3, 4000, time.UTC)), Day: wire.Some(wire.Date{2024, 2, 29})}, `{"count":0,"flag":false,"when":"2024-02-29T01:02:03.000004Z","day":"2024-02-29"}`},
		"map value":     {patch{Deep: map[string]wire.Opt[int]{"a": wire.Some(1), "b": {}}}, `{"count":0,"flag":false,"deep":{"a":1,"b":null}}`},
		"no HTML trick": {patch{Text: wire.Some("<a&b>")}, `{"count":0,"flag":false,"text":"<a&b>"}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := wire.NewRequest("PATCH", "/")
			r.JSON(tt.v)
			got := send(t, wire.Config{}, r).body
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Fatalf("body (-want +got):\n%s", diff)
			}
			var back patch
			if err := json.Unmarshal([]byte(got), &back); err != nil {
				t.Fatalf("decode: %v", err)
			}
			again := wire.NewRequest("PATCH", "/")
			again.JSON(back)
			if diff := cmp.Diff(tt.want, send(t, wire.Config{}, again).body); diff != "" {
				t.Errorf("after a round trip (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOptStates(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		json string
		opt  states
		null states
		both states
	}{
		"value":  {`5`, states{Value: 5}, states{Value: 5}, states{Value: 5}},
		"zero":   {`0`, states{}, states{}, states{}},
		"null":   {` null `, states{Zero: true, Value: -1}, states{Zero: true, Value: -1}, states{Null: true, Value: -1}},
		"absent": {``, states{Zero: true, Value: -1}, states{Zero: true, Value: -1}, states{Zero: true, Value: -1}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var opt wire.Opt[int]
			var null wire.Null[int]
			var both wire.OptNull[int]
			if tt.json != "" {
				for _, v := range []any{&opt, &null, &both} {
					if err := json.Unmarshal([]byte(tt.json), v); err != nil {
						t.Fatalf("decode %T: %v", v, err)
					}
				}
			}
			if diff := cmp.Diff(tt.opt, statesOf(opt)); diff != "" {
				t.Errorf("Opt (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.null, statesOf(null)); diff != "" {
				t.Errorf("Null (-want +got):\n%s", diff)
			}
			got := statesOf(both)
			if diff := cmp.Diff(tt.both, got); diff != "" {
				t.Errorf("OptNull (-want +got):\n%s", diff)
			}
		})
	}
	if v, ok := wire.NullOf[int]().Get(); ok || v != 0 {
		t.Errorf("NullOf().Get() = %d, %t", v, ok)
	}
}

// A value that does not decode leaves what was there, and its error names the field.
func TestOptKeepsItsValueOnError(t *testing.T) {
	t.Parallel()
	v := patch{Opt: wire.Some(7)}
	if err := json.Unmarshal([]byte(`{"opt":"x"}`), &v); err == nil {
		t.Fatal("no error")
	}
	if got := v.Opt.Or(-1); got != 7 {
		t.Errorf("Opt is %d after a failed decode, want 7", got)
	}
}

func TestDate(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"2024-02-30", "2024-2-3", "2024-02", "today", "2024-02-30T00:00:00Z"} {
		var d wire.Date
		if err := d.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read as %v", text, d)
		}
	}
	if _, err := (wire.Date{Year: 2023, Month: 2, Day: 29}).MarshalText(); err == nil {
		t.Error("2023-02-29 was written")
	}
	if _, err := (wire.Date{}).MarshalText(); err == nil {
		t.Error("no date was written")
	}
	var d wire.Date
	if err := d.UnmarshalText([]byte("0001-01-01")); err != nil || d.IsZero() {
		t.Errorf("the first day is %v, %v", d, err)
	}
}

func FuzzOpt(f *testing.F) {
	for _, s := range []string{`null`, `1`, `"a"`, `{"count":1,"opt":null,"null":null,"deep":{"a":null}}`, `{"text":"\u003c"}`, `[`, `{"opt":1.0}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v patch
		if json.Unmarshal(data, &v) != nil {
			return
		}
		once, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("encode what was decoded from %q: %v", data, err)
		}
		var back patch
		if err := json.Unmarshal(once, &back); err != nil {
			t.Fatalf("decode %q: %v", once, err)
		}
		twice, err := json.Marshal(back)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("round trip of %q: %q, then %q (%v)", data, once, twice, err)
		}
	})
}

// states are what a value says of itself.
type states struct {
	Null, Zero bool
	Value      int
}

// statesOf asks an Opt, a Null or an OptNull of an int.
func statesOf(v interface{ Or(fallback int) int }) states {
	asked, ok := v.(interface{ IsNull() bool })
	return states{Null: ok && asked.IsNull(), Zero: reflect.ValueOf(v).IsZero(), Value: v.Or(-1)}
}
