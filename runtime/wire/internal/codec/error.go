package codec

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// Error is a JSON text that cannot be read, or a value that cannot be written.
type Error struct {
	// Offset is where in the text, in bytes from its beginning.
	Offset int
	// Err says what is wrong. A text that ends too early is io.ErrUnexpectedEOF.
	Err error

	tokens []string // the way to the value, the innermost first
}

// Error returns where and what.
func (e *Error) Error() string {
	if path := e.Path(); path != "" {
		return "JSON at " + printable(path) + ": " + e.Err.Error()
	}
	return "JSON: " + e.Err.Error()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Path returns where the value is, as a JSON pointer (RFC 6901). It is empty for the whole text.
func (e *Error) Path() string {
	var b strings.Builder
	for _, token := range slices.Backward(e.tokens) {
		b.WriteByte('/')
		b.WriteString(pointerEscaper.Replace(token))
	}
	return b.String()
}

// printable shows a path in a line of text: names come from the other side.
func printable(path string) string {
	const part = 100
	if len(path) > 2*part {
		path = path[:part] + "..." + path[len(path)-part:]
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, path)
}

// pointerEscaper escapes a token of a JSON pointer (RFC 6901, section 3).
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// within adds the member or item that an error lies in.
func within(err error, token string) error {
	if e, ok := err.(*Error); ok { //nolint:errorlint // a wrapped one has been finished by whoever wrapped it
		e.tokens = append(e.tokens, token)
	}
	return err
}

// fault is what is wrong with a text.
type fault uint8

const (
	fine fault = iota
	faultEnd
	faultSign
	faultControl
	faultEscape
	faultUTF8
	faultNumber
	faultDepth
)

// maxDepth is how deep lists and objects may lie in each other, as with encoding/json.
const maxDepth = 10000

var errDepth = fmt.Errorf("lists and objects lie more than %d deep in each other", maxDepth)

var errCut = fmt.Errorf("%w: the JSON text ends before its value does", io.ErrUnexpectedEOF)

// err returns a fault of the text at an offset as an error; expected says what may stand there.
func (f fault) err(data []byte, at int, expected string) error {
	e := &Error{Offset: at}
	switch f {
	case faultEnd:
		e.Err = errCut
	case faultControl:
		e.Err = fmt.Errorf("control character %s in a string at byte %d", sign(data, at), at)
	case faultEscape:
		e.Err = fmt.Errorf("bad escape %s in a string at byte %d", sign(data, at), at)
	case faultUTF8:
		e.Err = fmt.Errorf("invalid UTF-8 %s in a string at byte %d", sign(data, at), at)
	case faultNumber:
		e.Err = fmt.Errorf("invalid character %s in a number at byte %d", sign(data, at), at)
	case faultDepth:
		e.Err = errDepth
	default:
		e.Err = fmt.Errorf("invalid character %s at byte %d, expected %s", sign(data, at), at, expected)
	}
	return e
}

// sign shows one byte of a text.
func sign(data []byte, at int) string {
	if at >= len(data) {
		return "(end)"
	}
	switch c := data[at]; {
	case c == '\'':
		return `'\''`
	case c < ' ' || c > '~':
		return fmt.Sprintf("0x%02x", c)
	default:
		return "'" + string(c) + "'"
	}
}

// errNotPointer is for what cannot be decoded into: a mistake of the program.
var errNotPointer = errors.New("what is decoded into must be a pointer that is not nil")
