package policy

// formResponses is OpenAI's Responses. What announces an item or a part that has no text yet is no content; a call of a tool is.
var formResponses = streamForm{
	name: "responses", names: []string{"/type"}, begins: []string{"response.", keepAlive}, last: true,
	items: []namedItem{
		{names: []string{"response.created", "response.queued", "response.in_progress", keepAlive}, means: sensePreamble},
		{names: []string{"response.output_item.added"}, at: "/item/type", in: []string{"message", "reasoning"}, means: sensePreamble},
		{names: []string{"response.content_part.added", "response.reasoning_summary_part.added"}, means: sensePreamble},
		{names: []string{"response.completed"}, at: "/response/status", in: []string{"incomplete"}, means: senseCut},
		{names: []string{"response.completed"}, at: "/response/status", in: []string{"failed", "cancelled"}, means: senseFailed},
		{names: []string{"response.completed"}, at: "/response/output", means: senseComplete},
		{names: []string{"response.completed"}, means: senseSilent},
		{names: []string{"response.incomplete"}, at: "/response/incomplete_details/reason", in: []string{"content_filter"}, means: senseRefused},
		{names: []string{"response.incomplete"}, means: senseCut},
		{names: []string{"response.failed", "response.cancelled"}, means: senseFailed},
	},
	reason: "/response/incomplete_details/reason",
	calls:  []namedCall{{at: "/item/type", in: toolCalls}, {at: "/response/output/*/type", in: toolCalls}},
	text:   []namedText{{name: "response.output_text.delta", at: "/delta"}},
	source: "platform.openai.com/docs/api-reference/responses-streaming; openai/openai-node#1964: keepalive",
}

// keepAlive is an event of Responses that says nothing, while an answer takes long.
const keepAlive = "keepalive"

// formMessages is Anthropic's Messages. message_delta says how the answer ended, message_stop that it did.
var formMessages = streamForm{
	name: "messages", names: []string{"/type"}, last: true,
	begins: []string{
		"message_start", "ping", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop",
	},
	items: []namedItem{
		{names: []string{"message_start", "ping"}, means: sensePreamble},
		{names: []string{"content_block_start"}, at: "/content_block/type", in: []string{"text", "thinking"}, means: sensePreamble},
		{names: []string{"message_delta"}, at: "/delta/stop_reason", in: []string{"refusal"}, means: senseRefused},
		{
			names: []string{"message_delta"}, at: "/delta/stop_reason", in: []string{"max_tokens", "model_context_window_exceeded"},
			means: senseMark,
		},
		// A stop sequence of the caller may come first: an answer, though it is empty.
		{names: []string{"message_delta"}, at: "/delta/stop_reason", in: []string{"stop_sequence"}},
		{names: []string{"message_delta", "content_block_stop"}, means: sensePreamble}, // of a block that was empty, of an answer without any
		{names: []string{"message_stop"}, means: senseSilent},
	},
	reason: "/delta/stop_reason",
	calls:  []namedCall{{at: "/delta/stop_reason", in: []string{"tool_use", "pause_turn"}}},
	text:   []namedText{{name: "content_block_delta", at: "/delta/text"}},
	source: "docs.anthropic.com/en/docs/build-with-claude/streaming",
}

// formCohere is version 2 of Cohere's chat.
var formCohere = streamForm{
	name: "Cohere chat", names: []string{"/type", ItemEvent}, last: true,
	begins: []string{
		"message-start", "content-start", "content-delta", "content-end", "tool-plan-delta", "tool-call-start", "tool-call-delta",
		"tool-call-end", "citation-start", "citation-end", "message-end",
	},
	items: []namedItem{
		{names: []string{"message-start", "content-start", "content-end"}, means: sensePreamble},
		{names: []string{"message-end"}, at: "/delta/error", means: senseFailed},
		{names: []string{"message-end"}, at: "/delta/finish_reason", in: []string{"ERROR", "TIMEOUT"}, means: senseFailed},
		{names: []string{"message-end"}, at: "/delta/finish_reason", in: []string{"MAX_TOKENS"}, means: senseCut},
		{names: []string{"message-end"}, at: "/delta/finish_reason", in: []string{"STOP_SEQUENCE"}, means: senseComplete},
		{names: []string{"message-end"}, means: senseSilent},
	},
	reason: "/delta/finish_reason",
	calls:  []namedCall{{at: "/delta/finish_reason", in: []string{"TOOL_CALL"}}, {at: "/delta/message/tool_calls"}},
	text:   []namedText{{name: "content-delta", at: "/delta/message/content/text"}},
	source: "docs.cohere.com/v2/docs/streaming",
}

