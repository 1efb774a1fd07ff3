package oauth

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/oauth2/clientcredentials"

	"github.com/resgen-go/resgen/runtime"
)

// Config says where tokens come from and who asks.
type Config struct {
	// TokenURL is the token endpoint: an http or https URL, or one that is relative to the target's base URL.
	TokenURL string
	// ClientID and ClientSecret are the program's own. They are sent to the token endpoint alone, and shown nowhere.
	ClientID, ClientSecret string
	// Scopes are what is asked for; none leaves it to the server.
	Scopes []string
	// Params are further parameters of the request, such as an audience.
	Params url.Values
	// Timeout bounds one request for a token; 0 is 10 s.
	Timeout time.Duration
}

const defaultTimeout = 10 * time.Second

// WithClientCredentials has a security scheme's tokens come from a token endpoint by the client credentials grant. Generated clients have
// an option of that name, which knows the scheme and the endpoint of their document; this one is for another endpoint.
func WithClientCredentials(scheme string, c Config) runtime.Option {
	return runtime.WithTokenSource(scheme, func(t runtime.TokenTarget) (runtime.TokenFunc, error) {
		s, err := newSource(c, t)
		if err != nil {
			return nil, err
		}
		return s.token, nil
	})
}

var (
	errNoClient = errors.New("the client id is empty")
	errTokenURL = errors.New("the token URL must be an http or https URL without a user")
)

// newSource makes the source of a target's tokens. It asks for none.
func newSource(c Config, t runtime.TokenTarget) (*source, error) {
	if c.ClientID == "" {
		return nil, fmt.Errorf("oauth: %w", errNoClient)
	}
	base, err := url.Parse(t.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("oauth: base URL: %w", errTokenURL)
	}
	at, err := base.Parse(c.TokenURL)
	if err != nil || c.TokenURL == "" || at.Scheme != "https" && at.Scheme != "http" || at.Host == "" || at.User != nil {
		return nil, fmt.Errorf("oauth: %w", errTokenURL)
	}
	return &source{
		config: &clientcredentials.Config{
			ClientID: c.ClientID, ClientSecret: c.ClientSecret, TokenURL: at.String(), Scopes: c.Scopes, EndpointParams: c.Params,
		},
		client: &http.Client{
			Transport: t.Transport,
			Timeout:   cmp.Or(max(c.Timeout, 0), defaultTimeout),
			// a redirect would take the secret along
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}
