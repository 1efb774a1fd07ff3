package wire

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A connection of HTTP/2 that became a black hole is found by pings that nobody answers, long before the attempt's own time is over; what
// was in flight is in doubt, and the next request goes by another connection.
func TestABlackHoleIsFoundByPings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, connections := h2Server(t, func(c h2Conn, conn int, stream uint32, _ []byte) {
			if conn > 1 || stream == 1 {
				c.created(stream)
			}
		})
		e.pool.tuning.SendPing, e.pool.tuning.Ping = 100*time.Millisecond, 100*time.Millisecond
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		send := func() error {
			resp, err := e.Send(ctx, NewRequest("POST", "/"), Outgoing{Once: true})
			if err == nil {
				resp.Release()
			}
			return err
		}
		if err := send(); err != nil {
			t.Fatal(err)
		}
		var lost *TransportError
		if err := send(); !errors.As(err, &lost) || !lost.Wrote || lost.Refused || errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
			t.Fatalf("%#v (%v)", err, err)
		}
		if err := send(); err != nil || connections.Load() != 2 {
			t.Errorf("after the loss: %v, on %d connections", err, connections.Load())
		}
	})
}
