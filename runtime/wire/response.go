package wire

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Response is what came back, and the one owner of its body. A reader of it (JSON, NewDownload, JSONItems, Unexpected) consumes the
// body once. It belongs to one goroutine; only Close may be called from another.
type Response struct {
	// Status is the status code.
	Status int
	// Header is the header.
	Header http.Header
	// Limit is the number of bytes that a JSON body, and an event of a stream, may have, after decompression.
	Limit int64
	// Sends is how often the request was sent, redirects not counted: more than 1 if net/http replayed it.
	Sends int

	x       *exchange
	method  string
	size    int64 // of the body as it travels; -1 if it is not known
	body    io.ReadCloser
	decoded io.Reader // body without its content encoding; nil until it is read
	coded   string    // the content encoding that is still to be undone; see codingOf
	watcher ReadWatcher
	look    *lookout // nil looks for nothing
	judge   *policy.Judge
	tell    func(found [][]byte) // what the judge finds for others; nil for nobody
	room    *buffer              // what the body was read into; nil for an item of a stream
	said    policy.Sentence
	vectors *VectorPlaces // nil: nobody asks
	accept  func(Vector) error
	fine    func()      // all were accepted
	unwatch func() bool // the context, which a request that is still being sent needs; else nil
	taken   bool        // by a reader that outlives the call
	record  *recording  // nil unless the body is to be remembered
	calls   bool        // somebody wants to know of calls of tools
	ended   atomic.Bool // the body was read to its end, or broke
	reading atomic.Bool // a Read is outstanding
	closed  atomic.Bool
}

// answer makes the response of an http.Response.
func (x *exchange) answer(method string, resp *http.Response, limit int64) *Response {
	r := &x.response
	r.Status, r.Header, r.Limit, r.Sends = resp.StatusCode, resp.Header, limit, x.sends()
	r.x, r.method, r.size, r.body = x, method, resp.ContentLength, resp.Body
	if resp.StatusCode == http.StatusSwitchingProtocols {
		// Nobody asked for another protocol, and the bare connection that comes in place of a body ends with no context.
		_ = r.body.Close() // it is given up
		r.body, r.size = http.NoBody, 0
	}
	if !resp.Uncompressed {
		r.coded = codingOf(resp.Header["Content-Encoding"])
	}
	if x.gzip && r.coded == "gzip" && r.size != 0 { // nobody is shown what nobody asked for, as by net/http
		r.Header.Del("Content-Encoding")
		r.Header.Del("Content-Length")
		r.size = -1
	}
	if x.isHeldBack() {
		// HTTP/2 does not look at the context while its flow control holds the rest of the request back, not even for who reads.
		r.unwatch = context.AfterFunc(x, func() { _ = resp.Body.Close() })
	}
	x.stage.Store(uint32(StageBody))
	return r
}

// MediaType returns the media type in lower case, without parameters; empty where the response says none.
func (r *Response) MediaType() string {
	text := r.Header.Get("Content-Type")
	if text == "application/json" { // most are, and need no parser
		return text
	}
	if typ, _, err := mime.ParseMediaType(text); err == nil {
		return typ
	}
	return essence(text)
}

// essence returns a media type in lower case, without parameters; it takes what no parser would.
func essence(mediaType string) string {
	typ, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	return strings.TrimSpace(typ)
}

// isJSON reports whether a media type is JSON: application/json, text/json, or a suffix +json (RFC 6839, section 3.1).
func isJSON(mediaType string) bool {
	switch typ := essence(mediaType); typ {
	case "application/json", "text/json":
		return true
	default:
		return strings.HasSuffix(typ, "+json")
	}
}

// Read reads the body, decompressed. Errors but io.EOF are *TransportError, or *DecodeError where the compression is broken.
func (r *Response) Read(p []byte) (int, error) {
	r.reading.Store(true)
	defer r.reading.Store(false)
	if r.closed.Load() {
		return 0, errClosed
	}
	if r.decoded == nil {
		if err := r.decode(); err != nil {
			return 0, err
		}
	}
	n, err := r.decoded.Read(p)
	if r.record != nil {
		r.record.add(p[:n], err)
	}
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		r.ended.Store(true)
	default:
		r.ended.Store(true)
		return n, r.broken(err)
	}
	return n, err //nolint:wrapcheck // io.EOF is returned as it is
}

