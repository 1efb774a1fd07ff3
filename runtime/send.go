package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// Send makes one attempt: it sends the request to the attempt's target and reads the response. The body is closed when it returns, unless
// read made a value that keeps it (a download): then that closes it. Its errors are what the wire says; the driver says what they mean.
func Send[T any](ctx context.Context, h *HTTP, at Attempt, req *wire.Request, read func(*wire.Response) (T, error)) (T, error) {
	if at.batch != nil {
		return sendBatch(ctx, h, at, req, read)
	}
	var none T
	resp, err := h.send(ctx, at, req)
	if err != nil {
		return none, err
	}
	defer resp.Release()
	if at.memo != nil {
		at.memo.begin(resp)
	}
	v, err := read(resp)
	if err != nil {
		return none, err
	}
	said := resp.Sentence()
	if m := at.memo; m != nil && m.reads && (said.Incomplete != "" || said.Fleeting) {
		return none, errNotKept
	}
	if err := at.refuses(); err != nil {
		return none, err
	}
	at.judged(said)
	if at.memo != nil {
		at.memo.end(resp)
	}
	return v, nil
}

// Call makes a call whose attempts send a request, and do nothing else: Do with Send. The request is the call's, which settles it: it must not be
// used again.
func Call[T any](ctx context.Context, h *HTTP, op *Operation, req *wire.Request, read func(*wire.Response) (T, error)) (T, error) {
	v, err := Do(ctx, op, func(ctx context.Context, at Attempt) (T, error) { return Send(ctx, h, at, req, read) })
	if op.straight && op.abandoned == nil { // its attempts were made one after the other, and have ended
		req.Settle()
	}
	return v, err
}

// errNotKept is an entry of a store that no answer was kept as.
var errNotKept = errors.New("the store gave an answer that is not kept: cut, or a call of a tool")

var errNoTarget = errors.New("the client has no such target")

// send makes one attempt up to the header of the response.
func (h *HTTP) send(ctx context.Context, at Attempt, req *wire.Request) (*wire.Response, error) {
	return h.sendPart(ctx, at, req, "")
}

// sendPart is send for a request that sends some of the items again, of which part is the name; empty for all.
func (h *HTTP) sendPart(ctx context.Context, at Attempt, req *wire.Request, part string) (*wire.Response, error) {
	at.isMade()
	if m := at.memo; at.recalls() {
		resp := wire.Replay(ctx, req, m.entry.Status, m.entry.Header, m.entry.Body, h.limit)
		resp.JudgeBy(at.op.at(policy.PrimaryTarget).judge) // a store may have been written to by anybody
		return resp, nil
	}
	name := at.Target
	if name == "" {
		name = policy.PrimaryTarget
	}
	t := h.targets[name]
	if t == nil || t.endpoint == nil {
		return nil, fmt.Errorf("%w: target %q: %w", wire.ErrRequest, name, errNoTarget)
	}
	out := wire.Outgoing{Header: at.header(), Next: at.next()}
	var fields [4]wire.Field
	out.Fields = fields[:0]
	if plan := at.plan(); plan != nil {
		out.Connect = plan.Timeout.Connect
		out.Once = plan.Idempotency == policy.None
		if key := at.keyOfPart(req, part); key != "" && plan.Key.Header != "" {
			key, err := formatKey(key, plan.Key.Format)
			if err != nil {
				return nil, err
			}
			out.Fields = append(out.Fields, wire.Field{Name: plan.Key.Header, Value: key})
		}
	}
	if t.Internal {
		var err error
		if out.Fields, err = h.signals(ctx, at, out.Fields); err != nil {
			return nil, err
		}
	}
	if h.chaos != nil && at.op != nil {
		ctx = at.meets(ctx, t)
	}
	resp, err := t.endpoint.Send(ctx, req, out)
	if err != nil {
		return nil, err
	}
	at.sent(resp.Sends)
	at.learn(resp.Header)
	at.count(req, resp)
	if at.op != nil && at.op.space != nil {
		at.op.space.check(req, resp)
	}
	if meta := at.meta(); meta != nil {
		meta.Status, meta.Header, meta.RequestID = resp.Status, resp.Header, requestID(resp.Header)
	}
	return resp, nil
}

// count has the answer judged, and what it uses counted: in one walk where both are to be done, and in the decoder's for the items of a stream.
func (at Attempt) count(req *wire.Request, resp *wire.Response) {
	if at.op == nil {
		return
	}
	isGood, m, of := resp.Status/100 == http.StatusOK/100, at.meter, at.op.at(at.Target)
	if m != nil {
		m.serve(&at, req, resp.Header)
		if isGood && of.reads != nil && m.fields == of.counted {
			resp.JudgeAndFind(of.reads, m.read)
			return
		}
		resp.OnJSON(&m.fields.pointers, m.read)
	}
	if isGood {
		resp.JudgeBy(of.judge)
	}
}

// formatKey writes an idempotency key as its header wants it.
func formatKey(key string, format policy.KeyFormat) (string, error) {
	if format != policy.KeySFString {
		return key, nil
	}
	for _, r := range key {
		if r < ' ' || r > '~' {
			return "", fmt.Errorf("%w: idempotency key: a structured-field string holds printable ASCII only", wire.ErrRequest)
		}
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`, nil
}

// requestID returns the id that the target gave the request, under the names that are in use.
func requestID(header http.Header) string {
	for _, name := range [...]string{"X-Request-Id", "Request-Id", "Apim-Request-Id", "X-Ms-Request-Id", "X-Amzn-Requestid", "Cf-Ray"} {
		if id := header.Get(name); id != "" {
			return id
		}
	}
	return ""
}
