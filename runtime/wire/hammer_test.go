package wire_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// kept is what a caller keeps of a call, with what it was when it came.
type kept struct {
	id     string
	parcel *parcel
	bytes  [][2][]byte
}

func (k *kept) hold(b []byte) { k.bytes = append(k.bytes, [2][]byte{b, bytes.Clone(b)}) }

func (k *kept) check() error {
	if k.parcel != nil {
		if err := k.parcel.check(k.id); err != nil {
			return err
		}
	}
	for _, b := range k.bytes {
		if !bytes.Equal(b[0], b[1]) {
			return fmt.Errorf("call %s: what was kept changed: %.80q, was %.80q", k.id, b[0], b[1])
		}
	}
	return nil
}

// What one call sends and gets never shows in another, whatever comes between: answers that are early, cut, slow or compressed, redirects,
// calls that are given up. And what a caller keeps of a call stays as it was.
func TestCallsNeverShareBytes(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]func(*httptest.Server){
		"HTTP/1.1": (*httptest.Server).Start,
		"TLS":      (*httptest.Server).StartTLS,
		"HTTP/2":   func(s *httptest.Server) { s.EnableHTTP2 = true; s.StartTLS() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := new(carrier)
			s := httptest.NewUnstartedServer(c)
			serve(s)
			t.Cleanup(s.Close)
			config := wire.Config{BaseURL: s.URL}
			if s.TLS != nil {
				config.Client = &http.Client{Transport: s.Client().Transport}
			}
			e := endpoint(t, config)
			rounds := 30
			if testing.Short() {
				rounds = 10
			}
			var all sync.WaitGroup
			for worker := range 8 {
				all.Go(func() {
					var held []*kept
					for i := range rounds {
						k, err := carry(e, fmt.Sprintf("%d-%d", worker, i))
						if err != nil {
							t.Error(err)
							return
						}
						held = append(held, k)
					}
					for _, k := range held {
						if err := k.check(); err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
			if text := c.damaged.Load(); text != nil {
				t.Errorf("the server got %s", *text)
			}
			if c.got.Load() == 0 {
				t.Error("the server got nothing")
			}
		})
	}
}

// carry makes one call of a random kind.
func carry(e *wire.Endpoint, id string) (*kept, error) {
	paths := []string{"/echo", "/echo", "/early", "/earlyerror", "/redirect", "/redirectlate", "/cut", "/gzip", "/slow", "/stream"}
	path := paths[rand.IntN(len(paths))]
	size := []int{10, 300, 3000, 20_000, 200_000}[rand.IntN(5)]
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if rand.IntN(4) == 0 {
		defer time.AfterFunc(time.Duration(rand.IntN(3000))*time.Microsecond, cancel).Stop()
	}
	req := wire.NewRequest("POST", path)
	req.Query("id", wire.Form, id)
	req.Query("size", wire.Form, size)
	req.JSON(packed(id, size))
	defer req.Settle() // the next call may have the memory
	k := &kept{id: id}
	resp, err := e.Send(ctx, req, wire.Outgoing{})
	if err != nil {
		return k, unexpected(path, err)
	}
	defer resp.Release()
	if path == "/stream" {
		return k, k.stream(resp)
	}
	if path != "/earlyerror" && rand.IntN(4) == 0 {
		body, err := wire.Bytes(resp)
		k.hold(body)
		return k, unexpected(path, err)
	}
	resp.Record(1 << 20)
	p, err := wire.JSONOn[parcel](resp, http.StatusOK)
	if body, ok := resp.Recorded(); ok {
		k.hold(body)
	}
	var status *wire.StatusError
	var decode *wire.DecodeError
	switch {
	case err == nil:
		k.parcel = p
		k.hold(p.Raw)
		k.hold(p.Bytes)
		k.hold(p.One.Raw())
		return k, p.check(id)
	case errors.As(err, &status):
		k.hold(status.Body)
		if !strings.Contains(string(status.Body[:min(len(status.Body), 100)]), `"id":"`+id+`"`) {
			return k, fmt.Errorf("%s: the error has the body %.80q", id, status.Body)
		}
	case errors.As(err, &decode):
		k.hold(decode.Body)
		if ctx.Err() == nil && path != "/cut" {
			return k, fmt.Errorf("%s: %w: %.80q", path, err, decode.Body)
		}
	}
	return k, unexpected(path, err)
}

// unexpected returns an error that nothing which the server or the caller did explains.
func unexpected(path string, err error) error {
	var transport *wire.TransportError
	var status *wire.StatusError
	if err == nil || errors.As(err, &transport) || errors.As(err, &status) || path == "/cut" {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}

func (k *kept) stream(resp *wire.Response) error {
	items, err := wire.JSONItems[parcel](resp, policy.Stream{Format: policy.SSE})
	if err != nil {
		return unexpected("/stream", err)
	}
	defer items.Close()
	for {
		p, err := items.Next()
		if err == io.EOF { //nolint:errorlint // the proven end
			return nil
		}
		if err != nil {
			return unexpected("/stream", err)
		}
		if err := p.check(k.id); err != nil {
			return err
		}
		k.parcel = &p
		k.hold(p.Raw)
		k.hold(p.One.Raw())
		k.hold(p.Bytes)
	}
}

// What FromBytes was given may be used again at once: a request that is answered early is still being sent when the call is over.
func TestFromBytesKeepsACopy(t *testing.T) {
	t.Parallel()
	came := make(chan string, 1)
	base, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/early" {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		body, _ := io.ReadAll(r.Body)
		came <- string(body)
	})
	e := endpoint(t, wire.Config{BaseURL: base})
	for _, path := range []string{"/early", "/whole"} {
		data := bytes.Repeat([]byte("a"), 4<<20)
		req := wire.NewRequest(http.MethodPost, path)
		req.Content("text/plain", wire.FromBytes(data))
		copy(data, "changed before it is sent")
		if resp, err := e.Send(t.Context(), req, wire.Outgoing{}); err == nil {
			resp.Release()
		}
		copy(data, "changed when the call is over")
	}
	if body := <-came; strings.Trim(body, "a") != "" || len(body) != 4<<20 {
		t.Errorf("%d bytes came, which begin with %.40q", len(body), body)
	}
}
