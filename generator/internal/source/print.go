package source

import (
	"strconv"
	"unicode/utf8"
)

// LineMap says where each line of a printed tree comes from.
type LineMap []Pos

// Pos returns the original place of what stands on a printed line, counted from 1. The closing bracket of a map or list has the
// place of the value that it closes. A line that does not exist has no place.
func (m LineMap) Pos(line int) Pos {
	if line < 1 || line > len(m) {
		return Pos{}
	}
	return m[line-1]
}

// JSON prints a tree as JSON, one token a line (a comma or colon stays with the token before it), and says for each line where
// it comes from. Library readers that know only lines then lead back to the original, whatever file, format or overlay a node
// came from.
//
// Characters are written raw, never as surrogate escapes, because YAML readers refuse those; the few that YAML refuses, or
// takes for line breaks, are written as \u escapes. A tree from Read or overlay has no duplicate keys.
func JSON(v *Value) ([]byte, LineMap) {
	p := printer{}
	p.value(v)
	p.out = append(p.out, '\n')
	return p.out, p.lines
}

type printer struct {
	out   []byte
	lines LineMap
}

// token starts a new line for a token from pos.
func (p *printer) token(pos Pos) {
	if len(p.lines) > 0 {
		p.out = append(p.out, '\n')
	}
	p.lines = append(p.lines, pos)
}

func (p *printer) value(v *Value) {
	p.token(v.Pos)
	switch v.Kind {
	case Map:
		p.out = append(p.out, '{')
		for i := range v.Map {
			p.comma(i)
			p.token(v.Map[i].KeyPos)
			p.quoted(v.Map[i].Key)
			p.out = append(p.out, ':')
			p.value(&v.Map[i].Value)
		}
		p.token(v.Pos)
		p.out = append(p.out, '}')
	case List:
		p.out = append(p.out, '[')
		for i := range v.List {
			p.comma(i)
			p.value(&v.List[i])
		}
		p.token(v.Pos)
		p.out = append(p.out, ']')
	case Null:
		p.out = append(p.out, "null"...)
	case Bool, Number:
		p.out = append(p.out, v.Text...)
	case String:
		p.quoted(v.Text)
	}
}

func (p *printer) comma(i int) {
	if i > 0 {
		p.out = append(p.out, ',')
	}
}

func (p *printer) quoted(s string) {
	p.out = append(p.out, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			p.out = append(p.out, '\\', byte(c))
		case mustEscape(c):
			const fourDigits = 0x10000 // a leading 1 keeps the zeros; it is cut off
			p.out = append(p.out, `\u`...)
			p.out = append(p.out, strconv.FormatInt(fourDigits+int64(c), 16)[1:]...)
		default:
			p.out = utf8.AppendRune(p.out, c)
		}
	}
	p.out = append(p.out, '"')
}

// mustEscape reports whether a raw character in a quoted string is refused, folded or skipped by a JSON or YAML reader: control
// characters, the line breaks of YAML 1.1, byte order marks, and the two that are no characters.
func mustEscape(c rune) bool {
	return c < ' ' || c >= 0x7F && c <= 0x9F || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF
}
