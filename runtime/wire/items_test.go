package wire_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

type delta struct {
	D string `json:"d"`
	N int64  `json:"n,omitzero"`
}

// drainItems reads items to the error at the end, and closes.
func drainItems[T any](t *testing.T, items *wire.Items[T]) ([]T, error) {
	t.Helper()
	var all []T
	for {
		item, err := items.Next()
		if err != nil {
			if _, again := items.Next(); !errors.Is(again, err) {
				t.Errorf("after %v: %v", err, again)
			}
			if err := errors.Join(items.Close(), items.Close()); err != nil {
				t.Errorf("close: %v", err)
			}
			return all, err
		}
		all = append(all, item)
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	done := sse("[DONE]")
	open := policy.Stream{Format: policy.SSE}
	lines := policy.Stream{Format: policy.JSONL, ErrorPointer: "/error"}
	seq := policy.Stream{Format: policy.JSONSeq}
	two := []delta{{D: "1"}, {D: "2"}}
	tests := map[string]struct {
		stream    policy.Stream
		mediaType string // empty: text/event-stream
		body      string
		want      []delta
		is        error // io.EOF unless set
		as        string
	}{
		"done":                  {stream: done, body: "data: {\"d\":\"1\"}\n\ndata: {\"d\":\"2\"}\n\ndata: [DONE]\n\n", want: two},
		"done unsaid":           {stream: policy.Stream{Format: policy.SSE}, body: "data: {\"d\":\"1\"}\n\ndata: [DONE]\n\ndata: {\"d\":\"2\"}\n\n", want: two[:1]},
		"after done":            {stream: done, body: "data: {\"d\":\"1\"}\n\ndata: [DONE]\n\ndata: {\"d\":\"2\"}\n\n", want: two[:1]},
		"done without end":      {stream: done, body: "data: {\"d\":\"1\"}\n\ndata: [DONE]", want: two[:1]},
		"EOF before done":       {stream: done, body: "data: {\"d\":\"1\"}\n\n", want: two[:1], is: io.ErrUnexpectedEOF, as: "transport"},
		"no done":               {stream: open, body: "data: {\"d\":\"1\"}\n\ndata: {\"d\":\"2\"}", want: two},
		"nothing":               {stream: open},
		"C064":                  {stream: done, body: ":\n: OPENROUTER PROCESSING\n\n\nevent: ping\n\ndata:\n\nid: 7\n\nretry: 10\n\nunknown\n\ndata: {\"d\":\"1\"}\n\ndata: [DONE]\n\n", want: two[:1]},
		"C067 b":                {stream: done, body: "data: {\"d\":\"1\"}\n\nevent: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", want: two[:1], as: "event overloaded_error: Overloaded"},
		"C067 c":                {stream: done, body: "data: {\"d\":\"1\"}\n\n{\"error\":{\"message\":\"boom\",\"code\":500}}", want: two[:1], as: "event 500: boom"},
		"stray JSON":            {stream: done, body: "{\"ok\":1}\ndata: {\"d\":\"1\"}\n\ndata: [DONE]\n\n", want: two[:1]},
		"error item":            {stream: done, body: "data: {\"error\":\"quota\"}\n\n", as: "event : quota"},
		"error null":            {stream: done, body: "data: {\"d\":\"1\",\"error\":null}\n\ndata: {\"d\":\"2\",\"errors\":1}\n\ndata: [DONE]\n\n", want: two},
		"error said to be none": {stream: done, body: "data: {\"d\":\"1\",\"error\":\"\"}\n\ndata: {\"d\":\"2\",\"error\":false}\n\ndata: [DONE]\n\n", want: two},
		"error bare text":       {stream: done, body: "event: error\ndata: upstream died\n\n", as: "event : "},
		"malformed":             {stream: done, body: "data: {\"d\":\"1\"}\n\ndata: {\"d\":\n\ndata: [DONE]\n\n", want: two[:1], is: io.ErrUnexpectedEOF, as: "decode"},
		"null item":             {stream: done, body: "data: null\n\n", as: "decode"},
		"other media type":      {stream: done, mediaType: "text/plain", body: "data: {\"d\":\"1\"}\n\ndata: [DONE]\n\n", want: two[:1]},
		"lines":                 {stream: lines, mediaType: "application/x-ndjson", body: "{\"d\":\"1\"}\r\n\n  \n{\"d\":\"2\"}", want: two},
		"lines as JSON":         {stream: lines, mediaType: "application/json", body: "{\"d\":\"1\"}\n{\"d\":\"2\"}\n", want: two},
		"lines, exact":          {stream: lines, mediaType: "application/jsonl", body: "{\"d\":\"1\",\"n\":9007199254740993}\n", want: []delta{{"1", 9007199254740993}}},
		"lines with an error":   {stream: lines, mediaType: "application/jsonl", body: "{\"d\":\"1\"}\n{\"error\":{\"type\":\"t\",\"message\":\"m\"}}\n", want: two[:1], as: "event t: m"},
		"lines cut in an item":  {stream: lines, mediaType: "application/jsonl", body: "{\"d\":\"1\"}\n{\"d\":", want: two[:1], is: io.ErrUnexpectedEOF, as: "decode"},
		"sequence":              {stream: seq, mediaType: "application/json-seq", body: "\x1e{\"d\":\n\"1\"}\n\x1e\x1e{\"d\":\"2\"}\n", want: two},
		"sequence, no LF":       {stream: seq, mediaType: "application/json-seq", body: "\x1e{\"d\":\"1\"}", want: two[:1]},
		"sequence cut":          {stream: seq, mediaType: "application/json-seq", body: "\x1e{\"d\":\"1\"}\n\x1e{\"d\":", want: two[:1], is: io.ErrUnexpectedEOF, as: "transport"},
		"sequence, not whole":   {stream: seq, mediaType: "application/json-seq", body: "\x1e{\"d\":\n\x1e{\"d\":\"2\"}\n", as: "decode"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.mediaType == "" {
				tt.mediaType = "text/event-stream; charset=utf-8"
			}
			items, err := wire.JSONItems[delta](respond(t, chunked(answer(200, tt.mediaType, tt.body))), tt.stream)
			if err != nil {
				t.Fatal(err)
			}
			got, err := drainItems(t, items)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
			checkEnd(t, err, tt.is, tt.as)
		})
	}
}

