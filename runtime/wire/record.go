package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
)

// recording is what was read of a body, up to a bound.
type recording struct {
	data  []byte
	limit int
	over  bool // there was more
	whole bool // the end was read
	items int  // how many items may still come, of a stream
}

// add adds what a Read brought, and how it ended.
func (c *recording) add(p []byte, err error) {
	c.whole = c.whole || errors.Is(err, io.EOF)
	if c.over = c.over || len(c.data)+len(p) > c.limit; c.over {
		c.data = nil
		return
	}
	c.data = append(c.data, p...)
}

// Record has the response remember its body while it is read, up to limit bytes, for Recorded.
func (r *Response) Record(limit int) { r.record = &recording{limit: limit} }

// RecordItems is Record for a response that is read item by item, of which there may be that many, for Items.Recorded.
func (r *Response) RecordItems(limit, items int) {
	r.record = &recording{limit: limit, items: items}
	r.NoteCalls()
}

// NoteCalls has note taken of items that call tools, for Items.IsFleeting.
func (r *Response) NoteCalls() { r.calls = true }

// item counts an item that was read.
func (c *recording) item() {
	if c.items--; c.items < 0 {
		c.over, c.data = true, nil
	}
}

// Recorded returns what was read of the body, decompressed, which holds all items; false unless the end of the stream is proven, and it is no
// longer than Response.RecordItems allows. The stream does not use it any more.
func (i *Items[T]) Recorded() ([]byte, bool) {
	c := i.in.r.record
	if c == nil || c.over || !i.in.proven.Load() {
		return nil, false
	}
	return slices.Clone(c.data), true // without the room that it grew into
}

// IsFleeting reports whether an item said that the answer is not to be remembered although it is whole: it asks for a tool to be called. That is
// known of a stream of which Response.NoteCalls wants to know it, in a form that has tools.
func (i *Items[T]) IsFleeting() bool { return i.in.fleeting }

// Recorded returns the body, decompressed; false unless it was read to its end and is no longer than Record allows. The response does not
// use it any more.
func (r *Response) Recorded() ([]byte, bool) {
	c := r.record
	if c == nil || c.over || !c.whole && r.size != 0 && r.method != http.MethodHead {
		return nil, false
	}
	return slices.Clip(c.data), true
}

// Replay returns a response that was remembered, to be read as if it came now. Nobody writes to header and body any more: other responses
// may share them. limit is that of Response.Limit; 0 is DefaultLimit.
func Replay(ctx context.Context, r *Request, status int, header http.Header, body []byte, limit int64) *Response {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &Response{
		Status: status, Header: header, Limit: limit, x: &exchange{Context: ctx}, method: r.method, size: int64(len(body)),
		body: newMemory(body),
	}
}
