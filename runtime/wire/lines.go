package wire

import (
	"bytes"
	"errors"
	"io"
)

// lines reads lines from a stream, however the stream is cut into packets. It allocates only to grow its buffer.
type lines struct {
	r     io.Reader
	buf   []byte
	start int // of the unread bytes
	seen  int // how far they were searched
	limit int64
	err   error // of the reader, io.EOF included
	// carriage has a lone CR end a line too, as server-sent events do; otherwise only LF does, and a CR before it belongs to it.
	carriage bool
	skipLF   bool // the last line ended with CR: an LF that follows belongs to it
}

const lineBuffer = 4 << 10

// next returns the next line without its end, and whether its end was there: the last line of a stream may have none. It is valid
// until the following call. After the last line it returns the reader's error.
func (l *lines) next() (line []byte, whole bool, err error) {
	for {
		line, found := l.cut()
		if !found {
			line = l.buf[l.start:]
		}
		switch {
		case int64(len(line)) > l.limit:
			return nil, false, &LimitError{Limit: l.limit}
		case found && !l.carriage:
			return bytes.TrimSuffix(line, []byte("\r")), true, nil
		case found:
			return line, true, nil
		}
		if l.err != nil {
			l.start, l.seen = len(l.buf), len(l.buf)
			if len(line) > 0 && errors.Is(l.err, io.EOF) {
				return line, false, nil
			}
			return nil, false, l.err
		}
		l.fill()
	}
}

// cut takes a line out of the buffer, if a whole one is there.
func (l *lines) cut() ([]byte, bool) {
	if l.skipLF && l.start < len(l.buf) {
		if l.buf[l.start] == '\n' {
			l.start++
			l.seen = max(l.seen, l.start)
		}
		l.skipLF = false
	}
	unseen := l.buf[l.seen:]
	at := bytes.IndexByte(unseen, '\n')
	if l.carriage {
		if at >= 0 {
			unseen = unseen[:at]
		}
		if cr := bytes.IndexByte(unseen, '\r'); cr >= 0 {
			at = cr
		}
	}
	if at < 0 {
		l.seen = len(l.buf)
		return nil, false
	}
	end := l.seen + at
	line := l.buf[l.start:end]
	l.skipLF = l.buf[end] == '\r'
	l.start, l.seen = end+1, end+1
	return line, true
}

// fill reads more bytes, once.
func (l *lines) fill() {
	if l.start > 0 {
		l.buf = l.buf[:copy(l.buf, l.buf[l.start:])]
		l.seen -= l.start
		l.start = 0
	}
	if cap(l.buf)-len(l.buf) < lineBuffer/2 {
		grown := make([]byte, len(l.buf), max(lineBuffer, 2*cap(l.buf)))
		copy(grown, l.buf)
		l.buf = grown
	}
	n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
	l.buf = l.buf[:len(l.buf)+n]
	l.err = err
}
