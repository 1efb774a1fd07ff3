package wire

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// mostFields is how many fields of a header are put in order without memory of their own.
const mostFields = 24

// appendRequest appends what http.Request.Write writes of a request with that body. It is false where the request is one of those of which only that
// knows how they are written, or too large for what is left of dst; then what is behind dst may be overwritten.
func appendRequest(dst []byte, req *http.Request, body []byte) ([]byte, bool) {
	u, room := req.URL, cap(dst)
	host := req.Host
	if host == "" {
		host = u.Host
	}
	if hasNoBody(req) {
		body = nil
	} else if len(body) == 0 {
		return dst, false
	}
	if u.Opaque != "" || !isUsualHost(host) || int64(len(body)) != req.ContentLength {
		return dst, false
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if hasControl(path) || hasControl(u.RawQuery) {
		return dst, false
	}
	method := req.Method
	if method == "" {
		method = http.MethodGet
	}
	dst = append(append(append(dst, method...), ' '), path...)
	if u.ForceQuery || u.RawQuery != "" {
		dst = append(append(dst, '?'), u.RawQuery...)
	}
	dst = appendField(append(dst, " HTTP/1.1\r\n"...), "Host", host)
	if agent := userAgent(req.Header); agent != "" {
		dst = appendField(dst, "User-Agent", agent)
	}
	switch {
	case body != nil:
		dst = append(strconv.AppendInt(append(dst, "Content-Length: "...), req.ContentLength, 10), "\r\n"...) //nolint:mnd // decimal
	case method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch:
		dst = appendField(dst, "Content-Length", "0")
	}
	dst = append(appendHeader(dst, req.Header), "\r\n"...)
	if cap(dst) != room || room-len(dst) < len(body) {
		return dst, false
	}
	return append(dst, body...), true
}

// isUsualHost reports whether a host is written as it is: letters, digits, and what is about a name, an address and a port.
func isUsualHost(host string) bool {
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(".-_:[]", c) >= 0:
		default:
			return false
		}
	}
	return host != ""
}

func hasControl(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == 0x7f {
			return true
		}
	}
	return false
}

// userAgent returns how the client names itself; empty if the header says that it does not.
func userAgent(h http.Header) string {
	agents, has := h["User-Agent"]
	if !has {
		return "Go-http-client/1.1" // net/http's
	}
	if len(agents) == 0 {
		return ""
	}
	return strings.Trim(agents[0], " \t")
}

// isWrittenFirst reports whether a field is not written with the others: net/http says itself what stands there.
func isWrittenFirst(name string) bool {
	switch name {
	case "Host", "User-Agent", "Content-Length", "Transfer-Encoding", "Trailer":
		return true
	default:
		return false
	}
}

// appendHeader appends the fields of a header in the order of their names. Their text has been checked.
func appendHeader(dst []byte, h http.Header) []byte {
	names := make([]string, 0, mostFields)
	for name := range h {
		if !isWrittenFirst(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range h[name] {
			dst = appendField(dst, name, strings.Trim(value, " \t"))
		}
	}
	return dst
}

func appendField(dst []byte, name, value string) []byte {
	return append(append(append(append(dst, name...), ": "...), value...), "\r\n"...)
}
