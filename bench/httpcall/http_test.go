package httpcall

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/bench/internal/cpu"
)

// message, question and completion are the part of a chat completion that is read and written here.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type question struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Temperature float64   `json:"temperature"`
}

type completion struct {
	ID      string `json:"id"`
	Model   string `json:"model"`
	Created int64  `json:"created"`
	Choices []struct {
		Index        int     `json:"index"`
		Message      message `json:"message"`
		FinishReason string  `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
	} `json:"usage"`
}

var ask = question{Model: "small", Temperature: .7, Messages: []message{
	{"system", "You are brief."},
	{"user", strings.Repeat("What is a circuit breaker? ", 8)},
	{"assistant", strings.Repeat("It stops calls to what fails. ", 8)},
	{"user", "And then?"},
}}

// asked is ask in JSON, and answer what the server says to it.
var (
	asked, _ = json.Marshal(ask)
	answer   = []byte(`{"id":"chatcmpl-1","model":"small","created":1700000000,"choices":[{"index":0,"message":{"role":"assistant","content":"` +
		strings.Repeat(`It asks again, \"carefully\". `, 60) + `"},"finish_reason":"stop"}],"usage":{"prompt_tokens":90,"completion_tokens":420,"total_tokens":510}}`)
)

const path = "/v1/chat/completions"

// stub answers without a network.
type stub struct {
	header http.Header
	answer []byte
}

func newStub(answer []byte) stub {
	return stub{http.Header{"Content-Type": {"application/json"}}, answer}
}

func (s stub) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
		r.Body.Close()
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: s.header, Body: io.NopCloser(bytes.NewReader(s.answer)), ContentLength: int64(len(s.answer)), Request: r,
	}, nil
}

// serve answers on a raw socket: requests are read just far enough to find their end.
func serve(tb testing.TB, answer []byte) (url string) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { l.Close() })
	go serveOn(l, answer)
	return "http://" + l.Addr().String()
}

// serveOn answers whoever comes, until the listener is closed.
func serveOn(l net.Listener, answer []byte) {
	reply := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(answer), answer)
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go converse(conn, reply)
	}
}

func converse(conn net.Conn, reply []byte) {
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 16<<10)
	for {
		size, err := requestSize(in)
		if err != nil {
			return
		}
		if _, err := in.Discard(size); err != nil {
			return
		}
		if _, err := conn.Write(reply); err != nil {
			return
		}
	}
}

// requestSize reads a request's header, and returns the size of the body behind it.
func requestSize(in *bufio.Reader) (int, error) {
	const field = "content-length:"
	size := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil || len(line) <= len("\r\n") {
			return size, err
		}
		if len(line) > len(field) && bytes.EqualFold(line[:len(field)], []byte(field)) {
			for _, digit := range bytes.TrimSpace(line[len(field):]) {
				size = size*10 + int(digit-'0')
			}
		}
	}
}

// BenchmarkStub is the client's own cost.
func BenchmarkStub(b *testing.B) { bench(b, clients(), newStub(answer), "http://stub.test") }

// BenchmarkLoopback is a call with a connection, the server's part included.
func BenchmarkLoopback(b *testing.B) {
	bench(b, clients(), pooled(b), serve(b, answer))
}

func pooled(tb testing.TB) http.RoundTripper {
	tb.Helper()
	t := &http.Transport{MaxIdleConnsPerHost: 64}
	tb.Cleanup(t.CloseIdleConnections)
	return t
}

func bench(b *testing.B, clients []client, via http.RoundTripper, url string) {
	b.Helper()
	for _, c := range clients {
		b.Run(c.name, func(b *testing.B) {
			do := c.make(b, via, url)
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			for range 8 {
				if err := do(ctx); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			defer cpu.Start(b)()
			for b.Loop() {
				if err := do(ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
