package wire_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// readTexts reads the items of a stream as they were written, and the error at the end.
func readTexts(t *testing.T, s policy.Stream, body io.Reader) ([]string, error) {
	t.Helper()
	resp := answer(200, "application/x-stream", "")
	resp.Body = io.NopCloser(body)
	items, err := wire.JSONItems[json.RawMessage](respond(t, chunked(resp)), s)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for {
		item, err := items.Next()
		if err != nil {
			return all, err
		}
		all = append(all, string(item))
	}
}

// Wherever streams of lines and sequences are cut in two, their items are the same.
func TestItemsCutAnywhere(t *testing.T) {
	t.Parallel()
	const lines, seq = policy.JSONL, policy.JSONSeq
	long := `"` + strings.Repeat("long ", 3000) + `"`
	for _, tt := range []struct {
		format policy.StreamFormat
		in     string
		want   []string
		as     string
	}{
		{lines, "{\"a\":1}\n{\"b\":2}\r\n\n \t\n[3]\n\"\u65e5\u672c\u8a9e\"\n5", []string{`{"a":1}`, `{"b":2}`, "[3]", "\"\u65e5\u672c\u8a9e\"", "5"}, ""},
		{lines, "1\n" + long + "\n2\n", []string{"1", long, "2"}, ""},
		{lines, "", nil, ""},
		{lines, "{\"a\":1}\n{\"b\"\n{\"c\":2}\n", []string{`{"a":1}`}, "decode"},
		{seq, "\x1e{\"a\":1}\n\x1e{\"b\":\n[2]}\n\x1e\x1e\n\x1e\"c\"\n\x1e4\n\x1etrue\n", []string{`{"a":1}`, "{\"b\":\n[2]}", `"c"`, "4", "true"}, ""},
		{seq, "\x1e{\"a\":1}\x1e[2]\x1e\"3\"", []string{`{"a":1}`, "[2]", `"3"`}, ""},
		{seq, "\x1e{\"a\":\"}\\\"\x7f\"}\r\n\x1e " + long + "\n", []string{"{\"a\":\"}\\\"\x7f\"}", long}, ""},
		{seq, "\x1e1\n\x1e12", []string{"1"}, "transport"},
		{seq, "\x1e1\n\x1e12\x1e3\n", []string{"1"}, "decode"},
		{seq, "\x1e{\"a\":\n1\n", nil, "transport"},
		{seq, "\x1e{\"a\":\n\x1e2\n", nil, "decode"},
		{seq, "\x1e]\n", nil, "decode"},
		{seq, "\n\n", nil, ""},
	} {
		check := func(packets ...string) {
			t.Helper()
			got, err := readTexts(t, policy.Stream{Format: tt.format}, (*packetsOf)(&packets))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Fatalf("%.100q: %v (-want +got):\n%s", tt.in, err, diff)
			}
			var decode *wire.DecodeError
			var transport *wire.TransportError
			switch {
			case tt.as == "" && !errors.Is(err, io.EOF), tt.as == "decode" && !errors.As(err, &decode), tt.as == "transport" && !errors.As(err, &transport):
				t.Fatalf("%.100q ends with %v, want %q", tt.in, err, tt.as)
			}
		}
		step := 1 + len(tt.in)/200
		for at := 0; at <= len(tt.in); at += step {
			check(tt.in[:at], tt.in[at:])
		}
		check(strings.Split(tt.in, "")...)
	}
}

// A text of many lines is looked at once, however long it is.
func TestASequenceOfManyLines(t *testing.T) {
	t.Parallel()
	text := "[" + strings.Repeat("\n1,", 1<<20) + "\n2]"
	got, err := readTexts(t, policy.Stream{Format: policy.JSONSeq}, strings.NewReader("\x1e"+text+"\n"))
	if len(got) != 1 || got[0] != text || !errors.Is(err, io.EOF) {
		t.Errorf("%d items, %v", len(got), err)
	}
}

func TestASequenceBeyondTheLimit(t *testing.T) {
	t.Parallel()
	resp := answer(200, "application/json-seq", "\x1e[1]\n\x1e["+strings.Repeat("1,\n", 1000))
	items, err := wire.JSONItems[json.RawMessage](respondIn(t.Context(), t, chunked(resp), wire.Config{Limit: 1000}), policy.Stream{Format: policy.JSONSeq})
	if err != nil {
		t.Fatal(err)
	}
	got, err := drainItems(t, items)
	var limit *wire.LimitError
	if len(got) != 1 || !errors.As(err, &limit) {
		t.Errorf("%d items, %v; want one and the limit", len(got), err)
	}
}

// slowLines is what JSON Lines say, read aloud: the texts up to the first that is none.
func slowLines(in string) (texts []string) {
	for line := range strings.Lines(in) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if !json.Valid([]byte(line)) {
			return texts
		}
		texts = append(texts, line)
	}
	return texts
}

// FuzzItems compares lines with what they say read aloud, and sequences that are cut into packets with whole ones.
func FuzzItems(f *testing.F) {
	for _, s := range []string{
		"{\"a\":1}\n[2]\r\n\n3", "\x1e{\"a\":\n1}\n\x1e\"b\"\x1e12\n\x1enull\n", "\x1e\x1e[[]\n]\n", "1\n{\n", "\x1e12\x1e", "\ufeff1\n2",
	} {
		f.Add([]byte(s), uint64(0x1234_5678_9abc_def0))
	}
	f.Fuzz(func(t *testing.T, in []byte, cuts uint64) {
		want := slowLines(string(in))
		got, err := readTexts(t, policy.Stream{Format: policy.JSONL}, &cutter{in: in, cuts: cuts})
		stopped := len(got) < len(want) && !utf8.ValidString(want[len(got)]) // encoding/json takes bytes that are no UTF-8
		if len(got) > len(want) || !cmp.Equal(append([]string(nil), want[:len(got)]...), got) || len(got) < len(want) && !stopped {
			t.Fatalf("%q cut by %x: lines %q, %v; want %q", in, cuts, got, err, want)
		}
		whole, wantErr := readTexts(t, policy.Stream{Format: policy.JSONSeq}, strings.NewReader(string(in)))
		got, err = readTexts(t, policy.Stream{Format: policy.JSONSeq}, &cutter{in: in, cuts: cuts})
		if diff := cmp.Diff(whole, got); diff != "" || err.Error() != wantErr.Error() {
			t.Fatalf("%q cut by %x: %v, whole: %v (-whole +cut):\n%s", in, cuts, err, wantErr, diff)
		}
	})
}
