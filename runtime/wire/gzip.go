package wire

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"sync"
)

// unzip reads a body that is compressed by gzip. What that takes, some 45 KB, goes to the next body when the end was read, and nowhere when
// the body was given up or broken: then somebody may still read it.
type unzip struct{ d *decompressor }

type decompressor struct {
	buf bufio.Reader // of what is compressed
	z   gzip.Reader
}

var decompressors sync.Pool // of *decompressor

// newUnzip begins to read. It is io.EOF where there is not one byte.
func newUnzip(from io.Reader) (*unzip, error) {
	d, ok := decompressors.Get().(*decompressor)
	if !ok {
		d = new(decompressor)
	}
	d.buf.Reset(from)
	if err := d.z.Reset(&d.buf); err != nil {
		return nil, err //nolint:wrapcheck // it is told apart by what it is
	}
	return &unzip{d}, nil
}

// Read reads what was compressed.
func (u *unzip) Read(p []byte) (int, error) {
	if u.d == nil {
		return 0, io.EOF
	}
	n, err := u.d.z.Read(p)
	if errors.Is(err, io.EOF) {
		u.d.buf.Reset(http.NoBody) // it would keep the response
		decompressors.Put(u.d)
		u.d = nil
	}
	return n, err //nolint:wrapcheck // a reader passes errors through
}
