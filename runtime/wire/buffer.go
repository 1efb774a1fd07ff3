package wire

import (
	"errors"
	"io"
	"sync"

	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

// Bodies that are decoded are read into buffers that are used again: nothing that is made of a body may refer to it. Small and large ones
// are kept apart, so that answers of a few KB do not hold the memory of those of megabytes. Larger ones still are left to the collector.
const (
	smallBuffer = 64 << 10
	largeBuffer = 4 << 20
	bodyBuffer  = 4 << 10 // where the size of the body is not known
)

// buffer is what a body is read into. It is handed on by its address, which the pools keep.
type buffer struct {
	data []byte
	// room for what is noted and found of a body that is looked through
	notes codec.Notes
	found [][]byte
}

var smallBuffers, largeBuffers sync.Pool // of *buffer

// finds returns room for as many values, which are not set.
func (b *buffer) finds(n int) [][]byte {
	switch {
	case n == 0:
		return nil
	case b == nil:
		return make([][]byte, n)
	case len(b.found) < n:
		b.found = make([][]byte, n)
	}
	return b.found[:n]
}

// takeBuffer returns an empty buffer for a body of that size; -1 is that it is not known.
func takeBuffer(size int64) *buffer {
	pool := &smallBuffers
	if size >= smallBuffer {
		pool = &largeBuffers
	}
	if b, ok := pool.Get().(*buffer); ok {
		return b
	}
	return &buffer{data: newBuffer(size)}
}

// newBuffer returns memory for a body of that size, which is a promise that need not be kept. One more byte shows the end.
func newBuffer(size int64) []byte {
	if size < 0 {
		size = bodyBuffer - 1
	}
	return make([]byte, 0, min(size, largeBuffer)+1)
}

// give gives the buffer back.
func (b *buffer) give() {
	b.data = b.data[:0]
	switch size := cap(b.data); {
	case size <= smallBuffer:
		smallBuffers.Put(b)
	case size <= 2*largeBuffer: // what grew step by step is larger than what it holds
		largeBuffers.Put(b)
	}
}

// expected returns how many bytes the body will have; -1 if that is not known.
func (r *Response) expected() int64 {
	if r.coded != "" {
		return -1
	}
	return r.size
}

// readAll reads the whole body, at most limit bytes. Of more it returns the first limit bytes and a *LimitError.
func (r *Response) readAll(limit int64) ([]byte, error) {
	return r.readInto(newBuffer(min(r.expected(), limit)), limit)
}

// readInto is readAll into a buffer, or where that is too small into a larger one.
func (r *Response) readInto(data []byte, limit int64) ([]byte, error) {
	for {
		if len(data) == cap(data) {
			data = r.grow(data)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return data[:limit], &LimitError{Limit: limit}
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return data, err
		}
	}
}

// trusted is how many times as many bytes as came already are made room for because the response says that so many come.
const trusted = 4

// grow makes room for more: for all that is to come, if it is known and not much more than what came.
func (r *Response) grow(data []byte) []byte {
	if size := int(r.expected()); size >= len(data) && size <= trusted*len(data) {
		return append(make([]byte, 0, size+1), data...)
	}
	return append(data, 0)[:len(data)]
}
