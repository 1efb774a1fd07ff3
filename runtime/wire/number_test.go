package wire_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

func TestOnJSONSeesWhatIsRead(t *testing.T) {
	t.Parallel()
	get := func(mediaType, body string) (*wire.Response, *[]string) {
		t.Helper()
		r := respond(t, answer(200, mediaType, body))
		var seen []string
		pointers := jsontext.Compile("/d", "/no")
		r.OnJSON(&pointers, func(found [][]byte) { seen = append(seen, fmt.Sprintf("%s", found)) })
		return r, &seen
	}
	r, seen := get("application/json", `{"d":"1"}`)
	if _, err := wire.JSON[delta](r); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`["1" ]`}, *seen); diff != "" {
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
