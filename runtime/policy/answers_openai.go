package policy

// Where the shapes of OpenAI, which many others speak, say how an answer ended.
var (
	chatFinish   = []string{"/choices/*/finish_reason"}
	chatContents = []string{
		"/choices/*/message/content", "/choices/*/message/tool_calls", "/choices/*/message/function_call", "/choices/*/message/refusal",
		"/choices/*/message/audio", "/choices/*/message/images", "/choices/*/message/reasoning", "/choices/*/message/reasoning_content",
		"/choices/*/message/reasoning_details", "/choices/*/text",
	}
	outputTypes    = []string{"/output/*/type"}
	outputContents = []string{"/output/*/content/*/text", "/output/*/content/*/refusal"}
)

// toolCalls are the items of a response that are calls of tools.
var toolCalls = []string{
	"function_call", "custom_tool_call", "computer_call", "local_shell_call", "shell_call", "apply_patch_call", "mcp_call",
	"mcp_approval_request", "web_search_call", "file_search_call", "image_generation_call", "code_interpreter_call",
}

// isResponse says that an answer is one of the Responses API.
var isResponse = where{at: []string{"/object"}, equals: []string{"response"}}

const (
	chatReference     = "platform.openai.com/docs/api-reference/chat/object"
	responseReference = "platform.openai.com/docs/api-reference/responses/object"
)

// openaiAnswers are of completions, of chats too, of responses and of embeddings. What failed comes before what was cut, and that before what
// is empty: an answer that used up its length on reasoning has nothing to show, and another attempt would not have.
var openaiAnswers = []row{
	{
		id: "error", at: []string{"/error/message", "/error/code", "/error/type"}, something: true, kind: KindTransient,
		source: "openrouter.ai/docs/api-reference/errors: an error without a result, which its code explains",
	},
	{
		id: "failed", at: []string{"/status"}, equals: []string{"failed"}, and: []where{isResponse}, kind: KindTransient,
		source: responseReference,
	},
	{
		id: "filtered", at: chatFinish, equals: []string{"content_filter"}, kind: KindRefused, source: chatReference + ", BerriAI/litellm#8953",
	},
	{
		id: "filtered-response", at: []string{"/incomplete_details/reason"}, equals: []string{"content_filter"}, kind: KindRefused,
		source: responseReference + ", langchain-ai/langchain#33840",
	},
	{
		id: "given-up", at: chatFinish, equals: []string{"error", "abort", "insufficient_system_resource"}, kind: KindTransient,
		source: "openrouter.ai/docs/api-reference/overview, docs.mistral.ai/api, api-docs.deepseek.com; vLLM and sglang",
	},
	{
		id: "cut", at: chatFinish, equals: []string{"length", "max_tokens", "model_length", "max_output_tokens"},
		source: chatReference + ", docs.mistral.ai/api",
	},
	{
		id: "cut-response", at: []string{"/incomplete_details/reason"}, and: []where{isResponse}, source: responseReference,
	},
	{
		id: "incomplete-response", at: []string{"/status"}, equals: []string{"incomplete"}, and: []where{isResponse}, source: responseReference,
	},
	{
		id: "empty", at: []string{"/choices"}, and: []where{{at: chatContents, nothing: true}}, kind: KindDecode, once: true,
		source: "mnfst/llm-gateway#2709, holon-run/holon#2458",
	},
	{
		id: "no-choices", at: []string{"/object"}, equals: []string{"chat.completion"}, and: []where{{at: []string{"/choices"}, nothing: true}},
		kind: KindDecode, once: true, source: "AstrBotDevs/AstrBot#6313, openai/openai-agents-python#2850: choices that are null",
	},
	{
		id: "empty-response", at: []string{"/status"}, equals: []string{"completed"},
		and: []where{isResponse, {at: []string{"/output"}, nothing: true}}, kind: KindDecode, once: true, source: "holon-run/holon#2458",
	},
	{
		id: "empty-message", at: outputTypes, equals: []string{"message"}, every: true,
		and: []where{isResponse, {at: outputContents, nothing: true}}, kind: KindDecode, once: true, source: "holon-run/holon#2458",
	},
	{
		id: "no-vectors", at: []string{"/data"}, and: []where{
			{at: []string{"/object"}, equals: []string{"list"}},
			{at: []string{"/data/*"}, nothing: true},
			{at: []string{"/model"}, something: true}, // a search that found nothing is a list too
		},
		kind: KindDecode, once: true, source: "platform.openai.com/docs/api-reference/embeddings: an input each has a vector",
	},
	{
		id: "calls", at: chatFinish, equals: []string{"tool_calls", "function_call"}, fleeting: true, source: chatReference,
	},
	{
		id: "calls-of-choices", at: []string{"/choices/*/message/tool_calls/*"}, fleeting: true, source: chatReference,
	},
	{
		id: "calls-in-response", at: outputTypes, fleeting: true, and: []where{isResponse}, source: responseReference,
		equals: toolCalls,
	},
	{
		id: "not-the-end", at: []string{"/status"}, equals: []string{"queued", "in_progress", "cancelled"}, and: []where{isResponse},
		fleeting: true, source: responseReference,
	},
}
