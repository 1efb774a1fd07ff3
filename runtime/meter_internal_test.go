package runtime

import (
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
)

// TestTokenPlacesOfEachWireShape feeds answers of each shape, and the items of its streams, to what the preset knows of its tokens. The bill is
// at 1 for a token of input, 0.5 for a cached one, 2 for one written to a cache, 10 for output and 100 for reasoning.
func TestTokenPlacesOfEachWireShape(t *testing.T) {
	t.Parallel()
	const chat = `{"usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}}`
	const reply = `{"usage":{"input_tokens":10,"output_tokens":5,"input_tokens_details":{"cached_tokens":4},"output_tokens_details":{"reasoning_tokens":2}}}`
	within := policy.Usage{Input: 10, Cached: 4, Output: 5, Reasoning: 2}
	const withinBill = 6 + 4*0.5 + 3*10 + 2*100
	price := policy.Price{Input: 1e6, Cached: 0.5e6, CacheWrite: 2e6, Output: 10e6, Reasoning: 100e6}
	for name, c := range map[string]struct {
		preset string
		texts  []string
		want   policy.Usage
		bill   float64
	}{
		"chat completions":             {"openai", []string{chat}, within, withinBill},
		"chat completions, streamed":   {"openai", []string{`{"usage":null}`, `{"choices":[]}`, chat, `{"usage":null}`}, within, withinBill},
		"azure":                        {"azure", []string{chat}, within, withinBill},
		"mistral":                      {"mistral", []string{chat}, within, withinBill},
		"together":                     {"together", []string{chat}, within, withinBill},
		"responses":                    {"openai", []string{reply}, within, withinBill},
		"responses, streamed":          {"openai", []string{`{"response":{"usage":null}}`, `{"response":` + reply + `}`}, within, withinBill},
		"compatible, responses":        {"openai-compatible", []string{reply}, within, withinBill},
		"messages: cached is on top":   {"anthropic", []string{`{"usage":{"input_tokens":10,"cache_read_input_tokens":4,"cache_creation_input_tokens":3,"output_tokens":5}}`}, policy.Usage{Input: 10, Cached: 4, CacheWrite: 3, Output: 5}, 10 + 2 + 6 + 50},
		"messages, streamed":           {"anthropic", []string{`{"message":{"usage":{"input_tokens":10,"cache_read_input_tokens":4,"output_tokens":1}}}`, `{"usage":{"output_tokens":3}}`, `{"usage":{"output_tokens":5}}`}, policy.Usage{Input: 10, Cached: 4, Output: 5}, 10 + 2 + 50},
		"generateContent: thoughts":    {"gemini", []string{`{"usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":4,"candidatesTokenCount":5,"thoughtsTokenCount":2}}`}, within, 6 + 2 + 50 + 200},
		"generateContent, streamed":    {"gemini", []string{`{"usageMetadata":{"promptTokenCount":10}}`, `{"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5}}`}, policy.Usage{Input: 10, Output: 5}, 60},
		"converse: cached is on top":   {"bedrock", []string{`{"usage":{"inputTokens":10,"cacheReadInputTokens":4,"cacheWriteInputTokens":3,"outputTokens":5}}`}, policy.Usage{Input: 10, Cached: 4, CacheWrite: 3, Output: 5}, 10 + 2 + 6 + 50},
		"converse, streamed":           {"bedrock", []string{`{"contentBlockDelta":{}}`, `{"metadata":{"usage":{"inputTokens":10,"outputTokens":5}}}`}, policy.Usage{Input: 10, Output: 5}, 60},
		"cohere: what is billed first": {"cohere", []string{`{"usage":{"billed_units":{"input_tokens":10,"output_tokens":5},"tokens":{"input_tokens":90,"output_tokens":95}}}`}, policy.Usage{Input: 10, Output: 5}, 60},
		"cohere, streamed":             {"cohere", []string{`{"delta":{"message":{}}}`, `{"delta":{"usage":{"billed_units":{"input_tokens":10,"output_tokens":5}}}}`}, policy.Usage{Input: 10, Output: 5}, 60},
		"cohere, embeddings":           {"cohere", []string{`{"meta":{"billed_units":{"input_tokens":10}}}`}, policy.Usage{Input: 10}, 10},
		"groq":                         {"groq", []string{chat}, within, withinBill},
		"groq, streamed":               {"groq", []string{`{"x_groq":{"id":"a"}}`, `{"x_groq":{"usage":{"prompt_tokens":10,"completion_tokens":5}}}`}, policy.Usage{Input: 10, Output: 5}, 60},
		"openrouter: written to cache": {"openrouter", []string{`{"usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":3}}}`}, policy.Usage{Input: 10, Cached: 4, CacheWrite: 3, Output: 5}, 3 + 2 + 6 + 50},
		"vllm, no output yet":          {"openai-compatible", []string{`{"usage":{"prompt_tokens":10,"completion_tokens":0}}`}, policy.Usage{Input: 10}, 10},
		"ollama":                       {"openai-compatible", []string{`{"done":false}`, `{"done":true,"prompt_eval_count":10,"eval_count":5}`}, policy.Usage{Input: 10, Output: 5}, 60},
		"what is no number":            {"openai", []string{`{"usage":{"prompt_tokens":"10","completion_tokens":-5}}`, `[]`, `"usage"`, `{`}, policy.Usage{}, 0},
		"beyond all reason":            {"openai", []string{`{"usage":{"completion_tokens":1e300}}`}, policy.Usage{Output: mostTokens}, 10 * mostTokens},
	} {
		plan := policy.Plan{Errors: policy.Errors{Preset: c.preset}}
		places := policy.TokenPlacesOf(&plan)
		m := &meter{fields: meterFieldsOf(&places, policy.Served{}, policy.CountingOf(&plan)), price: &price}
		for _, text := range c.texts {
			found := make([][]byte, m.fields.pointers.Len())
			if m.fields.pointers.Find([]byte(text), found) {
				m.read(found)
			}
		}
		if used, cost := m.bill(); used != c.want || cost != c.bill {
			t.Errorf("%s: %+v for %v, want %+v for %v", name, used, cost, c.want, c.bill)
		}
	}
	for _, preset := range policy.Presets() {
		plan := policy.Plan{Errors: policy.Errors{Preset: preset}}
		if places := policy.TokenPlacesOf(&plan); (len(places.Input) > 0) != (len(places.Max) > 0) || (len(places.Input) > 0) != (len(places.Output) > 0) {
			t.Errorf("%s knows some places and not others: %+v", preset, places)
		}
	}
}
