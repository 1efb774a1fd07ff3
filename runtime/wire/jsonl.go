package wire

import (
	"bytes"
	"errors"
	"io"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// source reads the items of a stream as they travel: server-sent events, lines or a sequence. What Next returns is valid until the
// following call; its error is io.EOF at a clean end, and the reader's otherwise.
type source interface {
	Next() (Event, error)
}

// lineSource reads one JSON text a line (JSON Lines, ndjson). Empty lines are skipped, as both ask of readers.
type lineSource struct{ lines lines }

// Next returns the next line that is not empty.
func (s *lineSource) Next() (Event, error) {
	for {
		line, _, err := s.lines.next()
		if err != nil {
			return Event{}, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return Event{Data: line}, nil
		}
	}
}

// sequenceSource reads JSON text sequences (RFC 7464): each text begins with a record separator and ends with a line feed. A text is
// delivered with the line feed that makes it whole, so that nothing waits for the record that follows, and where it lies in the buffer if
// it is one line.
type sequenceSource struct {
	lines     lines
	rest      []byte // of the line that was read last: what follows a separator in it
	hasRest   bool
	whole     bool   // the line's end was there
	record    []byte // the lines of a text that is not whole yet
	extent    jsontext.Extent
	delivered bool
}

const recordSeparator = "\x1e"

var errSequence = errors.New("a text of the sequence is not whole")

// Next returns the next text.
func (s *sequenceSource) Next() (Event, error) {
	if s.delivered {
		s.forget()
	}
	for {
		part, ends, err := s.part()
		if err != nil {
			if errors.Is(err, io.EOF) && len(jsontext.Trim(s.record)) > 0 {
				return Event{}, io.ErrUnexpectedEOF
			}
			return Event{}, err
		}
		text := part
		if len(s.record) > 0 {
			s.record = append(s.record, part...)
			text = s.record
		}
		if int64(len(text)) > s.lines.limit {
			return Event{}, &LimitError{Limit: s.lines.limit}
		}
		s.extent.Add(part)
		switch text = jsontext.Trim(text); {
		case len(text) == 0:
			s.forget()
		case s.extent.Closed() && (ends == '\n' || isDelimited(text)): // RFC 7464, section 2.4: 12 without its line feed may have been 123
			s.delivered = true
			return Event{Data: text}, nil
		case ends == recordSeparator[0]:
			return Event{}, errSequence
		case len(s.record) > 0:
			s.record = append(s.record, '\n')
		default:
			s.record = append(append(s.record, text...), '\n')
		}
	}
}

// part returns what comes up to the next separator or line end, and which of them it was: 0 where the stream has ended.
func (s *sequenceSource) part() (part []byte, ends byte, err error) {
	line := s.rest
	if !s.hasRest {
		if line, s.whole, err = s.lines.next(); err != nil {
			return nil, 0, err
		}
	}
	s.rest, s.hasRest = nil, false
	if at := bytes.IndexByte(line, recordSeparator[0]); at >= 0 {
		s.rest, s.hasRest = line[at+1:], true
		return line[:at], recordSeparator[0], nil
	}
	if s.whole {
		return line, '\n', nil
	}
	return line, 0, nil
}

// forget makes room for the next text.
func (s *sequenceSource) forget() {
	s.delivered, s.extent = false, jsontext.Extent{}
	if cap(s.record) > keptBuffer && len(s.record) < firstBuffer {
		s.record = nil // it was for one large text
	}
	s.record = s.record[:0]
}

// isDelimited reports whether a JSON text shows its own end.
func isDelimited(text []byte) bool {
	switch jsontext.KindOf(text) {
	case jsontext.Object, jsontext.Array, jsontext.String:
		return true
	default:
		return false
	}
}
