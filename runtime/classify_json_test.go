package runtime_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// TestUnreadableJSONOfAFunction holds that a function which cannot read what it was sent has failed to decode, also where the text was cut:
// that the connection was is not known.
func TestUnreadableJSONOfAFunction(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"a":`, `{"a":1`, `[]`, `{"a":"x"}`, `<html>`} {
		synctest.Test(t, func(t *testing.T) {
			op, _ := operation(t, plan(func(p *policy.Plan) { p.Retry.Attempts = 1 }))
			var v struct {
				A int `json:"a"`
			}
			script := play(step{Err: fmt.Errorf("store: %w", wire.Unmarshal([]byte(text), &v))})
			_, err := runtime.Do(t.Context(), op, script.Run)
			if e, ok := errors.AsType[*runtime.Error](err); !ok || e.Kind != policy.KindDecode {
				t.Errorf("%s: got %v, want the kind %s", text, err, policy.KindDecode)
			}
		})
	}
}
