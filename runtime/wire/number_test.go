package wire_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

func TestNumberAt(t *testing.T) {
	t.Parallel()
	const text = `{"usage":{"in":12,"out":-3.5e1,"none":null,"text":"7","a/b":9,"details":{"cached":4}},"list":[1,2]}`
	for pointer, want := range map[string]float64{
		"/usage/in": 12, "/usage/out": -35, "/usage/a~1b": 9, "/usage/details/cached": 4, "/list/1": 2,
	} {
		if got, ok := wire.NumberAt([]byte("\xef\xbb\xbf"+text), pointer); got != want || !ok {
			t.Errorf("%s: %v, %v, want %v", pointer, got, ok, want)
		}
	}
	for _, pointer := range []string{"/usage/none", "/usage/text", "/usage", "/nothing", "/usage/in/deeper", "/list/2", "", "usage"} {
		if got, ok := wire.NumberAt([]byte(text), pointer); ok {
			t.Errorf("%s: %v, want none", pointer, got)
		}
	}
}

func TestOnJSONSeesWhatIsRead(t *testing.T) {
	t.Parallel()
	get := func(mediaType, body string) (*wire.Response, *[]string) {
		t.Helper()
		r := respond(t, answer(200, mediaType, body))
		var seen []string
		r.OnJSON(func(text []byte) { seen = append(seen, string(text)) })
		return r, &seen
	}
	r, seen := get("application/json", `{"d":"1"}`)
	if _, err := wire.JSON[delta](r); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`{"d":"1"}`}, *seen); diff != "" {
		t.Errorf("a body (-want +got):\n%s", diff)
	}
	r, seen = get("application/json", `{"d":`)
	if _, err := wire.JSON[delta](r); err == nil || len(*seen) != 0 {
		t.Errorf("a broken body: %v, %q", err, *seen)
	}
	r, seen = get("text/event-stream", "data: {\"d\":\"1\"}\n\ndata: {\"d\":\"2\"}\n\ndata: [DONE]\n\n")
	items, err := wire.JSONItems[delta](r, policy.Stream{Format: policy.SSE, Done: "[DONE]"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := drainItems(t, items); len(*seen) != 2 {
		t.Errorf("items: %v, %q", err, *seen)
	}
}
