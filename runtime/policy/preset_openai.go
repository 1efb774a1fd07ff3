package policy

// Where OpenAI writes an error: in the body of a response, in an error event of a stream, and in response.failed.
var (
	openaiCode    = []string{"/error/code", "/code", "/response/error/code"}
	openaiType    = []string{"/error/type"}
	openaiMessage = []string{"/error/message", "/message"}
)

const openaiGuide = "platform.openai.com/docs/guides/error-codes"

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
		id: "policy", at: openaiCode, equals: []string{"content_policy_violation", "content_filter"}, kind: KindRefused,
		source: "BerriAI/litellm#4365",
	},
	{
		id: "money", at: openaiCode, equals: []string{
			"insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded", "project_spend_limit_exceeded",
			"organization_usage_limit_exceeded",
		}, kind: KindUnusable, source: openaiGuide,
	},
	{
		id: "money-by-type", at: openaiType, equals: []string{"insufficient_quota"}, kind: KindUnusable, source: openaiGuide,
	},
	{
		id: "key", at: openaiCode, equals: []string{"invalid_api_key"}, kind: KindUnusable, source: openaiGuide,
	},
	{
		id: "model", at: openaiCode, equals: []string{"model_not_found"}, kind: KindUnusable, source: "platform.openai.com/docs/api-reference",
	},
	{
		id: "slow-down", at: openaiCode, equals: []string{"slow_down"}, kind: KindThrottle, source: openaiGuide,
	},
	{
		id: "overloaded", at: openaiCode, equals: []string{"server_is_overloaded"}, kind: KindTransient, source: openaiGuide,
	},
}
