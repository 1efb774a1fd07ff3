package runtime

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// Stream is the answer of an operation that streams: items, one after the other, as they come. It is there when its first content is; the
// items before that are kept, and come first. What goes wrong from then on is told by All. A stream that has begun is never tried again,
// nor continued by another rung. Close it, or range over All, which closes it. It belongs to one goroutine; only Close may be called from
// another. It also ends with the context of the call.
type Stream[T any] struct {
	c *streamCore
	// next reads what the target sends next; nil for a stream of fixed items.
	next func(*T) error
	// ahead are the items that are there before they are asked for.
	ahead []T
	// seen are the items that were returned.
	seen gathered[T]
	// items are where next reads from; nil for a stream of fixed items.
	items *wire.Items[T]
}

// StreamOf returns a stream of fixed items: the answer of a rung that sends to no target.
func StreamOf[T any](items ...T) *Stream[T] {
	return &Stream[T]{c: new(streamCore), ahead: items}
}

// StreamOfExample returns a stream of fixed items, which are written as a JSON list: what generated code holds of the document.
func StreamOfExample[T any](list string) (*Stream[T], error) {
	items, err := wire.ExampleValue[[]T](list)
	if err != nil {
		return nil, err
	}
	return StreamOf(items...), nil
}

// All returns the items that are left, in order. It ends after the last item, where the target said that it was the last; else with an
// *Error. Breaking out of the range closes the stream. Ranging again goes on where the range before ended; after the end it yields
// nothing, after an error the same error, after Close an error that says so.
func (s *Stream[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		defer s.Close() //nolint:errcheck // the stream's own error is yielded
		for {
			item, err := s.read()
			switch {
			case isEnd(err):
				return
			case err != nil:
				var none T
				yield(none, err)
				return
			case !yield(*item, nil):
				return
			}
		}
	}
}

// Partial returns the items that All has yielded so far. After an error it is what the answer had come to.
func (s *Stream[T]) Partial() []T { return s.seen.all() }

// Text returns the text of the items that All has yielded so far, put together: of the first choice where there are several, without what the
// model thought and the tools that it calls. Only streams whose form the preset knows have text. It is made when it is asked for, of all the
// items: ask at the end.
func (s *Stream[T]) Text() string {
	all := s.seen.all()
	items := make([][]byte, 0, len(all))
	for i := range all {
		if data, err := jsonOf(&all[i]); err == nil {
			items = append(items, data)
		}
	}
	says := s.says(items)
	var out strings.Builder
	for _, data := range items {
		out.WriteString(says(data))
	}
	return out.String()
}

// says returns what tells the text of an item. The form of fixed items is found as that of those that came is.
func (s *Stream[T]) says(items [][]byte) func(item []byte) string {
	switch {
	case s.items != nil:
		return s.items.Text
	case s.c.op != nil:
		state, _ := s.c.op.own.streamed.Play(items)
		return state.Text
	default:
		return func([]byte) string { return "" }
	}
}

// Usage returns what the answer said so far that it used, as far as the plan knows where. Of each number the last that was said counts, also
// of a stream that broke.
func (s *Stream[T]) Usage() policy.Usage {
	used, _ := s.c.meter.total()
	return used
}

// Incomplete returns why the answer was cut, as the target says it ("length", "max_tokens"), where the stream came to its proven end all the
// same. It is empty for an answer that is whole, and before the end.
func (s *Stream[T]) Incomplete() string { return s.c.incomplete }

// Close ends the stream and gives the connection back. Closing twice, and after the end, does nothing.
func (s *Stream[T]) Close() error {
	s.c.finish(ErrStreamClosed, policy.Success)
	return nil
}

// ErrStreamClosed is what reading a closed stream gives.
var ErrStreamClosed = errors.New("the stream is closed")

// read reads the next item and returns where it is kept. The error is io.EOF after the last item, or an *Error.
func (s *Stream[T]) read() (*T, error) {
	item := s.seen.room()
	if err := s.take(item); err != nil {
		return nil, err
	}
	s.seen.add()
	return item, nil
}

