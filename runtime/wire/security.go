package wire

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

// SchemeKind says how a credential travels.
type SchemeKind uint8

// The kinds of schemes.
const (
	// Bearer is an Authorization header with a token (RFC 6750, section 2.1).
	Bearer SchemeKind = iota + 1
	// Basic is an Authorization header with user and password (RFC 7617). Its credential is "user:password".
	Basic
	// APIKey is a key in a header, a query parameter or a cookie.
	APIKey
)

// Place says where an APIKey travels.
type Place uint8

// The places. The zero value is InHeader.
const (
	InHeader Place = iota
	InQuery
	InCookie
)

// Scheme is a security scheme of a document.
type Scheme struct {
	Name string
	Kind SchemeKind
	// In and Param say where an APIKey travels, and under what name.
	In    Place
	Param string
}

// Credential returns a credential for one attempt; the context is the attempt's. It must be safe for concurrent use.
type Credential func(ctx context.Context) (string, error)

// scheme is a Scheme of an endpoint.
type scheme struct {
	Scheme

	last atomic.Pointer[authorization]
}

// authorization is what a credential was written as: the same as the time before, nearly always.
type authorization struct{ secret, value string }

// schemesOf makes the schemes ready. Names of headers are put in canonical form once.
func schemesOf(given []Scheme) []scheme {
	schemes := make([]scheme, len(given))
	for i, s := range given {
		if s.Kind == APIKey && s.In == InHeader {
			s.Param = http.CanonicalHeaderKey(s.Param)
		}
		schemes[i].Scheme = s
	}
	return schemes
}

// written returns what a header holds for a credential.
func (s *scheme) written(secret string, write func(string) string) string {
	if a := s.last.Load(); a != nil && a.secret == secret {
		return a.value
	}
	a := &authorization{secret, write(secret)}
	s.last.Store(a)
	return a.value
}

func bearer(secret string) string { return "Bearer " + secret }

const basicPrefix = "Basic "

func basic(secret string) string {
	return basicPrefix + base64.StdEncoding.EncodeToString([]byte(secret))
}

// alternative returns the names of the schemes of the first alternative whose credentials are all wired. One that needs none makes the
// others optional, wherever it stands: a credential that the caller gave is sent.
func (e *Endpoint) alternative(r *Request) []string {
	for _, names := range r.security {
		missing := func(name string) bool { return e.scheme(name) == nil || e.credentials[name] == nil }
		if len(names) > 0 && !slices.ContainsFunc(names, missing) {
			return names
		}
	}
	return nil
}

func (e *Endpoint) scheme(name string) *scheme {
	for i := range e.schemes {
		if e.schemes[i].Name == name {
			return &e.schemes[i]
		}
	}
	return nil
}

// authorize puts the credentials into the request, and remembers them so that no error text shows them.
func (e *Endpoint) authorize(x *exchange, r *Request, out *http.Request) error {
	x.hide = x.secrets[:0]
	for _, name := range e.alternative(r) {
		s := e.scheme(name)
		secret, err := e.credentials[name](x.Context)
		if err == nil {
			err = checkHeader("Authorization", secret)
		}
		if err != nil {
			return &TransportError{Stage: StageCredential, Refused: true, Err: fmt.Errorf("scheme %q: %w", s.Name, err), hide: x.secret()}
		}
		x.hide = append(x.hide, secret)
		switch {
		case s.Kind == Bearer:
			x.set("Authorization", s.written(secret, bearer))
		case s.Kind == Basic:
			if _, password, ok := strings.Cut(secret, ":"); ok {
				x.hide = append(x.hide, password)
			}
			value := s.written(secret, basic)
			x.hide = append(x.hide, value[len(basicPrefix):])
			x.set("Authorization", value)
		case s.In == InQuery:
			out.URL.RawQuery = joinQuery(out.URL.RawQuery, escape(s.Param, inValue, false)+"="+escape(secret, inValue, false))
		case s.In == InCookie:
			pair := escape(s.Param, inCookie, false) + "=" + escape(secret, inCookie, false)
			x.set("Cookie", joinCookies(out.Header.Get("Cookie"), pair))
		default:
			x.set(s.Param, secret)
		}
	}
	return nil
}
