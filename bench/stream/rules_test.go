package stream

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/bench/internal/cpu"
	"github.com/resgen-go/resgen/bench/llm"
	"github.com/resgen-go/resgen/runtime/policy"
)

// known is a stream and what a preset knows of it. The readers decode its items, told apart by rules and not.
type known struct {
	name          string
	text          []byte
	with, without func(r io.Reader) (int, error)
}

// delta is an item of Anthropic's Messages.
type delta struct {
	Type  string `json:"type"`
	Index int    `json:"index"`
	Delta struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"delta"`
}

func knownStreams(tb testing.TB) []known {
	tb.Helper()
	stream := policy.Stream{Format: policy.SSE, Done: done}
	openai, anthropic := policy.NewStreamRules("openai", stream), policy.NewStreamRules("anthropic", stream)
	messages := strings.Repeat("event: content_block_delta\ndata: "+
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" and then some more of it"}}`+"\n\n", events-1) +
		"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n" + "data: [DONE]\n\n"
	return []known{
		{"chat", text, items[llm.ChatChunk](tb, openai), items[llm.ChatChunk](tb, nil)},
		{"messages", []byte(messages), items[delta](tb, anthropic), items[delta](tb, nil)},
	}
}

// BenchmarkRules reads a stream with what the preset knows of it and without, in turns, and says what that costs an item.
func BenchmarkRules(b *testing.B) {
	for _, k := range knownStreams(b) {
		b.Run(k.name, func(b *testing.B) {
			b.ReportAllocs()
			var spent [2]int64
			n := 0
			for b.Loop() {
				for i, read := range [...]func(r io.Reader) (int, error){k.with, k.without} {
					began := cpu.Used(b)
					if got, err := read(bytes.NewReader(k.text)); err != nil || got != events {
						b.Fatalf("%d events, %v", got, err)
					}
					spent[i] += cpu.Used(b) - began
				}
				n += events
			}
			b.ReportMetric(float64(spent[0])/float64(n), "with-ns/item")
			b.ReportMetric(float64(spent[1])/float64(n), "without-ns/item")
			b.ReportMetric(float64(spent[0]-spent[1])/float64(n), "more-ns/item")
		})
	}
}

func TestRulesAllocateNothingForAnItem(t *testing.T) {
	for _, k := range knownStreams(t) {
		run := func(read func(r io.Reader) (int, error)) float64 {
			return testing.AllocsPerRun(5, func() {
				if n, err := read(bytes.NewReader(k.text)); err != nil || n != events {
					t.Fatalf("%s: %d events, %v", k.name, n, err)
				}
			})
		}
		if with, without := run(k.with), run(k.without); with-without > 20 {
			t.Errorf("%s: %v allocations with rules, %v without: some are made for each item", k.name, with, without)
		}
	}
}
