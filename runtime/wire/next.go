package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// errOtherOrigin is a link to a page that another origin has. Credentials never go there.
var errOtherOrigin = errors.New("the next page is at another origin, which the credentials are not for")

// turnTo makes a request one for a further page: it gets the page's URL, under the request's own scheme and host.
func turnTo(out *http.Request, next string) error {
	link, err := out.URL.Parse(strings.TrimSpace(next))
	if err != nil {
		if parse, ok := errors.AsType[*url.Error](err); ok {
			err = parse.Err // without the URL, which may hold a password
		}
		return fmt.Errorf("the URL of the next page: %w", err)
	}
	if !isOwn(out.URL, link) {
		return fmt.Errorf("%w: %q, not %q", errOtherOrigin, link.Scheme+"://"+link.Host, out.URL.Scheme+"://"+out.URL.Host)
	}
	link.Scheme, link.Host, link.User = out.URL.Scheme, out.URL.Host, out.URL.User
	link.Fragment, link.RawFragment = "", ""
	link.RawQuery = escape(link.RawQuery, inQuery, true)
	out.URL, out.Method = link, http.MethodGet
	for _, name := range []string{"Content-Type", "Content-Encoding", "Content-Length"} {
		out.Header.Del(name)
	}
	return nil
}

// isOwn reports whether a link leads to the origin that a target has. Two spellings of that are let through, as the request goes to the
// target's own address whatever the link says: http for https, by servers that do not know of the TLS before them, and the names of this
// machine.
func isOwn(own, link *url.URL) bool {
	switch {
	case sameOrigin(own, link):
		return true
	case strings.EqualFold(own.Hostname(), link.Hostname()):
		return own.Scheme == "https" && link.Scheme == "http" && (portOf(own) == portOf(link) || link.Port() == "" && own.Port() == "")
	default:
		return own.Scheme == link.Scheme && portOf(own) == portOf(link) && isLoopback(own.Hostname()) && isLoopback(link.Hostname())
	}
}

func isLoopback(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}

// PageToken returns what an answer names the next page by, where it is of several types or of any: its JSON. It is empty where there is
// none, or null.
func PageToken(raw json.RawMessage) string {
	if jsontext.IsNull(raw) {
		return ""
	}
	return string(bytes.TrimSpace(raw))
}
