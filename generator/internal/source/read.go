package source

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// The limits of one document. The largest APIs have documents of 4 MB and 150 thousand values.
const (
	// MaxBytes is the size of a file that is read.
	MaxBytes = 64 << 20
	// MaxDepth is how deep maps and lists may nest.
	MaxDepth = 500
	// MaxNodes is how many values a document may hold.
	MaxNodes = 2_000_000
	// MaxAliased is how many values may come from YAML aliases and merge keys, each use counted.
	MaxAliased = 200_000
	// maxDuplicates is how many repeated keys are reported before reading stops.
	maxDuplicates = 100
)

// Fault says what sort of thing is wrong with a text. The zero value is Syntax.
type Fault uint8

// The faults.
const (
	// Syntax is text that is no JSON or YAML, or uses what neither JSON nor the OpenAPI subset of YAML has.
	Syntax Fault = iota
	// Duplicate is a key that its map already has.
	Duplicate
	// Limit is a document that is too large, too deep, or grows too much by aliases.
	Limit
)

// Error is one fault of a text, with its place.
type Error struct {
	Fault Fault
	Span  Span
	// What names the fault in one lower-case clause, Why gives the rule, Fix is what the author can do.
	What, Why, Fix string
	// Related is the other place that has a part in it, such as the first of two equal keys. The zero value is none.
	Related Span
}

// Error returns the place and what is wrong there.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Span.Pos, e.What) }

// Errors are all faults that were found in one text, in its order. It is never empty.
type Errors []*Error

// Error returns the faults, one a line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the faults, for errors.As.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, one := range e {
		out[i] = one
	}
	return out
}

// Read reads one JSON or YAML document. The name is what positions carry as their File. A text that begins with '{' or '[', and a file
// named ".json", is tried as JSON first, because JSON's string escapes are not all YAML's, and then as YAML: files of JSON with
// comments or trailing commas, and of YAML under another name, are about. The rest is YAML.
//
// A failure is an Errors.
func Read(name string, data []byte) (*Value, error) {
	if err := checkText(name, data); err != nil {
		return nil, Errors{err}
	}
	ext := strings.ToLower(path.Ext(name))
	if ext != ".json" && !looksLikeJSON(data) {
		return ReadYAML(name, data)
	}
	v, jsonErr := ReadJSON(name, data)
	if !isSyntax(jsonErr) {
		return v, jsonErr
	}
	v, yamlErr := ReadYAML(name, data)
	if isSyntax(yamlErr) && ext != ".yaml" && ext != ".yml" || yamlErr == nil && v.Kind != Map && ext == ".json" {
		return nil, jsonErr
	}
	return v, yamlErr
}

// checkText refuses what no reader takes: text that is too long, or not UTF-8.
func checkText(name string, data []byte) *Error {
	if len(data) > MaxBytes {
		return &Error{
			Fault: Limit, Span: Span{Pos: Pos{File: name, Line: 1, Column: 1}},
			What: fmt.Sprintf("the file has %d bytes, more than %d", len(data), MaxBytes),
			Why:  "a document is held in memory as a whole",
			Fix:  "split the document into several files that refer to each other by $ref",
		}
	}
	if bytes.HasPrefix(data, []byte("\xfe\xff")) || bytes.HasPrefix(data, []byte("\xff\xfe")) {
		return notUTF8(Pos{File: name, Line: 1, Column: 1}, "the file is UTF-16")
	}
	if utf8.Valid(data) {
		return nil
	}
	at := 0
	for at < len(data) {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	return notUTF8(newLineTable(name, data).pos(at), fmt.Sprintf("the byte 0x%02X is not UTF-8", data[at]))
}

func notUTF8(pos Pos, what string) *Error {
	return &Error{
		Fault: Syntax, Span: Span{Pos: pos}, What: what,
		Why: "documents are exchanged as UTF-8 (RFC 8259 section 8.1)", Fix: "save the file as UTF-8",
	}
}

// looksLikeJSON reports whether the first character can only be that of a JSON document or of a YAML flow collection.
func looksLikeJSON(data []byte) bool {
	data = bytes.TrimLeft(trimBOM(data), " \t\r\n")
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}

// isSyntax reports whether err says that the text is not of the language at all.
func isSyntax(err error) bool {
	var errs Errors
	return errors.As(err, &errs) && errs[0].Fault == Syntax
}

// trimBOM removes a byte order mark: RFC 8259 lets a reader ignore it, and editors do not count it as a column.
func trimBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

// budget counts what a reader has made, and collects what it found.
type budget struct {
	nodes, aliased int
	errs           Errors
}

// node counts one value at a depth. It fails when a limit is met.
func (b *budget) node(pos Pos, depth int) *Error {
	b.nodes++
	switch {
	case depth > MaxDepth:
		return tooDeep(pos)
	case b.nodes > MaxNodes:
		return limitError(pos, fmt.Sprintf("the document holds more than %d values", MaxNodes), "split the document into several files")
	default:
		return nil
	}
}

// duplicate reports a repeated key. It fails when there are too many to be worth reading on.
func (b *budget) duplicate(key string, at, first Span) *Error {
	err := &Error{
		Fault: Duplicate, Span: at, Related: first,
		What: fmt.Sprintf("the key %q is already in this object", key),
		Why:  "readers disagree on which of two equal keys counts",
		Fix:  "remove or rename one of them",
	}
	if len(b.errs) == maxDuplicates {
		return err
	}
	b.errs = append(b.errs, err)
	return nil
}

// done returns what a reader made, or all that is wrong with the text.
func (b *budget) done(v Value, err *Error) (*Value, error) {
	if err != nil {
		b.errs = append(b.errs, err)
	}
	if len(b.errs) > 0 {
		return nil, b.errs
	}
	return &v, nil
}

func tooDeep(pos Pos) *Error {
	return limitError(pos, fmt.Sprintf("values nest deeper than %d", MaxDepth), "move inner parts to components and refer to them by $ref")
}

func limitError(pos Pos, what, fix string) *Error {
	return &Error{Fault: Limit, Span: Span{Pos: pos}, What: what, Why: "limits keep a hostile document from exhausting memory", Fix: fix}
}
