package source

import (
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// yamlPlace turns the line and column of the YAML library into positions as editors count them. The library counts columns in
// characters, and ends lines at U+0085, U+2028 and U+2029 too. It keeps a cursor: nodes come in the order of the text, so the
// whole document is walked once, however long its lines are.
type yamlPlace struct {
	table *lineTable
	text  []byte
	skip  int
	// starts holds the offset of each line as the library counts them.
	starts []int
	// The cursor: column (from 1) of a line, and its offset.
	line, column, offset int
}

func newYAMLPlace(name string, data []byte) *yamlPlace {
	text := trimBOM(data)
	p := &yamlPlace{table: newLineTable(name, data), text: text, skip: len(data) - len(text), starts: []int{0}}
	for i := 0; i < len(text); {
		switch size := breakAt(text[i:]); {
		case size > 0:
			i += size
			p.starts = append(p.starts, i)
		default:
			i++
		}
	}
	return p
}

// breakAt returns the length of a line break of YAML 1.1, 0 where there is none.
func breakAt(b []byte) int {
	switch {
	case b[0] == '\n':
		return 1
	case b[0] == '\r':
		if len(b) > 1 && b[1] == '\n' {
			return len("\r\n")
		}
		return 1
	case len(b) > 1 && b[0] == 0xC2 && b[1] == 0x85:
		return len("\u0085")
	case len(b) > 2 && b[0] == 0xE2 && b[1] == 0x80 && (b[2] == 0xA8 || b[2] == 0xA9):
		return len("\u2028")
	default:
		return 0
	}
}

// pos returns the position of the library's line and column.
func (p *yamlPlace) pos(line, column int) Pos {
	line = min(max(line, 1), len(p.starts))
	if line != p.line || column < p.column {
		p.line, p.column, p.offset = line, 1, p.starts[line-1]
	}
	for p.column < column && p.offset < len(p.text) {
		_, size := utf8.DecodeRune(p.text[p.offset:])
		p.offset += size
		p.column++
	}
	return p.table.pos(p.skip + p.offset)
}

// rewrite replaces line and column of a node and of all below it, aliases not followed, by those of editors.
func (p *yamlPlace) rewrite(n *yaml.Node) {
	pos := p.pos(n.Line, n.Column)
	n.Line, n.Column = pos.Line, pos.Column
	for _, child := range n.Content {
		p.rewrite(child)
	}
}
