package wire_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// looked is what a stream of items gives: how many, what was told of each, and the message of the error at its end.
type looked struct {
	items int
	told  []string
	fault string
}

func look[T any](t *testing.T, pointer string, texts ...string) looked {
	t.Helper()
	r := respond(t, chunked(answer(200, "application/jsonl", strings.Join(texts, "\n"))))
	pointers := jsontext.Compile("/usage/in", "/usage/out", "/error")
	var l looked
	r.OnJSON(&pointers, func(found [][]byte) { l.told = append(l.told, fmt.Sprintf("%s", found)) })
	items, err := wire.JSONItems[T](r, policy.Stream{Format: policy.JSONL, ErrorPointer: pointer})
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		if _, err = items.Next(); err == nil {
			l.items++
		}
	}
	if fault, ok := errors.AsType[*wire.EventError](err); ok {
		l.fault = cmp.Or(fault.Message, "no message")
	}
	return l
}

// unmarshals is a type that reads itself.
type unmarshals struct{ text string }

func (u *unmarshals) UnmarshalJSON(data []byte) error {
	u.text = string(data)
	return nil
}

// What is looked for is found whatever the items are decoded into, and wherever in them it stands; also where the rest of an error is no item.
func TestWhatIsLookedForIsFoundInEveryType(t *testing.T) {
	t.Parallel()
	texts := []string{
		`{"d":"1","x":[{"error":1}]}`, `{"d":"1","x":{"usage":{"in":9}}}`, `{"d":"1","usage":null,"x":1}`, `{"usage":{"in":1,"out":2},"d":"1"}`,
		`{"error":null,"d":"1"}`, `{"d":"1","\u0075sage":{"out":3}}`, `{"d":"2","\u0065rror":{"message":"boom"},"x":1}`, `{"d":"3"}`,
	}
	want := looked{items: 6, told: []string{"[  ]", "[  ]", "[  ]", "[1 2 ]", "[  null]", "[ 3 ]", `[  {"message":"boom"}]`}, fault: "boom"}
	type plain struct {
		D string `json:"d"`
	}
	type knows struct {
		Error *struct{ Message string } `json:"error"`
		Usage map[string]int            `json:"usage"`
		D     string                    `json:"d"`
	}
	type more struct {
		D    string         `json:"d"`
		More map[string]any `json:"-" wire:"additional"`
	}
	for name, got := range map[string]looked{
		"struct":     look[plain](t, "/error", texts...),
		"fields":     look[knows](t, "/error", texts...),
		"additional": look[more](t, "/error", texts...),
		"own method": look[unmarshals](t, "/error", texts...),
		"union":      look[wire.Union](t, "/error", texts...),
		"map":        look[map[string]any](t, "/error", texts...),
		"any":        look[any](t, "/error", texts...),
		"raw":        look[json.RawMessage](t, "/error", texts...),
		"pointer":    look[*plain](t, "/error", texts...),
	} {
		if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(looked{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := look[plain](t, "/error", `{"d":1,"error":{"message":"boom"}}`); got.fault != "boom" {
		t.Errorf("an error beside a member of the wrong type: %+v", got)
	}
	if got := look[plain](t, "/error", `{"d":1}`, `{"d":"1"}`); got.fault != "" || got.items != 0 {
		t.Errorf("a member of the wrong type: %+v", got)
	}
	if got := look[[]any](t, "/1/error", `[1]`, `[1,{"error":{"message":"x"}}]`); got.items != 1 || got.fault == "" {
		t.Errorf("an error in a list: %+v", got)
	}
	if got := look[plain](t, "/d/deep", `{"d":"1"}`, `{"d":{"deep":"no text"}}`); got.items != 1 || got.fault == "" {
		t.Errorf("an error in a field: %+v", got)
	}
}
