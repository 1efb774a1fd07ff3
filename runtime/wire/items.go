package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Items reads the items of a stream, one after the other. It owns the body: Close it. It belongs to one goroutine; only Close may be
// called from another.
type Items[T any] struct {
	in itemReader
	// value is where every item is decoded, so that an item costs no allocation of its own.
	value T
}

// JSONItems reads items that are JSON. A response that is no stream of that format is an error: an error object in place of the
// stream an *EventError, anything else a *DecodeError.
func JSONItems[T any](r *Response, s policy.Stream) (*Items[T], error) {
	i := new(Items[T])
	i.in.nullable = holdsNull(&i.value)
	return i, i.in.open(r, s)
}

// TextItems reads items that are the data as it came.
func TextItems(r *Response, s policy.Stream) (*Items[string], error) {
	i := new(Items[string])
	i.in.text = true
	return i, i.in.open(r, s)
}

// Next returns the next item. After the last it returns io.EOF: only where the end is proven, which is the done marker where the
// stream has one, and otherwise a clean end of the body, or [DONE] in a stream of JSON. Errors are *EventError for an error that the target sent, *DecodeError for an
// item that cannot be understood or is too large, and *TransportError, which is io.ErrUnexpectedEOF, for a stream that was cut. After
// an error it returns the same again.
func (i *Items[T]) Next() (T, error) {
	var none T
	i.value = none
	if err := i.in.read(&i.value); err != nil {
		return none, err
	}
	return i.value, nil
}

// ReadInto is Next for who has room for the item: it reads it into what v points to, a zero value. After an error that may hold a part of
// an item.
func (i *Items[T]) ReadInto(v *T) error { return i.in.read(v) }

// WatchReads has w told of each read of the body that may wait.
func (i *Items[T]) WatchReads(w ReadWatcher) { i.in.r.watcher = w }

// IsPreamble reports whether the last item came before the first content of the stream, and says none: whoever has not shown it may still ask
// another server. It is false where nothing is known of the stream; see Response.Follow.
func (i *Items[T]) IsPreamble() bool { return i.in.r.look.sense.Preamble }

// IsContent reports whether the last item says something, as far as is known: no preamble, and no ping later on.
func (i *Items[T]) IsContent() bool { return !i.in.r.look.sense.Empty }

// Incomplete returns why the answer was cut, as the target says it, of a stream whose end was proven all the same: "length". It is empty for one
// that was not, and before the end.
func (i *Items[T]) Incomplete() string { return i.in.r.look.state.Incomplete() }

// IsEmpty reports whether the answer has come to its proven end and showed nothing, in a form in which answers that are none end so.
func (i *Items[T]) IsEmpty() bool { return i.in.r.look.state.IsEmpty() }

// Empty is the error of an answer that IsEmpty: as of a whole answer that shows nothing.
func (i *Items[T]) Empty() error {
	return &EventError{Status: i.in.r.Status, Message: "the answer ends without any content", Kind: policy.KindDecode, hide: i.in.r.x.secret()}
}

// Text returns what an item says of the text of the answer, of the first one where there are several; it is written as JSON.
func (i *Items[T]) Text(item []byte) string { return i.in.r.look.state.Text(item) }

// Event returns the server-sent event that the last item came in. Its slices are valid until Next is called again.
func (i *Items[T]) Event() Event { return i.in.last }

// Response returns the response that the items come in, for its status and header.
func (i *Items[T]) Response() *Response { return i.in.r }

// Close ends the stream and gives the connection back; one that was not read to its end is closed. Closing twice does nothing.
func (i *Items[T]) Close() error { return i.in.r.close(i.in.proven.Load()) }

// itemReader is what all Items have in common, whatever their items are.
type itemReader struct {
	r        *Response
	policy   policy.Stream
	source   source
	nullable bool // null is an item
	text     bool // items are data as it came: an empty one is an item too
	last     Event
	err      error       // what Next returns from now on
	proven   atomic.Bool // the end
	fleeting bool        // an item says that the answer is not to be remembered
}

func (i *itemReader) open(r *Response, s policy.Stream) error {
	i.r, i.policy = r, s
	look := r.lookout()
	mediaType := r.MediaType()
	if s.Format == policy.SSE && isJSON(mediaType) || !isJSON(mediaType) && isDocument(mediaType) {
		return i.notStream()
	}
	if s.ErrorPointer != "" {
		faults := jsontext.Compile(s.ErrorPointer)
		look.faults = &faults
	}
	if look.rules == nil {
		look.rules = policy.NewStreamRules("", s)
	}
	look.follow()
	in := lines{r: r, limit: r.Limit}
	switch s.Format {
	case policy.SSE, policy.NoStream:
		i.source = NewEventReader(r, r.Limit)
	case policy.JSONSeq:
		i.source = &sequenceSource{lines: in}
	default:
		i.source = &lineSource{lines: in}
	}
	r.taken = true
	return nil
}

// isDocument reports whether a media type is that of a page: what a proxy answers, never a stream.
func isDocument(mediaType string) bool {
	return mediaType == "text/html" || strings.HasSuffix(mediaType, "/xml") || strings.HasSuffix(mediaType, "+xml")
}

