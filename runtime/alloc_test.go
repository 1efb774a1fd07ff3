package runtime_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
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

// lean answers without a network. Its answer is the only one, and it allocates nothing but what says what is left of it.
type lean struct {
	body   string
	header http.Header
}

// leanAllocations are those of its RoundTrip: the response, the reader, and what closes it.
const leanAllocations = 3

func (l lean) RoundTrip(r *http.Request) (*http.Response, error) {
	_ = httptrace.ContextClientTrace(r.Context()) // as net/http does
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: l.header, Body: io.NopCloser(strings.NewReader(l.body)), ContentLength: int64(len(l.body)), Request: r,
	}, nil
}

// A call over HTTP, with every machine and a deadline, allocates what it must. A transport that is not ours has one hook more, by which is
// known that it tells of its connections; over one of ours it is one less.
func TestSendAllocations(t *testing.T) {
	const (
		call     = 1 // what makes an attempt, as generated code has it too
		request  = 1 // wire.Request
		attempt  = 1 // the context of the attempt
		exchange = 1 // http.Request, URL, values of the header, and response are in it
		hooks    = 4 // the trace, and of it: a connection is asked for, is there, has the request
		header   = 1 // the map
		get      = call + request + attempt + exchange + hooks + header

		fields   = 1 // what the map keeps them in
		body     = 2 // what closes its reader, and what opens it again; the exchange has the reader
		content  = 2 // the copy of the bytes, and what opens it
		security = 2 // the alternatives, as generated code gives them
		sentOnce = 1 // the hook that hears the answer begin
	)
	payload := []byte(strings.Repeat("y", 2000))
	post := func() *wire.Request {
		r := wire.NewRequest(http.MethodPost, "/s")
		r.Content("text/plain", wire.FromBytes(payload))
		return r
	}
	for name, c := range map[string]struct {
		plan policy.Plan
		make func() *wire.Request
		want float64
	}{
		"GET":                    {timed(full()), func() *wire.Request { return wire.NewRequest(http.MethodGet, "/s") }, get},
		"POST that is sent once": {timed(none()), post, get + fields + body + content + sentOnce},
		"POST with a credential": {timed(full()), func() *wire.Request {
			r := post()
			r.Accept("text/plain")
			r.Security([]string{"bearer"})
			return r
		}, get + fields + body + content + security},
	} {
		h := runtime.NewHTTP(
			runtime.HTTPSpec{Name: "llm", BaseURL: "http://h", Schemes: []wire.Scheme{{Name: "bearer", Kind: wire.Bearer}}},
			runtime.WithHTTPClient(&http.Client{Transport: lean{strings.Repeat("x", 2000), http.Header{"Content-Type": {"text/plain"}}}}),
			runtime.WithCredential("bearer", "secret"),
		)
		op := h.Operation(c.plan)
		if err := h.Err(); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 4096)
		read := func(r *wire.Response) (n int, err error) {
			for {
				now, err := r.Read(buf)
				switch n += now; {
				case errors.Is(err, io.EOF):
					return n, nil
				case err != nil:
					return n, err
				}
			}
		}
		got := testing.AllocsPerRun(500, func() {
			n, err := runtime.Call(t.Context(), h, op, c.make(), read)
			if err != nil || n != 2000 {
				t.Fatal(n, err)
			}
		})
		if got -= leanAllocations; got != c.want {
			t.Errorf("%s: %v allocations, want %v", name, got, c.want)
		}
	}
}

// none is full for what must not be executed twice.
func none() policy.Plan {
	p := full()
	p.Idempotency, p.Retry.On = policy.None, policy.RetryOn(policy.None)
	return p
}
