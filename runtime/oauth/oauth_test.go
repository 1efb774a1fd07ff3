package oauth_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/oauth"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

const secret = "s3cr3t-of-the-program"

// network is both servers: it answers requests for tokens by tokens, and others by what Authorization they had.
type network struct {
	mu     sync.Mutex
	asked  []string // what came for tokens
	tokens func(n int) (status int, body string)
	slow   time.Duration
}

func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.URL.Path, "/token") {
		return answer(r, http.StatusOK, `"`+r.Header.Get("Authorization")+`"`), nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	user, password, _ := r.BasicAuth()
	n.mu.Lock()
	n.asked = append(n.asked, r.URL.String()+" "+user+":"+password+" "+string(body))
	count := len(n.asked)
	n.mu.Unlock()
	select {
	case <-time.After(n.slow):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	status, text := n.tokens(count)
	return answer(r, status, text), nil
}

func answer(r *http.Request, status int, text string) *http.Response {
	header := http.Header{"Content-Type": {"application/json"}}
	if status/100 == 3 {
		header.Set("Location", "https://evil.example/token")
	}
	return &http.Response{
		StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(text)), ContentLength: int64(len(text)),
		Request: r, ProtoMajor: 1, ProtoMinor: 1,
	}
}

// call makes a function that calls an operation with the scheme and returns the Authorization that the target got.
func call(t *testing.T, n *network, c oauth.Config) func(context.Context) (string, error) {
	t.Helper()
	spec := runtime.HTTPSpec{Name: "api", BaseURL: "https://api.example.com/v1/", Schemes: []wire.Scheme{{Name: "oauth", Kind: wire.Bearer}}}
	c.ClientID, c.ClientSecret = "program", secret
	h := runtime.NewHTTP(spec, runtime.WithHTTPClient(&http.Client{Transport: n}), oauth.WithClientCredentials("oauth", c))
	op := h.Operation(policy.Plan{Operation: "get", Idempotency: policy.Safe, Timeout: policy.Timeout{Total: time.Minute, Attempt: time.Minute}})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	req := wire.NewRequest(http.MethodGet, "/thing")
	req.Security([]string{"oauth"})
	return func(ctx context.Context) (string, error) {
		return runtime.Do(ctx, op, func(ctx context.Context, at runtime.Attempt) (string, error) {
			return runtime.Send(ctx, h, at, req, func(r *wire.Response) (string, error) { return wire.JSONValue[string](r) })
		})
	}
}

// pass lets virtual time pass.
func pass(d time.Duration) { <-time.After(d) }

func lasts(token, seconds string) func(int) (int, string) {
	return func(int) (int, string) {
		return http.StatusOK, `{"access_token":"` + token + `","token_type":"bearer","expires_in":` + seconds + `}`
	}
}

// Many calls that need a token at the same time ask for one, and use it as long as it is good.
func TestOneRequestForManyCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &network{tokens: lasts("t1", "3600"), slow: time.Second}
		get := call(t, n, oauth.Config{TokenURL: "https://auth.example.com/token", Scopes: []string{"read", "write"}})
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if got, err := get(t.Context()); got != "Bearer t1" || err != nil {
					t.Errorf("got %q, %v", got, err)
				}
			})
		}
		wg.Wait()
		want := []string{"https://auth.example.com/token program:" + secret + " grant_type=client_credentials&scope=read+write"}
		if diff := cmp.Diff(want, n.asked); diff != "" {
			t.Errorf("asked (-want +got):\n%s", diff)
		}
	})
}

// A token is renewed before its end, while calls go on with the one that there is; after its end they wait.
func TestRenewal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &network{slow: time.Second, tokens: func(n int) (int, string) {
			return lasts("t"+string(rune('0'+n)), "3600")(n)
		}}
		get := call(t, n, oauth.Config{TokenURL: "https://auth.example.com/token"})
		for _, step := range []struct {
			after  time.Duration
			want   string
			asked  int
			lasted time.Duration
		}{
			{0, "Bearer t1", 1, time.Second},
			{50 * time.Minute, "Bearer t1", 1, 0},
			{6 * time.Minute, "Bearer t1", 2, 0}, // the last five minutes: renewed beside the call
			{10 * time.Second, "Bearer t2", 2, 0},
			{2 * time.Hour, "Bearer t3", 3, time.Second}, // over: waited for
		} {
			pass(step.after)
			began := time.Now()
			got, err := get(t.Context())
			lasted := time.Since(began)
			synctest.Wait()
			if got != step.want || err != nil || lasted != step.lasted || len(n.asked) != step.asked {
				t.Errorf("after %s: %q, %v in %s, asked %d times; want %q in %s, %d", step.after, got, err, lasted, len(n.asked), step.want,
					step.lasted, step.asked)
			}
		}
	})
}

