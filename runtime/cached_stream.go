package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

const (
	// streamLargest is the largest stream that is kept, in bytes as they came: a chunk of a chat completion takes 300 for a word.
	streamLargest = 4 << 20
	// streamItems is the number of items of the largest stream that is kept: they are all there when it is replayed.
	streamItems = 16_384
)

var errTooManyItems = fmt.Errorf("more than %d items are remembered", streamItems)

// begin begins a stream with its response: one that may be remembered is recorded, and one that is needs no more than to be counted anew.
func (at Attempt) begin(c *streamCore, resp *wire.Response, req *wire.Request) {
	if at.recalls() {
		resp.NoteCalls()
		if counted := at.op.at(policy.PrimaryTarget).counted; counted != nil { // for Stream.Usage: nothing is spent
			c.meter = &meter{fields: counted}
			resp.OnJSON(&c.meter.fields.pointers, c.meter.read)
		}
		return
	}
	c.longest = at.longest(req)
	if m := at.memo; m != nil && m.keeps(resp) {
		resp.RecordItems(streamLargest, streamItems)
		m.since = time.Now()
		c.memo = m
	}
}

// outlast returns the context of a replay. After the caller's deadline what is remembered may still be given, as what is fixed is; then it
// is read without one.
func outlast(ctx context.Context) context.Context {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// replay makes the stream of items that are remembered. All are read before the first is given: what does not come to its proven end is not
// there, as what cannot be read is not.
func replay[T any](c *streamCore, items *wire.Items[T]) (*Stream[T], error) {
	c.body = items
	s := &Stream[T]{c: c, next: items.ReadInto, items: items}
	for {
		item, err := items.Next()
		switch {
		case isEnd(err) && items.IsEmpty():
			return nil, c.never(items.Empty())
		case isEnd(err) && isPassing(items):
			return nil, c.never(errNotKept)
		case isEnd(err):
			c.live()
			collect(s, c)
			return s, nil
		case err != nil:
			return nil, c.never(err)
		case len(s.ahead) == streamItems:
			return nil, c.never(&wire.DecodeError{Err: errTooManyItems})
		}
		s.ahead = append(s.ahead, item)
	}
}

// isPassing reports whether a stream that has come to its end is for nobody else: it was cut, or calls a tool.
func isPassing[T any](items *wire.Items[T]) bool {
	return items.Incomplete() != "" || items.IsFleeting()
}

// endItems makes an entry of a stream that has come to its proven end, if that is one to be remembered. It is as old as its
// beginning: how quickly it was read is the caller's affair.
func endItems[T any](m *memo, items *wire.Items[T]) bool {
	body, ok := items.Recorded()
	if !ok || isPassing(items) {
		return false
	}
	m.entry, m.made = Entry{Status: items.Response().Status, Body: body, Stored: m.since}, true
	if typ := items.Response().Header.Get("Content-Type"); typ != "" {
		m.entry.Header = http.Header{"Content-Type": {typ}}
	}
	return true
}

// remember has the cache keep a stream that has come to its proven end, before its reader learns of that.
func (c *streamCore) remember() {
	c.mu.Lock()
	leases, ended := c.leases, c.ended
	c.mu.Unlock()
	if ended || c.memo == nil || c.entryOf == nil || c.substitutes() || !c.entryOf(c.memo) {
		return
	}
	for _, l := range leases {
		if l.memo == c.memo {
			l.op.keep(l.ctx, l.asked, c.memo.entry)
		}
	}
}

// substitutes reports whether an item after the first said that another gives the answer than was asked for.
func (c *streamCore) substitutes() bool {
	served, asked := c.meter.whoServed()
	return c.op.plan.Served.Substitutes(asked, served)
}
