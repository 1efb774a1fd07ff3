package runtime_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// Whatever becomes of the attempts of a call, the body that comes is its own: the memory of the bodies of others, which it may have got, is not
// theirs any more. The server fails some, hangs up on some, and sends some elsewhere.
func TestCallsThatHaveEndedLendTheirMemory(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch id := r.Header.Get("Id"); {
		case strings.HasSuffix(id, "1") && len(body)%2 == 0:
			w.WriteHeader(http.StatusServiceUnavailable)
		case strings.HasSuffix(id, "2") && len(body)%3 == 0:
			panic(http.ErrAbortHandler)
		case strings.HasSuffix(id, "3") && r.URL.Path != "/there":
			http.Redirect(w, r, "/there", http.StatusPermanentRedirect)
		default:
			_, _ = w.Write(body)
		}
	}))
	t.Cleanup(s.Close)
	h := runtime.NewHTTP(runtime.HTTPSpec{Name: "echo", BaseURL: s.URL}, runtime.WithGroup(still()))
	op := h.Operation(plan(func(p *policy.Plan) { p.Retry.Backoff = policy.Backoff{}; p.Timeout = policy.Timeout{} }))
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 50 {
				id := fmt.Sprintf("%d-%d", worker, i)
				r := wire.NewRequest(http.MethodPost, "/")
				r.Header("Id", 0, id)
				r.JSON(echoed{ID: id, Text: strings.Repeat(id, 1+i*worker)})
				got, err := runtime.Call(t.Context(), h, op, r, wire.JSON[echoed])
				if err == nil && (got.ID != id || strings.ReplaceAll(got.Text, id, "") != "") {
					t.Errorf("call %s: %.200q", id, got)
				}
			}
		})
	}
	all.Wait()
}

type echoed struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// A request is its call's, and cannot be used again by mistake.
func TestACallSettlesItsRequest(t *testing.T) {
	t.Parallel()
	s := seen{}
	h := runtime.NewHTTP(spec(), runtime.WithHTTPClient(s.client()))
	op := h.Operation(plan())
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	r := wire.NewRequest(http.MethodPost, "/things")
	r.JSON(map[string]string{"name": "a"})
	if _, err := runtime.Call(t.Context(), h, op, r, wire.JSON[thing]); err != nil {
		t.Fatal(err)
	}
	if _, err := runtime.Call(t.Context(), h, op, r, wire.JSON[thing]); !errors.Is(err, wire.ErrRequest) || len(s.requests) != 1 {
		t.Errorf("the second call with the same request: %v, %d sent", err, len(s.requests))
	}
}
