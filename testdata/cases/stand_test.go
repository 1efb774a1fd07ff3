// Package cases_test drives clients that were generated from testdata/specs/cases against servers that write and read bytes: what is
// on the wire is the judge. The generator's test TestCases puts these files beside the clients and runs them.
package cases_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
)

// request is a request as it came.
type request struct {
	method string
	// target is the request line's, not decoded.
	target string
	header http.Header
	body   []byte
	length int64
}

// stand is a server that notes what comes and answers what it is told.
type stand struct {
	*httptest.Server

	mu     sync.Mutex
	seen   []request
	answer http.HandlerFunc
}

// newStand starts a server that answers 204.
func newStand(t *testing.T) *stand {
	t.Helper()
	s := &stand{answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("the server reads the body: %v", err)
		}
		s.mu.Lock()
		s.seen = append(s.seen, request{r.Method, r.RequestURI, r.Header, body, r.ContentLength})
		answer := s.answer
		s.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// says has the server answer with a status, a media type (none where it is empty) and a body.
func (s *stand) says(status int, mediaType, body string) {
	s.does(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		if mediaType != "" {
			w.Header().Set("Content-Type", mediaType)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

// echoes has the server answer with what it is sent.
func (s *stand) echoes() {
	s.does(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.Copy(w, r.Body)
	})
}

func (s *stand) does(answer http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// one returns the only request since the last call of one.
func (s *stand) one(t *testing.T) request {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.seen) != 1 {
		t.Fatalf("the server saw %d requests, want 1", len(s.seen))
	}
	r := s.seen[0]
	s.seen = nil
	return r
}

// none fails the test if the server was asked.
func (s *stand) none(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.seen) != 0 {
		t.Errorf("the server saw %d requests, want none", len(s.seen))
	}
	s.seen = nil
}

// forget drops what was seen.
func (s *stand) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = nil
}

// dial makes a client of a stand.
func dial[C any](t *testing.T, s *stand, make func(...runtime.ClientOption) (C, error), opts ...runtime.ClientOption) C {
	t.Helper()
	c, err := make(append([]runtime.ClientOption{runtime.WithBaseURL(s.URL)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// must fails the test for an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// must1 is must for a call with a result.
func must1[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		must(t, err)
		return v
	}
}

// same compares what was got with what was wanted.
func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// read decodes JSON into a new T.
func read[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// text is v as JSON.
func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	must(t, err)
	return string(data)
}

// has reports whether an optional value has one.
func has[T any](o interface{ Get() (T, bool) }) bool {
	_, ok := o.Get()
	return ok
}

// sameJSON compares two JSON texts as values, numbers by their digits.
func sameJSON(t *testing.T, what, got, want string) {
	t.Helper()
	same(t, what, tree(t, got), tree(t, want))
}

func tree(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

// says fails the test unless an error says each of the words.
func says(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one that says %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(w)) {
			t.Errorf("the error does not say %q: %v", w, err)
		}
	}
}
