package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

// TestJSONText holds that JSON in a string is a string on the wire, whatever is in it, and a value to who asks for it.
func TestJSONText(t *testing.T) {
	t.Parallel()
	type args struct {
		N int64 `json:"n"`
	}
	type call struct {
		Args  wire.JSONText[args]           `json:"args"`
		Maybe wire.Opt[wire.JSONText[args]] `json:"maybe,omitzero"`
	}
	text, err := wire.JSONTextOf(args{N: 3})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(call{Args: text})
	if want := `{"args":"{\"n\":3}"}`; err != nil || string(data) != want {
		t.Errorf("got %s, %v, want %s", data, err, want)
	}
	var got call
	if err := json.Unmarshal([]byte(`{"args":"{\"n\":7.0}","maybe":"{cut"}`), &got); err != nil {
		t.Fatal(err)
	}
	v, err := got.Args.Decode()
	if diff := cmp.Diff(args{N: 7}, v); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	cut := got.Maybe.Or("")
	if v, err := cut.Decode(); err == nil || cut != "{cut" || v != (args{}) {
		t.Errorf("got %v, %v of %q, want an error and the text as it came", v, err, cut)
	}
	if _, err := wire.JSONTextOf(func() {}); err == nil {
		t.Error("a function was written as JSON")
	}
}
