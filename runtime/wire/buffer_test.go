package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
)

// keeper has a member of every sort that could refer to the text that it was decoded from.
type keeper struct {
	Text  string              `json:"text"`
	Bytes []byte              `json:"bytes"`
	Raw   json.RawMessage     `json:"raw"`
	Any   any                 `json:"any"`
	Map   map[string]string   `json:"map"`
	Num   json.Number         `json:"num"`
	Opt   Opt[string]         `json:"opt"`
	Union Union               `json:"union"`
	List  []OptNull[[]string] `json:"list"`
	Next  *keeper             `json:"next"`
}

const kept = `{"text":"a text","bytes":"YWJj","raw":{"deep":[1,"two"]},"any":{"list":["x",{"k":"v"}]},"map":{"key":"value","long key":"\u00e9\n"},` +
	`"num":12345678901234567890,"opt":"set","union":{"type":"of","n":1},"list":[["a","b"],null],"next":{"text":"inner","raw":"raw text"}}`

// answering returns a response with that body.
func answering(t *testing.T, mediaType, body string) *Response {
	t.Helper()
	x := &exchange{Context: t.Context()}
	return x.answer(http.MethodGet, &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {mediaType}}, ContentLength: int64(len(body)),
		Body: io.NopCloser(strings.NewReader(body)),
	}, DefaultLimit)
}

// What was decoded, and what an error says, stays as it is when the buffer holds another body.
func TestNothingRefersToTheBuffer(t *testing.T) {
	t.Parallel()
	scribble := func(b *buffer) {
		all := b.data[:cap(b.data)]
		for i := range all {
			all[i] = '#'
		}
	}
	var want, got keeper
	if err := json.Unmarshal([]byte(kept), &want); err != nil {
		t.Fatal(err)
	}
	b := takeBuffer(-1)
	if err := answering(t, "application/json", kept).decodeIn(b, &got); err != nil {
		t.Fatal(err)
	}
	scribble(b)
	if got, want := shown(t, got), shown(t, want); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, text := range []string{`{"text":1}`, `{"text":"cut`, `{"next":{"bytes":"no base64!"}}`, `null`, ``, `{"num":"abc"}`, `{"error":"busy"}`} {
		r := answering(t, "application/json", text)
		r.JudgeBy(policy.NewJudge(&policy.Plan{Errors: policy.Errors{Answers: []policy.AnswerRule{
			{Kind: policy.KindTransient, When: []policy.Match{{Pointer: "/error"}}},
		}}}))
		b := takeBuffer(-1)
		err := r.decodeIn(b, new(keeper))
		if err == nil {
			t.Errorf("%s: decoded", text)
			continue
		}
		before := err.Error()
		decode, _ := errors.AsType[*DecodeError](err)
		event, _ := errors.AsType[*EventError](err)
		scribble(b)
		if err.Error() != before {
			t.Errorf("%s: %q became %q", text, before, err)
		}
		if decode != nil && string(decode.Body) != text || event != nil && string(event.Data) != text || decode == nil && event == nil {
			t.Errorf("%s: the error holds another body: %#v", text, err)
		}
	}
}

// shown returns all that a keeper holds.
func shown(t *testing.T, v keeper) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %q %q", text, v.Bytes, v.Next.Raw)
}

// A buffer goes to bodies of its own size; the largest go nowhere. A length that is a lie takes no more memory than what came deserves.
func TestBuffers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ announced, came, most int64 }{
		{0, 0, 16},
		{100, 100, 101},
		{-1, 100, bodyBuffer},
		{1 << 40, 100, largeBuffer + 1},
		{2 << 20, 2 << 20, 2<<20 + 1},
		{10 << 20, 10 << 20, 10<<20 + 1<<13},
	} {
		r := answering(t, "text/plain", "")
		r.size, r.body = tt.announced, io.NopCloser(io.LimitReader(zeroes{}, tt.came))
		data, err := r.readAll(DefaultLimit)
		if err != nil || int64(len(data)) != tt.came || int64(cap(data)) > tt.most {
			t.Errorf("announced %d, came %d: %d bytes in %d, %v", tt.announced, tt.came, len(data), cap(data), err)
		}
	}
}

type zeroes struct{}

// Read returns zeros.
func (zeroes) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
