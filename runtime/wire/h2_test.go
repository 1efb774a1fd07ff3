package wire

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The frames of HTTP/2 that the script needs (RFC 9113, section 6).
const (
	frameData, frameHeaders, frameReset, frameSettings, framePing, frameGoAway = 0, 1, 3, 4, 6, 7

	flagAck, flagEndStream, flagEndHeaders = 1, 1, 4
)

// h2Conn is a connection of a server that speaks just enough HTTP/2 to fail as its script says.
type h2Conn struct {
	net.Conn

	t *testing.T
}

func (c h2Conn) frame(kind, flags byte, stream uint32, payload []byte) {
	head := []byte{0, byte(len(payload) >> 8), byte(len(payload)), kind, flags, 0, 0, 0, 0}
	binary.BigEndian.PutUint32(head[5:], stream)
	_, _ = c.Write(append(head, payload...)) // the client may be gone
}

// created answers with status 201 and no body.
func (c h2Conn) created(stream uint32) {
	c.frame(frameHeaders, flagEndStream|flagEndHeaders, stream, []byte("\x08\x03201"))
}

func (c h2Conn) reset(stream, code uint32) {
	c.frame(frameReset, 0, stream, binary.BigEndian.AppendUint32(nil, code))
}

func (c h2Conn) goAway(last uint32) {
	c.frame(frameGoAway, 0, 0, binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, last), 0))
}

// h2Window is how much of a body is sent that nobody makes room for (RFC 9113, section 6.9.2).
const h2Window = 1<<16 - 1

// h2Server serves connections by a script that is told of each whole request: on which connection (from 1) and stream, and its body. Of
// a body that is larger than the window it is told when the window is full. It is to be made in a bubble: it is in memory, so that what ends in
// time does so in virtual time.
func h2Server(t *testing.T, onRequest func(c h2Conn, conn int, stream uint32, body []byte)) (e *Endpoint, connections *atomic.Int32) {
	t.Helper()
	certificate, roots := selfSigned(t)
	m := newNetwork()
	t.Cleanup(m.close)
	connections = new(atomic.Int32)
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS13}
	go m.serve(func(c net.Conn, n int) {
		connections.Add(1)
		h2Conn{tls.Server(c, config), t}.serve(func(c h2Conn, stream uint32, body []byte) { onRequest(c, n, stream, body) })
	})
	e, err := NewEndpoint(Config{BaseURL: "https://127.0.0.1", TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS13}})
	if err != nil {
		t.Fatal(err)
	}
	e.pool.system = m.dial
	t.Cleanup(e.CloseIdleConnections)
	return e, connections
}

// selfSigned returns a certificate of the server that is good now, in virtual time too, and who trusts it.
func selfSigned(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, key)
	if err != nil {
		t.Fatal(err)
	}
	own, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(own)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}

func (c h2Conn) serve(onRequest func(h2Conn, uint32, []byte)) {
	defer c.Close()
	if _, err := io.CopyN(io.Discard, c, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))); err != nil {
		return
	}
	c.frame(frameSettings, 0, 0, nil)
	bodies := map[uint32][]byte{}
	head := make([]byte, 9)
	for {
		if _, err := io.ReadFull(c, head); err != nil {
			return
		}
		payload := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
		if _, err := io.ReadFull(c, payload); err != nil {
			return
		}
		stream := binary.BigEndian.Uint32(head[5:])
		switch head[3] {
		case frameSettings:
			if head[4]&flagAck == 0 {
				c.frame(frameSettings, flagAck, 0, nil)
			}
		case framePing: // it is a black hole for those that net/http sends with a reset
		case frameData:
			bodies[stream] = append(bodies[stream], payload...)
		}
		whole := head[4]&flagEndStream != 0 || len(bodies[stream]) == h2Window
		if (head[3] == frameData || head[3] == frameHeaders) && whole {
			onRequest(c, stream, bodies[stream])
		}
	}
}

func post(body Content) *Request {
	r := NewRequest("POST", "/")
	r.Content("application/json", body)
	return r
}

