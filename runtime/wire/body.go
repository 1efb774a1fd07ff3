package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

// body is a request body: data, or parts that are opened one after the other.
type body struct {
	mediaType string
	data      []byte
	parts     []Content
	size      int64 // -1: unknown, sent in chunks
	once      bool
	json      bool              // data is a JSON text
	long      codec.LongMembers // of data
	lent      *codec.Loan       // of data; nil: it is nobody else's
}

func memoryBody(mediaType string, data []byte) body {
	return body{mediaType: mediaType, data: data, size: int64(len(data))}
}

func partsBody(mediaType string, parts []Content) body {
	b := body{mediaType: mediaType, parts: parts}
	for _, p := range parts {
		b.once = b.once || p.once
		if p.size < 0 || b.size < 0 {
			b.size = -1
			continue
		}
		b.size += p.size
	}
	return b
}

func (b *body) isEmpty() bool { return b.mediaType == "" }

// open returns a reader of all parts for a request with that context. Each call returns one of its own.
func (b *body) open(ctx context.Context) (io.ReadCloser, error) {
	for _, p := range b.parts { // a one-shot body that was sent fails now, not in the middle of a request
		if p.used != nil && p.used.Load() {
			return nil, ErrNotReplayable
		}
	}
	return &chain{ctx: ctx, parts: b.parts}, nil
}

// memory reads bytes of a part, or of an answer. It is a type so that one allocation holds reader and closer.
type memory struct{ bytes.Reader }

func newMemory(data []byte) *memory {
	m := &memory{}
	m.Reset(data)
	return m
}

// Close does nothing.
func (*memory) Close() error { return nil }

// chain reads contents one after the other, opening each when it is its turn: nothing is held but one buffer. A reader that blocks
// does not hold the request beyond its context, which net/http does not see to: it waits for a Read of the body to return.
type chain struct {
	ctx context.Context //nolint:containedctx // the request's: it outlives no call that has one
	buf []byte

	mu     sync.Mutex // HTTP/2 closes a body while it is read
	parts  []Content
	open   io.ReadCloser
	closed bool
}

// Read reads from the current part. An error of a part is the request's error.
func (c *chain) Read(p []byte) (int, error) {
	for {
		r, err := c.part()
		if err != nil {
			return 0, c.ours(err)
		}
		n, err := c.read(r, p)
		if !errors.Is(err, io.EOF) {
			return n, c.ours(err)
		}
		if err := c.next(); err != nil || n > 0 {
			return n, err
		}
	}
}

// sourceError is the caller's own reader or file failing: a fault of the request, and no evidence against who should have got it.
type sourceError struct{ error }

// Unwrap returns what the reader said.
func (e *sourceError) Unwrap() error { return e.error }

// ours marks an error of a part. The end of the context, and of the body, are none.
func (c *chain) ours(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || c.ctx.Err() != nil {
		return err
	}
	return &sourceError{err}
}

// part returns the current part, opened.
func (c *chain) part() (io.Reader, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return nil, io.ErrClosedPipe
	case c.open == nil && len(c.parts) == 0:
		return nil, io.EOF
	case c.open == nil:
		r, err := c.parts[0].open()
		if err != nil {
			return nil, err
		}
		c.open, c.parts = r, c.parts[1:]
	}
	return c.open, nil
}

// read reads from a part until the context ends. What blocks then is closed, and left to return when it can.
func (c *chain) read(r io.Reader, p []byte) (int, error) {
	if m, ok := r.(*memory); ok {
		return m.Read(p) //nolint:wrapcheck // a reader passes errors through
	}
	if c.buf == nil {
		c.buf = make([]byte, 32<<10) //nolint:mnd // as io.Copy
	}
	type result struct {
		n   int
		err error
	}
	buf := c.buf[:min(len(p), len(c.buf))]
	done := make(chan result, 1)
	go func() {
		n, err := r.Read(buf)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(p, buf[:got.n]), got.err
	case <-c.ctx.Done():
		_ = c.Close()                  // it is given up
		return 0, context.Cause(c.ctx) //nolint:wrapcheck // why the attempt ended
	}
}

// next closes the part that was read to its end.
func (c *chain) next() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		return nil
	}
	r := c.open
	c.open = nil
	return r.Close() //nolint:wrapcheck // a reader passes errors through
}

// Close closes the part that is open; nothing can be read any more.
func (c *chain) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	return c.next()
}