// checkEnd checks the error at the end of a stream: its identity, and its type with what it says.
func checkEnd(t *testing.T, err, is error, as string) {
	t.Helper()
	if is == nil && as == "" {
		is = io.EOF
	}
	if is != nil && !errors.Is(err, is) {
		t.Errorf("the end is %v, want %v", err, is)
	}
	if as != "" && errors.Is(err, io.EOF) {
		t.Errorf("%v is a clean end", err)
	}
	var event *wire.EventError
	var decode *wire.DecodeError
	var transport *wire.TransportError
	got := ""
	switch {
	case errors.As(err, &event):
		got = "event " + event.Type + ": " + event.Message
		if event.Status != 200 || len(event.Data) == 0 {
			t.Errorf("%+v", event)
		}
	case errors.As(err, &decode):
		got = "decode"
	case errors.As(err, &transport):
		got = "transport"
		if transport.Status != 200 || transport.Stage != wire.StageBody {
			t.Errorf("%+v", transport)
		}
	}
	if got != as {
		t.Errorf("the end is %q (%v), want %q", got, err, as)
	}
}

// A body that is cut ends with io.ErrUnexpectedEOF, whatever the transport calls it, with and without a done marker.
func TestCutStreams(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{io.ErrUnexpectedEOF, syscall.ECONNRESET, errors.New("stream error: stream ID 1; INTERNAL_ERROR")} {
		for _, stream := range []policy.Stream{{Format: policy.SSE}, sse("[DONE]"), {Format: policy.JSONL}} {
			resp := answer(200, "", "")
			text := "{\"d\":\"1\"}\n"
			if stream.Format == policy.SSE {
				text = "data: {\"d\":\"1\"}\n\ndata: {\"d\":\"2\"}\n"
			}
			resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(text), failing{cause}))
			items, err := wire.JSONItems[delta](respond(t, chunked(resp)), stream)
			if err != nil {
				t.Fatal(err)
			}
			got, err := drainItems(t, items)
			if !cmp.Equal(got, []delta{{D: "1"}}) || !errors.Is(err, cause) {
				t.Errorf("%v: %v, %v", stream.Format, got, err)
			}
			checkEnd(t, err, io.ErrUnexpectedEOF, "transport")
		}
	}
}

