package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config says what an Endpoint sends to, and how.
type Config struct {
	// BaseURL is what paths are joined to: an absolute http or https URL. Its path and query are kept, a slash at its end makes
	// no difference. Empty: only requests with a server of their own can be sent.
	BaseURL string
	// Fallback says that BaseURL is the document's word only: the servers of requests come before it.
	Fallback bool
	// Client is the user's own: its cookie jar, its redirect policy, its transport. nil, and a client without a transport, use
	// the endpoint's own connections. Its redirect policy replaces the bound of ten; it never replaces what keeps credentials
	// from other origins.
	Client *http.Client
	// Tuning sizes the endpoint's own connections.
	Tuning Tuning
	// TLS is what those of https begin with: the authorities that are trusted, certificates of the client. It is copied. Without NextProtos it
	// offers HTTP/2 and HTTP/1.1, without ServerName the host of the address counts. With a transport of Client's own it is an error.
	TLS *tls.Config
	// Schemes are the security schemes, and Credentials what is wired for them, by name.
	Schemes     []Scheme
	Credentials map[string]Credential
	// Edit is called with each request before it is sent, last of all. It must not keep it.
	Edit []func(*http.Request) error
	// Around, where it is not nil, is given what requests are sent by, and returns what they are sent by instead: it sees each, last of all. It is
	// no part of Transport.
	Around func(http.RoundTripper) http.RoundTripper
	// Limit is the number of bytes that a JSON body, and an event of a stream, may have; 0 is DefaultLimit.
	Limit int64
}

// DefaultLimit is how many bytes a JSON body, and one event of a stream, may have.
const DefaultLimit int64 = 64 << 20

// Endpoint sends requests to one target, one attempt at a time. Safe for concurrent use. It starts no goroutine of its own.
type Endpoint struct {
	base        *base // nil: none
	fallback    bool
	client      *http.Client
	transport   http.RoundTripper // of client, without what is around it
	plain       bool              // the client does nothing but follow redirects
	pool        *pool             // nil with a transport of the user's own
	alone       bool              // nobody but the pool is shown a request
	schemes     []scheme
	credentials map[string]Credential
	edit        []func(*http.Request) error
	limit       int64
}

// NewEndpoint checks the configuration. It dials nothing.
func NewEndpoint(c Config) (*Endpoint, error) {
	e := &Endpoint{fallback: c.Fallback, schemes: schemesOf(c.Schemes), credentials: c.Credentials, edit: c.Edit, limit: c.Limit}
	if e.limit <= 0 {
		e.limit = DefaultLimit
	}
	if c.BaseURL != "" {
		base, err := parseBase(c.BaseURL)
		if err != nil {
			return nil, err
		}
		e.base = base
	}
	own := http.Client{}
	if c.Client != nil {
		own = *c.Client
	}
	own.CheckRedirect = redirect(own.CheckRedirect)
	if own.Transport == nil {
		e.pool = newPool(c.Tuning, c.TLS)
		own.Transport = e.pool
	} else if c.TLS != nil {
		return nil, errTLSUnused
	}
	e.transport = own.Transport
	if c.Around != nil {
		own.Transport = c.Around(own.Transport)
	}
	e.client, e.plain = &own, own.Jar == nil && own.Timeout == 0
	e.alone = e.pool != nil && c.Around == nil && len(e.edit) == 0
	return e, nil
}

// errTLSUnused is a TLS configuration for connections that are not the endpoint's.
var errTLSUnused = errors.New("the http.Client has a transport of its own, which is to be given the TLS configuration")

// base is a base URL, ready to have paths put under it.
type base struct {
	*url.URL

	path string // escaped, without a slash at its end
}