// decode undoes the content encoding. net/http does so itself, unless somebody set Accept-Encoding, or the server was not asked.
func (r *Response) decode() error {
	switch r.coded {
	case "":
		r.decoded = encoded{r}
	case "gzip", "x-gzip":
		z, err := newUnzip(encoded{r})
		switch {
		case err == nil:
			r.decoded = z
		case errors.Is(err, io.EOF) && r.x.gzip: // nothing at all: some servers announce what they do not send
			r.decoded = http.NoBody
		default:
			r.ended.Store(true)
			return r.broken(err)
		}
	default:
		return r.undecodable(nil, fmt.Errorf("the content encoding %q was not asked for", r.coded))
	}
	return nil
}

// encoded reads the body as it travels and tells of its bytes.
type encoded struct{ r *Response }

// Read reads from the transport.
func (e encoded) Read(p []byte) (int, error) {
	if w := e.r.watcher; w != nil {
		w.ReadBegins()
	}
	return e.r.body.Read(p) //nolint:wrapcheck // a reader passes errors through
}

// ReadWatcher is told of the reads of a body, on the goroutine that reads. Idle timers live on it: a read that begins is proof of bytes
// since the one before it began, comments and pings included, and items that are still incomplete; what lies in a buffer waits for nobody,
// and is not told of.
type ReadWatcher interface {
	// ReadBegins tells that a read of the transport begins, which may wait.
	ReadBegins()
}

// broken turns an error of reading the body into a typed one.
func (r *Response) broken(err error) error {
	if isCorrupt(err) {
		return r.undecodable(nil, err)
	}
	if errors.Is(err, io.EOF) { // no body where compressed data was announced
		err = io.ErrUnexpectedEOF
	}
	return &TransportError{
		Stage: StageBody, Wrote: true, Status: r.Status, Sends: r.Sends, Err: r.x.cut(err), hide: r.x.secret(),
	}
}

// isCorrupt reports whether the error is of compressed data that is none, rather than of the connection that it came by.
func isCorrupt(err error) bool {
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	return corrupt || errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum)
}

// undecodable returns a DecodeError.
func (r *Response) undecodable(body []byte, err error) *DecodeError {
	const kept = 4 << 10
	if len(body) > kept {
		body = body[:kept]
	}
	return &DecodeError{
		Status: r.Status, MediaType: r.MediaType(), Body: append([]byte(nil), body...), Err: err, hide: r.x.secret(),
	}
}

// errClosed is what reading a body gives that was closed.
var errClosed = &TransportError{Stage: StageBody, Wrote: true, Err: errors.New("the body is closed")}

// Close gives the connection back. What is left of the body is read if that is little (64 KiB) and quick (50 ms), so that the
// connection can be used again; else the connection is closed. Closing twice does nothing.
func (r *Response) Close() error { return r.close(true) }

// Release closes the body, unless a reader took it over that outlives the call: a Download or Items.
func (r *Response) Release() {
	if !r.taken {
		_ = r.close(true) // everything that was wanted of it was read
	}
}

const (
	drainBytes = 64 << 10
	drainTime  = 50 * time.Millisecond
)

func (r *Response) close(drain bool) error {
	if r.closed.Swap(true) {
		return nil
	}
	// What another goroutine is reading is not taken from it: that Read ends when the body is closed.
	isOver := r.ended.Load() || r.body == http.NoBody
	if drain && !isOver && !r.reading.Load() && r.x.Err() == nil && r.size <= drainBytes {
		drainBody(r.body)
	}
	if r.unwatch != nil {
		r.unwatch()
	}
	if err := r.body.Close(); err != nil {
		return fmt.Errorf("close body: %w", err)
	}
	return nil
}

func drainBody(body io.ReadCloser) {
	timer := time.AfterFunc(drainTime, func() { _ = body.Close() }) // it is given up
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, body, drainBytes) // it is given up if that fails
}

// statusError reads the beginning of the body.
func (r *Response) statusError() *StatusError {
	body, err := r.readAll(bodyKept)
	return &StatusError{
		Status: r.Status, Header: r.Header, Body: body, Truncated: err != nil, note: r.x.note, hide: r.x.secret(),
	}
}

// Unexpected returns the response as a *StatusError: its status, its header and the first 64 KiB of its body.
func (r *Response) Unexpected() error { return r.statusError() }
