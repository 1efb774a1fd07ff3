package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/resgen-go/resgen/examples/llmclient/llm"
	"github.com/resgen-go/resgen/examples/llmclient/provider"
)

// TestBoard plays the whole walk in virtual time and looks at what the board shows at its end.
func TestBoard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shown, err := newBoard()
		if err != nil {
			t.Fatal(err)
		}
		primary, secondary := &provider.Provider{Name: "primary"}, &provider.Provider{Name: "secondary"}
		err = walkWith(t.Context(), io.Discard, append(shown.options,
			llm.WithBaseURL("http://primary.test/v1"), llm.WithHTTPClient(connect(t, primary)),
			llm.WithTarget("secondary", llm.WithBaseURL("http://secondary.test/v1"), llm.WithHTTPClient(connect(t, secondary))),
		), primary, secondary)
		if err != nil {
			t.Fatal(err)
		}
		get := func(path string, code int) string {
			w := httptest.NewRecorder()
			shown.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			if w.Code != code {
				t.Errorf("%s: %d", path, w.Code)
			}
			return w.Body.String()
		}
		for path, wants := range map[string][]string{
			"/status":      {"Calls fail since", "llm.createChatCompletionStream", "2 broke off", "by lower rungs", "is called again since", "llm.createChatCompletion", "by eu (alternate)", "by sorry (canned)"},
			"/status.json": {`"state": "failing"`},
			"/metrics": {
				`resgen_breaker_state{client="llm",operation="",target="primary"} 0`,
				`resgen_calls_total{client="llm",exercised="false",fallback_used="true",kind="none",level="canned"`,
			},
		} {
			body := get(path, http.StatusOK)
			for _, want := range wants {
				if !strings.Contains(body, want) {
					t.Errorf("%s does not say %q:\n%s", path, want, body)
				}
			}
		}
		get("/readyz", http.StatusOK)
		get("/deepz", http.StatusForbidden)
	})
}

func TestBoardIsServedOnLoopback(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{":9090": "127.0.0.1:9090", "0.0.0.0:80": "0.0.0.0:80", "[::1]:80": "[::1]:80"} {
		if got, err := loopback(address); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", address, got, err, want)
		}
	}
	shown, err := newBoard()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shown.serve(t.Context(), io.Discard, "9090"); err == nil {
		t.Error("an address without a port is served")
	}
	var out bytes.Buffer
	stop, err := shown.serve(t.Context(), &out, ":0")
	if err != nil {
		t.Fatal(err)
	}
	url, _, _ := strings.Cut(out.String(), " ")
	if !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("served at %s", url)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("%s", answer.Status)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}
