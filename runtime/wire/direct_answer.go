package wire

import (
	"bytes"
	"io"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
)

// readUsual reads the header of an answer as http.ReadResponse does, where all of it is there and it is of the usual sort: HTTP/1.1, a final status, a
// body whose length it says once, and nothing that has a meaning for the connection. It is nil, and nothing was read, where it is anything else,
// and wherever there is a doubt: then http.ReadResponse is to say what it is.
func (l *link) readUsual(req *http.Request) *http.Response {
	if req.Method == http.MethodHead {
		return nil
	}
	buffered, _ := l.in.Peek(l.in.Buffered()) // what is there can be looked at
	end := bytes.Index(buffered, []byte("\r\n\r\n"))
	if end < 0 {
		return nil
	}
	const ends = 2
	status, lines, _ := strings.Cut(string(buffered[:end+ends]), "\r\n")
	code, ok := finalStatus(status)
	if !ok {
		return nil
	}
	h, length := usualHeader(lines)
	if h == nil {
		return nil
	}
	_, _ = l.in.Discard(end + 2*ends) // which is there
	resp := &http.Response{
		Status: status[len(version):], StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, ContentLength: length, Request: req,
	}
	resp.Body = &directAnswer{link: l, left: length}
	return resp
}

const version = "HTTP/1.1 "

// finalStatus returns the status of an answer that has a body.
func finalStatus(line string) (code int, ok bool) {
	const digits = 3
	text, ok := strings.CutPrefix(line, version)
	if !ok || len(text) <= digits || text[digits] != ' ' || hasControl(text) {
		return 0, false
	}
	code = int(usualNumber(text[:digits]))
	return code, code >= http.StatusOK && code != http.StatusNoContent && code != http.StatusNotModified
}

// usualHeader returns the fields of a header, and the length of the body; no header where there is a field that is not plain, or that has a meaning
// for the connection.
func usualHeader(lines string) (h http.Header, length int64) {
	n := strings.Count(lines, "\r\n")
	values := make([]string, n)
	h = make(http.Header, n)
	for ; lines != ""; n-- {
		line, rest, _ := strings.Cut(lines, "\r\n")
		lines = rest
		name, value, ok := strings.Cut(line, ":")
		if !ok || checkHeader(name, value) != nil {
			return nil, 0
		}
		name, value = textproto.CanonicalMIMEHeaderKey(name), strings.Trim(value, " \t")
		switch name {
		case "Content-Length":
			if length > 0 { // two of them
				return nil, 0
			}
			if length = usualNumber(value); length == 0 {
				return nil, 0
			}
		case "Transfer-Encoding", "Trailer", "Upgrade", "Pragma":
			return nil, 0
		case "Connection":
			if value != "keep-alive" {
				return nil, 0
			}
		}
		if held := h[name]; held != nil {
			h[name] = append(held, value)
			continue
		}
		values[n-1] = value
		h[name] = values[n-1 : n : n]
	}
	if length == 0 {
		return nil, 0
	}
	return h, length
}

// usualNumber returns a number above 0 that is written in digits alone; 0 for anything else.
func usualNumber(text string) int64 {
	const most = 18 // digits that no int64 is too small for
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || len(text) > most {
		return 0
	}
	return int64(n)
}

// readSized reads a body whose length is known.
func (a *directAnswer) readSized(p []byte) (int, error) {
	if int64(len(p)) > a.left {
		p = p[:a.left]
	}
	n, err := a.link.in.Read(p)
	switch a.left -= int64(n); {
	case a.left == 0 && n > 0:
		return n, io.EOF
	case err == io.EOF:
		return n, io.ErrUnexpectedEOF
	default:
		return n, err //nolint:wrapcheck // a body passes errors through
	}
}
