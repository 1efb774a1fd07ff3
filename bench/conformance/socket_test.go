package conformance

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

func socketProbes() []probe {
	return []probe{
		{
			id: "S1", trap: "T34", does: "20 calls, each of which is answered 503, and then 200, over HTTP/1.1",
			wanted: "one connection serves them all: what is discarded is drained",
			run: overSocket(thrice(), func(c *client, h *host) finding {
				for range 20 {
					if status, err := c.send(context.Background(), http.MethodGet, nil); status != http.StatusOK {
						return judge(false, "status %d, %s", status, errorText(err))
					}
				}
				return judge(h.connections.Load() == 1, "%d connections", h.connections.Load())
			}, func(n int64, w http.ResponseWriter, _ *http.Request) {
				if n%2 == 1 {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
				_, _ = io.WriteString(w, strings.Repeat("body ", 400))
			}),
		},
		{
			id: "S2", trap: "T31, T33", does: "the connection breaks after a POST was executed, 20 times, over HTTP/1.1",
			wanted: "no POST is executed twice",
			run: overSocket(thrice(), func(c *client, h *host) finding {
				for range 20 {
					_, _ = c.send(context.Background(), http.MethodGet, nil)
					_, _ = c.send(context.Background(), http.MethodPost, strings.NewReader("order"))
				}
				return judge(h.posts.Load() <= 20, "%d executed of 20", h.posts.Load())
			}, func(_ int64, w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodPost {
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				if conn, _, err := http.NewResponseController(w).Hijack(); err == nil { // it was executed, and the reply is lost
					conn.Close()
				}
			}),
		},
	}
}

// host is a real server.
type host struct {
	connections atomic.Int64
	requests    atomic.Int64
	posts       atomic.Int64
}

// overSocket is a probe of a client on a real server, whose handler is told the number of the request.
func overSocket(s httpSettings, run func(c *client, h *host) finding, handle func(n int64, w http.ResponseWriter, r *http.Request)) func(library) finding {
	return func(lib library) finding {
		if lib.http == nil {
			return without("it does not know HTTP")
		}
		var h host
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				h.posts.Add(1)
			}
			handle(h.requests.Add(1), w, r)
		}))
		server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				h.connections.Add(1)
			}
		}
		server.Start()
		defer server.Close()
		to, err := url.Parse(server.URL)
		if err != nil {
			return judge(false, "%v", err)
		}
		transport := &http.Transport{IdleConnTimeout: time.Minute}
		defer transport.CloseIdleConnections()
		c, missing := lib.http(s, toServer{to, transport})
		if missing != "" {
			return without(missing)
		}
		if c.end != nil {
			defer c.end()
		}
		return run(c, &h)
	}
}

// toServer sends every request to one server, whatever its URL says.
type toServer struct {
	to   *url.URL
	next http.RoundTripper
}

func (t toServer) RoundTrip(r *http.Request) (*http.Response, error) {
	out := r.Clone(r.Context())
	out.URL.Scheme, out.URL.Host = t.to.Scheme, t.to.Host
	return t.next.RoundTrip(out)
}
