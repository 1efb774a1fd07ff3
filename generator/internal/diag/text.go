package diag

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// listingWidth is how much of a long source line is shown.
const listingWidth = 100

func writeText(b *bytes.Buffer, ds []Diagnostic, opts Options) {
	for _, d := range ds {
		if place := Escape(d.Span.String()); place != "" {
			b.WriteString(place + ": ")
		}
		fmt.Fprintf(b, "%s %s: %s\n", d.Severity, d.Code, Escape(d.What))
		if opts.Listing {
			writeListing(b, d.Span, opts.line(d.Span.Pos))
		}
		for _, r := range d.Related {
			fmt.Fprintf(b, "    at:  %s: %s\n", Escape(r.Span.String()), Escape(r.What))
		}
		writePart(b, "why", d.Why)
		writePart(b, "fix", d.Fix)
		fmt.Fprintf(b, "    see: resgen explain %s\n", d.Code)
	}
}

func writePart(b *bytes.Buffer, name, text string) {
	if text != "" {
		fmt.Fprintf(b, "    %s: %s\n", name, Escape(text))
	}
}

// writeListing shows a window of the source line and a caret under the span.
func writeListing(b *bytes.Buffer, span source.Span, line []byte) {
	if line == nil || span.Column < 1 || span.Column-1 > len(line) {
		return
	}
	before, after := line[:span.Column-1], line[span.Column-1:]
	if cut := len(before) - listingWidth/2; cut > 0 && len(line) > listingWidth {
		before = append([]byte("…"), trimPartial(before[cut:])...)
	}
	if len(before)+len(after) > listingWidth && len(after) > listingWidth/2 {
		after = append(trimPartialEnd(after[:listingWidth/2]), "…"...)
	}
	shown := Escape(strings.ReplaceAll(string(before), "\t", " "))
	marked := min(max(span.Len, 1), len(after))
	number := strconv.Itoa(span.Line)
	fmt.Fprintf(b, "    %s | %s%s\n", number, shown, Escape(strings.ReplaceAll(string(after), "\t", " ")))
	carets := max(utf8.RuneCountInString(Escape(string(after[:marked]))), 1)
	fmt.Fprintf(b, "    %s | %s^%s\n",
		strings.Repeat(" ", len(number)), strings.Repeat(" ", utf8.RuneCountInString(shown)), strings.Repeat("~", carets-1))
}

// trimPartial cuts the rest of a character off the front.
func trimPartial(b []byte) []byte {
	for len(b) > 0 && !utf8.RuneStart(b[0]) {
		b = b[1:]
	}
	return b
}

// trimPartialEnd cuts the beginning of a character off the end, and returns a copy.
func trimPartialEnd(b []byte) []byte {
	for len(b) > 0 {
		if r, size := utf8.DecodeLastRune(b); r != utf8.RuneError || size > 1 {
			break
		}
		b = b[:len(b)-1]
	}
	return bytes.Clone(b)
}
