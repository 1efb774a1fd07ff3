package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Tuning sizes the connections to one target. The zero value takes each default.
type Tuning struct {
	// MaxIdle is how many idle connections are kept: as many as calls may be in flight, so that none is closed between two
	// bursts. Default 64.
	MaxIdle int
	// SendPing is after how much silence an HTTP/2 connection is pinged, and Ping how long the answer may take before the
	// connection counts as dead. Defaults 15 s and 5 s.
	SendPing, Ping time.Duration
	// MaxAge is how long new requests use the same connections: then they are made anew, so that what DNS says is heard.
	// Default 5 min.
	MaxAge time.Duration
}

const (
	defaultIdle     = 64
	defaultSendPing = 15 * time.Second
	defaultPing     = 5 * time.Second
	defaultAge      = 5 * time.Minute
	idleTimeout     = 90 * time.Second // as http.DefaultTransport
	bufferSize      = 16 << 10         // of a connection: a request of that size is one packet for the system
	defaultConnect  = 30 * time.Second // where no timeout class sets connect, as http.DefaultTransport
)

// pool is the connections to one target. They are replaced by fresh ones when they are too old, or when one of HTTP/2 is stuck. What is in
// flight on the old ones goes on there and is not disturbed; those that are idle are closed at once, and the others at their end, or when
// they have been idle for 90 s. It has no goroutine of its own. Safe for concurrent use.
type pool struct {
	tuning Tuning
	tls    *tls.Config
	system func(ctx context.Context, network, address string) (net.Conn, error) // makes connections, without TLS

	mu      sync.Mutex
	current *connections
	expires time.Time
}

// connections are those of one age: of direct requests, and of all others.
type connections struct {
	*http.Transport

	direct keptLinks
}

// retire closes what is idle, and has direct requests close theirs at their end.
func (c *connections) retire() {
	c.Transport.CloseIdleConnections()
	c.direct.closeIdle(true)
}

// CloseIdleConnections closes what is idle now.
func (c *connections) CloseIdleConnections() {
	c.Transport.CloseIdleConnections()
	c.direct.closeIdle(false)
}

func newPool(t Tuning, config *tls.Config) *pool {
	set := func(d *time.Duration, fallback time.Duration) {
		if *d <= 0 {
			*d = fallback
		}
	}
	if t.MaxIdle <= 0 {
		t.MaxIdle = defaultIdle
	}
	set(&t.SendPing, defaultSendPing)
	set(&t.Ping, defaultPing)
	set(&t.MaxAge, defaultAge)
	return &pool{tuning: t, tls: tlsOf(config), system: new(net.Dialer).DialContext}
}

// tlsOf returns what connections begin with: a copy, with what it does not say. A version below TLS 1.2 must have been asked for.
func tlsOf(config *tls.Config) *tls.Config {
	own := &tls.Config{MinVersion: tls.VersionTLS12}
	if config != nil {
		if own = config.Clone(); own.MinVersion == 0 {
			own.MinVersion = tls.VersionTLS12
		}
	}
	if len(own.NextProtos) == 0 {
		own.NextProtos = []string{"h2", "http/1.1"}
	}
	return own
}

// RoundTrip sends by the current connections.
func (p *pool) RoundTrip(req *http.Request) (*http.Response, error) {
	c := p.connections(time.Now())
	if x, ok := req.Context().Value(exchangeKey{}).(*exchange); ok {
		x.served = c
		if x.direct = x.isDirect(req); x.direct {
			return c.direct.roundTrip(req)
		}
	}
	return c.RoundTrip(req) //nolint:wrapcheck // a RoundTripper passes errors through
}

func (p *pool) connections(now time.Time) *connections {
	p.mu.Lock()
	old := p.current
	if old != nil && now.Before(p.expires) {
		p.mu.Unlock()
		return old
	}
	c := p.replace(now)
	p.mu.Unlock()
	if old != nil {
		old.retire()
	}
	return c
}

// replace makes fresh connections current. Its age is at most MaxAge, spread so that the replicas of a program do not reconnect at once.
func (p *pool) replace(now time.Time) *connections {
	p.current = &connections{Transport: p.dialer(), direct: keptLinks{dial: p.dialTracked, most: p.tuning.MaxIdle}}
	p.expires = now.Add(p.tuning.MaxAge - time.Duration(rand.Float64()*float64(p.tuning.MaxAge)/5)) //nolint:mnd // the last fifth
	return p.current
}

// retire has new requests use fresh connections instead of c. It does nothing where c was replaced already.
func (p *pool) retire(c *connections, now time.Time) {
	p.mu.Lock()
	if p.current != c || c == nil {
		p.mu.Unlock()
		return
	}
	p.replace(now)
	p.mu.Unlock()
	c.retire()
}

