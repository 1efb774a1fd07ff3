package policy

// streamForms are the forms of each preset, in the order of asking. Vector stores stream nothing. The preset of Bedrock knows what its
// gateways make of it: its own frames are no server-sent events.
//
// Azure, Mistral, Groq, Together and OpenRouter end chat completions with [DONE], as OpenAI documents it. Servers that are only
// compatible often do not: ikawrakow/ik_llama.cpp#467, gpustack/llama-box#2, and huggingface/text-generation-inference and llama.cpp
// before their pull requests #2221 and #9459. There the finish of each choice is the proof.
var streamForms = map[string][]*streamForm{
	"openai":            {&formChat, &formResponses, &formAssistants, &formMedia},
	"azure":             {&formChat, &formResponses, &formAssistants, &formMedia},
	"openai-compatible": {&formLooseChat, &formResponses, &formMessages, &formMedia},
	"anthropic":         {&formMessages, &formLooseChat},
	"gemini":            {&formGenerate, &formLooseChat},
	"bedrock":           {&formMessages, &formChat},
	"cohere":            {&formCohere, &formCohereV1, &formLooseChat},
	"mistral":           {&formChat, &formConversations},
	"groq":              {&formChat, &formResponses},
	"together":          {&formChat},
	"openrouter":        {&formChat, &formResponses, &formMessages},
}

// chatFinishes are what finish reasons mean beside "stop", "tool_calls", "function_call", "eos" and what else says that all is well:
// "model_length" is Mistral's, "error" OpenRouter's and Mistral's, "abort" that of vLLM and sglang, "insufficient_system_resource" DeepSeek's.
var chatFinishes = []namedItem{
	{names: []string{"length", "max_tokens", "model_length", "max_output_tokens"}, means: senseMark},
	{names: []string{"content_filter"}, means: senseRefused},
	{names: []string{"error", "abort", "insufficient_system_resource"}, means: senseFailed},
}

// chatCalls are how a choice asks for a tool.
var chatCalls = []namedCall{
	{at: "/choices/*/finish_reason", in: []string{"tool_calls", "function_call"}},
	{at: "/choices/*/delta/tool_calls/*"},
	{at: "/choices/*/delta/function_call"},
	{at: "/choices/*/message/tool_calls/*"},
}

// formChat is chat completions, and completions, which differ in what a choice says alone. A chunk of usage has no choices.
var formChat = streamForm{
	name: "chat completions", list: "choices", finish: "finish_reason", finishes: chatFinishes,
	content: []string{"delta", "text", "message"}, marker: true,
	calls:  chatCalls,
	text:   []namedText{{at: "/delta/content"}, {at: "/text"}},
	source: "platform.openai.com/docs/api-reference/chat-streaming; openrouter.ai/docs/api-reference/streaming; docs.mistral.ai/api",
}

// formLooseChat is formChat of servers that may leave out the marker.
var formLooseChat = streamForm{
	name: "chat completions without a marker", list: formChat.list, finish: formChat.finish, finishes: chatFinishes, content: formChat.content,
	calls: chatCalls, text: formChat.text, source: formChat.source,
}

// formGenerate is Gemini's streamGenerateContent, which has no marker.
var formGenerate = streamForm{
	name: "generateContent", list: "candidates", also: []string{"promptFeedback", "usageMetadata"}, finish: "finishReason",
	finishes: []namedItem{
		{names: []string{"FINISH_REASON_UNSPECIFIED"}, means: senseContent},
		{names: []string{"MAX_TOKENS"}, means: senseMark},
		{names: []string{
			"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION",
		}, means: senseRefused},
		{names: []string{
			"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE", "OTHER",
			"NO_IMAGE", "IMAGE_OTHER",
		}, means: senseFailed},
	},
	content: []string{"content"},
	outside: []namedItem{{at: "/promptFeedback/blockReason", means: senseRefused}},
	calls:   []namedCall{{at: "/candidates/*/content/parts/*/functionCall"}},
	text:    []namedText{{at: "/content/parts/*", member: "text", thinks: "thought"}},
	source:  "ai.google.dev/api/generate-content (FinishReason, BlockReason)",
}
