package wire

import (
	"errors"
	"io"
	"net/http"
	"runtime"
	"sync"
	"time"
)

// Download is a body that the caller reads and closes. Reading belongs to one goroutine; Close may be called from another. It also ends
// with the context of the call.
type Download struct {
	// Status is the status code; 206 for a part, with Content-Range in Header.
	Status int
	// Header is the header.
	Header http.Header
	// MediaType is the media type, without parameters; empty where the response says none.
	MediaType string
	// Size is the number of bytes to come; -1 if it is not known.
	Size int64

	c *downloadCore
}

// downloadCore is what a Download owns. It does not refer to the Download, so that a dropped one can be collected.
type downloadCore struct {
	r     *Response
	once  sync.Once
	ended func(error)
}

// NewDownload hands the body over. The error is always nil; it is there so that all readers look the same.
func NewDownload(r *Response) (*Download, error) {
	d := &Download{Status: r.Status, Header: r.Header, MediaType: r.MediaType(), Size: r.size, c: &downloadCore{r: r}}
	if r.coded != "" {
		d.Size = -1
	}
	r.taken = true
	if now := time.Now(); now != now.Round(0) {
		// A download that is dropped gives everything back when it is collected. Not in a testing/synctest bubble, which is where times
		// have no monotonic reading: cleanups run outside, and must not touch what belongs to it.
		runtime.AddCleanup(d, (*downloadCore).drop, d.c)
	}
	return d, nil
}

// OnEnd has f called once, when the download ends: with nil at the end of the body and on Close, with the error that Read returns
// otherwise. It is for whoever keeps something for the download; call it before reading.
func (d *Download) OnEnd(f func(error)) { d.c.ended = f }

func (c *downloadCore) end(err error) {
	c.once.Do(func() {
		if c.ended != nil {
			c.ended(err)
		}
	})
}

func (c *downloadCore) drop() {
	_ = c.r.close(false) // nobody is left to be told
	c.end(nil)
}

// Read reads the body. A body that is cut ends with an error that is io.ErrUnexpectedEOF, never with io.EOF.
func (d *Download) Read(p []byte) (int, error) {
	n, err := d.c.r.Read(p)
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		d.c.end(nil)
	default:
		d.c.end(err)
	}
	return n, err
}

// Close ends the download. Closing twice does nothing.
func (d *Download) Close() error {
	err := d.c.r.Close()
	d.c.end(nil)
	return err
}
