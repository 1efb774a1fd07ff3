package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/wire"
)

func TestUsesIsWhatTheBodyHas(t *testing.T) {
	t.Parallel()
	const body = `{"n":2,"tools":[],"user":"","stop":null,"format":{"type":"json"},"off":false,"parts":[{"type":"a"},{"type":"b"},3]}`
	r := wire.NewRequest("POST", "/chat")
	r.JSON(json.RawMessage(body))
	for pointer, want := range map[string]bool{
		"/n": true, "/tools": false, "/user": false, "/stop": false, "/format": true, "/off": true, "/none": false, "/parts/*/type": true,
		"/parts/*/image": false, "/parts/1": true, "/parts/*": true,
	} {
		if got := r.Uses(pointer, nil); got != want {
			t.Errorf("Uses(%q) is %v, want %v", pointer, got, want)
		}
	}
	for _, tt := range []struct {
		pointer string
		values  []string
		want    bool
	}{
		{"/n", []string{"2"}, true},
		{"/n", []string{"1", "3"}, false},
		{"/off", []string{"true"}, false},
		{"/parts/*/type", []string{"b"}, true},
		{"/parts/*/type", []string{"c"}, false},
		{"/format", []string{"json"}, false},
	} {
		if got := r.Uses(tt.pointer, tt.values); got != tt.want {
			t.Errorf("Uses(%q, %q) is %v, want %v", tt.pointer, tt.values, got, tt.want)
		}
	}
	text := wire.NewRequest("POST", "/chat")
	text.Text("text/plain", strings.Repeat("x", 9))
	if text.Uses("/n", nil) {
		t.Error("a text that is no JSON uses something")
	}
}
