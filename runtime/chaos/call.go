package chaos

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/resgen-go/resgen/runtime/wire"
)

// Before fails the call of a Go method in place of the wrapped value. The errors are those that an operation over HTTP would have, which the
// rules of errors know: a *wire.StatusError for an answer, those of the system for connections.
func (in *injection) Before(ctx context.Context) error {
	switch f := in.fault; f.Effect {
	case Refuse:
		if err := wait(ctx, f.Latency); err != nil {
			return err
		}
		return in.refused(nil)
	case Answer:
		if err := wait(ctx, f.Latency); err != nil {
			return err
		}
		header, body := in.answer()
		return in.failed(&wire.StatusError{Status: f.Status, Header: header, Body: []byte(body)})
	case Reset, Hang, Fail:
		return in.end(ctx)
	default:
		return nil
	}
}

// After holds the answer of a Go method back, or drops it.
func (in *injection) After(ctx context.Context) error {
	f := in.fault
	if f.Effect == SlowStart && in.at.Stream {
		return nil // its first item is late
	}
	if err := wait(ctx, f.Latency); err != nil || in.at.Stream {
		return err
	}
	return in.broken(ctx)
}

// Item has the items of a stream come late, stop, break or be malformed.
func (in *injection) Item(ctx context.Context, before int) error {
	switch f := in.fault; {
	case before == 0 && f.Effect == SlowStart:
		return wait(ctx, f.Latency)
	case before < f.After:
		return nil
	default:
		return in.broken(ctx)
	}
}

var errMalformed = errors.New("invalid character '!' looking for beginning of value")

// broken is how an answer ends that has begun; nil where it goes on.
func (in *injection) broken(ctx context.Context) error {
	switch in.fault.Effect {
	case Stall:
		<-ctx.Done()
		return context.Cause(ctx) //nolint:wrapcheck // as connections do
	case Cut:
		return in.failed(io.ErrUnexpectedEOF)
	case Garble:
		return in.failed(&wire.DecodeError{Status: http.StatusOK, MediaType: "application/json", Err: errMalformed})
	default:
		return nil
	}
}
