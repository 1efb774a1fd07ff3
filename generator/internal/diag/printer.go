package diag

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// Format names a way to print diagnostics. The zero value is Text.
type Format string

// The formats.
const (
	// Text is for people and editors: file:line:col first, then indented lines.
	Text Format = "text"
	// JSON is one object with a list.
	JSON Format = "json"
	// GitHub is workflow commands, which GitHub shows beside the lines of a change.
	GitHub Format = "github"
	// SARIF is version 2.1.0 of the Static Analysis Results Interchange Format.
	SARIF Format = "sarif"
)

// ErrFormat is a name that is no Format.
var ErrFormat = errors.New("unknown format")

// Formats are the names of all formats, for a message.
var Formats = []string{string(Text), string(JSON), string(GitHub), string(SARIF)}

// Options say how diagnostics are printed. The zero value prints no source lines.
type Options struct {
	// Source returns the text of a file that positions name, so that lines can be shown and columns counted in characters.
	// Nil, or a nil text, is a file that is not there.
	Source func(file string) []byte
	// Listing shows the source line under each diagnostic of Text, with a caret; it is for terminals.
	Listing bool
	// Operations is what JSON prints beside the diagnostics, under "operations". Nil: nothing.
	Operations any
}

// Print writes diagnostics, in the order given. It returns ErrFormat, or the error of w.
func Print(w io.Writer, format Format, ds []Diagnostic, opts Options) error {
	var b bytes.Buffer
	switch format {
	case Text, "":
		writeText(&b, ds, opts)
	case JSON:
		if err := writeJSON(&b, ds, opts); err != nil {
			return err
		}
	case GitHub:
		writeGitHub(&b, ds, opts)
	case SARIF:
		if err := writeSARIF(&b, ds, opts); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%w %q: it is one of %v", ErrFormat, string(format), Formats)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("print diagnostics: %w", err)
	}
	return nil
}

// line returns the source line of a position without its line break, or nil.
func (o Options) line(p source.Pos) []byte {
	if o.Source == nil || !p.IsValid() {
		return nil
	}
	text := bytes.TrimPrefix(o.Source(p.File), []byte("\xef\xbb\xbf"))
	for range p.Line - 1 {
		i := bytes.IndexAny(text, "\r\n")
		if i < 0 {
			return nil
		}
		if bytes.HasPrefix(text[i:], []byte("\r\n")) {
			i++
		}
		text = text[i+1:]
	}
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		text = text[:i]
	}
	return text
}

// column is the column of a position in characters, as GitHub and SARIF count; in bytes where the line is not there.
func (o Options) column(p source.Pos) int {
	line := o.line(p)
	if p.Column < 1 || p.Column-1 > len(line) {
		return p.Column
	}
	return utf8.RuneCount(line[:p.Column-1]) + 1
}