// take reads the next item into a zero value.
func (s *Stream[T]) take(item *T) error {
	if err := s.c.failed(); err != nil {
		return err
	}
	switch {
	case len(s.ahead) > 0:
		*item = s.ahead[0]
		s.ahead = s.ahead[1:]
		return nil
	case s.next == nil:
		s.c.finish(io.EOF, policy.Success)
		return io.EOF
	}
	err := s.next(item)
	s.c.clock.end()
	if err != nil {
		return s.c.broke(err)
	}
	s.count()
	return nil
}

// count tells the clock of the item that was read last, where it is content.
func (s *Stream[T]) count() {
	if s.c.clock.rate.limit.PerSecond > 0 && s.items != nil && s.items.IsContent() {
		s.c.clock.rate.add(len(s.items.Event().Data))
	}
}

// hold takes what the call held.
func (s *Stream[T]) hold(l *lease) { s.c.take(l) }

// SendStream makes one attempt of an operation that streams: it sends the request, and reads up to the first content.
func SendStream[T any](
	ctx context.Context, h *HTTP, at Attempt, req *wire.Request, read func(*wire.Response) (*wire.Items[T], error),
) (*Stream[T], error) {
	if at.recalls() {
		ctx = outlast(ctx)
	}
	c := newStreamCore(ctx, at)
	came := false
	defer func() { //nolint:contextcheck // after a panic, or the end of the goroutine: with what was made of ctx
		if !came {
			c.finish(ErrStreamClosed, policy.Neutral)
		}
	}()
	resp, err := h.send(c.ctx, at, req) //nolint:contextcheck // it is made of ctx
	if err != nil {
		return nil, c.never(err) //nolint:contextcheck // as above
	}
	c.body = resp
	resp.Follow(at.streamed())
	at.begin(c, resp, req)
	items, err := read(resp)
	if err != nil {
		_ = resp.Close()         // why there is no stream is what counts
		return nil, c.never(err) //nolint:contextcheck // as above
	}
	s, err := openItems(at, c, items)
	if err != nil {
		return nil, err
	}
	if err = at.refuses(); err != nil {
		_ = s.Close() // why it is not taken is what counts
		return nil, err
	}
	came = true
	return s, nil
}

// openItems makes the stream of items that came, or that are remembered.
func openItems[T any](at Attempt, c *streamCore, items *wire.Items[T]) (*Stream[T], error) {
	if at.recalls() {
		return replay(c, items)
	}
	if c.memo != nil {
		c.entryOf = func(m *memo) bool { return endItems(m, items) }
	}
	return open(c, items)
}

// heldBytes is how much may come before the first content. A stream that talks longer is taken for one that has begun.
const heldBytes = 64 << 10

// open makes the stream of items that came: it waits for the first content, up to which the attempt may still be repeated, or go to another
// rung. What comes before it is kept. A stream that ends without any is a whole answer, but where its form shows that there should be some.
func open[T any](c *streamCore, items *wire.Items[T]) (*Stream[T], error) {
	c.body = items
	items.WatchReads(&c.clock)
	c.clock.end()
	c.clock.reached(awaitFirst)
	s := &Stream[T]{c: c, next: items.ReadInto, items: items}
	for held := 0; ; {
		first, err := items.Next()
		c.clock.end()
		if isEnd(err) {
			if items.IsEmpty() {
				return nil, c.never(items.Empty())
			}
			break
		}
		if err != nil {
			return nil, c.never(err)
		}
		s.ahead = append(s.ahead, first)
		s.count()
		if held += len(items.Event().Data); !items.IsPreamble() || held > heldBytes {
			break
		}
	}
	c.ending = items.Incomplete
	c.clock.reached(awaitItem)
	c.live()
	collect(s, c)
	return s, nil
}

// jsonOf returns an item as JSON: data as it came is taken for that.
func jsonOf(item any) ([]byte, error) {
	if text, ok := item.(*string); ok {
		return []byte(*text), nil
	}
	return wire.Marshal(item)
}
