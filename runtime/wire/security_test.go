package wire_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/wire"
)

func secret(s string) wire.Credential {
	return func(context.Context) (string, error) { return s, nil }
}

func secured(wired map[string]wire.Credential) wire.Config {
	return wire.Config{
		Schemes: []wire.Scheme{
			{Name: "bearer", Kind: wire.Bearer},
			{Name: "basic", Kind: wire.Basic},
			{Name: "key", Kind: wire.APIKey, Param: "api-key"},
			{Name: "app", Kind: wire.APIKey, Param: "app-id"},
			{Name: "query", Kind: wire.APIKey, In: wire.InQuery, Param: "k[]"},
			{Name: "cookie", Kind: wire.APIKey, In: wire.InCookie, Param: "sid"},
		},
		Credentials: wired,
	}
}

func TestSecurityAlternatives(t *testing.T) {
	t.Parallel()
	all := [][]string{{"bearer"}, {"key", "app"}, {"query", "cookie"}, {}}
	tests := map[string]struct {
		wired []string
		need  [][]string
		want  string
	}{
		"first":                  {[]string{"bearer", "key", "app"}, all, "Authorization=Bearer s-bearer"},
		"second, both":           {[]string{"key", "app", "cookie"}, all, "Api-Key=s-key App-Id=s-app"},
		"half of the second":     {[]string{"key", "query", "cookie"}, all, "Cookie=sid=s-cookie query=k%5B%5D=s-query"},
		"none needed":            {nil, all, ""},
		"none wired":             {nil, [][]string{{"bearer"}}, ""},
		"basic":                  {[]string{"basic"}, [][]string{{"basic"}}, "Authorization=Basic " + base64.StdEncoding.EncodeToString([]byte("s-basic"))},
		"open first":             {[]string{"bearer"}, [][]string{{}, {"bearer"}}, "Authorization=Bearer s-bearer"},
		"open, and none wired":   {nil, [][]string{{}, {"bearer"}}, ""},
		"scheme that is unknown": {[]string{"bearer"}, [][]string{{"odd"}, {"bearer"}}, "Authorization=Bearer s-bearer"},
		"no security":            {[]string{"bearer"}, nil, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wired := map[string]wire.Credential{}
			for _, name := range tt.wired {
				wired[name] = secret("s-" + name)
			}
			r := wire.NewRequest("GET", "/")
			r.Security(tt.need...)
			s := send(t, secured(wired), r)
			var got []string
			for _, name := range []string{"Authorization", "Api-Key", "App-Id", "Cookie"} {
				if v := s.header.Get(name); v != "" {
					got = append(got, name+"="+v)
				}
			}
			if q := s.raw.URL.RawQuery; q != "" {
				got = append(got, "query="+q)
			}
			if joined := strings.Join(got, " "); joined != tt.want {
				t.Errorf("sent %q, want %q", joined, tt.want)
			}
		})
	}
}

// A credential that cannot be had, or that cannot be sent, ends the attempt before anything is sent.
func TestCredentialErrors(t *testing.T) {
	t.Parallel()
	gone := errors.New("no token")
	for _, c := range []wire.Credential{
		func(context.Context) (string, error) { return "", gone },
		secret("a\r\nX-Evil: 1"),
	} {
		r := wire.NewRequest("GET", "/")
		r.Security([]string{"bearer"})
		s, err := trySend(t, secured(map[string]wire.Credential{"bearer": c}), r)
		var transport *wire.TransportError
		if !errors.As(err, &transport) || transport.Stage != wire.StageCredential || !transport.Refused || transport.Wrote || s.raw != nil {
			t.Errorf("Send: %+v, sent: %t", err, s.raw != nil)
		}
	}
}

// No error text shows a credential, whoever put it there.
func TestSecretsAreRedacted(t *testing.T) {
	t.Parallel()
	const token = "sk-123/456+789"
	config := secured(map[string]wire.Credential{"bearer": secret(token), "query": secret(token), "basic": secret("user:hunter22")})
	echo := map[string]func(*http.Request) (*http.Response, error){
		"transport error": func(r *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("proxy refused %s %s with %s", r.Method, r.URL, r.Header.Get("Authorization"))
		},
		"status": func(r *http.Request) (*http.Response, error) {
			return answer(http.StatusUnauthorized, "text/plain", "bad key "+r.Header.Get("Authorization")+" in "+r.URL.String()), nil
		},
		"decode": func(r *http.Request) (*http.Response, error) {
			return answer(http.StatusOK, "text/html", "<p>"+r.Header.Get("Authorization")+"</p>"), nil
		},
		"event": func(r *http.Request) (*http.Response, error) {
			return answer(http.StatusOK, "application/json", `{"error":{"message":"bad `+r.Header.Get("Authorization")+`"}}`), nil
		},
	}
	for name, respond := range echo {
		for _, scheme := range []string{"bearer", "query", "basic"} {
			t.Run(name+" "+scheme, func(t *testing.T) {
				t.Parallel()
				c := config
				c.BaseURL = "http://h"
				c.Client = &http.Client{Transport: roundTrip(respond)}
				e, err := wire.NewEndpoint(c)
				if err != nil {
					t.Fatal(err)
				}
				r := wire.NewRequest("GET", "/")
				r.Security([]string{scheme})
				resp, err := e.Send(t.Context(), r, wire.Outgoing{})
				switch {
				case err != nil:
				case name == "decode":
					_, err = wire.JSON[struct{}](resp)
				case name == "event":
					_, err = wire.JSONItems[struct{}](resp, sse("[DONE]"))
				default:
					err = resp.Unexpected()
				}
				if err == nil {
					t.Fatal("no error")
				}
				basic := base64.StdEncoding.EncodeToString([]byte("user:hunter22"))
				for _, leak := range []string{token, "sk-123", "hunter22", basic} {
					if strings.Contains(err.Error(), leak) || strings.Contains(fmt.Sprintf("%+v", err), leak) {
						t.Errorf("%q shows %q", err, leak)
					}
				}
			})
		}
	}
}
