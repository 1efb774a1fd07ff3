package chaos_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/chaos"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// stub answers without a network.
type stub struct{}

func (stub) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader("1")), Request: req,
	}, nil
}

// clientOf returns a call of a client.
func clientOf(tb testing.TB, opts ...runtime.ClientOption) func() {
	tb.Helper()
	h := runtime.NewHTTP(runtime.HTTPSpec{Name: "c"}, append(opts, runtime.WithBaseURL("http://c.test"), runtime.WithHTTPClient(&http.Client{Transport: stub{}}))...)
	op := h.Operation(policy.Plan{Operation: "get", Idempotency: policy.Safe, Timeout: policy.Timeout{Attempt: time.Second, Total: time.Minute}})
	must(tb, h.Err())
	return func() {
		req := wire.NewRequest(http.MethodGet, "/")
		_, err := runtime.Call(context.Background(), h, op, req, func(r *wire.Response) (int, error) { return wire.JSONValue[int](r) })
		must(tb, err)
	}
}

// off is a chaos that is not switched on.
func off(tb testing.TB) *chaos.Chaos {
	tb.Helper()
	c, err := chaos.New(chaos.Plan{Name: "not-switched-on", Rules: []chaos.Rule{always(chaos.Status(503))}})
	must(tb, err)
	return c
}

// What is off costs nothing, of clients and of wrapped methods; and what is on is seen to cost something, so that this is looked at.
func TestOffCostsNothing(t *testing.T) {
	without := testing.AllocsPerRun(500, clientOf(t))
	if with := testing.AllocsPerRun(500, clientOf(t, runtime.WithChaos(off(t)))); with > without+forgotten {
		t.Errorf("%v allocations with a chaos that is off, %v without", with, without)
	}
	elsewhere := begin(t, chaos.Rule{Operations: []string{"nobody.*"}, Share: 1, Fault: chaos.Refused()})
	if with := testing.AllocsPerRun(500, clientOf(t, runtime.WithChaos(elsewhere))); with+forgotten <= without {
		t.Errorf("%v allocations with a chaos that is on, %v without: is it asked?", with, without)
	}
	w := runtime.NewWrapper[func(*runtime.Wrapper)](runtime.WrapperSpec{Name: "w"}, 1)
	w.Apply(runtime.WithChaos(off(t)))
	op := w.Operation(policy.Plan{Operation: "get", Idempotency: policy.Safe})
	must(t, w.Err())
	got := testing.AllocsPerRun(500, func() {
		n := 0
		_, err := runtime.DoInline(context.Background(), op, func(context.Context, runtime.Attempt) (int, error) { n++; return n, nil })
		must(t, err)
	})
	if got > 1 { // the context of the attempt
		t.Errorf("%v allocations of a wrapped method", got)
	}
}

func BenchmarkCall(b *testing.B) {
	for name, opts := range map[string][]runtime.ClientOption{
		"without": nil, "off": {runtime.WithChaos(off(b))},
		"on": {runtime.WithChaos(begin(b, chaos.Rule{Operations: []string{"nobody.*"}, Share: 1, Fault: chaos.Refused()}))},
	} {
		b.Run(name, func(b *testing.B) {
			call := clientOf(b, opts...)
			b.ReportAllocs()
			for b.Loop() {
				call()
			}
		})
	}
}
