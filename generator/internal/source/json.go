package source

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// ReadJSON reads one JSON document (RFC 8259) with the position of every value and key. A byte order mark is skipped, pairs of
// surrogate escapes become the character that they mean, a lone surrogate becomes U+FFFD, and numbers keep their digits.
//
// A failure is an Errors: the first fault of syntax or limit ends the reading, repeated keys are all reported.
func ReadJSON(name string, data []byte) (*Value, error) {
	if err := checkText(name, data); err != nil {
		return nil, Errors{err}
	}
	r := &jsonReader{file: name, text: trimBOM(data), line: 1}
	v, err := r.document()
	return r.done(v, err)
}

// jsonReader is a recursive descent over the text. A raw line break is only legal between tokens, so the place of the current
// line's first byte is all that positions need.
type jsonReader struct {
	budget

	file      string
	text      []byte
	at        int
	line      int
	lineStart int
}

func (r *jsonReader) document() (Value, *Error) {
	v, err := r.value(1)
	if err != nil {
		return Value{}, err
	}
	r.space()
	if r.at < len(r.text) {
		return Value{}, r.unexpected("the end of the document")
	}
	return v, nil
}

// pos is the position of the next byte.
func (r *jsonReader) pos() Pos {
	return Pos{File: r.file, Line: r.line, Column: r.at - r.lineStart + 1}
}

// space skips white space and counts lines as lineTable does.
func (r *jsonReader) space() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t':
			r.at++
			continue
		case '\r':
			if r.at+1 < len(r.text) && r.text[r.at+1] == '\n' {
				r.at++
			}
		case '\n':
		default:
			return
		}
		r.at++
		r.line++
		r.lineStart = r.at
	}
}

// peek returns the next byte, 0 at the end of the text.
func (r *jsonReader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *jsonReader) value(depth int) (Value, *Error) {
	r.space()
	pos := r.pos()
	if err := r.node(pos, depth); err != nil {
		return Value{}, err
	}
	switch c := r.peek(); {
	case c == '{':
		return r.object(pos, depth)
	case c == '[':
		return r.array(pos, depth)
	case c == '"':
		text, err := r.string()
		return Value{Pos: pos, Kind: String, Text: text}, err
	case c == '-' || c >= '0' && c <= '9':
		return r.number(pos)
	case r.word("true"):
		return Value{Pos: pos, Kind: Bool, Text: "true"}, nil
	case r.word("false"):
		return Value{Pos: pos, Kind: Bool, Text: "false"}, nil
	case r.word("null"):
		return Value{Pos: pos}, nil
	default:
		return Value{}, r.unexpected("a value")
	}
}

// word consumes one of JSON's three words.
func (r *jsonReader) word(w string) bool {
	if len(r.text)-r.at < len(w) || string(r.text[r.at:r.at+len(w)]) != w {
		return false
	}
	r.at += len(w)
	return true
}

func (r *jsonReader) object(pos Pos, depth int) (Value, *Error) {
	v := Value{Pos: pos, Kind: Map}
	var seen keySet
	r.at++ // {
	r.space()
	if r.peek() == '}' {
		r.at++
		return v, nil
	}
	for {
		f, span, err := r.field(depth)
		if err != nil {
			return Value{}, err
		}
		if first, dup := seen.add(f.Key, span); !dup {
			v.Map = append(v.Map, f)
		} else if err := r.duplicate(f.Key, span, first); err != nil {
			return Value{}, err
		}
		more, err := r.next('}')
		if err != nil || !more {
			return v, err
		}
	}
}

func (r *jsonReader) field(depth int) (Field, Span, *Error) {
	r.space()
	f := Field{KeyPos: r.pos()}
	if r.peek() != '"' {
		return f, Span{}, r.unexpected("a key in double quotes")
	}
	start := r.at
	var err *Error
	if f.Key, err = r.string(); err != nil {
		return f, Span{}, err
	}
	span := Span{Pos: f.KeyPos, Len: r.at - start}
	r.space()
	if r.peek() != ':' {
		return f, span, r.unexpected("':' after a key")
	}
	r.at++
	f.Value, err = r.value(depth + 1)
	return f, span, err
}

func (r *jsonReader) array(pos Pos, depth int) (Value, *Error) {
	v := Value{Pos: pos, Kind: List}
	r.at++ // [
	r.space()
	if r.peek() == ']' {
		r.at++
		return v, nil
	}
	for {
		item, err := r.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		v.List = append(v.List, item)
		more, err := r.next(']')
		if err != nil || !more {
			return v, err
		}
	}
}

// next consumes a comma, or the bracket that ends the collection.
func (r *jsonReader) next(end byte) (more bool, err *Error) {
	r.space()
	switch r.peek() {
	case end:
		r.at++
		return false, nil
	case ',':
		r.at++
		return true, nil
	default:
		return false, r.unexpected("',' or '" + string(end) + "'")
	}
}

func (r *jsonReader) number(pos Pos) (Value, *Error) {
	start := r.at
	for r.at < len(r.text) && isNumberByte(r.text[r.at]) {
		r.at++
	}
	text := string(r.text[start:r.at])
	if !isJSONNumber(text) {
		return Value{}, &Error{
			Span: Span{Pos: pos, Len: r.at - start}, What: fmt.Sprintf("%q is no number", clip(text)),
			Why: "JSON numbers have no leading zero or '+', and a digit on both sides of the point", Fix: "write it as a string, or as a JSON number",
		}
	}
	return Value{Pos: pos, Kind: Number, Text: text}, nil
}

func isNumberByte(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// unexpected says what stands where something else should.
func (r *jsonReader) unexpected(want string) *Error {
	err := &Error{Span: Span{Pos: r.pos()}, Why: "the text is not JSON (RFC 8259)", Fix: "write " + want + " here"}
	if r.at >= len(r.text) {
		err.What = "the document ends where " + want + " was expected"
		return err
	}
	c, size := utf8.DecodeRune(r.text[r.at:])
	err.Span.Len = size
	err.What = strconv.QuoteRune(c) + " where " + want + " was expected"
	switch c {
	case '/', '#':
		err.Fix = "remove the comment: JSON has none"
	case '}', ']':
		err.Fix = "remove the comma before it, or write " + want + " here"
	case '\'':
		err.Fix = "use double quotes"
	}
	return err
}

// clip shortens a text that is quoted in a message.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
