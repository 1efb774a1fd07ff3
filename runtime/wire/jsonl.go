package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// source reads the items of a stream as they travel. What next returns is valid until the following call; its error is io.EOF at a
// clean end, and the reader's otherwise.
type source interface {
	next() (Event, error)
}

type eventSource struct{ *EventReader }

func (s eventSource) next() (Event, error) { return s.Next() }

// lineSource reads one JSON text a line (JSON Lines, ndjson). Empty lines are skipped, as both ask of readers.
type lineSource struct{ lines lines }

func (s *lineSource) next() (Event, error) {
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
// delivered with the line feed that makes it whole, so that nothing waits for the record that follows.
type sequenceSource struct {
	lines     lines
	record    []byte
	delivered bool
}

const recordSeparator = "\x1e"

var errSequence = errors.New("a text of the sequence is not whole")

func (s *sequenceSource) next() (Event, error) {
	if s.delivered {
		s.record, s.delivered = s.record[:0], false
	}
	for {
		line, whole, err := s.lines.next()
		if err != nil {
			if errors.Is(err, io.EOF) && len(s.record) > 0 {
				return Event{}, io.ErrUnexpectedEOF
			}
			return Event{}, err
		}
		if text, begins := bytes.CutPrefix(line, []byte(recordSeparator)); begins {
			if len(s.record) > 0 {
				return Event{}, errSequence
			}
			line = bytes.TrimLeft(text, recordSeparator)
		}
		if s.record = append(s.record, line...); int64(len(s.record)) > s.lines.limit {
			return Event{}, &LimitError{Limit: s.lines.limit}
		}
		text := bytes.TrimSpace(s.record)
		if len(text) == 0 {
			s.record = s.record[:0]
			continue
		}
		if json.Valid(text) && (whole || isDelimited(text)) { // RFC 7464, section 2.4: 12 without its line feed may have been 123
			s.delivered = true
			return Event{Data: text}, nil
		}
		s.record = append(s.record, '\n')
	}
}

// isDelimited reports whether a JSON text shows its own end.
func isDelimited(text []byte) bool {
	switch kindOf(text) {
	case "object", "array", "string":
		return true
	default:
		return false
	}
}