// C007: a stream that was refused is sent again by net/http, with its whole body, although nothing retries here; it is counted.
func TestC007_ARefusedStreamIsReplayed(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(c h2Conn, stream uint32){
		"REFUSED_STREAM": func(c h2Conn, stream uint32) { c.reset(stream, refusedStream) },
		"GOAWAY":         func(c h2Conn, _ uint32) { c.goAway(0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var hits atomic.Int32
				var got atomic.Value
				e, _ := h2Server(t, func(c h2Conn, _ int, stream uint32, body []byte) {
					if hits.Add(1) == 1 {
						refuse(c, stream)
						return
					}
					got.Store(string(body))
					c.created(stream)
				})
				body := strings.Repeat("body", 5000)
				resp, err := e.Send(t.Context(), post(FromBytes([]byte(body))), Outgoing{Once: true})
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Release()
				if resp.Status != 201 || resp.Sends != 2 || hits.Load() != 2 || got.Load() != body {
					t.Errorf("status %d, %d sends, %d hits", resp.Status, resp.Sends, hits.Load())
				}
			})
		})
	}
}

// A stream that was refused and cannot be sent again is proven not to have been executed; one that was reset is not.
func TestRefusedStreamIsProof(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		end     func(c h2Conn, stream uint32)
		refused bool
	}{
		"REFUSED_STREAM":         {func(c h2Conn, stream uint32) { c.reset(stream, refusedStream) }, true},
		"GOAWAY below":           {func(c h2Conn, _ uint32) { c.goAway(0) }, true},
		"INTERNAL_ERROR":         {func(c h2Conn, stream uint32) { c.reset(stream, 2) }, false},
		"GOAWAY above, then end": {func(c h2Conn, stream uint32) { c.goAway(stream); _ = c.Close() }, false},
		"end":                    {func(c h2Conn, _ uint32) { _ = c.Close() }, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e, _ := h2Server(t, func(c h2Conn, _ int, stream uint32, _ []byte) { tt.end(c, stream) })
				once := FromReader(io.MultiReader(strings.NewReader("body")))
				_, err := e.Send(t.Context(), post(once), Outgoing{})
				var transport *TransportError
				if !errors.As(err, &transport) || transport.Refused != tt.refused || !transport.Wrote || transport.Sends != 1 {
					t.Errorf("%#v (%v)", err, err)
				}
			})
		})
	}
}

// A connection on which an attempt timed out without a byte read serves no new request; what is in flight on it goes on.
func TestStuckConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		e, connections := h2Server(t, func(c h2Conn, conn int, stream uint32, _ []byte) {
			if conn > 1 || stream == 1 {
				c.created(stream)
				return
			}
			go func() {
				<-release
				c.created(stream)
			}()
		})
		send := func(ctx context.Context) (*Response, error) { return e.Send(ctx, NewRequest("POST", "/"), Outgoing{}) }
		warm, err := send(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		warm.Release()
		slow := make(chan error, 1)
		go func() {
			resp, err := send(context.WithoutCancel(t.Context()))
			if err == nil {
				resp.Release()
			}
			slow <- err
		}()
		synctest.Wait() // it is on its way
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := send(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("the attempt that was to time out: %v", err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		after, err := send(ctx)
		close(release)
		if err != nil || after.Status != 201 || connections.Load() != 2 {
			t.Fatalf("after the timeout: %v, %v, on %d connections", after, err, connections.Load())
		}
		after.Release()
		if err := <-slow; err != nil {
			t.Errorf("what was in flight: %v", err)
		}
	})
}

// A caller that goes away, and an attempt during which bytes came, say nothing against the connection.
func TestConnectionIsKept(t *testing.T) {
	t.Parallel()
	for name, cancelled := range map[string]bool{"caller went away": true, "bytes came": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				got := make(chan struct{}, 1)
				e, connections := h2Server(t, func(c h2Conn, _ int, stream uint32, _ []byte) {
					if stream != 3 {
						c.created(stream)
						return
					}
					if !cancelled {
						c.frame(framePing, 0, 0, bytes.Repeat([]byte{1}, 8))
					}
					got <- struct{}{}
				})
				for i := range 3 {
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					if i == 1 && cancelled {
						go func() {
							<-got
							cancel()
						}()
					} else if i == 1 {
						cancel()
						ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
					}
					resp, err := e.Send(ctx, NewRequest("POST", "/"), Outgoing{})
					if (err != nil) != (i == 1) {
						t.Fatalf("request %d: %v", i, err)
					}
					if err == nil {
						resp.Release()
					}
					cancel()
				}
				if n := connections.Load(); n != 1 {
					t.Errorf("%d connections", n)
				}
			})
		})
	}
}

