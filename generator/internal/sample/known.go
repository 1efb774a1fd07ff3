package sample

// wholeAnswers are answers of providers that say something. They are tried where the smallest answer of a type is taken for one that failed
// because it says nothing. What a type does not have is left out of them.
var wholeAnswers = []string{
	`{"choices":[{"index":0,"message":{"role":"assistant","content":"text"},"text":"text","finish_reason":"stop"}]}`,
	`{"object":"response","status":"completed","error":null,"output":[{"type":"message","id":"id","status":"completed","role":"assistant",` +
		`"content":[{"type":"output_text","text":"text","annotations":[],"logprobs":[]}]}]}`,
	`{"type":"message","role":"assistant","content":[{"type":"text","text":"text"}],"stop_reason":"end_turn"}`,
	`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"text"}]},"finishReason":"STOP"}]}`,
	`{"message":{"role":"assistant","content":[{"type":"text","text":"text"}]},"finish_reason":"COMPLETE"}`,
	`{"text":"text","generation_id":"id","finish_reason":"COMPLETE"}`,
	`{"data":[{"index":0,"object":"embedding","embedding":[0.5]}]}`,
}

// wholeStreams are streams of providers that say something and come to an end, each as the list of its items.
var wholeStreams = []string{
	`[{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"text"},"text":"text","finish_reason":"stop"}]}]`,
	`[{"type":"response.output_text.delta","sequence_number":0,"item_id":"id","output_index":0,"content_index":0,"delta":"text","logprobs":[]},` +
		`{"type":"response.completed","sequence_number":1,"response":{"object":"response","status":"completed","error":null,"output":[` +
		`{"type":"message","id":"id","status":"completed","role":"assistant",` +
		`"content":[{"type":"output_text","text":"text","annotations":[],"logprobs":[]}]}]}}]`,
	`[{"type":"message_start","message":{"type":"message","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null}},` +
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}},` +
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"text"}},{"type":"content_block_stop","index":0},` +
		`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null}},{"type":"message_stop"}]`,
	`[{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"text"}]},"finishReason":"STOP"}]}]`,
	`[{"type":"message-start","id":"id","delta":{"message":{"role":"assistant"}}},` +
		`{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}},` +
		`{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"text"}}}},{"type":"content-end","index":0},` +
		`{"type":"message-end","id":"id","delta":{"finish_reason":"COMPLETE"}}]`,
	`[{"event_type":"text-generation","text":"text","is_finished":false},` +
		`{"event_type":"stream-end","is_finished":true,"finish_reason":"COMPLETE","response":{"text":"text","generation_id":"id"}}]`,
	`[{"type":"conversation.response.started","conversation_id":"id"},{"type":"message.output.delta","content":"text"},` +
		`{"type":"conversation.response.done","usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}]`,
}
