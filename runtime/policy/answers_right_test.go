package policy_test

import (
	"encoding/json"
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Answers that look as if something was missing, and are what was asked for. A right answer that is taken for a failure is worse than a
// failure that is not seen: the work is done, paid for, and thrown away.
func TestRightAnswers(t *testing.T) {
	t.Parallel()
	for preset, answers := range map[string]map[string]string{
		"openai": {
			"a moderation":            `{"id":"m","model":"omni","results":[{"flagged":false}]}`,
			"an image":                `{"created":1,"data":[{"b64_json":"x"}]}`,
			"speech without words":    `{"text":"","usage":{}}`,
			"a job without an error":  `{"object":"fine_tuning.job","error":{"code":null,"message":null,"param":null},"status":"queued"}`,
			"a batch that failed":     `{"object":"batch","errors":null,"status":"failed","error_file_id":null}`,
			"work in the background":  `{"object":"response","status":"in_progress","error":null,"incomplete_details":null,"output":[]}`,
			"a refusal":               `{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]}`,
			"an image of a tool":      `{"object":"response","status":"completed","output":[{"type":"image_generation_call","result":"x"}]}`,
			"a call":                  `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"1"}],"refusal":null},"finish_reason":"tool_calls"}]}`,
			"sound":                   `{"choices":[{"message":{"content":null,"audio":{"data":"x"}},"finish_reason":"stop"}]}`,
			"two, of which one":       `{"choices":[{"message":{"content":""},"finish_reason":"stop"},{"message":{"content":"x"},"finish_reason":"stop"}]}`,
			"a search without a hit":  `{"object":"list","data":[],"has_more":false,"first_id":null}`,
			"words of a tool":         `{"output":"x","error":"a warning"}`,
			"an error that says none": `{"error":"","choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`,
		},
		"openai-compatible": {
			"thoughts alone": `{"choices":[{"message":{"content":"","reasoning_content":"hm"},"finish_reason":"stop"}]}`,
			"no tokens":      `{"count":0,"max_model_len":10,"tokens":[]}`,
		},
		"mistral": {
			"content in parts": `{"choices":[{"message":{"content":[{"type":"text","text":"x"}]},"finish_reason":"stop"}]}`,
		},
		"anthropic": {
			"a pause":                  `{"type":"message","content":[{"type":"server_tool_use"}],"stop_reason":"pause_turn"}`,
			"stopped at once":          `{"type":"message","content":[],"stop_reason":"stop_sequence","stop_sequence":"\n"}`,
			"stopped after an opening": `{"type":"message","content":[{"type":"text","text":""}],"stop_reason":"stop_sequence","stop_sequence":"\n"}`,
			"a count":                  `{"input_tokens":0}`,
			"a batch":                  `{"type":"message_batch","processing_status":"in_progress","request_counts":{"errored":0}}`,
		},
		"gemini": {
			"what is cached":   `{"name":"cachedContents/x","model":"models/g","usageMetadata":{"totalTokenCount":10},"expireTime":"x"}`,
			"a count":          `{"totalTokens":0}`,
			"a vector":         `{"embedding":{"values":[0.1]},"usageMetadata":{"promptTokenCount":3}}`,
			"work that began":  `{"name":"batches/x","metadata":{"state":"BATCH_STATE_PENDING"}}`,
			"thoughts alone":   `{"candidates":[{"content":{"parts":[{"text":"x","thought":true}]},"finishReason":"STOP"}],"usageMetadata":{}}`,
			"feedback without": `{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}],"promptFeedback":{"safetyRatings":[]}}`,
		},
		"bedrock": {
			"stopped at once": `{"output":{"message":{"role":"assistant","content":[]}},"stopReason":"stop_sequence"}`,
		},
		"cohere": {
			"stopped at once":  `{"message":{"content":[{"type":"text","text":""}]},"finish_reason":"STOP_SEQUENCE"}`,
			"what to look for": `{"text":"","is_search_required":true,"search_queries":[{"text":"q"}],"finish_reason":"COMPLETE"}`,
			"a plan":           `{"message":{"tool_plan":"I","tool_calls":[{"id":"a"}]},"finish_reason":"TOOL_CALL"}`,
		},
		"weaviate": {
			"a result in part": `{"data":{"Get":{"A":[{"x":1}]}},"errors":[{"message":"x"}]}`,
			"no hits":          `{"data":{"Get":{"A":[]}},"errors":null}`,
		},
	} {
		judge := policy.NewJudge(&policy.Plan{Errors: policy.Errors{Preset: preset, Judge: true}})
		for name, body := range answers {
			if s := judge.Of(200, []byte(body)); s.Failed || s.Incomplete != "" {
				t.Errorf("%s, %s: %+v", preset, name, s)
			}
		}
	}
}

// An error without a code is one too, and an answer without the list of what it answers is none.
func TestAnswersThatHideAnError(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]policy.Kind{
		`{"error":"the model's process is gone"}`:              policy.KindTransient,
		`{"object":"chat.completion","usage":{}}`:              policy.KindDecode,
		`{"object":"list","model":"e","data":[],"usage":null}`: policy.KindDecode,
	} {
		judge := policy.NewJudge(&policy.Plan{Errors: policy.Errors{Preset: "openai-compatible", Judge: true}})
		if s := judge.Of(200, []byte(body)); !s.Failed || s.Kind != want {
			t.Errorf("%s: %+v, want %v", body, s, want)
		}
	}
}

