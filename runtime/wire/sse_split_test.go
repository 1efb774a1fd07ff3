package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

// slowEvents is the standard read aloud (WHATWG HTML, section 9.2.6), with what EventReader adds to it: JSON outside of the form, and a
// last event that lacks its empty line.
func slowEvents(in string) (events []string) {
	in = strings.TrimPrefix(in, "\ufeff")
	in = strings.ReplaceAll(strings.ReplaceAll(in, "\r\n", "\n"), "\r", "\n")
	typ, id, data, filled := "", "", "", false
	dispatch := func() {
		if filled {
			events = append(events, typ+"|"+strings.TrimSuffix(data, "\n")+"|"+id)
		}
		typ, data, filled = "", "", false
	}
	for line := range strings.SplitSeq(in, "\n") {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			dispatch()
		case line[0] == '{':
			events = append(events, "bare||"+line+"|")
		case name == "data":
			data, filled = data+value+"\n", true
		case name == "event":
			typ = value
		case name == "id" && !strings.Contains(value, "\x00"):
			id = value
		}
	}
	dispatch()
	return events
}

// eventStreams are streams of every form that the standard knows.
var eventStreams = []string{
	"\ufeffdata: 1\n\ndata: \ufeff2\n\n\ufeffdata: 3\n\n",
	"data: YHOO\ndata: +2\ndata: 10\n\n: test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\ndata: lost?",
	"event: a\r\ndata: 1\r\n\r\ndata: 2\rdata: 3\n\r\ndata\r\rid: 4\r\n\r\rdata: 5\r\n",
	":\n:data: no\nretry: 10\nevent: ping\n\nid: 7\n\nunknown\nevent: b\ndata: \u65e5\u672c\u8a9e \U0001f469\u200d\U0001f680\n\nid: 8\x00\ndata:\n\n",
	"data: 1\n{\"error\":{\"code\":500}}\ndata: 2\n\n{}\n\n{\"last\":1}",
	"Data: 1\n data: 2\ndata : 3\ndata: 4\ndata:: 5\n:\n\n",
	"data: bad \xff\xc3\x28 bytes\n\ndata: " + strings.Repeat("long ", 3000) + "\n\ndata: short\n\n",
	"\n\n\r\r\n\ndata\n\n\n\n",
	"", "\ufeff", "\xef\xbb", "\ufeff\ufeffdata: 1\n\n", "data: 1\n\n\r", "\r\n", "data",
}

// Wherever a stream is cut in two, also within a line end, a byte order mark or a rune, its events are the same.
func TestEventsCutAnywhere(t *testing.T) {
	t.Parallel()
	for _, in := range eventStreams {
		want := slowEvents(in)
		check := func(how string, packets ...string) {
			t.Helper()
			body := (*packetsOf)(&packets)
			got, err := readEvents(body, 1<<20)
			if diff := cmp.Diff(want, got); diff != "" || !errors.Is(err, io.EOF) {
				t.Fatalf("%.200q %s: %v (-want +got):\n%s", in, how, err, diff)
			}
		}
		step := 1 + len(in)/2000
		for at := 0; at <= len(in); at += step {
			check(fmt.Sprintf("cut at %d", at), in[:at], in[at:])
			check(fmt.Sprintf("cut around %d", at), in[:at], in[at:min(at+1, len(in))], in[min(at+1, len(in)):])
		}
		check("byte by byte", strings.Split(in, "")...)
	}
}

// packetsOf are delivered one a Read, or in as many as the reader has room for; empty ones are none.
type packetsOf []string

func (p *packetsOf) Read(b []byte) (int, error) {
	for len(*p) > 0 && (*p)[0] == "" {
		*p = (*p)[1:]
	}
	if len(*p) == 0 {
		return 0, io.EOF
	}
	n := copy(b, (*p)[0])
	(*p)[0] = (*p)[0][n:]
	return n, nil
}

