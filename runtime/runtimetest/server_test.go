package runtimetest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/chaos"
	"github.com/resgen-go/resgen/runtime/runtimetest"
)

type order struct {
	ID    int    `json:"id"`
	Note  string `json:"note,omitzero"`
	Parts []part `json:"parts"`
}

type part struct {
	Name string `json:"name"`
}

// api has operations whose paths are alike.
func api() runtimetest.ServerAPI {
	sample := runtimetest.Answer{Status: 200, MediaType: "application/json", Body: `{"id":1,"parts":[]}`}
	return runtimetest.ServerAPI{Name: "shoptest", BasePath: "/v1", Operations: []runtimetest.ServerOperation{
		{Name: "GetOrder", Method: "GET", Path: "/orders/{id}", Sample: sample, Query: []string{"at"}, Header: []string{"X-Who"}},
		{Name: "GetLast", Method: "GET", Path: "/orders/last", Sample: sample},
		{Name: "GetFile", Method: "GET", Path: "/orders/{id}/{path}", Sample: runtimetest.Answer{Status: 200, MediaType: "text/plain", Body: "text"}},
		{Name: "Order", Method: "POST", Path: "/orders", Accept: "application/json", Sample: sample, Preset: "anthropic", Body: runtimetest.JSONBody[order]("application/json", true)},
		{Name: "OrderStream", Streams: true, Method: "POST", Path: "/orders", Accept: "text/event-stream", Done: "[DONE]", Sample: runtimetest.Answer{
			Status: 200, MediaType: "text/event-stream", Body: "data: {\"id\":1,\"parts\":[]}\n\ndata: [DONE]\n\n",
		}, Body: runtimetest.JSONBody[order]("application/json", true)},
		{Name: "Unknown", Method: "GET", Path: "/unknown", Missing: "no value was found"},
	}}
}

// recorder takes the failures of a test.
type recorder struct {
	testing.TB

	mu     sync.Mutex
	failed []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = append(r.failed, fmt.Sprintf(format, args...))
}

// ask sends a request, and returns what came of it in one line.
func ask(ctx context.Context, s *runtimetest.Server, method, path, body string, header ...string) string {
	var from io.Reader
	if body != "" {
		from = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.URL()+path, from)
	if err != nil {
		return err.Error()
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := s.HTTPClient().Do(req)
	if err != nil {
		return "error: " + err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Sprintf("%d %s, then %v", resp.StatusCode, text, err)
	}
	return fmt.Sprintf("%d %s", resp.StatusCode, text)
}

const sample = `200 {"id":1,"parts":[]}`

func TestRequestsFindTheirOperation(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB, runtimetest.ServerAPI) *runtimetest.Server{
		"in memory": runtimetest.NewMemoryServer, "over connections": runtimetest.NewServer,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, api())
			got := []string{
				ask(t.Context(), s, "GET", "/orders/a%2Fb?at=1", "", "X-Who", "me"),
				ask(t.Context(), s, "GET", "/orders/last", ""),
				ask(t.Context(), s, "GET", "/v1/orders/7/a/b.txt", ""),
				ask(t.Context(), s, "POST", "/orders", `{"id":2,"parts":[{"name":"x"}]}`, "Accept", "application/json"),
				ask(t.Context(), s, "POST", "/orders", `{"id":3,"parts":[]}`, "Accept", "text/event-stream"),
			}
			want := []string{sample, sample, "200 text", sample, "200 data: {\"id\":1,\"parts\":[]}\n\ndata: [DONE]\n\n"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
			var seen []string
			for _, r := range s.Requests() {
				seen = append(seen, fmt.Sprint(r.Operation, " ", r.Method, " ", r.Path))
			}
			want = []string{
				"GetOrder GET map[id:a/b]", "GetLast GET map[]", "GetFile GET map[id:7 path:a/b.txt]", "Order POST map[]", "OrderStream POST map[]",
			}
			if diff := cmp.Diff(want, seen); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if all := runtimetest.Serve[order, order](s, "Order").Requests(); len(all) != 1 || all[0].Value.Parts[0].Name != "x" {
				t.Errorf("requests of Order: %+v", all)
			}
		})
	}
}

