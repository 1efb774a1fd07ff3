package diag

import (
	"fmt"
	"strings"
	"unicode"
)

// Escape makes text of a document safe to print: control characters, line breaks, and characters that hide or reorder others
// (such as U+202E) are written as Go escapes, so that a document can neither drive a terminal nor forge a line of the output.
func Escape(s string) string {
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			b.WriteString(escapeRune(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports whether a character must not be printed raw. U+FFFD, what an undecodable byte becomes, may.
func hidden(r rune) bool { return !unicode.IsPrint(r) && r != unicode.ReplacementChar }

func escapeRune(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	switch {
	case r < 0x80: //nolint:mnd // the end of ASCII
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000: //nolint:mnd // the end of the basic plane
		return fmt.Sprintf(`\u%04x`, r)
	default:
		return fmt.Sprintf(`\U%08x`, r)
	}
}
