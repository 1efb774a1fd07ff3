package policy

// Where OpenAI writes an error: in the body of a response, in an error event of a stream, and in response.failed.
var (
	openaiCode    = []string{"/error/code", "/code", "/response/error/code"}
	openaiType    = []string{"/error/type"}
	openaiMessage = []string{"/error/message", "/message"}
)

const (
	openaiGuide    = "developers.openai.com/api/docs/guides/error-codes"
	openaiDocument = "OpenAI's OpenAPI document, ResponseErrorCode"
)

// openaiFailures are also those of the servers that speak as OpenAI does. Codes come before messages.
var openaiFailures = []row{
	{
		id: "request-too-large", at: openaiMessage, starts: "Request too large for ", kind: KindContextTooLong,
		source: "vanderschaarlab/climb#1: a 429 that no wait can help",
	},
	{
		id: "context-length", at: openaiCode, equals: []string{"context_length_exceeded"}, kind: KindContextTooLong,
		source: "BerriAI/litellm#12680, mnfst/llm-gateway#2338",
	},
	{
		id: "context-message", at: openaiMessage, contains: "maximum context length is ", kind: KindContextTooLong,
		source: "langchain-ai/langchain#11001; vllm-project/vllm#20409: without a code",
	},
	{
		id: "policy", at: openaiCode, kind: KindRefused,
		equals: []string{"content_policy_violation", "content_filter", "moderation_blocked", "image_content_policy_violation"},
		source: "BerriAI/litellm#4365; " + openaiDocument,
	},
	{
		id: "flagged", at: openaiCode, equals: []string{"invalid_prompt"}, and: []where{{at: openaiMessage, contains: "usage policy"}},
		kind: KindRefused, source: openaiDocument,
	},
	{
		id: "spend-limit", at: openaiCode, equals: []string{"organization_spend_limit_exceeded", "project_spend_limit_exceeded"},
		kind: KindUnusable, wait: wait{form: waitMonth}, source: "help.openai.com/en/articles/5955604: until the monthly reset",
	},
	{
		id: "money", at: openaiCode, kind: KindUnusable,
		equals: []string{"insufficient_quota", "credit_balance_exhausted", "organization_usage_limit_exceeded"},
		source: openaiGuide + ", help.openai.com/en/articles/5955604",
	},
	{
		id: "money-by-type", at: openaiType, equals: []string{"insufficient_quota"}, kind: KindUnusable, source: openaiGuide,
	},
	{
		id: "key", at: openaiCode, equals: []string{"invalid_api_key"}, kind: KindUnusable, source: openaiGuide,
	},
	{
		id: "model", at: openaiCode, equals: []string{"model_not_found"}, kind: KindUnusable, source: "Codium-ai/AlphaCodium, discussion 51",
	},
	{
		id: "slow-down", at: openaiCode, equals: []string{"slow_down"}, kind: KindThrottle, source: openaiGuide,
	},
	{
		id: "overloaded", at: openaiCode, equals: []string{"server_is_overloaded"}, kind: KindTransient, source: openaiGuide,
	},
	{
		id: "rate-in-response", at: []string{"/response/error/code"}, equals: []string{"rate_limit_exceeded"}, kind: KindThrottle,
		source: openaiDocument,
	},
	{
		id: "image", at: []string{"/response/error/code"}, kind: KindCaller,
		equals: []string{
			"invalid_prompt", "invalid_image", "invalid_image_format", "invalid_base64_image", "invalid_image_url", "invalid_image_mode",
			"image_too_large", "image_too_small", "image_parse_error", "image_file_too_large", "unsupported_image_media_type",
			"empty_image_file", "failed_to_download_image", "image_file_not_found",
		},
		source: openaiDocument,
	},
	{
		id: "failed-response", at: []string{"/response/status"}, equals: []string{"failed"}, kind: KindTransient,
		source: "langchain-ai/langchain#39039",
	},
}