// A stream that comes faster than it is read, and one that comes byte by byte, cost no allocation an event; neither do events whose data
// is cut by the end of the buffer.
func TestEventsAllocateNothing(t *testing.T) {
	for name, in := range map[string]string{
		"one line":    "data: " + strings.Repeat("x", 280) + "\n\n",
		"with a type": "event: content_block_delta\ndata: {\"type\":\"content_block_delta\"}\n\n",
		"many lines":  "id: 1\r\ndata: a\r\ndata: b\r\ndata: c\r\n\r\n",
		"long":        "data: " + strings.Repeat("x", 20<<10) + "\n\n",
	} {
		for _, most := range []int{1 << 20, 100} {
			events := wire.NewEventReader(&slow{endless{text: []byte(in)}, most}, 1<<20)
			next := func() {
				if _, err := events.Next(); err != nil {
					t.Fatal(err)
				}
			}
			for range 1000 {
				next()
			}
			if n := testing.AllocsPerRun(500, next); n != 0 {
				t.Errorf("%s, %d bytes a read: %v allocations an event", name, most, n)
			}
		}
	}
}

// slow delivers so many bytes a Read at most.
type slow struct {
	endless

	most int
}

func (s *slow) Read(p []byte) (int, error) { return s.endless.Read(p[:min(len(p), s.most)]) }

// What a reader grew to for one giant event is given back with the small ones after it.
func TestGiantBuffersAreGivenBack(t *testing.T) {
	const giant = 8 << 20
	text := strings.Repeat("x", giant)
	for name, first := range map[string]string{
		"a line":     "data: " + text + "\n\n",
		"many lines": strings.Repeat("data: "+text[:giant/64]+"\n", 64) + "\n",
	} {
		const readers = 4
		var all []*wire.EventReader
		before := heap()
		for range readers {
			events := wire.NewEventReader(io.MultiReader(strings.NewReader(first), &slow{endless{text: []byte("data: small\n\n")}, 1000}), 1<<30)
			for i := range 200 {
				if e, err := events.Next(); err != nil || i == 0 && len(e.Data) < giant {
					t.Fatalf("%d bytes, %v", len(e.Data), err)
				}
			}
			all = append(all, events)
		}
		if held := heap() - before; held > readers*giant/16 {
			t.Errorf("%s: %d readers hold %d bytes after a giant event and small ones", name, readers, held)
		}
		runtime.KeepAlive(all)
	}
}

// heap returns how many bytes are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A line of CRs alone, of which each is a line, costs no more than its length.
func TestLoneCRsAreReadOnce(t *testing.T) {
	t.Parallel()
	in := "data: " + strings.Repeat("x", 1<<20) + "\n\n" + strings.Repeat("\r", 2<<20) + "data: 1\n\n"
	got, err := readEvents(bytes.NewReader([]byte(in)), 2<<20)
	if len(got) != 2 || got[1] != "|1|" || !errors.Is(err, io.EOF) {
		t.Errorf("%d events, %v", len(got), err)
	}
}

// A reader that returns nothing for ever is broken, and not waited for.
func TestReaderWithoutProgress(t *testing.T) {
	t.Parallel()
	if _, err := readEvents(idle{}, 1<<20); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// FuzzSSE compares the reader, however its stream is cut into packets, with the standard read aloud.
func FuzzSSE(f *testing.F) {
	for _, s := range eventStreams {
		f.Add([]byte(s), uint64(0x1234_5678_9abc_def0), uint16(40))
	}
	f.Add([]byte("00000000\r"), uint64(0), uint16(3))
	f.Fuzz(func(t *testing.T, in []byte, cuts uint64, limit uint16) {
		got, err := readEvents(&cutter{in: in, cuts: cuts}, 1<<20)
		if diff := cmp.Diff(slowEvents(string(in)), got); diff != "" || !errors.Is(err, io.EOF) {
			t.Fatalf("%q cut by %x: %v (-want +got):\n%s", in, cuts, err, diff)
		}
		whole, wantErr := readEvents(bytes.NewReader(in), int64(limit))
		got, err = readEvents(&cutter{in: in, cuts: cuts}, int64(limit))
		if diff := cmp.Diff(whole, got); diff != "" || err.Error() != wantErr.Error() {
			t.Fatalf("%q cut by %x, limit %d: %v, whole: %v (-whole +cut):\n%s", in, cuts, limit, err, wantErr, diff)
		}
	})
}