// New requests leave a transport that is too old; pings, idle connections and ages are what was asked for.
func TestPool(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	p := newPool(Tuning{MaxIdle: 7, SendPing: time.Second, Ping: 2 * time.Second, MaxAge: time.Minute}, nil)
	first := p.connections(now)
	if first.MaxIdleConnsPerHost != 7 || first.HTTP2.SendPingTimeout != time.Second || first.HTTP2.PingTimeout != 2*time.Second {
		t.Errorf("%+v", first)
	}
	if p.connections(now.Add(47*time.Second)) != first {
		t.Error("replaced too early")
	}
	second := p.connections(now.Add(time.Minute))
	if second == first {
		t.Error("a minute old and still in use")
	}
	p.retire(first, now)
	if p.connections(now.Add(time.Minute)) != second {
		t.Error("what is gone was retired again")
	}
	p.retire(second, now.Add(time.Minute))
	if p.connections(now.Add(time.Minute)) == second {
		t.Error("not retired")
	}
	if d := newPool(Tuning{}, nil).tuning; d != (Tuning{MaxIdle: 64, SendPing: 15 * time.Second, Ping: 5 * time.Second, MaxAge: 5 * time.Minute}) {
		t.Errorf("defaults %+v", d)
	}
}

// Nothing written is a proof, on a connection of our own that no other request writes to.
func TestNothingWrittenIsProof(t *testing.T) {
	t.Parallel()
	client, other := net.Pipe()
	defer other.Close()
	for _, write := range []bool{false, true} {
		x := &exchange{Context: t.Context(), pool: &pool{}}
		x.begin(NewRequest(http.MethodGet, "/"), false)
		raw := &tracked{Conn: client}
		x.hooks().GotConn(httptrace.GotConnInfo{Conn: raw})
		if write {
			go func() { _, _ = io.CopyN(io.Discard, other, 1) }()
			if _, err := raw.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		if reach(x, StageTLS); write != (Stage(x.stage.Load()) == StageSend) {
			t.Errorf("written %t: another connection that is made is told as stage %v", write, Stage(x.stage.Load()))
		}
		x.stage.Store(uint32(StageSend))
		if err := x.failed(io.EOF); err.Wrote != write || err.Refused == write || err.Stage != StageSend {
			t.Errorf("written %t: %+v", write, err)
		}
	}
}

// A big HTTP/2 server of the standard library is reached over the pool's own dialer, on one connection.
func TestHTTP2(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, `"`+r.Proto+`"`) }))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	e, err := NewEndpoint(Config{BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	e.pool.tls.RootCAs = x509.NewCertPool()
	e.pool.tls.RootCAs.AddCert(s.Certificate())
	resp, err := e.Send(t.Context(), NewRequest("GET", "/"), Outgoing{})
	if err != nil {
		t.Fatal(err)
	}
	if proto, err := JSONValue[string](resp); err != nil || proto != "HTTP/2.0" {
		t.Errorf("%q, %v", proto, err)
	}
	resp.Release()
	e.CloseIdleConnections()
}

// net/http does not look at the context while flow control holds the rest of a request back: an answer that had begun was waited for
// without end.
func TestAnAnswerEndsWithItsContextWhileTheRequestIsHeldBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, _ := h2Server(t, func(c h2Conn, _ int, stream uint32, _ []byte) {
			c.frame(frameHeaders, flagEndHeaders, stream, []byte{0x88}) // 200
			c.frame(frameData, 0, stream, []byte("beginning"))
		})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		resp, err := e.Send(ctx, post(FromBytes(make([]byte, 1<<20))), Outgoing{})
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Release()
		if _, err := io.ReadFull(resp, make([]byte, len("beginning"))); err != nil {
			t.Fatal(err)
		}
		read := make(chan error, 1)
		go func() {
			_, err := resp.Read(make([]byte, 1))
			read <- err
		}()
		cancel()
		select {
		case err := <-read:
			if err == nil || errors.Is(err, io.EOF) {
				t.Errorf("the read ended with %v, want an error", err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the read goes on although its context has ended")
		}
	})
}
