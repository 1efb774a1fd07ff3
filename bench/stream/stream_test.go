package stream

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/bench/internal/cpu"
	"github.com/resgen-go/resgen/bench/internal/payload"
)

var text = payload.Stream(events)

// packets reads one event at a time, as a slow server's come.
type packets struct{ rest []byte }

func (p *packets) Read(to []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(to, p.rest[:bytes.Index(p.rest, []byte("\n\n"))+2])
	p.rest = p.rest[n:]
	return n, nil
}

// BenchmarkParse takes the stream apart; BenchmarkParsePackets reads it event by event.
func BenchmarkParse(b *testing.B) {
	measure(b, parsers(), func() io.Reader { return bytes.NewReader(text) })
}

// BenchmarkParsePackets is the same where each read gets one event.
func BenchmarkParsePackets(b *testing.B) {
	measure(b, parsers(), func() io.Reader { return &packets{text} })
}

// BenchmarkItems decodes the events too.
func BenchmarkItems(b *testing.B) {
	measure(b, decoders(b), func() io.Reader { return bytes.NewReader(text) })
}

func measure(b *testing.B, arms []arm, from func() io.Reader) {
	b.Helper()
	for _, a := range arms {
		b.Run(a.name, func(b *testing.B) {
			if a.missing != "" {
				b.Skip(a.missing)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			defer cpu.Start(b)()
			for b.Loop() {
				if n, err := a.read(from()); err != nil || n != events {
					b.Fatalf("%d events, %v", n, err)
				}
			}
		})
	}
}

func TestArmsReadAll(t *testing.T) {
	t.Parallel()
	for _, a := range append(parsers(), decoders(t)...) {
		for _, from := range []io.Reader{bytes.NewReader(text), &packets{text}} {
			if n, err := a.read(from); err != nil || n != events {
				t.Errorf("%s: %d events, %v", a.name, n, err)
			}
		}
	}
}

// The floor is a parser of all that the standard has, or it would be no yardstick.
func TestFloorAndResgenReadTheStandard(t *testing.T) {
	t.Parallel()
	const odd = "\xef\xbb\xbf: hello\r\nevent: x\r\ndata: a\r\ndata:b\r\n\r\ndata:  c\rid: 1\r\rretry: 5\n\ndata\n\nevent: none\n\ndata: d\n: bye\n\n"
	want := []string{"a\nb", " c", "", "d"}
	for name, p := range map[string]parse{"floor": floor, "resgen": resgen} {
		for _, size := range []int{1, 7, 1 << 10} {
			var got []string
			_, err := p(chunked{strings.NewReader(odd), size}, func(data []byte) error {
				got = append(got, string(data))
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %d bytes a read (-want +got):\n%s", name, size, diff)
			}
		}
	}
}

// chunked reads size bytes at a time.
type chunked struct {
	r    io.Reader
	size int
}

func (c chunked) Read(to []byte) (int, error) { return c.r.Read(to[:min(c.size, len(to))]) }
