package cases_test

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	goruntime "runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cases.test/c103"
	"cases.test/c104"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

const mebibyte = 1 << 20

// zeros is a reader of n zeros that notes how large the heap became while it was read.
type zeros struct {
	left    int64
	highest uint64
	reads   int
}

func (z *zeros) Read(p []byte) (int, error) {
	if z.reads++; z.reads%256 == 0 {
		z.highest = max(z.highest, heap())
	}
	if z.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), z.left)
	clear(p[:n])
	z.left -= n
	return int(n), nil
}

// heap is how many bytes are in use, garbage included.
func heap() uint64 {
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return m.HeapInuse
}

// grows fails the test if f lets the heap grow by more than a limit. f returns the highest value that it saw.
func grows(t *testing.T, limit uint64, f func() uint64) {
	t.Helper()
	goruntime.GC()
	before := heap()
	if after := f(); after > before+limit {
		t.Errorf("the heap grows by %d MiB, want less than %d", (after-before)/mebibyte, limit/mebibyte)
	}
}

// These two are not parallel: they measure the heap of the process.

func TestC103_LargeFilesAreStreamed(t *testing.T) {
	const size = 200 * mebibyte
	var got int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		reader := multipart.NewReader(r.Body, params["boundary"])
		for {
			p, err := reader.NextPart()
			if err != nil {
				break
			}
			n, _ := io.Copy(io.Discard, p)
			if p.FormName() == "files" {
				got += n
			}
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	c, err := c103.New(runtime.WithBaseURL(server.URL))
	must(t, err)
	grows(t, 32*mebibyte, func() uint64 {
		file := &zeros{left: size}
		must(t, c.Upload(t.Context(), &c103.UploadRequest{Body: c103.UploadRequestBody{Files: []wire.Content{wire.FromReader(file).Named("big")}}}))
		return max(file.highest, heap())
	})
	same(t, "bytes", got, size)

	failed := errors.New("the disk is gone")
	err = c.Upload(t.Context(), &c103.UploadRequest{Body: c103.UploadRequestBody{
		Files: []wire.Content{wire.FromReader(io.MultiReader(&zeros{left: mebibyte}, failing{failed}))},
	}})
	if !errors.Is(err, failed) {
		t.Errorf("got %v, want the error of the reader", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestC104_LargeBodiesAreStreamed(t *testing.T) {
	const size = 300 * mebibyte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/big"):
			w.Header().Set("Content-Disposition", `attachment; filename="big"`)
			_, _ = io.Copy(w, &zeros{left: size})
		case strings.HasSuffix(r.URL.Path, "/part"):
			w.Header().Set("Content-Range", "bytes 1-2/10")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = io.WriteString(w, "bc")
		case strings.HasSuffix(r.URL.Path, "/cut"):
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case strings.HasSuffix(r.URL.Path, "/cut-chunks"):
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case strings.HasSuffix(r.URL.Path, "/none"):
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"msg":"none"}`)
		case strings.HasSuffix(r.URL.Path, "/table"):
			w.Header().Set("Content-Type", "text/csv; charset=utf-8")
			_, _ = io.WriteString(w, "a,b\n1,ü\n")
		default:
			w.Header().Set("Content-Type", "audio/ogg")
			_, _ = io.WriteString(w, "OggS")
		}
	}))
	t.Cleanup(server.Close)
	c, err := c104.New(runtime.WithBaseURL(server.URL))
	must(t, err)
	open := func(id string) *wire.Download {
		t.Helper()
		d, err := c.GetBlob(t.Context(), &c104.GetBlobRequest{ID: id, Range: wire.Some("bytes=1-2")})
		must(t, err)
		return d
	}
	grows(t, 16*mebibyte, func() uint64 {
		d := open("big")
		same(t, "header", d.Header.Get("Content-Disposition"), `attachment; filename="big"`)
		meter := &meter{}
		n, err := io.Copy(meter, d)
		must(t, errors.Join(err, d.Close()))
		same(t, "bytes", n, size)
		return max(meter.highest, heap())
	})
	part := open("part")
	same(t, "part", fmt.Sprint(part.Status, part.Header["Content-Range"]), "206 [bytes 1-2/10]")
	must(t, part.Close())
	for _, id := range []string{"cut", "cut-chunks"} {
		d := open(id)
		if data, err := io.ReadAll(d); !errors.Is(err, io.ErrUnexpectedEOF) || string(data) != "half" {
			t.Errorf("%s: got %q, %v", id, data, err)
		}
		must(t, d.Close())
	}
	_, err = c.GetBlob(t.Context(), &c104.GetBlobRequest{ID: "none"})
	var none *wire.PayloadError[c104.GetBlob404Error]
	if !errors.As(err, &none) || none.Payload.Msg.Or("") != "none" {
		t.Errorf("got %v", err)
	}
	same(t, "csv is text", must1[string](t)(c.Table(t.Context())), "a,b\n1,ü\n")
	sound, err := c.Voice(t.Context(), nil)
	must(t, err)
	data, err := io.ReadAll(sound)
	must(t, errors.Join(err, sound.Close()))
	same(t, "sound", sound.MediaType+" "+string(data), "audio/ogg OggS")
}

// trickle is a body that comes slower than any call may take.
type trickle struct{ left int }

func (b *trickle) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	time.Sleep(time.Hour) // of virtual time
	b.left--
	return copy(p, "x"), nil
}

func (b *trickle) Close() error { return nil }

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestC104_TimeoutsDoNotCutABodyThatFlows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, err := c104.New(runtime.WithBaseURL("http://blobs.example"), runtime.WithHTTPClient(&http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: &trickle{left: 10}, ContentLength: -1, Request: r}, nil
		})}))
		must(t, err)
		d, err := c.GetBlob(t.Context(), &c104.GetBlobRequest{ID: "slow"})
		must(t, err)
		data, err := io.ReadAll(d)
		must(t, errors.Join(err, d.Close()))
		same(t, "body", string(data), "xxxxxxxxxx")
	})
}

// meter discards what is written to it, and notes how large the heap became.
type meter struct {
	highest uint64
	writes  int
}

func (m *meter) Write(p []byte) (int, error) {
	if m.writes++; m.writes%256 == 0 {
		m.highest = max(m.highest, heap())
	}
	return len(p), nil
}