// A token endpoint that fails is no failure of the target: the kind is unusable, nothing is sent, and the endpoint gets a rest. No error
// shows the secret, nor what the endpoint answered.
func TestFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		want   oauth.TokenError
	}{
		"refused":       {http.StatusUnauthorized, `{"error":"invalid_client","error_description":"` + secret + `"}`, oauth.TokenError{Status: 401, Code: "invalid_client"}},
		"down":          {http.StatusServiceUnavailable, secret, oauth.TokenError{Status: 503}},
		"no token":      {http.StatusOK, `{"token":"` + secret + `"}`, oauth.TokenError{}},
		"led elsewhere": {http.StatusTemporaryRedirect, ``, oauth.TokenError{Status: 307}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := &network{tokens: func(int) (int, string) { return c.status, c.body }}
				get := call(t, n, oauth.Config{TokenURL: "/oauth/token"})
				for range 3 {
					_, err := get(t.Context())
					var e *runtime.Error
					var token *oauth.TokenError
					if !errors.As(err, &e) || e.Kind != policy.KindUnusable || e.MayHaveActed || !errors.As(err, &token) {
						t.Fatalf("got %v, want a TokenError of the kind unusable", err)
					}
					if diff := cmp.Diff(c.want, *token); diff != "" {
						t.Errorf("(-want +got):\n%s", diff)
					}
					if strings.Contains(err.Error(), secret) {
						t.Errorf("the secret is shown: %v", err)
					}
				}
				asked := len(n.asked) // two ways of sending the credentials are tried
				for _, a := range n.asked {
					if !strings.HasPrefix(a, "https://api.example.com/oauth/token ") {
						t.Errorf("asked %q", a)
					}
				}
				if asked > 2 {
					t.Errorf("asked %d times in no time", asked)
				}
				n.tokens = lasts("t1", "60")
				pass(time.Second)
				if got, err := get(t.Context()); got != "Bearer t1" || err != nil {
					t.Errorf("after a rest: %q, %v", got, err)
				}
			})
		})
	}
}

// A call that gives up does not wait, and does not end the request for the others. The request itself is bounded.
func TestGivingUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &network{tokens: lasts("t1", "60"), slow: 5 * time.Second}
		get := call(t, n, oauth.Config{TokenURL: "https://auth.example.com/token"})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := get(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
		if got, err := get(t.Context()); got != "Bearer t1" || err != nil || len(n.asked) != 1 {
			t.Errorf("then %q, %v, asked %d times", got, err, len(n.asked))
		}
		n.slow = time.Hour
		pass(time.Hour)
		began := time.Now()
		if _, err := get(t.Context()); runtime.KindOf(err) != policy.KindUnusable || time.Since(began) > 25*time.Second {
			t.Errorf("got %v after %s, want unusable after the timeout", err, time.Since(began))
		}
	})
}

func TestWrongConfig(t *testing.T) {
	t.Parallel()
	spec := runtime.HTTPSpec{Name: "api", BaseURL: "https://api.example.com", Schemes: []wire.Scheme{{Name: "oauth", Kind: wire.Bearer}}}
	for name, c := range map[string]oauth.Config{
		"no id":     {TokenURL: "https://auth.example.com/token"},
		"no URL":    {ClientID: "id"},
		"a script":  {ClientID: "id", TokenURL: "javascript:alert(1)"},
		"with user": {ClientID: "id", TokenURL: "https://u:p@auth.example.com/token"},
	} {
		h := runtime.NewHTTP(spec, oauth.WithClientCredentials("oauth", c))
		h.Operation(policy.Plan{Operation: "get", Timeout: policy.Timeout{Total: time.Minute, Attempt: time.Minute}})
		if h.Err() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
