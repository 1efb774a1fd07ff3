package runtime

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// TokenFunc returns the token of a security scheme for one attempt. It must be safe for concurrent use.
type TokenFunc = func(context.Context) (string, error)

// TokenTarget is the target that tokens are for.
type TokenTarget struct {
	// BaseURL is its address.
	BaseURL string
	// Transport is what its requests are sent by.
	Transport http.RoundTripper
}

// WithTokenSource has a security scheme's tokens come from the function that open returns: it is WithCredentialFunc for tokens that are
// asked for by the transport of the target, such as those of package oauth. open is called once, when the client is made; its error is one
// of the client's.
func WithTokenSource(scheme string, open func(TokenTarget) (TokenFunc, error)) Option {
	return targetOption(func(t *httpTarget) {
		delete(t.config.Credentials, scheme)
		if t.tokens == nil {
			t.tokens = map[string]func(TokenTarget) (TokenFunc, error){}
		}
		t.tokens[scheme] = open
	})
}

// openTokens makes the sources of tokens, when the endpoint is there.
func (t *httpTarget) openTokens() error {
	for _, scheme := range slices.Sorted(maps.Keys(t.tokens)) {
		f, err := t.tokens[scheme](TokenTarget{BaseURL: t.BaseURL, Transport: t.endpoint.Transport()})
		if err != nil {
			return fmt.Errorf("target %q: scheme %q: %w", t.Name, scheme, err)
		}
		t.config.Credentials[scheme] = f // the endpoint has the same map, and nobody sends yet
	}
	return nil
}
