package wire_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/resgen-go/resgen/runtime/wire"
)

// parcel is a body whose receiver can tell that it came as it was sent.
type parcel struct {
	ID    string                     `json:"id"`
	Text  string                     `json:"text"`
	Short wire.OptNull[string]       `json:"short,omitzero"`
	Raw   json.RawMessage            `json:"raw,omitzero"`
	Any   any                        `json:"any,omitzero"`
	Bytes []byte                     `json:"bytes,omitzero"`
	One   wire.Union                 `json:"one,omitzero"`
	Nums  []float64                  `json:"nums,omitzero"`
	More  map[string]json.RawMessage `json:"-"              wire:"additional"`
	Sum   string                     `json:"sum"`
}

func (p *parcel) MarshalJSON() ([]byte, error)    { return wire.Marshal(p) }
func (p *parcel) UnmarshalJSON(data []byte) error { return wire.Unmarshal(data, p) }

// packed returns a parcel of a size.
func packed(id string, size int) *parcel {
	fill := func(n int) string {
		block := fmt.Sprintf("%x \"\n\\ %x", rand.Uint64(), rand.Uint64())
		return strings.Repeat(block, n/len(block)+1)[:n]
	}
	quoted := func(n int) json.RawMessage {
		return json.RawMessage(strconv.Quote(strings.ToUpper(strings.ReplaceAll(fill(n), "\\", "/"))))
	}
	p := &parcel{
		ID: id, Text: fill(size), Short: wire.SomeNotNull(fill(20)), Raw: quoted(size / 8), Any: []any{fill(size / 8), 1.5, nil},
		Bytes: []byte(fill(size / 8)), One: wire.UnionOf(fill(size / 8)), Nums: []float64{rand.Float64(), rand.Float64()},
		More: map[string]json.RawMessage{"x": quoted(30), "y": quoted(size / 8)},
	}
	p.Sum = p.sum()
	return p
}

func (p *parcel) sum() string {
	h := sha256.New()
	short, _ := p.Short.Get()
	fmt.Fprintf(h, "%q %q %q %s %v %q %s %v %s %s", p.ID, p.Text, short, p.Raw, p.Any, p.Bytes, p.One.Raw(), p.Nums, p.More["x"], p.More["y"])
	return hex.EncodeToString(h.Sum(nil))
}

func (p *parcel) check(id string) error {
	if p.ID != id || p.Sum != p.sum() {
		return fmt.Errorf("parcel %s: came as %s, sum %s, is %s", id, p.ID, p.Sum, p.sum())
	}
	return nil
}

// carrier is a server that does with parcels what servers do.
type carrier struct {
	damaged atomic.Pointer[string] // what it got that was not as it had been sent
	got     atomic.Int64
}

func (c *carrier) take(r *http.Request) *parcel {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil // the caller went away
	}
	p := new(parcel)
	err = json.Unmarshal(body, p)
	if err == nil {
		err = p.check(r.URL.Query().Get("id"))
	}
	if err != nil {
		text := fmt.Sprintf("%v: %.80q", err, body)
		c.damaged.Store(&text)
		return nil
	}
	c.got.Add(1)
	return p
}

func (c *carrier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	size, _ := strconv.Atoi(r.URL.Query().Get("size"))
	answer, _ := json.Marshal(packed(id, size))
	w.Header().Set("Content-Type", "application/json")
	write := func(data []byte) { _, _ = w.Write(data) }
	switch r.URL.Path {
	case "/early": // answers, and reads none or a part of what is sent
		_, _ = io.CopyN(io.Discard, r.Body, int64(rand.IntN(2))*1000)
		write(answer)
	case "/earlyerror":
		w.WriteHeader(http.StatusServiceUnavailable)
		write(answer)
	case "/redirect":
		http.Redirect(w, r, "/echo?"+r.URL.RawQuery, http.StatusTemporaryRedirect)
	case "/redirectlate":
		c.take(r)
		http.Redirect(w, r, "/echo?"+r.URL.RawQuery, http.StatusPermanentRedirect)
	case "/cut":
		c.take(r)
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		write(answer[:len(answer)*2/3])
		panic(http.ErrAbortHandler)
	case "/gzip":
		c.take(r)
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write(answer)
		_ = z.Close()
	case "/slow":
		c.take(r)
		for part := range bytes.SplitAfterSeq(answer, []byte(`,"`)) {
			write(part)
			_ = http.NewResponseController(w).Flush()
		}
	case "/stream":
		w.Header().Set("Content-Type", "text/event-stream")
		c.take(r)
		for i := range 5 {
			one, _ := json.Marshal(packed(id, size/(i+1)))
			fmt.Fprintf(w, "event: e\nid: %d\ndata: %s\n\n", i, one)
			if rand.IntN(2) == 0 {
				_ = http.NewResponseController(w).Flush()
			}
		}
	default:
		if p := c.take(r); p != nil {
			answer, _ = json.Marshal(p)
		}
		write(answer)
	}
}
