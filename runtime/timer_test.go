package runtime

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestT71_OneTimerForACallAndItIsStopped(t *testing.T) {
	t.Parallel()
	begin := func(t *testing.T, ctx context.Context) *driver {
		t.Helper()
		op, err := NewOperation(nil, "llm", policy.Plan{Operation: "Get", Idempotency: policy.Safe, Retry: policy.Retry{
			Attempts: 4, On: []policy.Kind{policy.KindReset}, Backoff: policy.Backoff{Base: time.Second, Jitter: policy.NoJitter},
		}}, Wiring{})
		if err != nil {
			t.Fatal(err)
		}
		d := new(driver)
		if !d.begin(ctx, op, false, nil) || d.timer != nil {
			t.Fatalf("timer %v before anything is waited for", d.timer)
		}
		return d
	}
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, t.Context())
		d.done(io.ErrUnexpectedEOF)
		first := d.timer
		d.done(io.ErrUnexpectedEOF)
		if first == nil || d.timer != first {
			t.Errorf("the second wait made another timer")
		}
		d.done(nil)
		d.close()
		if first.Stop() {
			t.Error("the timer was still running after the call")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		d := begin(t, ctx)
		time.AfterFunc(time.Millisecond, cancel)
		if d.done(io.ErrUnexpectedEOF) {
			t.Fatal("an attempt after the caller's end")
		}
		d.close()
		if d.timer.Stop() {
			t.Error("the timer was still running after the caller's end")
		}
	})
}