// Streams that show nothing, or show it late, and are right. In senses, p is an item before content, e one that is empty, c content.
func TestRightStreams(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		preset string
		items  []string
		senses string
	}{
		"stopped at once": {"anthropic", []string{
			`{"type":"message_start"}`, `{"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"x"}}`, `{"type":"message_stop"}`,
		}, "pcc"},
		"stopped at once, Cohere": {"cohere", []string{
			`{"type":"message-start"}`, `{"type":"message-end","delta":{"finish_reason":"STOP_SEQUENCE"}}`,
		}, "pc"},
		"kept alive": {"openai", []string{
			`{"type":"keepalive","sequence_number":0}`, `{"type":"response.created"}`, `{"type":"keepalive"}`,
			`{"type":"response.output_text.delta","delta":"x"}`, `{"type":"keepalive"}`, `{"type":"response.completed","response":{"output":[{}]}}`,
		}, "pppcec"},
		"filters before": {"azure", []string{
			`{"choices":[],"prompt_filter_results":[{"prompt_index":0}]}`, `{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}`,
			`{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}`, `{"choices":[{"index":0,"finish_reason":null}]}`,
		}, "ppcc"},
	} {
		state := policy.NewStreamRules(c.preset, policy.Stream{Format: policy.SSE}).Begin()
		senses := ""
		for _, item := range c.items {
			members := map[string]json.RawMessage{}
			if err := json.Unmarshal([]byte(item), &members); err != nil {
				t.Fatal(err)
			}
			it := new(policy.StreamItem)
			for _, root := range state.Roots() {
				it.Roots = append(it.Roots, members[root])
			}
			switch s := state.Item(it); {
			case s.Fault:
				senses += "!"
			case s.Preamble:
				senses += "p"
			case s.Empty:
				senses += "e"
			default:
				senses += "c"
			}
		}
		if senses != c.senses || state.IsEmpty() || state.Incomplete() != "" || state.Unproven(true) != "" {
			t.Errorf("%s: %s, want %s; empty %v, incomplete %q, unproven %q", name, senses, c.senses, state.IsEmpty(), state.Incomplete(), state.Unproven(true))
		}
	}
}

// What a caller named and is not there is the caller's: one that asks for a wrong thing again and again is no reason to keep others away.
func TestNotFoundOfTheCaller(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		preset string
		status int
		body   string
	}{
		{"anthropic", 404, `{"type":"error","error":{"type":"not_found_error","message":"Batch msgbatch_1 is not there"}}`},
		{"gemini", 404, `{"error":{"code":404,"status":"NOT_FOUND","message":"File f1 is not there"}}`},
		{"gemini", 403, `{"error":{"code":403,"status":"PERMISSION_DENIED","message":"File f1: not yours, or it may not exist."}}`},
		{"gemini", 400, `{"error":{"code":400,"status":"FAILED_PRECONDITION","message":"File f1 is not in an ACTIVE state"}}`},
		{"bedrock", 404, `{"__type":"ResourceNotFoundException","message":"no such job"}`},
	} {
		if got := classify(policy.Errors{Preset: c.preset}, c.status, c.body); got != policy.KindCaller {
			t.Errorf("%s %s: %v", c.preset, c.body, got)
		}
	}
}
