package wire

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// counted counts the writes of a connection: to the system each is a packet of its own.
type counted struct {
	net.Conn

	writes *atomic.Int32
}

// Write counts.
func (c counted) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

// A body in memory goes out in the packet of its header, or what does not fit there in one more, and comes whole on every attempt, whatever
// its size.
func TestBodiesInMemoryAreSentWhole(t *testing.T) {
	t.Parallel()
	var got atomic.Value
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got.Store(body)
	}))
	t.Cleanup(s.Close)
	e, err := NewEndpoint(Config{BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.CloseIdleConnections)
	var writes atomic.Int32
	connections := e.pool.connections(time.Now())
	dial := func(ctx context.Context, network, address string) (*tracked, error) {
		c, err := e.pool.dialTracked(ctx, network, address)
		if err == nil {
			c.Conn = counted{c.Conn, &writes}
		}
		return c, err
	}
	connections.direct.dial = dial
	connections.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return dial(ctx, network, address)
	}
	for size, most := range map[int]int32{1: 1, 100: 1, 8 << 10: 1, 15 << 10: 1, 16 << 10: 2, 17 << 10: 2, 100 << 10: 2, 3 << 20: 2} {
		body := []byte(strings.Repeat("0123456789abcdef", size/16+1)[:size])
		asBytes, asText := NewRequest(http.MethodPost, "/"), NewRequest(http.MethodPost, "/")
		asBytes.Content("text/plain", FromBytes(body))
		asText.Text("text/plain", string(body))
		for _, r := range []*Request{asBytes, asBytes, asText} {
			writes.Store(0)
			resp, err := e.Send(t.Context(), r, Outgoing{})
			if err != nil {
				t.Fatalf("%d bytes: %v", size, err)
			}
			resp.Release()
			if came, _ := got.Load().([]byte); !bytes.Equal(came, body) || writes.Load() > most {
				t.Errorf("%d bytes: %d came, in %d packets of at most %d", size, len(came), writes.Load(), most)
			}
		}
	}
}
