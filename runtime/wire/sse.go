package wire

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"
)

// Event is one server-sent event. Its byte slices are valid until the next one is read.
type Event struct {
	// Type is the name that `event` gave; empty means "message".
	Type []byte
	// Data is the data, the lines of several `data` fields joined by LF.
	Data []byte
	// ID is the last event id, which stays until another is sent.
	ID []byte
	// Bare says that Data is a line outside of the form: JSON where a field should stand. The standard ignores it, and some
	// servers write their errors so.
	Bare bool
}

// EventReader reads server-sent events (WHATWG HTML, section 9.2.6): lines end with LF, CR or CRLF, a byte order mark is skipped at
// the start only, comments and unknown fields are ignored, and events without data are not delivered. Bytes are taken as they are.
// It allocates nothing for an event once its buffers have grown, and copies no data that one line holds. Beyond the standard, an event
// that lacks its last empty line is delivered at a clean end, because servers forget it. Not safe for concurrent use.
type EventReader struct {
	lines lines
	typ   []byte
	// place is where the buffer holds the data of an event, as long as that is one line and the buffer does not move; data is where it is
	// collected otherwise.
	place   []byte
	data    []byte
	inPlace bool
	filled  bool // a data field was read
	id      []byte
	retry   time.Duration
	err     error
	started bool // the first line was read
	// delivered says that typ and data are the caller's until Next is called again.
	delivered bool
}

// NewEventReader reads events from r. limit is how many bytes a line, and the data of an event, may have.
func NewEventReader(r io.Reader, limit int64) *EventReader {
	e := &EventReader{lines: lines{r: r, limit: limit, carriage: true}}
	e.lines.moves = e.collect
	return e
}

// Retry returns the reconnection time that the server asked for last; 0 if it did not.
func (r *EventReader) Retry() time.Duration { return r.retry }

// Next returns the next event. After the last it returns the reader's error, io.EOF at a clean end. An event that is too large is a
// *LimitError; nothing can be read after it.
func (r *EventReader) Next() (Event, error) {
	if r.delivered {
		r.forget()
	}
	for r.err == nil {
		line, _, err := r.lines.next()
		if !r.started && err == nil {
			r.started = true
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		switch {
		case err != nil:
			r.err = err
			if errors.Is(err, io.EOF) && r.filled {
				return r.deliver(), nil
			}
		case len(line) == 0 && r.filled:
			return r.deliver(), nil
		case len(line) == 0:
			r.typ = r.typ[:0]
		case line[0] == '{':
			return Event{Data: line, Bare: true}, nil
		default:
			r.err = r.field(line)
		}
	}
	return Event{}, r.err
}

// deliver returns the event that was collected.
func (r *EventReader) deliver() Event {
	r.delivered = true
	e := Event{Type: r.typ, Data: r.data, ID: r.id}
	if r.inPlace {
		e.Data = r.place
	}
	return e
}

// forget makes room for the next event.
func (r *EventReader) forget() {
	r.delivered, r.filled, r.inPlace, r.place = false, false, false, nil
	r.typ = r.typ[:0]
	if cap(r.data) > keptBuffer && len(r.data) < firstBuffer {
		r.data = nil // it was for one large event
	}
	r.data = r.data[:0]
}

// collect takes the data out of the buffer, which is about to move.
func (r *EventReader) collect() {
	if r.inPlace {
		r.data = append(r.data[:0], r.place...)
		r.inPlace, r.place = false, nil
	}
}

// field takes one line.
func (r *EventReader) field(line []byte) error {
	if value, ok := bytes.CutPrefix(line, []byte("data: ")); ok { // as nearly all are
		return r.addData(value)
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		return r.addData(value)
	case "event":
		r.typ = append(r.typ[:0], value...)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			r.id = append(r.id[:0], value...)
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			r.retry = time.Duration(ms) * time.Millisecond
		}
	}
	return nil
}

// addData adds a line of data: the first one stays where it is.
func (r *EventReader) addData(value []byte) error {
	if !r.filled {
		r.filled, r.inPlace, r.place = true, true, value
		return nil
	}
	r.collect()
	r.data = append(append(r.data, '\n'), value...)
	if int64(len(r.data)) > r.lines.limit {
		return &LimitError{Limit: r.lines.limit}
	}
	return nil
}
