package wire_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

// readEvents reads all events as texts, and the error at the end.
func readEvents(r io.Reader, limit int64) ([]string, error) {
	var all []string
	events := wire.NewEventReader(r, limit)
	for {
		e, err := events.Next()
		if err != nil {
			_, again := events.Next()
			if !errors.Is(again, err) {
				return all, fmt.Errorf("then %w", again)
			}
			return all, err
		}
		text := fmt.Sprintf("%s|%s|%s", e.Type, e.Data, e.ID)
		if e.Bare {
			text = "bare|" + text
		}
		all = append(all, text)
	}
}

func TestEventReader(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in   string
		want []string
	}{
		"standard example 1":   {"data: YHOO\ndata: +2\ndata: 10\n\n", []string{"|YHOO\n+2\n10|"}},
		"standard example 2":   {": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n", []string{"|first event|1", "|second event|", "| third event|"}},
		"standard example 3":   {"data\n\n" + "data\n" + "data\n\n" + "data:\n\n", []string{"||", "|\n|", "||"}},
		"one space only":       {"data:test\n\ndata: test\n\n", []string{"|test|", "|test|"}},
		"CR":                   {"event: a\rdata: 1\r\rdata: 2\r\r", []string{"a|1|", "|2|"}},
		"CRLF":                 {"event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", []string{"a|1|", "|2|"}},
		"mixed ends":           {"data: 1\r\ndata: 2\rdata: 3\n\r\ndata: 4\n\n", []string{"|1\n2\n3|", "|4|"}},
		"BOM at the start":     {"\ufeffdata: 1\n\ndata: \ufeff2\n\n\ufeffdata: 3\n\n", []string{"|1|", "|\ufeff2|"}},
		"comments and unknown": {":\n: OPENROUTER PROCESSING\n\nunknown: x\nretry: 10\n:data: no\ndata: 1\n\n", []string{"|1|"}},
		"event without data":   {"event: ping\n\nid: 7\n\ndata: 1\n\n", []string{"|1|7"}},
		"the type is reset":    {"event: a\n\ndata: 1\n\n", []string{"|1|"}},
		"the last type counts": {"event: a\nevent: b\ndata: 1\n\n", []string{"b|1|"}},
		"id with NUL":          {"id: 1\ndata: a\n\nid: 2\x00\ndata: b\n\n", []string{"|a|1", "|b|1"}},
		"no last empty line":   {"data: 1\n\ndata: 2\n", []string{"|1|", "|2|"}},
		"no last line end":     {"data: 1\n\ndata: 2", []string{"|1|", "|2|"}},
		"empty":                {"", nil},
		"empty lines":          {"\n\r\r\n\n", nil},
		"JSON outside of form": {"data: 1\n\n{\"error\":1}\ndata: 2\n\n", []string{"|1|", "bare||{\"error\":1}|", "|2|"}},
		"JSON inside an event": {"data: 1\n{}\ndata: 2\n\n", []string{"bare||{}|", "|1\n2|"}},
		"fields are exact":     {"Data: 1\n data: 2\ndata : 3\ndata: 4\n\n", []string{"|4|"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, r := range map[string]io.Reader{
				"whole":         strings.NewReader(tt.in),
				"bytes":         iotest.OneByteReader(strings.NewReader(tt.in)),
				"data with EOF": iotest.DataErrReader(strings.NewReader(tt.in)),
			} {
				got, err := readEvents(r, 1<<20)
				if diff := cmp.Diff(tt.want, got); diff != "" || !errors.Is(err, io.EOF) {
					t.Errorf("%s: %v (-want +got):\n%s", kind, err, diff)
				}
			}
		})
	}
}

