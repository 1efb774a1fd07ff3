package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/resgen-go/resgen/runtime/wire"
)

// TestExcept holds what a variant without tags of its own is told by: that the value has the tag of no other.
func TestExcept(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{"type":"a"}`: false, `{"type":"b"}`: true, `{}`: true, `{"type":null}`: true, `{"type":2}`: false, `{"type":"2"}`: false, `"a"`: false, `[]`: false,
	} {
		var u wire.Union
		if err := json.Unmarshal([]byte(text), &u); err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		if got := wire.As(u, &v, wire.Except("type", "a", "2")); got != want {
			t.Errorf("%s: got %t, want %t", text, got, want)
		}
	}
}
