package wire

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
)

// Content is bytes that are sent as they are, as a body or as a file in a multipart body. The zero value is none. Make it with
// FromBytes, FromFile, FromReader or FromFunc. A copy is the same content.
type Content struct {
	name      string
	mediaType string
	header    []Field
	size      int64
	data      []byte // nil unless it lies in memory
	open      func() (io.ReadCloser, error)
	once      bool
	used      *atomic.Bool
}

// ErrNotReplayable says that a body was given as a one-shot reader, has been sent once, and cannot be sent again. Give it as
// FromBytes, FromFile or FromFunc to make it so.
var ErrNotReplayable = errors.New("the body is a one-shot reader that was sent already: it is not replayable")

// FromBytes returns content that holds a copy of the bytes, which may be used again at once. FromReader of a bytes.Reader copies nothing;
// then the bytes must not change while anything may be sent.
func FromBytes(data []byte) Content {
	data = bytes.Clone(data) // an attempt that lost, was given up or was answered early is still being sent when the call is over
	return Content{size: int64(len(data)), data: data, open: func() (io.ReadCloser, error) { return newMemory(data), nil }}
}

// isMemory reports whether the content is bytes in memory, rather than something that is opened.
func (c Content) isMemory() bool { return c.data != nil }

// FromFile returns the content of a file, which is opened for each attempt; its name is the file's, its media type that of the
// name's extension. A file that cannot be opened is an error of the request.
func FromFile(path string) Content {
	size := int64(-1)
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	return Content{
		name: filepath.Base(path), mediaType: mime.TypeByExtension(filepath.Ext(path)), size: size,
		open: func() (io.ReadCloser, error) { return os.Open(path) },
	}
}

// FromFunc returns content that open gives anew for each attempt. size is its length in bytes, -1 if it is not known.
func FromFunc(size int64, open func() (io.ReadCloser, error)) Content {
	return Content{size: size, open: open}
}

// FromReader returns the content of a reader, from where it stands. A reader that is also an io.ReaderAt and an io.Seeker (a file,
// a bytes.Reader) can be sent again; any other can be sent once, and a call with it makes one attempt. It is not closed, and may be
// read for a moment after the call is over: where the target answers before all was sent, or the call is given up.
func FromReader(r io.Reader) Content {
	if at, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		if c, ok := fromReaderAt(at); ok {
			return c
		}
	}
	used := new(atomic.Bool)
	return Content{size: -1, once: true, used: used, open: func() (io.ReadCloser, error) {
		if used.Swap(true) {
			return nil, ErrNotReplayable
		}
		return io.NopCloser(r), nil
	}}
}

func fromReaderAt(r interface {
	io.ReaderAt
	io.Seeker
},
) (Content, bool) {
	from, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return Content{}, false
	}
	end, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return Content{}, false
	}
	if _, err := r.Seek(from, io.SeekStart); err != nil {
		return Content{}, false
	}
	return Content{size: end - from, open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(r, from, end-from)), nil
	}}, true
}

// Named returns the content with a file name.
func (c Content) Named(name string) Content {
	c.name = name
	return c
}

// Typed returns the content with a media type.
func (c Content) Typed(mediaType string) Content {
	c.mediaType = mediaType
	return c
}

// WithHeader returns the content with a header of its own, which its part of a multipart body has. It comes after those that the content
// has already, and replaces one of the same name; a body that is no part has no such headers.
func (c Content) WithHeader(name, value string) Content {
	c.header = append(slices.Clip(c.header), Field{Name: name, Value: value})
	return c
}

// IsZero reports whether it is no content; encoding/json asks it for `omitzero`.
func (c Content) IsZero() bool { return c.open == nil }

// MarshalJSON is an error: JSON cannot hold a file. No content is null.
func (c Content) MarshalJSON() ([]byte, error) {
	if c.IsZero() {
		return []byte("null"), nil
	}
	return nil, errors.New("a file can be sent as a body or in a multipart body only")
}