// An event whose stream was cut is not delivered: only a clean end proves that it is whole.
func TestCutEventIsNotDelivered(t *testing.T) {
	t.Parallel()
	got, err := readEvents(io.MultiReader(strings.NewReader("data: 1\n\ndata: 2\n"), failing{io.ErrUnexpectedEOF}), 1<<20)
	if diff := cmp.Diff([]string{"|1|"}, got); diff != "" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// A line that ends with CR is there at once: the reader does not wait for an LF that may never come.
func TestCarriageReturnDoesNotWait(t *testing.T) {
	t.Parallel()
	in := &packets{"data: 1\r\r", "\ndata: 2\r\n\r", "\n"}
	events := wire.NewEventReader(in, 1<<20)
	if e, err := events.Next(); err != nil || string(e.Data) != "1" || len(*in) != 2 {
		t.Fatalf("first event %q, %v, with %d packets left", e.Data, err, len(*in))
	}
	if e, err := events.Next(); err != nil || string(e.Data) != "2" || len(*in) != 1 {
		t.Fatalf("second event %q, %v, with %d packets left", e.Data, err, len(*in))
	}
	if e, err := events.Next(); !errors.Is(err, io.EOF) {
		t.Fatalf("third event %q, %v", e.Data, err)
	}
}

// packets are delivered one a Read.
type packets []string

func (p *packets) Read(b []byte) (int, error) {
	if len(*p) == 0 {
		return 0, io.EOF
	}
	n := copy(b, (*p)[0])
	*p = (*p)[1:]
	return n, nil
}

func TestEventLimit(t *testing.T) {
	t.Parallel()
	const limit = 1000
	for name, in := range map[string]string{
		"line":    "data: " + strings.Repeat("x", limit) + "\n\n",
		"lines":   strings.Repeat("data: xxxxxxxxx\n", 101) + "\n",
		"comment": ":" + strings.Repeat("x", 5*limit) + "\n\n",
		"no end":  strings.Repeat("x", 9*limit),
	} {
		got, err := readEvents(iotest.HalfReader(strings.NewReader("data: small\n\n"+in)), limit)
		var tooLarge *wire.LimitError
		if !errors.As(err, &tooLarge) || tooLarge.Limit != limit || !cmp.Equal(got, []string{"|small|"}) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	fits := strings.Repeat("x", limit-len("data: "))
	if got, err := readEvents(strings.NewReader("data: "+fits+"\n\n"), limit); !cmp.Equal(got, []string{"|" + fits + "|"}) {
		t.Errorf("an event of the limit: %d events, %v", len(got), err)
	}
}

func TestRetryTime(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]time.Duration{
		"retry: 10\n\n": 10 * time.Millisecond, "retry: 1s\n\n": 0, "retry: -1\n\n": 0, "retry:\n\n": 0, "retry: 99999999999999999999\n\n": 0,
		"retry: 5\nretry: x\n\n": 5 * time.Millisecond,
	} {
		events := wire.NewEventReader(strings.NewReader(in), 1<<20)
		if _, err := events.Next(); !errors.Is(err, io.EOF) || events.Retry() != want {
			t.Errorf("%q: %s, %v", in, events.Retry(), err)
		}
	}
}

func TestEventReaderDoesNotAllocate(t *testing.T) {
	text := "event: delta\nid: 12\ndata: {\"choices\":[{\"delta\":{\"content\":\"hello\"}}]}\ndata: more\n\n: ping\r\n\r\n"
	events := wire.NewEventReader(&endless{text: []byte(text)}, 1<<20)
	next := func() {
		if e, err := events.Next(); err != nil || len(e.Data) == 0 {
			t.Fatalf("%q, %v", e.Data, err)
		}
	}
	for range 1000 {
		next()
	}
	if n := testing.AllocsPerRun(1000, next); n != 0 {
		t.Errorf("%v allocations an event", n)
	}
}

// endless repeats a text.
type endless struct {
	text []byte
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

func BenchmarkEventReader(b *testing.B) {
	text := []byte("event: delta\ndata: {\"choices\":[{\"delta\":{\"content\":\"hello\"}}]}\n\n")
	events := wire.NewEventReader(&endless{text: text}, 1<<20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := events.Next(); err != nil {
			b.Fatal(err)
		}
	}
}

// cutter delivers bytes in packets whose sizes follow from cuts.
type cutter struct {
	in   []byte
	cuts uint64
}

func (c *cutter) Read(p []byte) (int, error) {
	if len(c.in) == 0 {
		return 0, io.EOF
	}
	c.cuts = c.cuts<<7 | c.cuts>>57
	n := copy(p[:min(len(p), 1+int(c.cuts&7))], c.in)
	c.in = c.in[n:]
	return n, nil
}
