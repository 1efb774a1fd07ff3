package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/bytedance/sonic"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"
	sse "github.com/tmaxmax/go-sse"

	"github.com/resgen-go/resgen/bench/internal/handcodec"
	"github.com/resgen-go/resgen/bench/internal/payload"
	"github.com/resgen-go/resgen/bench/llm"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

const (
	events = 2000
	done   = "[DONE]"
)

// parse hands the data of each event on, and returns how many there were.
type parse func(r io.Reader, each func(data []byte) error) (int, error)

func resgen(r io.Reader, each func(data []byte) error) (int, error) {
	in := wire.NewEventReader(r, 1<<20)
	for n := 0; ; n++ {
		e, err := in.Next()
		if errors.Is(err, io.EOF) || err == nil && string(e.Data) == done {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if err := each(e.Data); err != nil {
			return n, err
		}
	}
}

func openaiDecoder(r io.Reader, each func(data []byte) error) (int, error) {
	d := ssestream.NewDecoder(answer(io.NopCloser(r)))
	n := 0
	for d.Next() {
		data := d.Event().Data
		if bytes.HasPrefix(data, []byte(done)) {
			break
		}
		n++
		if err := each(data); err != nil {
			return n, err
		}
	}
	return n, d.Err()
}

func goSSE(r io.Reader, each func(data []byte) error) (int, error) {
	n := 0
	for e, err := range sse.Read(r, nil) {
		if err != nil {
			return n, err
		}
		if e.Data == done {
			break
		}
		n++
		if err := each([]byte(e.Data)); err != nil {
			return n, err
		}
	}
	return n, nil
}

func answer(body io.ReadCloser) *http.Response {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body, ContentLength: -1,
	}
}

// into decodes each event into a new T.
func into[T any](unmarshal func(data []byte, v *T) error) func(data []byte) error {
	return func(data []byte) error { return unmarshal(data, new(T)) }
}

type chunk = payload.ChatChunk

func byV1(data []byte, v *chunk) error    { return json.Unmarshal(data, v) }
func byV2(data []byte, v *chunk) error    { return jsonv2.Unmarshal(data, v) }
func bySonic(data []byte, v *chunk) error { return sonic.Unmarshal(data, v) }

// openaiStream is how openai-go's users read.
func openaiStream[T any](r io.Reader) (int, error) {
	s := ssestream.NewStream[T](ssestream.NewDecoder(answer(io.NopCloser(r))), nil)
	n := 0
	for s.Next() {
		n++
	}
	return n, s.Err()
}

// transport answers with a stream, without a network.
type transport struct{ body io.Reader }

func (t *transport) RoundTrip(*http.Request) (*http.Response, error) {
	return answer(io.NopCloser(t.body)), nil
}

// items are the decoded events of an answer, without a call's resilience, and told apart by rules; nil is none.
func items[T any](tb testing.TB, rules *policy.StreamRules) func(r io.Reader) (int, error) {
	tb.Helper()
	var via transport
	e, err := wire.NewEndpoint(wire.Config{BaseURL: "http://stub.test", Client: &http.Client{Transport: &via}})
	if err != nil {
		tb.Fatal(err)
	}
	return func(r io.Reader) (int, error) {
		via.body = r
		resp, err := e.Send(context.Background(), wire.NewRequest(http.MethodGet, "/"), wire.Outgoing{})
		if err != nil {
			return 0, err
		}
		resp.Follow(rules)
		in, err := wire.JSONItems[T](resp, policy.Stream{Format: policy.SSE, Done: done})
		if err != nil {
			return 0, err
		}
		defer in.Close()
		return count(in.Next)
	}
}

// client is the generated client: a call with all its policies, and its stream.
func client(tb testing.TB) func(r io.Reader) (int, error) {
	tb.Helper()
	var via transport
	c, err := llm.New(llm.WithHTTPClient(&http.Client{Transport: &via}), llm.WithBearer("secret"))
	if err != nil {
		tb.Fatal(err)
	}
	return func(r io.Reader) (int, error) {
		via.body = r
		s, err := c.StreamChatCompletion(context.Background(), &llm.ChatRequest{})
		if err != nil {
			return 0, err
		}
		defer s.Close()
		n := 0
		for _, err := range s.All() {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	}
}

func count[T any](next func() (T, error)) (int, error) {
	for n := 0; ; n++ {
		if _, err := next(); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
}

type arm struct {
	name    string
	read    func(r io.Reader) (int, error)
	missing string
}

func parsers() []arm {
	var arms []arm
	for _, p := range []struct {
		name  string
		parse parse
	}{{"resgen", resgen}, {"bufio", scan}, {"openai-go", openaiDecoder}, {"go-sse", goSSE}, {"floor", floor}} {
		arms = append(arms, arm{name: p.name, read: func(r io.Reader) (int, error) {
			return p.parse(r, func([]byte) error { return nil })
		}})
	}
	return arms
}

func decoders(tb testing.TB) []arm {
	tb.Helper()
	with := func(p parse, each func(data []byte) error) func(r io.Reader) (int, error) {
		return func(r io.Reader) (int, error) { return p(r, each) }
	}
	var noSonic string
	if sonic.APIKind == sonic.UseStdJSON {
		noSonic = "sonic has no code for this version of Go, and calls encoding/json"
	}
	return []arm{
		{name: "resgen", read: items[llm.ChatChunk](tb, nil)},
		{name: "resgen-client", read: client(tb)},
		{name: "resgen-plain", read: items[chunk](tb, nil)},
		{name: "openai-go", read: openaiStream[openai.ChatCompletionChunk]},
		{name: "openai-go-plain", read: openaiStream[chunk]},
		{name: "go-sse+encoding-json", read: with(goSSE, into(byV1))},
		{name: "bufio+encoding-json", read: with(scan, into(byV1))},
		{name: "bufio+json-v2", read: with(scan, into(byV2))},
		{name: "bufio+sonic", read: with(scan, into(bySonic)), missing: noSonic},
		{name: "floor", read: with(floor, into(handcodec.Chunk))},
	}
}
