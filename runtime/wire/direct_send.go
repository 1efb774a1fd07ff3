package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxHeader is how many bytes the header of an answer may have, interim answers included, as of http.Transport.
const maxHeader = 10 << 20

var (
	errHeaderSize = fmt.Errorf("the header of the answer has more than %d bytes", maxHeader)
	errNoAnswer   = errors.New("the connection ended before an answer came")
	errEnded      = errors.New("the connection ended while it was kept")
)

// send writes the request and reads the header of its answer. After an error the connection is of no use.
func (l *link) send(ctx context.Context, req *http.Request, tell report) (*http.Response, error) {
	l.ctx, l.tell = ctx, tell
	l.wrote, l.heard, l.broke = l.conn.written.Load(), false, false
	l.uses++
	l.stop = afterFunc(ctx, l.interrupt)
	if tell.isPlain() && l.socket != nil {
		if hasNoBody(req) || tell.x.isUnread(req) {
			if text, ok := appendRequest(l.out.AvailableBuffer(), req, tell.x.data); ok {
				return l.ask(req, text)
			}
		}
		if l.uses > 1 && !l.isQuiet() {
			return nil, l.ended()
		}
	}
	err := req.Write(l.out)
	if err == nil {
		err = l.out.Flush()
	}
	if err == nil {
		return l.receive(req)
	}
	if l.broke = l.conn.failed.Load(); !l.broke {
		return nil, err //nolint:wrapcheck // what is wrong with the request, as http.Transport says it
	}
	if broken := l.out.Flush(); broken != nil {
		err = broken // Write hides it from errors.Is, where it was writing the body
	}
	return l.receiveEarly(req, err)
}

// ask is send of a request that fits into one write, and of which nobody but the exchange is told.
func (l *link) ask(req *http.Request, text []byte) (*http.Response, error) {
	l.asks = text
	resp, err := l.receive(req)
	switch {
	case err == nil:
		return resp, nil // the connection may serve another request by now
	case errors.Is(err, errEnded):
		return nil, l.ended()
	case l.conn.failed.Load():
		return l.receiveEarly(req, err)
	default:
		return nil, err
	}
}

// ended returns that the connection ended while nobody used it.
func (l *link) ended() error {
	l.tell.x.lostConn()
	return errEnded
}

// receiveEarly reads the answer to a request that could not be written: the server may have answered before it closed the connection.
func (l *link) receiveEarly(req *http.Request, failed error) (*http.Response, error) {
	if l.conn.written.Load() == l.wrote {
		return nil, failed
	}
	l.last = true
	resp, err := l.receive(req)
	if err != nil {
		return nil, failed
	}
	return resp, nil
}

// afterFunc is context.AfterFunc for the context of a request. That of an attempt may know of a cheaper way, which what is around it hides.
func afterFunc(ctx context.Context, f func()) (stop func() bool) {
	if x, ok := ctx.(*exchange); ok {
		if own, ok := x.Context.(interface{ AfterFunc(f func()) func() bool }); ok {
			return own.AfterFunc(f)
		}
	}
	return context.AfterFunc(ctx, f)
}

// receive reads the header of the answer. Interim answers are passed over (RFC 9110, section 15.2).
func (l *link) receive(req *http.Request) (*http.Response, error) {
	l.left = maxHeader
	if _, err := l.in.Peek(1); err != nil {
		if l.broke = true; errors.Is(err, io.EOF) {
			err = fmt.Errorf("%w: %w", errNoAnswer, err)
		}
		return nil, err
	}
	l.heard = true
	l.tell.firstByte()
	if resp := l.readUsual(req); resp != nil {
		l.left = unlimited
		return resp, nil
	}
	for {
		resp, err := http.ReadResponse(l.in, req)
		switch {
		case l.left <= 0:
			return nil, errHeaderSize
		case err != nil:
			return nil, fmt.Errorf("HTTP/1.1: the header of the answer: %w", err)
		case resp.StatusCode >= 100 && resp.StatusCode < 200 && resp.StatusCode != http.StatusSwitchingProtocols:
			heard, err := l.tell.interim(resp)
			if err != nil {
				return nil, err
			}
			if heard { // whoever hears of them bounds their number, as with http.Transport
				l.left = maxHeader
			}
		default:
			l.left = unlimited
			return l.answer(resp), nil
		}
	}
}
