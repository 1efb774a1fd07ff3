package wire

import (
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	gc "runtime"
	"strings"
	"testing"
)

// settling is a way to send a request, and whether the memory of its body is used again then.
type settling struct {
	path   string
	size   int // of the body, or little more
	secure bool
	config func(*Config)
	again  bool
}

func settlings() map[string]settling {
	return map[string]settling{
		"direct":       {again: true},
		"direct large": {size: 40 << 10, again: true}, // which is not written at once
		"TLS":          {secure: true},
		"direct error": {path: "/error", again: true},
		"redirect":     {path: "/redirect"},
		"broken":       {path: "/broken"},
		"editor": {config: func(c *Config) {
			c.Edit = append(c.Edit, func(*http.Request) error { return nil })
		}},
		"around": {config: func(c *Config) { c.Around = func(rt http.RoundTripper) http.RoundTripper { return rt } }},
		"jar": {config: func(c *Config) {
			jar, _ := cookiejar.New(nil)
			c.Client = &http.Client{Jar: jar}
		}},
		"transport": {config: func(c *Config) { c.Client = &http.Client{Transport: http.DefaultTransport} }},
	}
}

// The memory of a body is used again where nobody but us was shown the request, and nowhere else.
//
//nolint:paralleltest // memory that other tests left, and is too large for these bodies, is taken away first
func TestMemoryOfABodyIsUsedAgainWhereWeAloneHadIt(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch r.URL.Path {
		case "/error":
			w.WriteHeader(http.StatusTeapot)
		case "/redirect":
			http.Redirect(w, r, "/there", http.StatusTemporaryRedirect)
		case "/broken":
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, `{}`)
	})
	plain, secure := httptest.NewServer(handler), httptest.NewTLSServer(handler)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	for name, way := range settlings() {
		t.Run(name, func(t *testing.T) {
			for range 2 { // sync.Pool keeps what is in it for one more
				gc.GC()
			}
			c := Config{BaseURL: plain.URL}
			if way.secure {
				c.BaseURL, c.TLS = secure.URL, secure.Client().Transport.(*http.Transport).TLSClientConfig
			}
			if way.config != nil {
				way.config(&c)
			}
			e, err := NewEndpoint(c)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(e.CloseIdleConnections)
			r := NewRequest(http.MethodPost, way.path)
			r.JSON(map[string]string{"text": strings.Repeat("x", way.size)})
			for range 2 { // the second on a kept connection
				resp, err := e.Send(t.Context(), r, Outgoing{})
				if err == nil {
					_ = resp.Close()
				}
				if (err != nil) != (way.path == "/broken") {
					t.Fatal(err)
				}
			}
			if again := r.settle(); again != way.again || r.settle() {
				t.Errorf("the memory is used again: %v", again)
			}
			if _, err := e.Send(t.Context(), r, Outgoing{}); !errors.Is(err, ErrRequest) {
				t.Errorf("a request that was settled: %v", err)
			}
		})
	}
}
