package wire

import (
	"bytes"
	"errors"
	"io"
)

// lines reads lines from a stream, however the stream is cut into packets. It allocates only to grow its buffer, and gives back what it
// grew to for one long line.
type lines struct {
	r     io.Reader
	buf   []byte
	start int // of the unread bytes
	seen  int // how far they are without LF, as far as that was searched
	plain int // how far they are without CR, as far as that was searched; only with carriage
	limit int64
	err   error // of the reader, io.EOF included
	// carriage has a lone CR end a line too, as server-sent events do; otherwise only LF does, and a CR before it belongs to it.
	carriage bool
	skipLF   bool // the last line ended with CR: an LF that follows belongs to it
	narrow   bool // the last read filled all the room that there was
	longest  int  // of the lines since the last read
	moves    func()
}

const (
	firstBuffer = 4 << 10
	wideBuffer  = 16 << 10 // of a stream that comes faster than it is read
	keptBuffer  = 64 << 10 // a larger one was for a long line
	emptyReads  = 100      // as many in a row are a broken reader, as bufio has it
)

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
	lf := bytes.IndexByte(l.buf[l.seen:], '\n')
	if lf >= 0 {
		l.seen += lf
	} else {
		l.seen = len(l.buf)
	}
	if l.carriage && l.plain < l.seen {
		if cr := l.findCR(); cr < l.seen {
			l.skipLF = true
			return l.take(cr), true
		}
	}
	if lf < 0 {
		return nil, false
	}
	return l.take(l.seen), true
}

// take takes the line out that ends there.
func (l *lines) take(end int) []byte {
	line := l.buf[l.start:end]
	l.start, l.seen = end+1, max(l.seen, end+1)
	l.longest = max(l.longest, len(line))
	return line
}

// findCR returns where the first CR is among the unread bytes; where there is none, their end. It searches all of them, once.
func (l *lines) findCR() int {
	l.plain = max(l.plain, l.start)
	if cr := bytes.IndexByte(l.buf[l.plain:], '\r'); cr >= 0 {
		l.plain += cr
	} else {
		l.plain = len(l.buf)
	}
	return l.plain
}

// fill reads more bytes, once. Lines that were returned before are no longer valid then; moves is called before.
func (l *lines) fill() {
	if l.moves != nil {
		l.moves()
	}
	l.makeRoom()
	l.longest = 0
	room := l.buf[len(l.buf):cap(l.buf)]
	for range emptyReads {
		n, err := l.r.Read(room)
		l.buf = l.buf[:len(l.buf)+n]
		if n > 0 || err != nil {
			l.narrow, l.err = n == len(room), err
			return
		}
	}
	l.err = io.ErrNoProgress
}

// makeRoom moves the unread bytes to the beginning of the buffer, or to another one: a larger one where there is little room, and a
// small one where nothing is long any more.
func (l *lines) makeRoom() {
	unread := len(l.buf) - l.start
	size := cap(l.buf)
	switch {
	case size > keptBuffer && unread < firstBuffer && l.longest < firstBuffer:
		size = wideBuffer
	case l.narrow && size < wideBuffer:
		size = wideBuffer
	case size-unread < firstBuffer/2:
		size = max(firstBuffer, min(2*size, int(min(l.limit, 1<<62))+firstBuffer/2))
	}
	buf := l.buf
	if size != cap(l.buf) {
		buf = make([]byte, size)
	}
	l.buf = buf[:copy(buf[:cap(buf)], l.buf[l.start:])]
	l.seen, l.plain, l.start = l.seen-l.start, max(l.plain-l.start, 0), 0
}
