package runtime_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// authority is a server whose certificate no public authority has signed, and that asks for one. It answers with its protocol, and whether it
// was shown a certificate.
func authority(t *testing.T) (url string, trusted *x509.CertPool, shown tls.Certificate) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Proto
		if len(r.TLS.PeerCertificates) > 0 {
			name += ", known"
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"name":"`+name+`"}`)
	}))
	s.EnableHTTP2 = true
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	trusted = x509.NewCertPool()
	trusted.AddCert(s.Certificate())
	return s.URL, trusted, s.TLS.Certificates[0]
}

// TestTLSOfATarget calls a primary and a second target, each of which only who was told trusts.
func TestTLSOfATarget(t *testing.T) {
	t.Parallel()
	url, trusted, shown := authority(t)
	const second = "two"
	unhurried := func(p *policy.Plan) { p.Timeout = policy.Timeout{Attempt: time.Minute, Total: time.Hour} } // handshakes take what they take
	ask := func(at runtime.Attempt, opts ...runtime.ClientOption) (string, error) {
		h := runtime.NewHTTP(spec(), append([]runtime.ClientOption{
			runtime.WithBaseURL(url), runtime.WithTarget(second, runtime.WithBaseURL(url)),
		}, opts...)...)
		op := h.Operation(plan(noRetry, unhurried, ladder(other(second))))
		if err := h.Err(); err != nil {
			return "", err
		}
		defer h.CloseIdleConnections()
		got, err := runtime.Do(t.Context(), op, func(ctx context.Context, got runtime.Attempt) (*thing, error) {
			got.Target = at.Target
			return runtime.Send(ctx, h, got, wire.NewRequest(http.MethodGet, "/things"), wire.JSON[thing])
		})
		if err != nil {
			return "", err
		}
		return got.Name, nil
	}
	trusting := &tls.Config{RootCAs: trusted}
	known := &tls.Config{RootCAs: trusted, Certificates: []tls.Certificate{shown}}
	primary, two := runtime.Attempt{}, runtime.Attempt{Target: second}
	for name, tt := range map[string]struct {
		at   runtime.Attempt
		opts []runtime.ClientOption
		want string
		says string // of the error
	}{
		"nobody trusts it":              {primary, nil, "", "certificate"},
		"it is trusted":                 {primary, []runtime.ClientOption{runtime.WithTLSConfig(trusting)}, "HTTP/2.0", ""},
		"taken back":                    {primary, []runtime.ClientOption{runtime.WithTLSConfig(trusting), runtime.WithTLSConfig(nil)}, "", "certificate"},
		"with a client without one":     {primary, []runtime.ClientOption{runtime.WithTLSConfig(trusting), runtime.WithHTTPClient(&http.Client{})}, "HTTP/2.0", ""},
		"it is shown a certificate":     {primary, []runtime.ClientOption{runtime.WithTLSConfig(known)}, "HTTP/2.0, known", ""},
		"the other target does not":     {two, []runtime.ClientOption{runtime.WithTLSConfig(known)}, "", "certificate"},
		"the other target does":         {two, []runtime.ClientOption{runtime.WithTarget(second, runtime.WithTLSConfig(trusting))}, "HTTP/2.0", ""},
		"HTTP/1.1 alone":                {primary, []runtime.ClientOption{runtime.WithTLSConfig(&tls.Config{RootCAs: trusted, NextProtos: []string{"http/1.1"}})}, "HTTP/1.1", ""},
		"another name":                  {primary, []runtime.ClientOption{runtime.WithTLSConfig(&tls.Config{RootCAs: trusted, ServerName: "example.com"})}, "HTTP/2.0", ""},
		"a name that it does not have":  {primary, []runtime.ClientOption{runtime.WithTLSConfig(&tls.Config{RootCAs: trusted, ServerName: "a.test"})}, "", "a.test"},
		"with a transport of one's own": {primary, []runtime.ClientOption{runtime.WithTLSConfig(trusting), runtime.WithHTTPClient(&http.Client{Transport: http.DefaultTransport})}, "", "transport of its own"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(tt.at, tt.opts...)
			if got != tt.want || (tt.says == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%q, %v; want %q, an error with %q", got, err, tt.want, tt.says)
			}
			if tt.says == "certificate" && !errors.Is(err, runtime.ErrConnect) {
				t.Errorf("%v is no failure to connect", err)
			}
		})
	}
	if trusting.MinVersion != 0 || trusting.NextProtos != nil || trusting.ServerName != "" {
		t.Error("the caller's configuration was changed")
	}
}

// A target with members calls those, and so has no use for what is one endpoint's own.
func TestTLSIsAMembersOwn(t *testing.T) {
	t.Parallel()
	config := &tls.Config{MinVersion: tls.VersionTLS13}
	for says, opt := range map[string]runtime.ClientOption{
		"it has members": runtime.WithTLSConfig(config),
		"":               runtime.WithTarget("well", runtime.WithTLSConfig(config)),
	} {
		p := memberPlan()
		h := runtime.NewHTTP(runtime.HTTPSpec{
			Name: "api", BaseURL: "https://api.test", Targets: []policy.Target{p.Targets[0], {Name: "well"}, {Name: "slow"}, {Name: "dead"}},
		}, opt)
		h.Operation(p)
		if err := h.Err(); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
