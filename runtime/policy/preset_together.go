package policy

// Together answers as OpenAI does, but for its 403: a prompt and its max_tokens that exceed the window. A 429 is above the dynamic rate of
// the account and says in a header when to come back; a 503 is at or below it, and so the platform's own lack of capacity.
var togetherType = []string{"/error/type", "/error_type", "/error/error_type", "/error/code"}

const (
	togetherErrors = "docs.together.ai/docs/error-codes"
	togetherLimits = "docs.together.ai/docs/rate-limits"
)

var togetherFailures = []row{
	{
		id: "window", status: []int{403}, at: []string{"/error/param"}, equals: []string{"max_tokens"}, kind: KindContextTooLong,
		source: togetherErrors + ", 403: input and max_tokens exceed the context length",
	},
	{
		id: "window-by-message", at: openaiMessage, contains: "`inputs` tokens + `max_new_tokens` must be", kind: KindContextTooLong,
		source: "portkey.ai/error-library 10151; seen as a 400, a 403 and a 422",
	},
	{
		id: "dynamic-rate", status: []int{429}, at: togetherType, equals: []string{"dynamic_request_limited", "dynamic_token_limited"},
		kind: KindThrottle, wait: wait{at: []string{"header:X-Ratelimit-Reset"}, form: waitSeconds}, source: togetherLimits,
	},
	{
		id: "model", at: openaiCode, equals: []string{"model_not_available"}, kind: KindUnusable,
		source: togetherErrors + ", 404; code as seen",
	},
}
