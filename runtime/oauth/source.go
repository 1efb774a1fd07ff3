package oauth

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

const (
	// earliest is how long before its end a token is renewed at the earliest; one that lives shorter is in its last quarter.
	earliest = 5 * time.Minute
	// margin is how long before its end a token is used no more: it must still be good when it arrives.
	margin = 10 * time.Second
	// pause is how long nobody is asked after a failure.
	pause = time.Second
)

// source keeps a token and renews it. Safe for concurrent use. It has a goroutine while it asks for a token.
type source struct {
	config *clientcredentials.Config
	client *http.Client

	mu     sync.Mutex
	held   held
	asking *asking // nil while nobody asks
	failed *failure
}

// held is a token and its times; zero times are those of a token without an end.
type held struct {
	text         string
	renew, until time.Time
}

// asking is a request for a token; done is closed when it has ended, with err or a token.
type asking struct {
	done chan struct{}
	held held
	err  error
}

// failure is the last request, which failed, and until when its error is that of all calls.
type failure struct {
	err   error
	until time.Time
}

// token returns a token that is good now. It waits for one where there is none.
func (s *source) token(ctx context.Context) (string, error) {
	now := time.Now()
	s.mu.Lock()
	good := s.held.text != "" && (s.held.until.IsZero() || now.Before(s.held.until))
	if good && (s.held.renew.IsZero() || now.Before(s.held.renew)) {
		defer s.mu.Unlock()
		return s.held.text, nil
	}
	rests := s.failed != nil && now.Before(s.failed.until)
	if s.asking == nil && !rests {
		s.asking = &asking{done: make(chan struct{})}
		go s.ask(s.asking) //nolint:gosec,contextcheck // it is for all calls that wait, and ends by its own timeout
	}
	text, a, failed := s.held.text, s.asking, s.failed
	s.mu.Unlock()
	switch {
	case good:
		return text, nil
	case a == nil:
		return "", failed.err
	}
	select {
	case <-a.done:
		return a.held.text, a.err
	case <-ctx.Done():
		return "", fmt.Errorf("oauth: wait for a token: %w", context.Cause(ctx))
	}
}

// ask gets a token. It belongs to no call: one that gives up does not end it for the others.
func (s *source) ask(a *asking) {
	t, err := s.config.Token(context.WithValue(context.Background(), oauth2.HTTPClient, s.client))
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asking, s.failed = nil, nil
	if err != nil {
		a.err = failureOf(err)
		s.failed = &failure{err: a.err, until: now.Add(pause)}
	} else {
		a.held = hold(t, now)
		s.held = a.held
	}
	close(a.done)
}

// hold says when a token that came now is to be renewed, and until when it is good.
func hold(t *oauth2.Token, now time.Time) held {
	h := held{text: t.AccessToken}
	if t.Expiry.IsZero() {
		return h
	}
	const quarter = 4
	left := t.Expiry.Sub(now)
	h.until = t.Expiry.Add(-min(margin, left/quarter))
	h.renew = t.Expiry.Add(-max(min(earliest, left/quarter), t.Expiry.Sub(h.until)))
	return h
}
