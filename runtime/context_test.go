package runtime_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

func TestWithHeaderIsForOneCall(t *testing.T) {
	t.Parallel()
	var got []http.Header
	s := &server{steps: []func(*http.Request) (*http.Response, error){func(r *http.Request) (*http.Response, error) {
		got = append(got, r.Header)
		return reply(200, `{"name":"a"}`)(r)
	}}}
	c := newCaller(t, plan(), s)
	base := runtime.WithHeader(t.Context(), "x-trace", "1")
	more := runtime.WithHeader(runtime.WithHeader(base, "X-Trace", "2"), "X-Other", "3")
	outer, _ := operation(t, plan())
	calls := []func() error{
		func() error { _, err := c.create(base, "GET"); return err },
		func() error { _, err := c.create(more, "GET"); return err },
		func() error { _, err := c.create(t.Context(), "GET"); return err },
		func() error { // a call inside another one
			_, err := runtime.Do(more, outer, func(ctx context.Context, _ runtime.Attempt) (*thing, error) { return c.create(ctx, "GET") })
			return err
		},
	}
	for i, call := range calls {
		if err := call(); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	var traces [][]string
	for _, h := range got {
		traces = append(traces, append(h.Values("X-Trace"), h.Values("X-Other")...))
	}
	if diff := cmp.Diff([][]string{{"1"}, {"1", "2", "3"}, nil, nil}, traces); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
}

func TestCriticalityIsSpelledAsInAnnotations(t *testing.T) {
	t.Parallel()
	for c, want := range map[runtime.Criticality]string{
		policy.CriticalityUnset: "", runtime.Critical: "critical", runtime.Normal: "normal", runtime.Sheddable: "sheddable",
	} {
		if got := c.String(); got != want {
			t.Errorf("%d: %q, want %q", c, got, want)
		}
	}
}

func TestFallbackCauseIsNilOutsideOfARung(t *testing.T) {
	t.Parallel()
	if err := runtime.FallbackCause(t.Context()); err != nil {
		t.Errorf("got %v, want nil", err)
	}
}
