package wire

import (
	"errors"
	"strings"
)

// class is a set of ASCII characters.
type class [2]uint64

func classOf(chars string) (c class) {
	for _, b := range []byte(chars) {
		c[b>>6] |= 1 << (b & 63)
	}
	return c
}

func (c class) has(b byte) bool { return b < 0x80 && c[b>>6]&(1<<(b&63)) != 0 }

const (
	alnum      = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	unreserved = alnum + "-._~"
)

// What may stand as it is. All else is percent-encoded, byte by byte, as UTF-8 (RFC 3986, section 2).
var (
	// inValue is for values and names in paths and queries: simple expansion of RFC 6570, section 3.2.2.
	inValue = classOf(unreserved)
	// inReserved is for values with allowReserved. It is reserved expansion (RFC 6570, section 3.2.3) without what would end the
	// query or begin another parameter, and without brackets, which RFC 3986 allows in hosts only.
	inReserved = classOf(unreserved + "/:?@!$'()*,;=")
	// inPath is for the literal parts of path templates: RFC 3986, section 3.3, path.
	inPath = classOf(unreserved + "/:@!$&'()*+,;=")
	// inQuery is for the fixed query of path templates: RFC 3986, section 3.4.
	inQuery = classOf(unreserved + "/?:@!$&'()*+,;=")
	// inCookie is cookie-octet of RFC 6265, section 4.1.1. A percent sign stays: many sessions are percent-encoded already.
	inCookie = classOf(alnum + "!#$%&'()*+-./:<=>?@[]^_`{|}~")
	// inToken is for header names: RFC 9110, section 5.6.2.
	inToken = classOf(alnum + "!#$%&'*+-.^_`|~")
)

const upperHex = "0123456789ABCDEF"

// escape percent-encodes every byte of s that keep does not have. With triplets, what is percent-encoded already stays as it is.
func escape(s string, keep class, triplets bool) string {
	i := 0
	for i < len(s) && keep.has(s[i]) {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 2*(len(s)-i))
	b.WriteString(s[:i])
	for ; i < len(s); i++ {
		switch {
		case keep.has(s[i]), triplets && isTriplet(s[i:]):
			b.WriteByte(s[i])
		default:
			b.Write([]byte{'%', upperHex[s[i]>>4], upperHex[s[i]&15]})
		}
	}
	return b.String()
}

// isTriplet reports whether s begins with a percent sign and two hexadecimal digits.
func isTriplet(s string) bool { return len(s) >= 3 && s[0] == '%' && isHex(s[1]) && isHex(s[2]) }

func isHex(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
}

var (
	errHeaderText = errors.New("control characters cannot be sent in a header")
	errHeaderName = errors.New("no header can have that name")
)

// checkHeader refuses a header value with a control character: a line end in it would begin another header (RFC 9110, section 5.5).
func checkHeader(name, value string) error {
	if name == "" || escape(name, inToken, false) != name {
		return errHeaderName
	}
	for _, b := range []byte(value) {
		if b < ' ' && b != '\t' || b == 0x7f {
			return errHeaderText
		}
	}
	return nil
}