// formCohereV1 is version 1 of Cohere's chat.
var formCohereV1 = streamForm{
	name: "Cohere chat, version 1", names: []string{"/event_type"}, last: true,
	begins: []string{
		"stream-start", "search-queries-generation", "search-results", "text-generation", "citation-generation", "tool-calls-generation",
		"tool-calls-chunk", "stream-end",
	},
	items: []namedItem{
		{names: []string{"stream-start"}, means: sensePreamble},
		{names: []string{"stream-end"}, at: "/finish_reason", in: []string{"ERROR_TOXIC"}, means: senseRefused},
		{names: []string{"stream-end"}, at: "/finish_reason", in: []string{"ERROR", "ERROR_LIMIT", "USER_CANCEL", "TIMEOUT"}, means: senseFailed},
		{names: []string{"stream-end"}, at: "/finish_reason", in: []string{"MAX_TOKENS"}, means: senseCut},
		{names: []string{"stream-end"}, means: senseComplete},
	},
	reason: "/finish_reason",
	calls:  []namedCall{{at: "/event_type", in: []string{"tool-calls-generation", "tool-calls-chunk"}}},
	text:   []namedText{{name: "text-generation", at: "/text"}},
	source: "docs.cohere.com/v1/docs/streaming",
}

// formConversations is Mistral's conversations with agents.
var formConversations = streamForm{
	name: "Mistral conversations", names: []string{"/type", ItemEvent}, last: true,
	begins: []string{"conversation.response.", "message.output.", "agent.handoff.", "tool.execution.", "function.call."},
	items: []namedItem{
		{names: []string{"conversation.response.started"}, means: sensePreamble},
		{names: []string{"conversation.response.error"}, means: senseFailed},
		{names: []string{"conversation.response.done"}, means: senseComplete},
	},
	calls: []namedCall{
		{at: "/type", in: []string{"function.call.delta", "tool.execution.started", "agent.handoff.started"}},
		{at: ItemEvent, in: []string{"function.call.delta", "tool.execution.started", "agent.handoff.started"}},
	},
	text:   []namedText{{name: "message.output.delta", at: "/content"}},
	source: "docs.mistral.ai/agents/agents_basics (streaming)",
}

// formAssistants is the runs of OpenAI's Assistants, whose items are named by their event alone. A run that wants an action has ended, as
// far as its stream goes.
var formAssistants = streamForm{
	name: "assistants", names: []string{ItemEvent, "/event"}, begins: []string{"thread."},
	items: []namedItem{
		{
			names: []string{
				"thread.created", "thread.run.created", "thread.run.queued", "thread.run.in_progress", "thread.run.step.created",
				"thread.run.step.in_progress", "thread.message.created", "thread.message.in_progress",
			},
			means: sensePreamble,
		},
		{names: []string{"thread.run.completed", "thread.run.requires_action"}, means: senseComplete},
		{names: []string{"thread.run.incomplete"}, at: "/incomplete_details/reason", in: []string{"content_filter"}, means: senseRefused},
		{names: []string{"thread.run.incomplete"}, means: senseCut},
		{names: []string{"thread.run.failed", "thread.run.cancelled", "thread.run.expired"}, means: senseFailed},
	},
	reason: "/incomplete_details/reason",
	calls:  []namedCall{{at: ItemEvent, in: []string{"thread.run.requires_action"}}, {at: "/event", in: []string{"thread.run.requires_action"}}},
	text:   []namedText{{at: "/delta/content/*/text/value"}},
	source: "platform.openai.com/docs/api-reference/assistants-streaming/events",
}

// formMedia is OpenAI's streams of speech, of transcripts and of images.
var formMedia = streamForm{
	name: "speech, transcripts and images", names: []string{"/type"}, last: true,
	begins: []string{"speech.audio.", "transcript.text.", "image_generation.", "image_edit."},
	items: []namedItem{{
		names: []string{"speech.audio.done", "transcript.text.done", "image_generation.completed", "image_edit.completed"},
		means: senseComplete,
	}},
	text:   []namedText{{name: "transcript.text.delta", at: "/delta"}},
	source: "platform.openai.com/docs/api-reference/audio, /images-streaming",
}
