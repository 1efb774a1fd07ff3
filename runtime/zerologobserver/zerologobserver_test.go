package zerologobserver_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/zerologobserver"
)

func TestEventsAreWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		event runtime.Event
		want  map[string]any
	}{
		{runtime.Event{What: runtime.CallStart, Operation: "llm.Get"}, nil},
		{
			runtime.Event{
				What: runtime.AttemptEnd, Operation: "llm.Get", Target: "primary", Attempt: 2, Kind: policy.KindTransient, Status: 503,
				Elapsed: 1500 * time.Millisecond, Err: errors.New("https://h/?key=s3cr3t"),
			},
			map[string]any{
				"level": "info", "message": "attempt end", "operation": "llm.Get", "target": "primary", "attempt": 2.0, "kind": "transient",
				"status": 503.0, "elapsed": 1500.0, "error": "https://h/?key=[redacted]",
			},
		},
		{
			runtime.Event{What: runtime.Paused, Operation: "llm.Get", Kind: policy.KindThrottle, Until: time.Unix(0, 0).UTC()},
			map[string]any{"level": "info", "message": "paused", "operation": "llm.Get", "kind": "throttle", "until": "1970-01-01T00:00:00Z"},
		},
		{
			runtime.Event{What: runtime.ManyClients, Client: "llm", Attempts: 11},
			map[string]any{"level": "warn", "message": "many clients", "client": "llm", "attempts": 11.0},
		},
	} {
		var out bytes.Buffer
		zerologobserver.New(zerolog.New(&out).Level(zerolog.InfoLevel)).Observe(t.Context(), c.event)
		var got map[string]any
		if out.Len() > 0 {
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatalf("%q: %v", out.String(), err)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.event.What, diff)
		}
	}
}
