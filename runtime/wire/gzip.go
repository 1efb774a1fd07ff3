package wire

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
)

// codingOf returns how a body is encoded, in lower case, several encodings with commas between; empty for one that is sent as it is.
func codingOf(header []string) string {
	if len(header) == 1 && header[0] == "gzip" {
		return header[0]
	}
	var codings []string
	for name := range strings.SplitSeq(strings.ToLower(strings.Join(header, ",")), ",") {
		if name = strings.TrimSpace(name); isCoding(name) {
			codings = append(codings, name)
		}
	}
	return strings.Join(codings, ", ")
}

// isCoding reports whether a name is that of an encoding. Servers send others: charsets, the encodings of mail, and how an object came to
// its store.
func isCoding(name string) bool {
	switch name {
	case "", "identity", "none", "utf-8", "utf8", "binary", "8bit", "7bit", "aws-chunked":
		return false
	default:
		return true
	}
}

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
	if err := d.begin(); err != nil {
		return nil, err
	}
	return &unzip{d}, nil
}

// begin begins with a member: a body has one, or several that follow each other.
func (d *decompressor) begin() error {
	err := d.z.Reset(&d.buf)
	d.z.Multistream(false)
	return err //nolint:wrapcheck // it is told apart by what it is
}

// next begins with the member that follows the one which was read to its end, and checked. It is io.EOF where none does: what else follows,
// zeros mostly, is padding, as it is to gzip itself.
func (d *decompressor) next() error {
	const magic = "\x1f\x8b"
	begin, err := d.buf.Peek(len(magic))
	switch {
	case string(begin) == magic:
		return d.begin()
	case err == nil:
		return io.EOF
	default:
		return err //nolint:wrapcheck // a reader passes errors through
	}
}

// Read reads what was compressed.
func (u *unzip) Read(p []byte) (int, error) {
	if u.d == nil {
		return 0, io.EOF
	}
	n, err := u.d.z.Read(p)
	if errors.Is(err, io.EOF) {
		err = u.d.next()
	}
	if errors.Is(err, io.EOF) {
		u.d.buf.Reset(http.NoBody) // it would keep the response
		decompressors.Put(u.d)
		u.d = nil
	}
	return n, err
}
