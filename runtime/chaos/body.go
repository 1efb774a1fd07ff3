package chaos

import (
	"context"
	"io"
	"mime"
	"net/http"
	"sync"
	"time"
)

// flaw has the body of an answer come late, stop, break or be malformed. Answers that are errors already are left as they are.
func (in *injection) flaw(ctx context.Context, resp *http.Response) {
	if resp.StatusCode/100 != http.StatusOK/100 || resp.Body == http.NoBody {
		return
	}
	b := &body{injection: in, ctx: ctx, from: resp.Body, closed: make(chan struct{})}
	if b.items.form = formOf(resp.Header.Get("Content-Type"), in.at.Stream); b.items.form == whole && in.fault.Effect == Cut {
		b.room = 1 // so that the answer breaks in its middle
	}
	resp.Body = b
}

// body is a body with a flaw. It belongs to one goroutine; only Close may be called from another.
type body struct {
	*injection

	ctx   context.Context //nolint:containedctx // that of the request
	from  io.ReadCloser
	items items
	began bool
	done  bool // garbled, or come to its end
	room  int  // how many bytes more of an answer that is whole

	closed chan struct{}
	once   sync.Once
}

// Read reads on, up to the flaw.
func (b *body) Read(p []byte) (int, error) {
	if !b.began {
		b.began = true
		if b.fault.Effect == SlowStart {
			timer := time.NewTimer(b.fault.Latency)
			defer timer.Stop()
			if err := b.pause(timer.C); err != nil {
				return 0, err
			}
		}
	}
	switch b.fault.Effect {
	case Stall, Cut:
		return b.readUpTo(p)
	case Garble:
		n, err := b.from.Read(p)
		b.garble(p[:n])
		return n, err //nolint:wrapcheck // a reader passes errors through
	default:
		return b.from.Read(p) //nolint:wrapcheck // as above
	}
}

// readUpTo reads up to where the body ends.
func (b *body) readUpTo(p []byte) (int, error) {
	if b.items.form == whole {
		b.done = b.done || b.room == 0
		p = p[:min(len(p), b.room)]
	} else if b.items.passed >= b.fault.After {
		b.done = true
	}
	if b.done {
		return 0, b.over()
	}
	n, err := b.from.Read(p)
	if b.items.form == whole {
		b.room -= n
		return n, err //nolint:wrapcheck // a reader passes errors through
	}
	for i := range p[:n] {
		if b.items.ends(p[i]) && b.items.passed >= b.fault.After {
			return i + 1, nil
		}
	}
	return n, err //nolint:wrapcheck // as above
}

// over is how the body ends.
func (b *body) over() error {
	if b.fault.Effect == Cut {
		_ = b.from.Close()         // it is given up
		return io.ErrUnexpectedEOF // the very value, which tells a cut from what says more
	}
	return b.pause(nil)
}

// garble makes the first value of JSON one that is none, after the items that are to pass.
func (b *body) garble(p []byte) {
	for i, c := range p {
		if b.done {
			return
		}
		if isWhole := b.items.form == whole; (isWhole || b.items.passed >= b.fault.After) && (c == '{' || c == '[' && isWhole) {
			p[i], b.done = '!', true
			return
		}
		b.items.ends(c)
	}
}

// pause waits for a time, which is never where that is nil, and returns why reading ended if it did before.
func (b *body) pause(until <-chan time.Time) error {
	select {
	case <-until:
		return nil
	case <-b.ctx.Done():
		return context.Cause(b.ctx) //nolint:wrapcheck // as connections do
	case <-b.closed:
		return http.ErrBodyReadAfterClose
	}
}

// Close ends the body, and a Read of it.
func (b *body) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.from.Close() //nolint:wrapcheck // it is the body's
}

// form is how the items of a body are told apart.
type form uint8

const (
	whole  form = iota // there are none
	lines              // by lines: JSON lines, JSON sequences
	events             // by empty lines, after lines with data: server-sent events
)

// formOf returns the form of a body.
func formOf(contentType string, streams bool) form {
	typ, _, err := mime.ParseMediaType(contentType)
	if err == nil {
		switch typ {
		case "text/event-stream":
			return events
		case "application/jsonl", "application/x-ndjson", "application/ndjson", "application/json-seq", "application/x-jsonlines":
			return lines
		}
	}
	if streams {
		return lines
	}
	return whole
}

// items counts the items of a body, byte by byte.
type items struct {
	form   form
	passed int
	line   [4]byte // the beginning of the line
	length int     // of the line
	data   bool    // the event has some
}

// ends reports whether an item ends with the byte.
func (s *items) ends(c byte) bool {
	switch c {
	case '\r':
		return false
	case '\n':
	default:
		if s.length < len(s.line) {
			s.line[s.length] = c
		}
		s.length++
		return false
	}
	empty := s.length == 0
	if s.form == events && s.length >= len(s.line) && string(s.line[:]) == "data" {
		s.data = true
	}
	s.length = 0
	switch {
	case s.form == lines && !empty:
	case s.form == events && empty && s.data:
		s.data = false
	default:
		return false
	}
	s.passed++
	return true
}
