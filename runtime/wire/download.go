package wire

import (
	"errors"
	"io"
	"net/http"
	"sync"
)

// Download is a body that the caller reads and closes. Reading belongs to one goroutine; Close may be called from another.
type Download struct {
	// Status is the status code; 206 for a part, with Content-Range in Header.
	Status int
	// Header is the header.
	Header http.Header
	// MediaType is the media type, without parameters; empty where the response says none.
	MediaType string
	// Size is the number of bytes to come; -1 if it is not known.
	Size int64

	r     *Response
	once  sync.Once
	ended func(error)
}

// NewDownload hands the body over. The error is always nil; it is there so that all readers look the same.
func NewDownload(r *Response) (*Download, error) {
	d := &Download{Status: r.Status, Header: r.Header, MediaType: r.MediaType(), Size: r.size, r: r}
	if r.coded != "" {
		d.Size = -1
	}
	r.taken = true
	return d, nil
}

// OnEnd has f called once, when the download ends: with nil at the end of the body and on Close, with the error that Read returns
// otherwise. It is for whoever keeps something for the download; call it before reading.
func (d *Download) OnEnd(f func(error)) { d.ended = f }

func (d *Download) end(err error) {
	d.once.Do(func() {
		if d.ended != nil {
			d.ended(err)
		}
	})
}

// Read reads the body. A body that is cut ends with an error that is io.ErrUnexpectedEOF, never with io.EOF.
func (d *Download) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		d.end(nil)
	default:
		d.end(err)
	}
	return n, err
}

// Close ends the download. Closing twice does nothing.
func (d *Download) Close() error {
	err := d.r.Close()
	d.end(nil)
	return err
}
