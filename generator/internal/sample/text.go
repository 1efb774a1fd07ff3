package sample

import (
	"encoding/base64"
	"fmt"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

const (
	sampleTime = "2024-05-06T07:08:09Z"
	sampleDate = "2024-05-06"
)

// formats are texts of the formats that validators know.
var formats = map[string]string{
	"date-time": sampleTime, "date": sampleDate, "time": "07:08:09Z", "duration": "PT1S",
	"uuid": "6f1a1c2e-6a0f-4c1e-8f43-0e1a5b0c7d9e", "email": "someone@example.com", "idn-email": "someone@example.com",
	"uri": "https://example.com/a", "url": "https://example.com/a", "iri": "https://example.com/a", "uri-reference": "/a", "iri-reference": "/a",
	"uri-template": "/a", "hostname": "example.com", "idn-hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
	"byte": "Ynl0ZXM=", "json-pointer": "/a", "relative-json-pointer": "0", "regex": "a",
}

// textValue is a text within limits: an example of the document's, one of its format, one that its pattern matches, or "text".
func textValue(l *model.Limits) (source.Value, error) {
	if l == nil {
		return text("text"), nil
	}
	p, known := compile(l.Pattern)
	for _, c := range candidates(l, p.text) {
		if known && isText(c, l) && p.match(c) {
			return text(c), nil
		}
	}
	for i := range l.Examples { // of a pattern that only others can read, the document's own example is all there is
		if e := &l.Examples[i]; !known && e.Kind == source.String && isText(e.Text, l) {
			return text(e.Text), nil
		}
	}
	if l.Pattern != "" {
		return source.Value{}, fmt.Errorf("%w: a text that matches %q", ErrUnsolved, l.Pattern)
	}
	return source.Value{}, fmt.Errorf("%w: a text of %d to %d characters in the format %q", ErrUnsolved, l.MinLength, l.MaxLength, l.Format)
}

// candidates are texts to try, best first.
func candidates(l *model.Limits, pattern string) []string {
	var out []string
	for i := range l.Examples {
		if l.Examples[i].Kind == source.String {
			out = append(out, l.Examples[i].Text)
		}
	}
	if made := formats[l.Format]; made != "" {
		out = append(out, made)
	}
	if pattern != "" {
		if made, ok := matching(pattern, 0); ok {
			out = append(out, made, padded(made, l))
		}
		if made, ok := matching(pattern, int(min(l.MinLength, longest))); ok {
			out = append(out, made)
		}
	}
	return append(out, padded("text", l))
}

// longest is how long a text may have to be.
const longest = 1000

// padded makes a text as long as it has to be.
func padded(s string, l *model.Limits) string {
	if n := int(min(l.MinLength, longest)) - utf8.RuneCountInString(s); n > 0 && s != "" {
		_, size := utf8.DecodeLastRuneInString(s)
		s += strings.Repeat(s[len(s)-size:], n)
	}
	if l.MaxLength >= 0 && int64(len(s)) > l.MaxLength {
		s = s[:l.MaxLength]
	}
	return s
}

// isText reports whether a text is within its limits, but for its pattern.
func isText(s string, l *model.Limits) bool {
	n := int64(utf8.RuneCountInString(s))
	return n >= l.MinLength && (l.MaxLength < 0 || n <= l.MaxLength) && hasFormat(s, l.Format)
}

// hasFormat reports whether a text is of a format; of one that nobody knows every text is.
func hasFormat(s, format string) bool {
	var err error
	switch format {
	case "date-time":
		_, err = time.Parse(time.RFC3339, s)
	case "date":
		_, err = time.Parse(time.DateOnly, s)
	case "uuid":
		return isUUID.MatchString(s)
	case "email", "idn-email":
		_, err = mail.ParseAddress(s)
	case "uri", "url", "iri":
		var u *url.URL
		if u, err = url.Parse(s); err == nil {
			return u.Scheme != ""
		}
	case "ipv4":
		a, bad := netip.ParseAddr(s)
		return bad == nil && a.Is4()
	case "ipv6":
		a, bad := netip.ParseAddr(s)
		return bad == nil && a.Is6()
	case "byte":
		_, err = base64.StdEncoding.DecodeString(s)
	}
	return err == nil
}

var isUUID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