// What comes in place of a stream is an error before the first item.
func TestNotAStream(t *testing.T) {
	t.Parallel()
	for name, resp := range map[string]*http.Response{
		"decode":   answer(200, "text/html", "<html>"),
		"decode 2": answer(200, "application/json", `{"choices":[]}`),
		"decode 3": answer(200, "application/xml", `<a/>`),
		"event":    answer(200, "application/json", `{"error":{"type":"t","message":"m"}}`),
	} {
		r := respond(t, resp)
		_, err := wire.JSONItems[delta](r, sse("[DONE]"))
		var decode *wire.DecodeError
		var event *wire.EventError
		if strings.HasPrefix(name, "decode") && !errors.As(err, &decode) || name == "event" && !errors.As(err, &event) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// C062, C065: large events and texts of every kind arrive as they were sent; above the limit there is a typed error.
func TestItemSizesAndTexts(t *testing.T) {
	t.Parallel()
	texts := []string{"\u65e5\u672c\u8a9e", "👩\u200d🚀", "e\u0301", "a\ufeffb", strings.Repeat("x", 70<<10), strings.Repeat("y", 1500<<10), strings.Repeat("z", 4<<20), "small"}
	var body strings.Builder
	body.WriteString("\ufeff")
	for _, text := range texts {
		fmt.Fprintf(&body, "data: {\"d\":%q}\n\n", text)
	}
	plain := strings.NewReplacer(`\u200d`, "\u200d", `\u0301`, "\u0301", `\ufeff`, "\ufeff").Replace(body.String())
	for limit, want := range map[int64]int{0: len(texts), 1 << 20: 5} {
		items, err := wire.JSONItems[delta](respondIn(t.Context(), t, chunked(answer(200, "text/event-stream", plain)), wire.Config{Limit: limit}), policy.Stream{Format: policy.SSE})
		if err != nil {
			t.Fatal(err)
		}
		got, err := drainItems(t, items)
		if len(got) != want {
			t.Errorf("limit %d: %d items, %v", limit, len(got), err)
		}
		for i, item := range got {
			if item.D != texts[i] {
				t.Errorf("item %d is not what was sent", i)
			}
		}
		var tooLarge *wire.LimitError
		if limit > 0 && (!errors.As(err, &tooLarge) || tooLarge.Limit != limit) || limit == 0 && !errors.Is(err, io.EOF) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

func TestTextItems(t *testing.T) {
	t.Parallel()
	items, err := wire.TextItems(respond(t, answer(200, "text/event-stream", "event: a\ndata: x\ndata:  y\n\ndata:\n\n"+"data: [DONE]\n\n")), sse("[DONE]"))
	if err != nil {
		t.Fatal(err)
	}
	item, err := items.Next()
	if err != nil || item != "x\n y" || string(items.Event().Type) != "a" {
		t.Errorf("%q, %v, of type %q", item, err, items.Event().Type)
	}
	got, err := drainItems(t, items)
	if !cmp.Equal(got, []string{""}) || !errors.Is(err, io.EOF) {
		t.Errorf("%q, %v", got, err)
	}
}

// Every read of the target is told of, those of comments and of parts of items too: that is what keeps an idle timer quiet (T67, C061).
func TestT67_EveryReadIsToldOf(t *testing.T) {
	t.Parallel()
	resp := answer(200, "text/event-stream", "")
	packets := &packets{": ping\n\n", "data: {\"d\":", "\"1\"}\n", "\n", "data: [DONE]\n\n"}
	resp.Body = io.NopCloser(packets)
	items, err := wire.JSONItems[delta](respond(t, chunked(resp)), sse("[DONE]"))
	if err != nil {
		t.Fatal(err)
	}
	var left readsLeft
	left.of = packets
	items.WatchReads(&left)
	got, err := drainItems(t, items)
	if !errors.Is(err, io.EOF) || len(got) != 1 || !cmp.Equal(left.seen, []int{5, 4, 3, 2, 1}) {
		t.Errorf("%v, %v; packets left when reads began %v", got, err, left.seen)
	}
}

// readsLeft notes how many packets are left when a read begins.
type readsLeft struct {
	of   *packets
	seen []int
}

func (r *readsLeft) ReadBegins() { r.seen = append(r.seen, len(*r.of)) }

// A stream that is given up is not drained, one that ended is; reads after Close fail and do not hang (C068).
func TestCloseItems(t *testing.T) {
	t.Parallel()
	for _, read := range []int{0, 1, 2} {
		resp := answer(200, "text/event-stream", "")
		body := &closing{Reader: io.MultiReader(strings.NewReader("data: {\"d\":\"1\"}\n\n"), strings.NewReader("data: [DONE]\n\n"), strings.NewReader("rest"))}
		resp.Body = body
		r := respond(t, chunked(resp))
		items, err := wire.JSONItems[delta](r, sse("[DONE]"))
		if err != nil {
			t.Fatal(err)
		}
		r.Release()
		if body.times != 0 {
			t.Fatal("Release closed what was taken over")
		}
		for range read {
			_, _ = items.Next()
		}
		if err := errors.Join(items.Close(), items.Close()); err != nil || body.times != 1 {
			t.Errorf("after %d items: close: %v, %d times", read, err, body.times)
		}
		rest, err := io.ReadAll(body.Reader)
		if drained := len(rest) == 0; err != nil || drained != (read == 2) {
			t.Errorf("after %d items: %q is left", read, rest)
		}
		if _, err := items.Next(); err == nil {
			t.Errorf("after %d items and Close: an item", read)
		}
	}
}

func BenchmarkItems(b *testing.B) {
	text := []byte("data: {\"d\":\"hello\",\"n\":1}\n\n")
	resp := answer(200, "text/event-stream", "")
	resp.Body = io.NopCloser(&endless{text: text})
	e, err := wire.NewEndpoint(wire.Config{BaseURL: "http://h", Client: &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { return resp, nil })}})
	if err != nil {
		b.Fatal(err)
	}
	r, err := e.Send(b.Context(), wire.NewRequest("GET", "/"), wire.Outgoing{})
	if err != nil {
		b.Fatal(err)
	}
	items, err := wire.JSONItems[delta](r, sse("[DONE]"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := items.Next(); err != nil {
			b.Fatal(err)
		}
	}
}