// parseBase reads a base URL. Its errors do not show the URL, which may hold a password.
func parseBase(text string) (*base, error) {
	u, err := url.Parse(text)
	if err != nil {
		if parse, ok := errors.AsType[*url.Error](err); ok {
			err = parse.Err
		}
		return nil, fmt.Errorf("base URL: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("base URL: it must begin with http:// or https:// and name a host")
	}
	u.Fragment, u.RawFragment = "", ""
	return &base{URL: u, path: strings.TrimRight(u.EscapedPath(), "/")}, nil
}

// Transport returns what the requests are sent by.
func (e *Endpoint) Transport() http.RoundTripper { return e.transport }

// CloseIdleConnections closes the endpoint's connections that are idle now, and none that is in use.
func (e *Endpoint) CloseIdleConnections() { e.client.CloseIdleConnections() }

// Field is a header field.
type Field struct{ Name, Value string }

// Outgoing is what one attempt adds to the request. The zero value adds nothing.
type Outgoing struct {
	// Header replaces headers of the request, the credentials' too.
	Header http.Header
	// Fields are set after Header.
	Fields []Field
	// Connect bounds waiting for a connection, dialling and the TLS handshake; 0 is 30 s.
	Connect time.Duration
	// Once says that the request must not be executed twice: net/http may not replay it unless it is proven not to have been
	// executed. It would otherwise do so for GET, and for any request with an Idempotency-Key.
	Once bool
	// Next is the URL of a further page of what the request asks: absolute, or relative to the request's own. The page is asked for by GET,
	// without a body, and only of the request's own origin: ErrRequest otherwise. Empty: the request is sent as it is.
	Next string
}

// Send makes one attempt and returns the response, with its body still to be read: read it, then Close it. The context bounds the
// attempt to the end of the body. Errors are ErrRequest, before anything is sent, and *TransportError; a status is no error here.
func (e *Endpoint) Send(ctx context.Context, r *Request, o Outgoing) (*Response, error) {
	if err := r.Err(); err != nil {
		return nil, err
	}
	x := &exchange{Context: ctx, connect: o.Connect, pool: e.pool}
	if ctx.Err() != nil {
		return nil, &TransportError{Stage: StageConnect, Refused: true, Err: context.Cause(ctx)}
	}
	out, err := e.build(x, r, o) //nolint:contextcheck // the exchange is the context
	if err != nil {
		return nil, err
	}
	resp, err := e.roundTrip(x, out)
	if err != nil {
		x.poison() //nolint:contextcheck // the exchange is the context
		if source, ok := errors.AsType[*sourceError](err); ok {
			return nil, requestError(fmt.Errorf("read the body: %w", source.error))
		}
		return nil, x.failed(err)
	}
	return x.answer(r.method, resp, e.limit), nil //nolint:contextcheck // the exchange is the context
}

// roundTrip sends a request as the client does, which is to be asked only where there is more to do than to send it: the copies of the
// header and of the URL that it makes for redirects cost as much as the rest of an attempt.
func (e *Endpoint) roundTrip(x *exchange, out *http.Request) (*http.Response, error) {
	if !e.plain || out.Header == nil || out.URL == nil || out.URL.User != nil || out.RequestURI != "" {
		return e.client.Do(out) //nolint:wrapcheck // x.failed does
	}
	resp, err := e.client.Transport.RoundTrip(out)
	if err == nil && resp != nil && resp.Body != nil && !isRedirect(resp.StatusCode) {
		if e.alone {
			x.isOver()
		}
		return resp, nil
	}
	c := *e.client
	c.Transport = &answered{resp: resp, err: err, then: e.client.Transport}
	return c.Do(out) //nolint:wrapcheck // x.failed does
}

// build makes the http.Request of one attempt.
func (e *Endpoint) build(x *exchange, r *Request, o Outgoing) (*http.Request, error) {
	base := e.base
	if base == nil || e.fallback && r.server != "" {
		server, err := parseBase(r.server)
		if err != nil {
			return nil, requestError(err)
		}
		base = server
	}
	out := x.begin(r, o.Once)
	base.join(&x.url, r.path, r.query)
	content := &r.body
	if o.Next != "" { // a copy: o would have to be on the heap for it
		if err := turnTo(out, strings.Clone(o.Next)); err != nil {
			return nil, requestError(err)
		}
		content = &body{}
	}
	out.Host = out.URL.Host
	if err := e.authorize(x, r, out); err != nil {
		return nil, err
	}
	if err := o.apply(x); err != nil {
		return nil, requestError(err)
	}
	if err := content.attach(x, o.Once); err != nil {
		return nil, requestError(err)
	}
	for _, edit := range e.edit {
		if err := edit(out); err != nil {
			return nil, requestError(fmt.Errorf("request editor: %w", err))
		}
	}
	x.apart = len(e.edit) > 0 && out.Context().Value(exchangeKey{}) != any(x)
	if x.pool != nil {
		x.askForGzip()
	}
	return out, nil
}

// join puts a path and a query under a base URL: one slash between, every other slash as it is.
func (b *base) join(u *url.URL, path, query string) {
	*u = *b.URL
	raw := b.path + path
	u.Path, u.RawPath = raw, raw // net/url takes RawPath as it is where it is an encoding of Path
	if plain, err := url.PathUnescape(raw); err == nil {
		u.Path = plain
	}
	u.RawQuery = joinQuery(b.RawQuery, query)
}

// apply sets the headers that the attempt adds.
func (o *Outgoing) apply(x *exchange) error {
	for name, values := range o.Header {
		for _, value := range values {
			if err := checkHeader(name, value); err != nil {
				return fmt.Errorf("header %q: %w", name, err)
			}
		}
		name = http.CanonicalHeaderKey(name)
		if name == "Host" && len(values) > 0 {
			x.out.Host = values[0]
			continue
		}
		x.out.Header[name] = append([]string(nil), values...)
	}
	for _, f := range o.Fields {
		if err := checkHeader(f.Name, f.Value); err != nil {
			return fmt.Errorf("header %q: %w", f.Name, err)
		}
		x.set(http.CanonicalHeaderKey(f.Name), f.Value)
	}
	return nil
}

// attach gives the request its body, so that net/http can send it again where that is safe. What it thinks safe is more than we do: it
// replays any GET, and any request with an Idempotency-Key, on a connection that broke after it was sent. One that must not be executed
// twice gets its body again only where it was not, and even an empty one has a body for that reason.
func (b *body) attach(x *exchange, once bool) error {
	out := &x.out
	if b.isEmpty() && (!once || !replaysEmpty(out)) {
		return nil
	}
	r, err := b.openFor(x)
	if err != nil {
		return err
	}
	out.Body = r
	out.ContentLength = b.size
	if b.size == 0 && !b.isEmpty() {
		out.Body = http.NoBody
	}
	switch {
	case b.once:
	case once:
		out.GetBody = func() (io.ReadCloser, error) {
			if x.mayHaveActed() {
				return nil, errLost
			}
			return b.openFor(x)
		}
	default:
		out.GetBody = func() (io.ReadCloser, error) { return b.openFor(x) }
	}
	return nil
}

// openFor opens the body for the attempt, which knows of one that is in memory, and has the first reader of it. Each is of a type that net/http
// knows: before any other it sends the header alone, in a packet of its own, for the body might block.
func (b *body) openFor(x *exchange) (io.ReadCloser, error) {
	if b.parts != nil {
		return b.open(x)
	}
	r := &x.reader
	if x.body != nil {
		r = new(bytes.Reader)
	}
	r.Reset(b.data)
	x.body, x.data, x.from = io.NopCloser(r), b.data, r
	if b.lent != nil && x.lent == nil {
		x.lent = b.lent
		x.lent.Show()
	}
	return x.body, nil
}

// replaysEmpty reports whether net/http takes a request without a body for one that it may send twice. A body there that is empty keeps it
// from that; elsewhere it would be sent as chunks of nothing.
func replaysEmpty(out *http.Request) bool {
	switch out.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	default:
		return out.Header["Idempotency-Key"] != nil || out.Header["X-Idempotency-Key"] != nil
	}
}

// errLost is a connection that broke before the answer came, under a request that is sent once.
var errLost = errors.New("the connection broke before an answer came")
