package runtime_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// C004 where the document has the key as a header parameter: the caller's value is kept on every attempt, another target gets one derived
// from it, and a key in the context comes before both.
func TestC004_AKeyInTheRequestItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := retrying(2, 10*time.Millisecond, time.Second, func(p *policy.Plan) {
			p.Idempotency, p.Key.Header = policy.Keyed, "Idempotency-Key"
			p.Fallback.Rungs = []policy.Rung{{Name: "eu", Sort: policy.RungTarget, Target: "eu", When: policy.Kinds(), MayDuplicate: "a test"}}
		})
		s := against(t, p, times(3, fails(http.StatusServiceUnavailable), ok()))
		call := func(ctx context.Context) []string {
			before := len(s.seen())
			r := wire.NewRequest(http.MethodPost, "/things")
			r.Header("Idempotency-Key", wire.Simple, "order-77")
			_, _ = runtime.Do(ctx, s.op, func(ctx context.Context, at runtime.Attempt) (struct{}, error) {
				return runtime.Send(ctx, s.http, at, r, func(r *wire.Response) (struct{}, error) {
					if r.Status != http.StatusOK {
						return struct{}{}, r.Unexpected()
					}
					return wire.NoBody(r)
				})
			})
			var keys []string
			for _, hit := range s.seen()[before:] {
				keys = append(keys, hit.header.Values("Idempotency-Key")...)
			}
			return keys
		}
		keys := call(t.Context())
		if len(keys) != 4 || keys[0] != "order-77" || keys[1] != "order-77" || keys[2] == "order-77" || keys[2] != keys[3] {
			t.Errorf("keys %q; want the caller's twice, and then twice another", keys)
		}
		if keys := call(runtime.WithIdempotencyKey(t.Context(), "order-78")); len(keys) != 1 || keys[0] != "order-78" {
			t.Errorf("keys %q; want the context's", keys)
		}
	})
}
