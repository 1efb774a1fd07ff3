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
