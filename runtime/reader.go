package runtime

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/resgen-go/resgen/runtime/policy"
)

// headSize is how much is read of a body before the call is answered.
const headSize = 4 << 10

// openedReader is the body that a Go method returned, its beginning read. Of its methods, Close may be called from another goroutine.
type openedReader struct {
	c    *streamCore
	from *onceCloser // nil for a method that returned none
	head []byte      // what was read before the call was answered
	last error       // that came with the head
}

// onceCloser closes a body once, and remembers what that said.
type onceCloser struct {
	io.ReadCloser

	once sync.Once
	err  error
	late latePanic // of its Close
}

// Close closes the body, on whatever goroutine its end is noticed.
func (o *onceCloser) Close() error {
	o.once.Do(func() {
		defer o.late.keep()
		o.err = o.ReadCloser.Close()
	})
	return o.err
}

// openReader opens the body that made returns, up to its first byte.
//
//nolint:contextcheck // what a stream holds is released with the contexts that it was made with
func openReader(
	ctx context.Context, at Attempt, made func(ctx context.Context) (io.ReadCloser, error),
) (*openedReader, error) {
	c := newFlowCore(ctx, at, true)
	came := false
	defer c.abort(&came)
	body, fault, err := flawedFlow(c.ctx, at, made, io.ReadCloser.Close)
	if err != nil {
		return nil, c.never(err)
	}
	r := &openedReader{c: c}
	if body == nil {
		came = true
		c.finish(io.EOF, policy.Success)
		return r, nil
	}
	if fault != nil {
		body = &flawedBody{ReadCloser: body, ctx: c.ctx, fault: fault}
	}
	from := &onceCloser{ReadCloser: body}
	r.from, c.body = from, from
	// A read that is under way ends when its body is closed, whether or not it looks at its context.
	context.AfterFunc(c.ctx, func() { _ = from.Close() })
	if err = r.begin(); err != nil {
		err = c.never(err)
		from.late.raise()
		return nil, err
	}
	c.clock.reached(awaitItem)
	c.live()
	collect(r, c)
	came = true
	return r, nil
}

// begin reads up to the first byte.
func (r *openedReader) begin() error {
	buf := make([]byte, headSize)
	r.c.clock.begin()
	defer r.c.clock.end()
	const mostEmpty = 100 // as bufio.Reader, which gives up on a reader that returns neither bytes nor an error
	for range mostEmpty {
		n, err := r.from.Read(buf)
		if n > 0 {
			r.head, r.last = buf[:n], err
			return nil
		}
		switch {
		case isEnd(err):
			r.last = err
			return nil
		case err != nil:
			return err //nolint:wrapcheck // it is what the body says
		}
	}
	return io.ErrNoProgress
}

// Read reads on.
func (r *openedReader) Read(p []byte) (int, error) {
	err := r.c.failed()
	switch {
	case len(r.head) > 0 && !errors.Is(err, ErrStreamClosed):
		n := copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	case err != nil:
		return 0, err
	case r.last != nil:
		return 0, r.broke(r.last)
	}
	n, err := r.more(p)
	if n > 0 {
		r.c.clock.got(n)
	}
	if err != nil {
		err = r.broke(err)
	}
	return n, err
}

// more reads from the body itself. Where that panics, or ends the goroutine, its reader may not come to close it.
func (r *openedReader) more(p []byte) (int, error) {
	returned := false
	defer func() {
		if !returned {
			r.c.finish(errAborted, policy.Failure)
		}
	}()
	r.c.clock.begin()
	n, err := r.from.Read(p)
	r.c.clock.end()
	returned = true
	return n, err //nolint:wrapcheck // it is what the body says
}

// broke ends the body with what a read returned, and returns what the reader gets.
func (r *openedReader) broke(err error) error {
	err = r.c.broke(err)
	r.from.late.raise()
	return err
}

// Close ends the body.
func (r *openedReader) Close() error {
	r.c.finish(ErrStreamClosed, policy.Success)
	if r.from == nil {
		return nil
	}
	err := r.from.Close()
	r.from.late.raise()
	return err
}

// hold takes what the call held.
func (r *openedReader) hold(l *lease) { r.c.take(l) }

// OpenReader is Open for a method that returns a body to be read. The call is answered when its first byte is there, or its end: until then it
// is tried again, hedged, and taken to other rungs; from then on, never. Read it to its end, or close it: what the call holds is given back
// then, once, and when the context of the call ends.
//
// Bytes are waited for as the plan says: to the first one, from one read to the next, and from the first to the last. A read that takes too
// long ends by its context, and by the Close of the body, which is called while the read is under way.
func OpenReader(
	ctx context.Context, op *Operation, run func(context.Context, Attempt) (io.ReadCloser, error), in ...Input,
) (io.ReadCloser, error) {
	res, err := OpenReaderResult(ctx, op, run, in...)
	return res.Value, err
}

// OpenReaderResult is OpenReader for an operation with a fallback ladder.
func OpenReaderResult(
	ctx context.Context, op *Operation, run func(context.Context, Attempt) (io.ReadCloser, error), in ...Input,
) (Result[io.ReadCloser], error) {
	res, err := openResult(ctx, op, func(ctx context.Context, at Attempt) (*openedReader, error) {
		return openReader(ctx, at, func(ctx context.Context) (io.ReadCloser, error) { return run(ctx, at) })
	}, in...)
	switch {
	case err != nil:
		return Result[io.ReadCloser]{}, err
	case res.Value.from == nil:
		return resultAs[*openedReader, io.ReadCloser](res, nil), nil
	default:
		return resultAs[*openedReader, io.ReadCloser](res, res.Value), nil
	}
}
