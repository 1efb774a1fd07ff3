package runtime_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// answer is the cheapest attempt.
func answer(context.Context, runtime.Attempt) (int, error) { return 1, nil }

// full is every machine, without a timeout of its own.
func full() policy.Plan {
	p := policy.Recommended(false)
	p.Operation, p.Idempotency, p.Retry.On = "Get", policy.Safe, policy.RetryOn(policy.Safe)
	return p
}

// timed gives each attempt a deadline of its own.
func timed(p policy.Plan) policy.Plan {
	p.Timeout.Attempt, p.Timeout.Total = 10*time.Second, time.Minute
	return p
}

func TestPlainSuccessAllocatesAtMostOnce(t *testing.T) {
	for name, c := range map[string]struct {
		plan policy.Plan
		most float64
	}{
		"no retries, so nothing to tell calls inside": {once(), 0},
		"every machine":                 {full(), 1},
		"every machine, and a deadline": {timed(full()), 1},
	} {
		op, err := runtime.NewOperation(nil, "llm", c.plan, runtime.Wiring{})
		if err != nil {
			t.Fatal(err)
		}
		got := testing.AllocsPerRun(1000, func() {
			if _, err := runtime.Do(t.Context(), op, answer); err != nil {
				t.Fatal(err)
			}
		})
		if got > c.most {
			t.Errorf("%s: %v allocations, want at most %v", name, got, c.most)
		}
	}
}

// An attempt that could be hedged, and ends before it blocks, costs a context, a goroutine, and what the two meet in, but no timer.
func TestArmedHedgeThatIsNotNeededMakesNoTimer(t *testing.T) {
	const least, most = 3, 5
	p := timed(full())
	p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: time.Second, ExtraLoad: 1}
	op, err := runtime.NewOperation(nil, "llm", p, runtime.Wiring{})
	if err != nil {
		t.Fatal(err)
	}
	got := testing.AllocsPerRun(1000, func() {
		if _, err := runtime.Do(t.Context(), op, answer); err != nil {
			t.Fatal(err)
		}
	})
	if got < least || got > most {
		t.Errorf("%v allocations, want from %v, or no hedge was armed, to %v", got, least, most)
	}
}

// lean answers without a network, and allocates what every transport must.
type lean struct{ body string }

func (l lean) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(l.body)), ContentLength: int64(len(l.body)), Request: r,
	}, nil
}

// A call over HTTP, with every machine and a deadline, allocates little more than net/http does for it.
func TestSendAllocatesLittleMoreThanNetHTTP(t *testing.T) {
	const most = 9
	client := &http.Client{Transport: lean{strings.Repeat("x", 2000)}}
	buf := make([]byte, 4096)
	read := func(from io.Reader) error {
		for {
			switch _, err := from.Read(buf); {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			}
		}
	}
	plain := testing.AllocsPerRun(500, func() {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://h/s", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if err := read(resp.Body); err != nil {
			t.Fatal(err)
		}
	})
	h := runtime.NewHTTP(runtime.HTTPSpec{Name: "llm", BaseURL: "http://h"}, runtime.WithHTTPClient(client))
	op := h.Operation(timed(full()))
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	got := testing.AllocsPerRun(500, func() {
		req := wire.NewRequest(http.MethodGet, "/s")
		_, err := runtime.Do(t.Context(), op, func(ctx context.Context, at runtime.Attempt) (int, error) {
			return runtime.Send(ctx, h, at, req, func(r *wire.Response) (int, error) { return r.Status, read(r) })
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	if got > plain+most {
		t.Errorf("%v allocations where net/http alone has %v, want at most %v more", got, plain, most)
	}
}
