package main

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/examples/llmclient/llm"
	"github.com/resgen-go/resgen/examples/llmclient/provider"
)

// TestARealServerAnswersBehindTheFaults sends calls to a server behind the one that is broken: it answers under its own names of models, and not
// what a fault has taken.
func TestARealServerAnswersBehindTheFaults(t *testing.T) {
	t.Parallel()
	actual := &provider.Provider{Name: "real"}
	behind := httptest.NewServer(actual)
	t.Cleanup(behind.Close)
	handler, err := upstream(behind.URL+"/v1", map[string]string{"large": "grande", "small-fast": ""})
	if err != nil {
		t.Fatal(err)
	}
	before := &provider.Provider{Name: "before", Upstream: handler}
	first := httptest.NewServer(before)
	t.Cleanup(first.Close)
	client, err := newClient(llm.WithBaseURL(first.URL), llm.WithBearer("key"), llm.WithTarget("secondary", llm.WithBaseURL(first.URL)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)

	before.SetFaults(once(provider.Unavailable)...)
	got := []string{ask(t.Context(), client, "One?").text, listen(t.Context(), client, "Two?").text}
	before.SetFaults(provider.Rule{Fault: provider.Unavailable, Model: "large"})
	got = append(got, ask(t.Context(), client, "Three?").text)
	want := []string{"real/grande answers: One?", "real/grande answers: Two?", "real/small-fast answers: Three?"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	var asked []string
	for _, r := range actual.Requests() {
		asked = append(asked, r.Path+" "+r.Model)
	}
	want = []string{"/v1/chat/completions grande", "/v1/chat/completions grande", "/v1/chat/completions small-fast"}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("the server was asked (-want +got):\n%s", diff)
	}
}

func TestAnAddressThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"api.example.com/v1", "ftp://example.com", "http://", "http://[", ":8080"} {
		if _, err := upstream(bad, nil); err == nil || !strings.Contains(err.Error(), "--base-url") {
			t.Errorf("%q: %v, want an error that names the flag", bad, err)
		}
	}
}