// JSON sets a JSON body. Nothing is sent for nil, a nil pointer and an Opt that is not set; a nil list or map is an empty one.
func (r *Request) JSON(v any) { r.JSONAs("application/json", v) }

// JSONAs is JSON with a media type of the document's own, parameters included.
func (r *Request) JSONAs(mediaType string, v any) {
	if isAbsent(v) {
		return
	}
	r.body.long = codec.LongMembers{}
	data, lent, err := codec.MarshalLoan(v, &r.body.long)
	if err != nil {
		r.Fail(fmt.Errorf("encode body: %w", err))
		return
	}
	b := memoryBody(concrete(mediaType, "", "application/json"), data)
	b.json, b.long, b.lent = true, r.body.long, lent
	r.setBody(b)
}

// Text sets a text body: a string, or any other scalar, which is written as parameters are. Nothing is sent for nil, a nil
// pointer and an Opt that is not set.
func (r *Request) Text(mediaType string, v any) {
	n, err := nodeOf(v)
	if err == nil && n.kind > scalar {
		err = errNested
	}
	if err != nil {
		r.Fail(fmt.Errorf("encode body: %w", err))
		return
	}
	if n.kind == scalar {
		r.setBody(memoryBody(concrete(mediaType, "", "text/plain; charset=utf-8"), []byte(n.text)))
	}
}

// JSONLines sets a body of JSON Lines (ndjson), or of a JSON text sequence (RFC 7464) where the media type says so: each item of the list
// v is a JSON text of its own. An empty list is an empty body; nothing is sent for nil.
func (r *Request) JSONLines(mediaType string, v any) {
	if list := reflect.ValueOf(v); isAbsent(v) || list.Kind() == reflect.Slice && list.IsNil() {
		return
	}
	text, err := Marshal(v)
	if err != nil {
		r.Fail(fmt.Errorf("encode body: %w", err))
		return
	}
	if jsontext.IsNull(text) {
		return
	}
	items := jsontext.At(text)
	if !items.Open('[') {
		r.Fail(fmt.Errorf("encode body: a list is needed, not the JSON %s", jsontext.KindOf(text)))
		return
	}
	begin := ""
	if strings.HasSuffix(essence(mediaType), "json-seq") {
		begin = recordSeparator
	}
	data := make([]byte, 0, len(text))
	for items.Item() {
		data = append(append(append(data, begin...), items.Skip()...), '\n')
	}
	r.setBody(memoryBody(concrete(mediaType, "", "application/jsonl"), data))
}

// Content sets a body of bytes as they are. Where the document has a range such as image/*, or lists several media types separated by
// commas, the content may know its own (Content.Typed): of several the first is sent otherwise, and a range is none. Nothing is sent for
// the zero Content.
func (r *Request) Content(mediaType string, c Content) {
	if c.IsZero() {
		return
	}
	fallback := ""
	if mediaType == "" || strings.HasPrefix(mediaType, "*") {
		fallback = octetStream
	}
	typ := concrete(mediaType, c.mediaType, fallback)
	if typ == "" {
		r.Fail(fmt.Errorf("encode body: the document says %s: say which with Content.Typed", mediaType))
		return
	}
	if c.isMemory() {
		r.setBody(memoryBody(typ, c.data))
		return
	}
	r.setBody(partsBody(typ, []Content{c}))
}

func (r *Request) setBody(b body) {
	r.body = b
	r.setHeader("Content-Type", b.mediaType)
	if err := checkHeader("Content-Type", b.mediaType); err != nil {
		r.Fail(fmt.Errorf("media type of the body: %w", err))
	}
}

const octetStream = "application/octet-stream"

// concrete returns the media type to send: what the document says, unless that is a range or a list, then the content's own, then
// the first of the list, then fallback.
func concrete(document, own, fallback string) string {
	if strings.Contains(document, ",") && !strings.Contains(document, `"`) {
		list := strings.Split(document, ",")
		document = ""
		for i, one := range list {
			if list[i] = strings.TrimSpace(one); document == "" || own != "" && sameType(list[i], own) {
				document = list[i]
			}
		}
	}
	switch {
	case document != "" && !strings.Contains(document, "*"):
		return document
	case own != "" && !strings.Contains(own, "*"):
		return own
	default:
		return fallback
	}
}

// sameType reports whether a media type, or a range of them, stands for another.
func sameType(document, own string) bool {
	of, one := essence(document), essence(own)
	prefix, isRange := strings.CutSuffix(of, "*")
	return of == one || isRange && strings.HasPrefix(one, strings.TrimSuffix(prefix, "*/"))
}
