package source

import "sort"

// lineTable turns byte offsets into positions as editors count them: a line ends with \n, \r\n or a lone \r.
type lineTable struct {
	file string
	// skip is the length of a byte order mark, which no column counts.
	skip int
	// starts holds the offset of each line's first byte.
	starts []int
	size   int
}

func newLineTable(file string, data []byte) *lineTable {
	t := &lineTable{file: file, skip: len(data) - len(trimBOM(data)), starts: []int{0}, size: len(data)}
	for i, c := range data {
		if c == '\n' || c == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// pos returns the position of an offset; an offset beyond the text is its end.
func (t *lineTable) pos(offset int) Pos {
	offset = min(max(offset, 0), t.size)
	line := sort.SearchInts(t.starts, offset+1)
	column := offset - t.starts[line-1] + 1
	if line == 1 {
		column = max(column-t.skip, 1)
	}
	return Pos{File: t.file, Line: line, Column: column}
}
