package wire_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

type answerHeader struct {
	Remaining wire.Opt[int64]     `header:"X-RateLimit-Remaining"`
	Total     int64               `header:"X-Total,required"`
	Text      wire.Opt[string]    `header:"X-Text"`
	Bool      wire.Opt[bool]      `header:"X-Bool"`
	When      wire.Opt[time.Time] `header:"X-When"`
	Modified  wire.Opt[time.Time] `header:"Last-Modified"`
	Tags      []string            `header:"X-Tags"`
	Sizes     []int64             `header:"X-Sizes"`
	Point     *headerPoint        `header:"X-Point"`
	Exploded  *headerPoint        `header:"X-Exploded,explode"`
	JSON      *headerPoint        `header:"X-Json,json"`
	Level     wire.Opt[level]     `header:"X-Level"`
	Other     string
}

type headerPoint struct {
	X    int64            `json:"x"`
	Name wire.Opt[string] `json:"name,omitzero"`
}

func TestReadHeader(t *testing.T) {
	t.Parallel()
	h := http.Header{}
	for name, value := range map[string]string{
		"X-RateLimit-Remaining": "0", "X-Total": "9007199254740993", "X-Text": "null", "X-Bool": "true", "X-When": "2026-01-02T03:04:05Z",
		"Last-Modified": "Fri, 02 Jan 2026 03:04:05 GMT", "X-Sizes": "1, 2", "X-Point": "x,1,name,007", "X-Exploded": "x=2,name=a=b",
		"X-Json": `{"x":3}`, "X-Level": "high",
	} {
		h.Set(name, value)
	}
	h["X-Tags"] = []string{"a,b", "1"}
	got, err := wire.ReadHeader[answerHeader](h)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	want := answerHeader{
		Remaining: wire.Some[int64](0), Total: 9007199254740993, Text: wire.Some("null"), Bool: wire.Some(true), When: wire.Some(at),
		Modified: wire.Some(at), Tags: []string{"a", "b", "1"}, Sizes: []int64{1, 2}, Point: &headerPoint{X: 1, Name: wire.Some("007")},
		Exploded: &headerPoint{X: 2, Name: wire.Some("a=b")}, JSON: &headerPoint{X: 3}, Level: wire.Some(level("high")),
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(wire.Opt[int64]{}, wire.Opt[string]{}, wire.Opt[bool]{}, wire.Opt[time.Time]{}, wire.Opt[level]{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What cannot be read is named, and takes nothing with it.
func TestReadHeaderErrors(t *testing.T) {
	t.Parallel()
	h := http.Header{"X-Ratelimit-Remaining": {"many"}, "X-Sizes": {"1,b"}, "X-Point": {"x,y"}, "X-Json": {"{"}, "X-Text": {"t"}}
	got, err := wire.ReadHeader[answerHeader](h)
	if text, _ := got.Text.Get(); text != "t" {
		t.Errorf("the text is %q", text)
	}
	for _, name := range []string{"X-RateLimit-Remaining", "X-Total", "X-Sizes", "X-Point", "X-Json"} {
		if err == nil || !strings.Contains(err.Error(), `header "`+name+`"`) {
			t.Errorf("no error of %s: %v", name, err)
		}
	}
	if _, ok := got.Remaining.Get(); ok {
		t.Error("what cannot be read is there")
	}
}
