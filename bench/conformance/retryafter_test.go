package conformance

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// later is a 429 that names a time.
func later(retryAfter string, more ...string) answer {
	h := http.Header{"Retry-After": {retryAfter}}
	for i := 0; i+1 < len(more); i += 2 {
		h.Set(more[i], more[i+1])
	}
	return answer{status: http.StatusTooManyRequests, header: h}
}

func retryAfterProbes() []probe {
	return []probe{
		{
			"F7, R1", "T17, T18", "429 with Retry-After: 30; the deadline is 300 ms away", "the call fails at once",
			overHTTP(thrice(), func(c *client, s *server) finding {
				ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
				defer cancel()
				took := elapsed(func() { _, _ = c.send(ctx, http.MethodGet, nil) })
				return judge(took < 50*time.Millisecond && s.requests() == 1, "fails after %v, %d requests", took, s.requests())
			}, later("30")),
		},
		{"F7b", "T19", "Retry-After as an HTTP date, 10 s ahead of the server's own Date, whose clock is wrong by an hour", "the retry comes after 10 s", dated(http.TimeFormat)},
		{"R2a", "T19", "the same as an RFC 850 date", "the retry comes after 10 s", dated("Monday, 02-Jan-06 15:04:05 GMT")},
		{
			"R2", "T19", "Retry-After: 1.5", "the retry comes after 1.5 s, or later",
			overHTTP(thrice(), func(c *client, s *server) finding { return waits(c, s, 1500*time.Millisecond, 2*time.Second) }, later("1.5"), fine),
		},
		{
			"R2b", "T19", "Retry-After: 9999999999999", "no retry, and no sleep",
			overHTTP(thrice(), func(c *client, s *server) finding {
				ctx, cancel := context.WithTimeout(context.Background(), 24*time.Hour)
				defer cancel()
				took := elapsed(func() { _, _ = c.send(ctx, http.MethodGet, nil) })
				return judge(took == 0 && s.requests() == 1, "%d requests, returns after %v", s.requests(), took)
			}, later("9999999999999"), fine),
		},
		{
			"T18", "T18", "Retry-After: 120, longer than any wait that was allowed", "the request is not sent again before that time",
			overHTTP(thrice(), func(c *client, s *server) finding {
				_, _ = c.send(context.Background(), http.MethodGet, nil)
				gap, again := s.gap()
				if !again {
					return judge(true, "not sent again")
				}
				return judge(gap >= 120*time.Second, "sent again after %v", gap)
			}, later("120"), fine),
		},
		{"T20", "T20", "50 clients are told Retry-After: 10, with jitter on", "none comes back earlier", jitteredRetryAfter},
	}
}

// dated is a server that names the time as a date.
func dated(format string) func(library) finding {
	return func(lib library) finding {
		clock := time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
		answer := later(clock.Add(10*time.Second).Format(format), "Date", clock.Format(http.TimeFormat))
		return overHTTP(thrice(), func(c *client, s *server) finding { return waits(c, s, 9*time.Second, 12*time.Second) }, answer, fine)(lib)
	}
}

// waits judges the time between the first two requests.
func waits(c *client, s *server, least, most time.Duration) finding {
	_, _ = c.send(context.Background(), http.MethodGet, nil)
	gap, again := s.gap()
	if !again {
		return judge(false, "no retry")
	}
	shown := fmt.Sprint(gap.Round(100 * time.Millisecond))
	if gap < 50*time.Millisecond {
		shown = fmt.Sprint(gap.Round(10 * time.Millisecond))
	}
	return judge(gap >= least && gap <= most, "after %s", shown)
}

// jitteredRetryAfter has clients of their own, with jitter, which were all told the same.
func jitteredRetryAfter(lib library) finding {
	s := httpSettings{attempts: 3, backoff: time.Second, backoffMax: 2 * time.Second}
	return overHTTP(s, func(*client, *server) finding {
		var all sync.WaitGroup
		var mu sync.Mutex
		early, least := 0, time.Hour
		for range 50 {
			all.Go(func() {
				srv := newServer(later("10"), fine)
				c, _ := lib.http(s, srv)
				_, _ = c.send(context.Background(), http.MethodGet, nil)
				if c.end != nil {
					c.end()
				}
				gap, _ := srv.gap()
				mu.Lock()
				defer mu.Unlock()
				if gap < 10*time.Second {
					early++
				}
				least = min(least, gap)
			})
		}
		all.Wait()
		if early == 0 {
			return judge(true, "none does")
		}
		return judge(false, "%d of 50 do", early)
	}, fine)(lib)
}