// CloseIdleConnections closes what is idle now.
func (p *pool) CloseIdleConnections() {
	p.mu.Lock()
	c := p.current
	p.mu.Unlock()
	if c != nil {
		c.CloseIdleConnections()
	}
}

func (p *pool) dialer() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         p.dial,
		DialTLSContext:      p.dialTLS,
		ForceAttemptHTTP2:   slices.Contains(p.tls.NextProtos, "h2"),
		MaxIdleConnsPerHost: p.tuning.MaxIdle,
		IdleConnTimeout:     idleTimeout,
		TLSClientConfig:     p.tls.Clone(),  // net/http adds to it
		TLSHandshakeTimeout: defaultConnect, // both through a proxy only, else dialTLS has them
		WriteBufferSize:     bufferSize,
		ReadBufferSize:      bufferSize,
		HTTP2:               &http.HTTP2Config{SendPingTimeout: p.tuning.SendPing, PingTimeout: p.tuning.Ping},
	}
}

// dial makes a connection. It is bounded by the connect timeout of the attempt that asked for it: net/http does not end a dial
// when its request ends, because another may use the connection.
func (p *pool) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := p.dialTracked(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (p *pool) dialTracked(ctx context.Context, network, address string) (*tracked, error) {
	ctx, cancel := boundConnect(ctx)
	defer cancel()
	reach(ctx, StageDial)
	raw, err := p.system(ctx, network, address)
	if err != nil {
		return nil, connectError(ctx, err)
	}
	return &tracked{Conn: raw}, nil
}

// dialTLS makes a connection with TLS, both within the connect timeout.
func (p *pool) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := boundConnect(ctx)
	defer cancel()
	raw, err := p.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	reach(ctx, StageTLS)
	config := p.tls.Clone()
	if config.ServerName == "" {
		if config.ServerName, _, err = net.SplitHostPort(address); err != nil {
			config.ServerName = address
		}
	}
	conn := tls.Client(raw, config)
	if err := conn.HandshakeContext(ctx); err != nil {
		_ = raw.Close() // it is given up
		return nil, connectError(ctx, err)
	}
	return conn, nil
}

// errConnectTimeout is the cause of a context that the connect timeout ended.
var errConnectTimeout = errors.New("connect timeout")

func boundConnect(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := defaultConnect
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok && x.connect > 0 {
		limit = x.connect
	}
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w: no connection within %s", errConnectTimeout, limit))
}

// connectError returns what ended the making of a connection. The system may notice a deadline before the context has ended of it, which is
// waited for: who set the deadline decides whose fault it is.
func connectError(ctx context.Context, err error) error {
	until, ok := ctx.Deadline()
	if late, isNet := errors.AsType[net.Error](err); ok && isNet && late.Timeout() && !time.Now().Before(until) {
		select {
		case <-ctx.Done():
		case <-time.After(time.Second): // no context ends that late
		}
	}
	if cause := context.Cause(ctx); cause != nil && errors.Is(cause, errConnectTimeout) {
		return cause //nolint:wrapcheck // it is our own
	}
	return err
}

// reach notes how far the attempt came that a connection is made for.
func reach(ctx context.Context, s Stage) {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		x.reach(s)
	}
}

// tracked counts the bytes of a connection: nothing written proves that nothing was executed, and nothing read that it is stuck.
type tracked struct {
	net.Conn

	read, written atomic.Int64
	failed        atomic.Bool // to be written
}

// Read counts what was read.
func (c *tracked) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.read.Add(int64(n))
	return n, err //nolint:wrapcheck // a connection passes errors through
}

// Write counts what was written, or tried.
func (c *tracked) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n))
	if err != nil {
		c.failed.Store(true)
	}
	return n, err //nolint:wrapcheck // a connection passes errors through
}

// ReadFrom writes what is left of a body when the first of it has been sent. A body in memory is written from where it lies.
func (c *tracked) ReadFrom(r io.Reader) (int64, error) {
	if limited, ok := r.(*io.LimitedReader); ok {
		if body, ok := limited.R.(io.WriterTo); ok {
			n, err := body.WriteTo(&limitedWriter{c, limited.N})
			limited.N -= n
			return n, err //nolint:wrapcheck // a connection passes errors through
		}
	}
	return io.Copy(onlyWriter{c}, r) //nolint:wrapcheck // as above
}

// limitedWriter writes no more than was announced.
type limitedWriter struct {
	to   *tracked // not embedded: it would read from anything, without a limit
	left int64
}

// Write writes, or fails where that is too much.
func (w *limitedWriter) Write(p []byte) (int, error) {
	if int64(len(p)) > w.left {
		return 0, errTooLong
	}
	n, err := w.to.Write(p)
	w.left -= int64(n)
	return n, err
}

// errTooLong is a body of which there is more than its length says: it would be taken for another request.
var errTooLong = errors.New("the body is longer than its ContentLength")

// onlyWriter hides what else a connection can do.
type onlyWriter struct{ io.Writer }
