package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestFetch(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/there", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("here")) })
	mux.Handle("/elsewhere", http.RedirectHandler("/there", http.StatusFound))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	for _, tt := range []struct {
		url, want string
		err       error
	}{
		{server.URL + "/there", "here", nil},
		{server.URL + "/nowhere", "", errStatus},
		{server.URL + "/elsewhere", "", errPlain},
		{"http://schemas.example.com/a.yaml", "", errPlain},
		{"file:///etc/passwd", "", errPlain},
	} {
		if got, err := fetch(t.Context(), tt.url); string(got) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: got %q, %v", tt.url, got, err)
		}
	}
}
