package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What is known of an attempt that waited in vain: how far it came, if anything was written, and if it is proven that nothing was executed.
// The connect timeout is not the deadline: it does not say that the time of whoever asked is over.
func TestWhoeverIsSilentIsLeftInTime(t *testing.T) {
	t.Parallel()
	const connect, deadline = time.Second, time.Minute
	endless := func() (io.ReadCloser, error) {
		r, _ := io.Pipe()
		return r, nil
	}
	for name, tt := range map[string]struct {
		base  string
		deaf  bool // nobody accepts
		body  *Content
		want  TransportError
		after time.Duration
	}{
		"nobody accepts": {base: "http://127.0.0.1", deaf: true, want: TransportError{Stage: StageDial, Refused: true}, after: connect},
		"TLS":            {base: "https://127.0.0.1", want: TransportError{Stage: StageTLS, Refused: true}, after: connect},
		"no answer":      {base: "http://127.0.0.1", want: TransportError{Stage: StageWait, Wrote: true}, after: deadline},
		"a request without an end": {
			base: "http://127.0.0.1", body: new(FromFunc(-1, endless)), want: TransportError{Stage: StageSend, Wrote: true}, after: deadline,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := newNetwork()
				t.Cleanup(m.close)
				if !tt.deaf {
					go m.serve(func(c net.Conn, _ int) { _, _ = io.Copy(io.Discard, c) })
				}
				e, err := NewEndpoint(Config{BaseURL: tt.base})
				if err != nil {
					t.Fatal(err)
				}
				e.pool.system = m.dial
				r := NewRequest("POST", "/secret-path")
				if tt.body != nil {
					r.Content("text/plain", *tt.body)
				}
				ctx, cancel := context.WithTimeout(t.Context(), deadline)
				defer cancel()
				began := time.Now()
				_, err = e.Send(ctx, r, Outgoing{Connect: connect})
				took := time.Since(began)
				synctest.Wait()
				got, ok := errors.AsType[*TransportError](err)
				if !ok {
					t.Fatalf("got %v, want a TransportError", err)
				}
				if got.Stage != tt.want.Stage || got.Wrote != tt.want.Wrote || got.Refused != tt.want.Refused || got.Sends != 1 {
					t.Errorf("%+v (%v), want %+v", got, err, tt.want)
				}
				if strings.Contains(err.Error(), "secret-path") {
					t.Errorf("%q shows the URL", err)
				}
				if took != tt.after || errors.Is(err, context.DeadlineExceeded) != (tt.after == deadline) {
					t.Errorf("%v after %s, want it after %s", err, took, tt.after)
				}
			})
		})
	}
}
