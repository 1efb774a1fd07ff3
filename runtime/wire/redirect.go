package wire

import (
	"net/http"
	"net/url"
	"strings"
)

// maxRedirects is how many redirects an attempt follows, as many as net/http.
const maxRedirects = 10

// crossOrigin are the headers that may follow a redirect to another origin. All others stay behind: credentials have any name.
var crossOrigin = map[string]bool{
	"Accept": true, "Accept-Encoding": true, "Accept-Language": true, "Content-Encoding": true, "Content-Language": true,
	"Content-Type": true, "Range": true, "User-Agent": true,
}

// answered is a transport whose first request was answered already: a client with it goes on from there.
type answered struct {
	resp *http.Response
	err  error
	done bool
	then http.RoundTripper
}

// RoundTrip returns what the first request was answered, once.
func (a *answered) RoundTrip(r *http.Request) (*http.Response, error) {
	if !a.done {
		a.done = true
		return a.resp, a.err
	}
	return a.then.RoundTrip(r) //nolint:wrapcheck // a RoundTripper passes errors through
}

// isRedirect reports whether net/http may follow an answer of that status.
func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	default:
		return false
	}
}

// redirect is the CheckRedirect of every attempt. net/http keeps method and body of a 307 and 308 and drops them of the others (RFC
// 9110, section 15.4); a body that cannot be sent again is not redirected. The redirects of an attempt are one attempt.
//
// A redirect chain that is too long ends with its last response, which is a StatusError.
func redirect(own func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		x, _ := req.Context().Value(exchangeKey{}).(*exchange)
		if own != nil {
			if err := own(req, via); err != nil {
				return err
			}
		} else if len(via) > maxRedirects {
			if x != nil {
				x.note = "too many redirects"
			}
			return http.ErrUseLastResponse
		}
		if x != nil {
			x.redirects++
		}
		req.Header.Del("Referer") // it would show another host the query, and with it a key
		if !sameOrigin(req.URL, via[0].URL) {
			for name := range req.Header {
				if !crossOrigin[name] {
					req.Header.Del(name)
				}
			}
		}
		return nil
	}
}

// sameOrigin compares scheme, host and port (RFC 6454, section 4).
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}