// notStream returns what came in place of a stream.
func (i *itemReader) notStream() error {
	body, err := i.r.readAll(bodyKept)
	if err == nil && isJSON(i.r.MediaType()) && i.isError(Event{Data: body, Bare: true}) {
		return i.fault(Event{Data: body})
	}
	return i.r.undecodable(body, fmt.Errorf("a stream was expected: %s", i.r.x.secret().line(string(body), snippetLength)))
}

// read reads the next item into what v points to, a zero value.
func (i *itemReader) read(v any) error {
	for i.err == nil {
		e, err := i.source.Next()
		i.last = e
		switch {
		case err != nil:
			i.err = i.ended(err)
		case i.isError(e):
			i.err = i.fault(e)
		case e.Bare:
		case i.isDone(e.Data):
			i.err = i.marked()
		case len(e.Data) > 0 || i.text:
			if i.err = i.decode(e.Data, v); i.err == nil {
				i.note(e.Data)
				if i.r.look.sense.Last {
					i.err = i.proves()
				}
				return nil
			}
		}
	}
	return i.err
}

// note takes note of an item where that is wanted.
func (i *itemReader) note(data []byte) {
	if c := i.r.record; c != nil {
		c.item()
	}
	if i.r.calls && !i.fleeting {
		i.fleeting = i.r.look.state.IsFleeting(i.last.Type, data)
	}
}

// decode reads the data of an item.
func (i *itemReader) decode(data []byte, v any) error {
	i.r.look.event = i.last.Type
	if text, ok := v.(*string); ok && i.text {
		if i.r.look.read(data) || points(data, i.policy.ErrorPointer) {
			return i.fault(i.last)
		}
		*text = string(data)
		return nil
	}
	err := i.r.unmarshal(data, v, i.nullable)
	if fault, ok := err.(*EventError); ok { //nolint:errorlint // it is made there
		fault.Event, fault.Kind = string(i.last.Type), i.r.look.sense.Kind
	}
	return err
}

// proves notes that the end is proven.
func (i *itemReader) proves() error {
	i.proven.Store(true)
	return io.EOF
}

// marked says what the marker of the end means: the end, unless the items before it say that there is more.
func (i *itemReader) marked() error {
	if i.r.look.rules != nil {
		if why := i.r.look.state.Unproven(true); why != "" {
			return i.cut(fmt.Errorf("%w: %q, but %s", io.ErrUnexpectedEOF, bytes.TrimSpace(i.last.Data), why))
		}
	}
	return i.proves()
}

// cut is the error of a stream that ended before its end.
func (i *itemReader) cut(err error) error {
	return &TransportError{Stage: StageBody, Wrote: true, Status: i.r.Status, Sends: i.r.Sends, Err: err, hide: i.r.x.secret()}
}

// isDone reports whether data is the marker of the end. Where the document names none, it is what most servers of language models send,
// which is no JSON and so no item.
func (i *itemReader) isDone(data []byte) bool {
	if i.policy.Done == "" {
		return (!i.text || i.r.look.state.Form() != "") && string(bytes.TrimSpace(data)) == "[DONE]"
	}
	return string(bytes.TrimSpace(data)) == i.policy.Done
}

// ended says what an end of the body means. Where an item has proven the end, it does not matter how the connection ended.
func (i *itemReader) ended(err error) error {
	var transport *TransportError
	var limit *LimitError
	state := &i.r.look.state
	switch {
	case errors.Is(err, io.EOF) && i.r.look.rules != nil:
		why := state.Unproven(false)
		if why == "" {
			return i.proves()
		}
		err = fmt.Errorf("%w: the answer ended, but %s", io.ErrUnexpectedEOF, why)
	case errors.Is(err, io.EOF) && i.policy.Done == "":
		return i.proves()
	case errors.Is(err, io.EOF):
		err = fmt.Errorf("%w before %q", io.ErrUnexpectedEOF, i.policy.Done)
	case errors.As(err, &transport):
		if state.IsProven() {
			return i.proves()
		}
		return err
	case errors.As(err, &limit), errors.Is(err, errSequence):
		return i.r.undecodable(nil, err)
	}
	return i.cut(err)
}

// isError reports whether an event carries an error by its name, or as JSON that stands outside of the form. What its data says is looked
// at when that is decoded.
func (i *itemReader) isError(e Event) bool {
	if e.Bare {
		return points(e.Data, "/error") || points(e.Data, i.policy.ErrorPointer)
	}
	return i.policy.ErrorEvent != "" && string(e.Type) == i.policy.ErrorEvent || i.r.look.state.IsError(e.Type)
}

func (i *itemReader) fault(e Event) error {
	err := i.r.fault(string(e.Type), e.Data)
	err.Kind = i.r.look.sense.Kind
	return err
}

// points reports whether a JSON pointer (RFC 6901) leads to an error in a JSON text: see isFault.
func points(data []byte, pointer string) bool {
	if pointer == "" || jsontext.KindOf(data) != jsontext.Object && jsontext.KindOf(data) != jsontext.Array {
		return false
	}
	value, ok := jsontext.Find(data, pointer)
	return ok && isFault(value)
}
