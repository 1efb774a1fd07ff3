package policy_test

import (
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
)

// BenchmarkStreamItem takes a chunk of a chat in the middle of its stream.
func BenchmarkStreamItem(b *testing.B) {
	rules := policy.NewStreamRules("openai", policy.Stream{Format: policy.SSE})
	state := rules.Begin()
	members := map[string]string{
		"object": `"chat.completion.chunk"`, "choices": `[{"index":0,"delta":{"content":" and"},"logprobs":null,"finish_reason":null}]`,
	}
	take := func() {
		it := policy.StreamItem{}
		var values [16][]byte
		for i, name := range state.Roots() {
			if text, ok := members[name]; ok {
				values[i] = []byte(text)
			}
		}
		it.Roots = values[:len(state.Roots())]
		state.Item(&it)
	}
	take()
	values := make([][]byte, len(state.Roots()))
	for i, name := range state.Roots() {
		if text, ok := members[name]; ok {
			values[i] = []byte(text)
		}
	}
	it := policy.StreamItem{Roots: values}
	b.ReportAllocs()
	for b.Loop() {
		state.Item(&it)
	}
}