func TestWrongRequestsFailTheTest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/nowhere", "", "no operation is GET /nowhere"},
		{"DELETE", "/orders/1", "", "no operation is DELETE /orders/1"},
		{"GET", "/orders/1", "", "GetOrder: the query parameter \"at\" is missing\nthe header \"X-Who\" is missing"},
		{"GET", "/orders/last", "{}", "GetLast: it has a body, and the operation takes none"},
		{"POST", "/orders", "", "Order: the body is missing"},
		{"POST", "/orders", `{"id":"1","parts":[]}`, "Order: decode: "},
		{"POST", "/orders", `{"id":1,"parts":[],"prise":2}`, "Order: the type has no member /prise"},
		{"POST", "/orders", `{"id":1,"parts":[{"nam":"x"}]}`, "Order: the type has no member /parts/0/nam\nthe member /parts/0/name is missing"},
		{"POST", "/orders", `{"parts":[]}`, "Order: the member /id is missing"},
		{"GET", "/unknown", "", "Unknown has no sample: no value was found; script an answer"},
	} {
		r := &recorder{TB: t}
		s := runtimetest.NewMemoryServer(r, api())
		got := ask(t.Context(), s, c.method, c.path, c.body)
		if want := "400 shoptest: " + c.want; !strings.HasPrefix(got, want) || len(r.failed) != 1 || !strings.HasPrefix(r.failed[0], "shoptest: "+c.want) {
			t.Errorf("%s %s %s: answered %q, failed with %q; want %q", c.method, c.path, c.body, got, r.failed, want)
		}
	}
}

func TestStepsAreAnsweredInOrder(t *testing.T) {
	t.Parallel()
	s := runtimetest.NewMemoryServer(t, api())
	served := runtimetest.Serve[order, order](s, "Order")
	served.Fail(529).Times(2).Answer(order{ID: 5}).Sample().Raw(runtimetest.Answer{Body: "raw"})
	var got []string
	asked := func(n int, accept string) {
		for range n {
			got = append(got, ask(t.Context(), s, "POST", "/orders", `{"id":2,"parts":[]}`, "Accept", accept))
		}
	}
	asked(6, "application/json")
	served.Fail(503).Always()
	asked(3, "application/json")
	served.Answer(order{ID: 6})
	asked(2, "application/json")
	runtimetest.Serve[order, part](s, "OrderStream").Stream(part{"a"}, part{"b"})
	asked(1, "text/event-stream")
	for i := range got { // the message says by whom it was made up
		if at := strings.Index(got[i], `"message"`); at >= 0 {
			got[i] = got[i][:at] + "..."
		}
	}
	want := []string{
		`529 {"error":{...`, `529 {"error":{...`, `200 {"id":5,"parts":[]}`, sample, "200 raw", sample,
		`503 {"error":{...`, `503 {"error":{...`, `503 {"error":{...`, `200 {"id":6,"parts":[]}`, sample,
		"200 data: {\"name\":\"a\"}\n\ndata: {\"name\":\"b\"}\n\ndata: [DONE]\n\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

// Faults take virtual time, and leave nothing behind: a bubble would not end.
func TestFaultsInMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := runtimetest.NewMemoryServer(t, api())
		served := runtimetest.Serve[order, order](s, "Order")
		post := func(ctx context.Context) string { return ask(ctx, s, "POST", "/orders", `{"id":2,"parts":[]}`) }
		start := time.Now()
		served.Fault(chaos.Latency(time.Minute)).Fault(chaos.Malformed(0)).Fault(chaos.Refused()).Fault(chaos.ResetByPeer()).Fault(chaos.Truncated(0))
		got := []string{post(t.Context())}
		if took := time.Since(start); took != time.Minute {
			t.Errorf("it took %v, want a minute", took)
		}
		got = append(got, post(t.Context()), post(t.Context()), post(t.Context()), post(t.Context()))
		served.Fault(chaos.BlackHole())
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		got = append(got, post(ctx))
		for i, want := range []string{sample, `200 !"id":1,"parts":[]}`, "connection refused", "connection reset", "unexpected EOF", "deadline exceeded"} {
			if !strings.Contains(got[i], want) {
				t.Errorf("fault %d: %s, want %s", i, got[i], want)
			}
		}
	})
}

func TestFaultsOverConnections(t *testing.T) {
	t.Parallel()
	s := runtimetest.NewServer(t, api())
	served := runtimetest.Serve[order, order](s, "GetLast")
	served.Fault(chaos.ResetByPeer()).Fault(chaos.Truncated(0)).Fault(chaos.Throttle(2 * time.Second))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, s.URL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Method, req.URL.Path = http.MethodGet, "/orders/last"
	if _, err := s.HTTPClient().Transport.RoundTrip(req); !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want a connection that was reset", err)
	}
	if got := ask(t.Context(), s, "GET", "/orders/last", ""); !strings.HasPrefix(got, "200 ") || got == sample {
		t.Errorf("got %s, want an answer that was cut", got)
	}
	if got := ask(t.Context(), s, "GET", "/orders/last", ""); !strings.HasPrefix(got, "429 ") {
		t.Errorf("got %s, want 429", got)
	}
}

func TestAServerInMemoryAnswersItsOwnAddress(t *testing.T) {
	t.Parallel()
	first, second := runtimetest.NewMemoryServer(t, api()), runtimetest.NewMemoryServer(t, api())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, second.URL()+"/orders/last", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := first.HTTPClient().Do(req)
	if err == nil {
		resp.Body.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "give each target its own HTTP client") || len(first.Requests())+len(second.Requests()) != 0 {
		t.Errorf("got %v, want an error that says what to do", err)
	}
}
