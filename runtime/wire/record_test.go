package wire_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

type named struct {
	Name string `json:"name"`
}

// answered returns the response of a server that answers so.
func answered(t *testing.T, write func(w http.ResponseWriter)) *wire.Response {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { write(w) }))
	t.Cleanup(s.Close)
	e, err := wire.NewEndpoint(wire.Config{BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := e.Send(t.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(resp.Release)
	return resp
}

func TestRecordedIsTheBodyAsItWasRead(t *testing.T) {
	t.Parallel()
	const body = `{"name":"a"}`
	plain := func(w http.ResponseWriter) { _, _ = w.Write([]byte(body)) }
	tests := []struct {
		name  string
		write func(w http.ResponseWriter)
		limit int
		read  func(r *wire.Response)
		want  string
		ok    bool
	}{
		{"whole", plain, 100, readAll, body, true},
		{"at the limit", plain, len(body), readAll, body, true},
		{"above it", plain, len(body) - 1, readAll, "", false},
		{"not read", plain, 100, func(*wire.Response) {}, "", false},
		{"half of it", plain, 100, func(r *wire.Response) { _, _ = r.Read(make([]byte, 3)) }, "", false},
		{"nothing to read", func(w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) }, 100, func(*wire.Response) {}, "", true},
		{"compressed", func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			_, _ = z.Write([]byte(body))
			_ = z.Close()
			_, _ = w.Write(packed.Bytes())
		}, 100, readAll, body, true},
		{"cut", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "100")
			plain(w)
		}, 100, readAll, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			resp := answered(t, tt.write)
			resp.Record(tt.limit)
			tt.read(resp)
			if got, ok := resp.Recorded(); string(got) != tt.want || ok != tt.ok {
				t.Errorf("Recorded = %q, %v, want %q, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
	if _, ok := answered(t, plain).Recorded(); ok {
		t.Error("what nobody asked for was recorded")
	}
}

// readAll reads a JSON body, and what is left of it.
func readAll(r *wire.Response) { _, _ = wire.JSON[named](r) }

func TestReplayIsReadAnewEachTime(t *testing.T) {
	t.Parallel()
	body := []byte(`{"name":"a"}`)
	header := http.Header{"Content-Type": {"application/json"}}
	request := wire.NewRequest("GET", "/")
	var got []*named
	for range 2 {
		resp := wire.Replay(t.Context(), request, 201, header, body, 0)
		if resp.Status != 201 || resp.MediaType() != "application/json" {
			t.Errorf("status %d, type %q", resp.Status, resp.MediaType())
		}
		v, err := wire.JSON[named](resp)
		if err != nil {
			t.Fatal(err)
		}
		resp.Release()
		got = append(got, v)
	}
	if diff := cmp.Diff([]*named{{"a"}, {"a"}}, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if got[0] == got[1] {
		t.Error("callers share a value")
	}
	if _, err := wire.JSON[named](wire.Replay(t.Context(), request, 200, header, []byte(`{"name":`), 0)); err == nil {
		t.Error("half a body is an answer")
	}
	long := []byte(`{"name":"` + strings.Repeat("x", 99) + `"}`)
	if _, err := wire.JSON[named](wire.Replay(t.Context(), request, 200, header, long, 10)); err == nil {
		t.Error("the limit does not count")
	}
}

// An answer to HEAD has no body, whatever length it speaks of.
func TestRecordedOfHeadIsNothing(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "9") }))
	t.Cleanup(s.Close)
	e, err := wire.NewEndpoint(wire.Config{BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := e.Send(t.Context(), wire.NewRequest("HEAD", "/"), wire.Outgoing{})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Release()
	resp.Record(100)
	if _, err := wire.NoBody(resp); err != nil {
		t.Fatal(err)
	}
	if got, ok := resp.Recorded(); len(got) > 0 || !ok {
		t.Errorf("got %q, %v, want nothing, which is all there is", got, ok)
	}
}
