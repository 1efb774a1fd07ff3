package stream

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// scan is the reader that one writes by hand: one line of data an event, no other field.
func scan(r io.Reader, each func(data []byte) error) (int, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), 32<<20)
	n := 0
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if !ok {
			continue
		}
		data = bytes.TrimPrefix(data, []byte(" "))
		if string(data) == done {
			return n, nil
		}
		n++
		if err := each(data); err != nil {
			return n, err
		}
	}
	return n, lines.Err()
}

// parser is the floor: all of the standard (LF, CR and CRLF, data of several lines, event, id, comments, a byte order mark) in one buffer.
// What it returns is valid until the next event.
type parser struct {
	r       io.Reader
	buf     []byte
	from    int // of the line
	to      int // of what was read
	err     error
	started bool
	afterCR bool // an LF that comes next belongs to the end of the line before

	lines       int // of data
	place, data []byte
	event, id   []byte
}

func newParser(r io.Reader) *parser { return &parser{r: r, buf: make([]byte, 16<<10)} }

// line returns the next line without its end.
func (p *parser) line() ([]byte, bool) {
	scanned := p.from
	for {
		unread := p.buf[scanned:p.to]
		if p.afterCR && len(unread) > 0 {
			p.afterCR = false
			if unread[0] == '\n' {
				p.from, scanned, unread = p.from+1, scanned+1, unread[1:]
			}
		}
		lf := bytes.IndexByte(unread, '\n')
		upTo := unread
		if lf >= 0 {
			upTo = unread[:lf]
		}
		end := lf
		if cr := bytes.IndexByte(upTo, '\r'); cr >= 0 {
			end, p.afterCR = cr, true
		}
		if end >= 0 {
			line := p.buf[p.from : scanned+end]
			p.from = scanned + end + 1
			return line, true
		}
		if p.err != nil {
			return nil, false
		}
		scanned = p.to - p.from
		p.fill()
	}
}

// fill moves what is unread to the start of the buffer, and reads behind it.
func (p *parser) fill() {
	if p.place != nil && (p.from > 0 || p.to == len(p.buf)) {
		p.data, p.place = append(p.data[:0], p.place...), nil
	}
	copy(p.buf, p.buf[p.from:p.to])
	p.to -= p.from
	p.from = 0
	if p.to == len(p.buf) {
		p.buf = append(p.buf, make([]byte, len(p.buf))...)
	}
	var n int
	n, p.err = p.r.Read(p.buf[p.to:])
	p.to += n
}

// next returns the data of the next event.
func (p *parser) next() ([]byte, bool) {
	p.lines, p.place, p.data, p.event = 0, nil, p.data[:0], p.event[:0]
	for {
		line, ok := p.line()
		if !ok {
			return nil, false
		}
		if !p.started {
			p.started = true
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		switch {
		case len(line) > 0:
			p.field(line)
		case p.lines == 0:
			p.event = p.event[:0]
		case p.place != nil:
			return p.place, true
		default:
			return p.data, true
		}
	}
}

func (p *parser) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	switch string(name) {
	case "data":
		p.lines++
		if p.lines == 1 {
			p.place = value
			return
		}
		if p.place != nil {
			p.data, p.place = append(p.data[:0], p.place...), nil
		}
		p.data = append(append(p.data, '\n'), value...)
	case "event":
		p.event = append(p.event[:0], value...)
	case "id":
		p.id = append(p.id[:0], value...)
	}
}

// floor reads with a parser.
func floor(r io.Reader, each func(data []byte) error) (int, error) {
	p := newParser(r)
	n := 0
	for {
		data, ok := p.next()
		if !ok && !errors.Is(p.err, io.EOF) {
			return n, p.err
		}
		if !ok || string(data) == done {
			return n, nil
		}
		n++
		if err := each(data); err != nil {
			return n, err
		}
	}
}
