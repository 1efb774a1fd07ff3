package conformance

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing/synctest"
	"time"
)

// busy is an answer that is worth a retry.
var busy = answer{status: http.StatusServiceUnavailable, body: "busy"}

// fine is the answer that one wants.
var fine = answer{status: http.StatusOK, body: "fine"}

func thrice() httpSettings {
	return httpSettings{attempts: 3, backoff: 10 * time.Millisecond, backoffMax: 20 * time.Millisecond}
}

// timed is thrice with a timeout of an attempt.
func timed(timeout time.Duration) httpSettings {
	s := thrice()
	s.timeout = timeout
	return s
}

func httpProbes() []probe {
	get := func(c *client) (int, error) { return c.send(context.Background(), http.MethodGet, nil) }
	return []probe{
		{
			"F1", "T34", "503, 503, 200", "every body is closed",
			overHTTP(thrice(), func(c *client, s *server) finding {
				status, _ := get(c)
				opened, closed := s.bodies()
				return judge(status == http.StatusOK && opened == closed && opened == 3, "status %d; %d of %d bodies closed", status, closed, opened)
			}, busy, busy, fine),
		},
		{
			"F1a", "T39", "503 until the attempts are used up", "every body is closed",
			overHTTP(thrice(), func(c *client, s *server) finding {
				_, _ = get(c)
				opened, closed := s.bodies()
				return judge(opened == closed && opened == 3, "%d of %d bodies closed", closed, opened)
			}, busy),
		},
		{
			"T34", "T34", "503 with a body that never ends, then 200; an attempt has 2 s", "the answer is there within 5 s, and both bodies are closed",
			overHTTP(timed(2*time.Second), func(c *client, s *server) finding {
				ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
				defer cancel()
				var status int
				took := elapsed(func() { status, _ = c.send(ctx, http.MethodGet, nil) })
				opened, closed := s.bodies()
				return judge(status == http.StatusOK && took <= 5*time.Second && opened == closed,
					"status %d after %v; %d of %d bodies closed", status, took.Round(10*time.Millisecond), closed, opened)
			}, answer{status: http.StatusServiceUnavailable, body: "busy", stuck: true}, fine),
		},
		{
			"T34a", "T34", "503 with a body of 1 GiB, then 200", "the answer is there, and the body was not read to its end",
			overHTTP(thrice(), func(c *client, s *server) finding {
				status, _ := get(c)
				opened, closed := s.bodies()
				return judge(status == http.StatusOK && s.given < 10<<20 && opened == closed,
					"status %d, %d KiB read; %d of %d bodies closed", status, s.given>>10, closed, opened)
			}, answer{status: http.StatusServiceUnavailable, long: 1 << 30}, fine),
		},
		{
			"T31", "T31", "the reply to a POST is lost", "it is not sent again: it may have been executed",
			overHTTP(thrice(), func(c *client, s *server) finding {
				_, _ = c.send(context.Background(), http.MethodPost, strings.NewReader("order"))
				return judge(s.requests() == 1, "sent %d times", s.requests())
			}, answer{err: io.ErrUnexpectedEOF}),
		},
		{
			"T31a", "T31", "a POST is answered by a gateway's 504", "it is not sent again: it may have been executed",
			overHTTP(thrice(), func(c *client, s *server) finding {
				_, _ = c.send(context.Background(), http.MethodPost, strings.NewReader("order"))
				return judge(s.requests() == 1, "sent %d times", s.requests())
			}, answer{status: http.StatusGatewayTimeout}),
		},
		{
			"T33", "T33", "a PUT is retried", "each attempt sends the whole body",
			overHTTP(thrice(), func(c *client, s *server) finding {
				_, _ = c.send(context.Background(), http.MethodPut, strings.NewReader("all of it"))
				return wholeBodies(s, "all of it")
			}, busy, fine),
		},
		{
			"T33a", "T33", "a PUT with a body that can be read only once, 503", "no attempt sends less than the whole body",
			overHTTP(thrice(), func(c *client, s *server) finding {
				_, _ = c.send(context.Background(), http.MethodPut, io.MultiReader(strings.NewReader("all of it")))
				return wholeBodies(s, "all of it")
			}, busy, fine),
		},
		{
			"T33b", "T33", "a request with a body goes through the RoundTripper", "the caller's request is not changed (contract of http.RoundTripper)",
			overHTTP(thrice(), func(c *client, _ *server) finding {
				if c.plain == nil {
					return without("it is no http.RoundTripper")
				}
				r, _ := http.NewRequest(http.MethodPut, "http://stub.test/", strings.NewReader("all of it"))
				before := r.Body
				resp, err := c.plain.RoundTrip(r)
				if err != nil {
					return judge(false, "%v", err)
				}
				resp.Body.Close()
				same := r.Body == before
				return judge(same, "Request.Body is the caller's own: %v", same)
			}, fine),
		},
		{
			"T35", "T35", "the second half of a body comes 1 s after the call returned, within its timeout of 5 s", "the whole body is read",
			overHTTP(httpSettings{attempts: 3, backoff: time.Millisecond, timeout: 5 * time.Second}, func(c *client, _ *server) finding {
				body, err := c.open(context.Background())
				if err != nil {
					return judge(false, "%v", err)
				}
				defer body.Close()
				time.Sleep(500 * time.Millisecond)
				text, err := io.ReadAll(body)
				return judge(err == nil && len(text) == len("first second"), "%d of 12 bytes, %s", len(text), errorText(err))
			}, answer{status: http.StatusOK, body: "first second", late: time.Second}),
		},
		{
			"F16", "T46", "200 calls with a long-lived context have ended", "no goroutine is left",
			overHTTP(thrice(), func(c *client, _ *server) finding {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				_, _ = c.send(ctx, http.MethodGet, nil)
				synctest.Wait()
				before := runtime.NumGoroutine()
				for range 200 {
					_, _ = c.send(ctx, http.MethodGet, nil)
				}
				synctest.Wait()
				left := max(runtime.NumGoroutine()-before, 0)
				return judge(left < 20, "%d are left", left)
			}, fine),
		},
	}
}

func errorText(err error) string {
	if err == nil {
		return "no error"
	}
	return err.Error()
}

func wholeBodies(s *server, want string) finding {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, r := range s.seen {
		if r.body != want {
			return judge(false, "attempt %d of %d sends %d of %d bytes", i+1, len(s.seen), len(r.body), len(want))
		}
	}
	return judge(len(s.seen) > 0, "%d attempts, each with the whole body", len(s.seen))
}
