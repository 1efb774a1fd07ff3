package policy_test

import (
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/policy"
)

// terminals are what stands in an item that can prove an end.
var terminals = []string{
	"finish", "message_stop", "message-end", "stream-end", "response.completed", "response.incomplete", "thread.run.", ".done", ".completed",
}

// Items in any order and of any content: the machine never panics, never takes an end for proven by items that hold no terminal.
func FuzzStreamState(f *testing.F) {
	for _, seed := range []string{
		`{"choices":[{"index":0,"delta":{"role":"assistant"}}]}|{"choices":[{"index":0,"finish_reason":"stop"}]}|[DONE]`,
		`{"type":"message_start"}|{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}|{"type":"message_stop"}`,
		`{"type":"response.created"}|{"type":"response.failed","response":{"error":{"code":"x"}}}`,
		`{"candidates":[{"index":-1,"finishReason":"STOP"},7,{"content":{"parts":[{"text":""}]}}]}|{"promptFeedback":{"blockReason":"OTHER"}}`,
		`{"type":"message-end","delta":{"finish_reason":"ERROR"}}|thread.run.completed`,
		`{"choices":[{"index":0,"delta":{"content":"}]"},"finish_reason":null}]}|{"choices":[{"index":0,"x":[{}],"finish_reason":null}]}`,
		`{"error":null}|{"error":""}|{"error":{}}|{"object":"error"}|null|[]|"|{`,
	} {
		for i := range 8 {
			f.Add(seed, uint8(i))
		}
	}
	presets := policy.Presets()
	f.Fuzz(func(t *testing.T, script string, which uint8) {
		stream := policy.Stream{Format: policy.SSE}
		if which&0x80 != 0 {
			stream.Preamble = []policy.ItemRule{{{Pointer: "/*/a/*"}, {Pointer: policy.ItemEvent}}}
		}
		state := policy.NewStreamRules(presets[int(which&0x7f)%len(presets)], stream).Begin()
		may := false
		for text := range strings.SplitSeq(script, "|") {
			values := make([][]byte, len(state.Roots()))
			jsontext.Members([]byte(text), state.Roots(), values)
			it := policy.StreamItem{Event: []byte(text), Text: []byte(text), Roots: values}
			sense := state.Item(&it)
			may = may || mayEnd(text)
			if sense.Preamble && !sense.Empty || sense.Fault && (sense.Preamble || sense.Last) {
				t.Errorf("%q: %+v contradicts itself", text, sense)
			}
			_ = state.Text([]byte(text))
			if (state.IsProven() || sense.Last) && !may {
				t.Fatalf("%q proves the end of %s", text, state.Form())
			}
			if state.Form() != "" && state.Unproven(true) == "" && !may {
				t.Fatalf("the marker proves the end of %s after %q", state.Form(), text)
			}
		}
	})
}

// mayEnd reports whether a terminal stands in the item, escaped or not.
func mayEnd(text string) bool {
	if strings.Contains(text, `\`) {
		return true
	}
	for _, terminal := range terminals {
		if strings.Contains(text, terminal) {
			return true
		}
	}
	return false
}
