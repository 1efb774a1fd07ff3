package chaos_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/chaos"
)

// closer counts how often a body was closed.
type closer struct {
	io.Reader

	closed int
}

func (c *closer) Close() error { c.closed++; return nil }

// answering is a transport that answers with a body.
type answering struct {
	status    int
	mediaType string
	body      *closer
}

func (a *answering) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: http.Header{"Content-Type": {a.mediaType}}, Body: a.body, Request: req}, nil
}

// meet has a request meet a fault.
func meet(ctx context.Context, t *testing.T, f chaos.Fault, stream bool, next http.RoundTripper) (resp *http.Response, request *closer, err error) {
	t.Helper()
	request = &closer{Reader: strings.NewReader("request")}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://c.test/", request)
	must(t, err)
	resp, err = begin(t, always(f)).Fault(runtime.ChaosAttempt{Operation: "c.get", Target: "primary", Stream: stream}).RoundTrip(req, next)
	return resp, request, err
}

// Items are told apart by bytes, however they come: comments are none, and lines end as they do.
func TestItemsOfBodies(t *testing.T) {
	t.Parallel()
	const (
		sse  = ": ping\n\nevent: a\ndata: {\"n\":1}\n\n:\n\nid: 2\n\ndata: {\"n\":2}\ndata: x\n\ndata: {\"n\":3}\n\n"
		rows = "{\"n\":1}\n\n{\"n\":2}\n{\"n\":3}\n"
		one  = `[{"n":1}]`
	)
	for _, c := range []struct {
		mediaType, body string
		stream          bool
		fault           chaos.Fault
		want            string
		err             error
	}{
		{"text/event-stream; charset=utf-8", sse, true, chaos.Truncated(0), "", io.ErrUnexpectedEOF},
		{"text/event-stream", sse, true, chaos.Truncated(1), sse[:strings.Index(sse, ":\n\nid")], io.ErrUnexpectedEOF},
		{"text/event-stream", sse, true, chaos.Truncated(2), sse[:strings.Index(sse, "data: {\"n\":3")], io.ErrUnexpectedEOF},
		{"text/event-stream", sse, true, chaos.Truncated(4), sse, nil},
		{"text/event-stream", strings.ReplaceAll(sse, "\n", "\r\n"), true, chaos.Truncated(2), strings.ReplaceAll(sse[:strings.Index(sse, "data: {\"n\":3")], "\n", "\r\n"), io.ErrUnexpectedEOF},
		{"text/event-stream", sse, true, chaos.Malformed(1), strings.Replace(sse, `{"n":2`, `!"n":2`, 1), nil},
		{"application/x-ndjson", rows, true, chaos.Truncated(2), rows[:strings.Index(rows, "{\"n\":3")], io.ErrUnexpectedEOF},
		{"application/json", rows, true, chaos.Malformed(2), strings.Replace(rows, `{"n":3`, `!"n":3`, 1), nil},
		{"application/json", one, false, chaos.Malformed(7), `!{"n":1}]`, nil},
		{"application/json", one, false, chaos.Truncated(7), "[", io.ErrUnexpectedEOF},
		{"application/pdf", "text", false, chaos.Malformed(0), "text", nil},
	} {
		for _, slowly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%s/%v", c.mediaType, c.fault.String(), slowly), func(t *testing.T) {
				t.Parallel()
				from := &closer{Reader: strings.NewReader(c.body)}
				if slowly {
					from.Reader = iotest.OneByteReader(from.Reader)
				}
				resp, _, err := meet(t.Context(), t, c.fault, c.stream, &answering{http.StatusOK, c.mediaType, from})
				must(t, err)
				got, err := io.ReadAll(resp.Body)
				if string(got) != c.want || !errors.Is(err, c.err) {
					t.Errorf("%q, %v; want %q, %v", got, err, c.want, c.err)
				}
				if cut := c.err != nil; cut != (from.closed > 0) {
					t.Errorf("the connection was closed %d times before the body was", from.closed)
				}
				must(t, resp.Body.Close())
				if from.closed == 0 {
					t.Error("closing the body does not close the connection's")
				}
			})
		}
	}
}

// An answer that is an error already has no further flaw.
func TestErrorsAreLeftAlone(t *testing.T) {
	t.Parallel()
	from := &closer{Reader: strings.NewReader("{}")}
	resp, _, err := meet(t.Context(), t, chaos.Malformed(0), false, &answering{http.StatusBadGateway, "application/json", from})
	must(t, err)
	if got, err := io.ReadAll(resp.Body); string(got) != "{}" || err != nil || resp.StatusCode != http.StatusBadGateway {
		t.Errorf("%d %q, %v", resp.StatusCode, got, err)
	}
	must(t, resp.Body.Close())
}

// Close ends a read that waits, from another goroutine, and so does the end of the context.
func TestReadsThatWait(t *testing.T) {
	t.Parallel()
	for _, f := range []chaos.Fault{chaos.Stalled(0), chaos.SlowFirstItem(time.Hour)} {
		for _, byClose := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				from := &closer{Reader: strings.NewReader("{}")}
				resp, _, err := meet(ctx, t, f, false, &answering{http.StatusOK, "application/json", from})
				must(t, err)
				ended := make(chan error, 1)
				go func() {
					_, err := resp.Body.Read(make([]byte, 1))
					ended <- err
				}()
				synctest.Wait()
				if len(ended) > 0 {
					t.Fatalf("%s: the read does not wait", f.String())
				}
				want := context.Canceled
				if byClose {
					want = http.ErrBodyReadAfterClose
					must(t, resp.Body.Close())
				} else {
					cancel()
				}
				if err := <-ended; !errors.Is(err, want) {
					t.Errorf("%s: %v, want %v", f.String(), err, want)
				}
			})
		}
	}
}

// What stands in for a target closes the request's body; an answer that nobody waits for is closed.
func TestBodiesAreClosed(t *testing.T) {
	t.Parallel()
	for _, f := range everyFault() {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			from := &closer{Reader: strings.NewReader("{}")}
			resp, request, err := meet(ctx, t, f, false, &answering{http.StatusOK, "application/json", from})
			asked := f.Effect == chaos.Slow || f.Effect == chaos.SlowStart || f.Effect == chaos.Stall || f.Effect == chaos.Cut || f.Effect == chaos.Garble
			if !asked && request.closed == 0 {
				t.Errorf("%s: the request's body is open", f.String())
			}
			if asked && err != nil && from.closed == 0 {
				t.Errorf("%s: the answer's body is open: %v", f.String(), err)
			}
			if err == nil {
				must(t, resp.Body.Close())
			}
		})
	}
}
