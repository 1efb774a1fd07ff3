package policy

// Groq answers as OpenAI does, with codes of its own: 498 for the capacity of the flex tier, 413 for what exceeds the limit of tokens, 400
// for an answer of the model that is no valid call of a tool, or no valid JSON. All limits are 429 rate_limit_exceeded; which of them it
// was, and how long it lasts, is in the message.
var groqMessage = []string{"/error/message"}

const (
	groqErrors = "console.groq.com/docs/errors"
	groqLimits = "console.groq.com/docs/rate-limits"
)

var groqFailures = []row{
	{
		id: "day-limit", status: []int{429}, at: groqMessage, contains: " per day (", kind: KindUnusable,
		wait: wait{at: groqMessage, form: waitMessage}, source: groqLimits + ", RPD and TPD; continuedev/continue#10920",
	},
	{
		id: "minute-limit", status: []int{429}, at: groqMessage, contains: "Please try again in ", kind: KindThrottle,
		wait: wait{at: groqMessage, form: waitMessage}, source: groqLimits + "; danielmiessler/Fabric#364",
	},
	{
		id: "too-large", status: []int{413}, kind: KindContextTooLong,
		source: groqErrors + ", 413; assafelovic/gpt-researcher#985: also what exceeds the limit of a minute by itself",
	},
	{
		id: "flex-capacity", status: []int{498}, kind: KindThrottle, counts: true,
		source: groqErrors + ", 498; console.groq.com/docs/flex-processing",
	},
	{
		id: "tool-call", status: []int{400}, at: openaiCode, equals: []string{"tool_use_failed"}, kind: KindTransient, once: true,
		source: "console.groq.com/docs/tool-use: the model's call is not valid; to be generated again",
	},
	{
		id: "json", status: []int{400}, at: openaiCode, equals: []string{"json_validate_failed"}, kind: KindTransient, once: true,
		source: "console.groq.com/docs/structured-outputs: the model's JSON is not valid; to be generated again",
	},
	{
		id: "hallucination", status: []int{422}, kind: KindTransient, once: true,
		source: groqErrors + ", 422: wrong data, or a hallucination of the model that may be tried again",
	},
	{
		id: "organization", at: openaiCode, equals: []string{"organization_restricted"}, kind: KindUnusable,
		source: "seen as a 400: the organization is blocked",
	},
	{
		id: "model", at: openaiCode, equals: []string{"model_decommissioned"}, kind: KindUnusable,
		source: "console.groq.com/docs/deprecations; seen as a 400",
	},
	{
		id: "blocked", at: openaiCode, equals: []string{"blocked_api_access"}, kind: KindUnusable,
		source: "console.groq.com/docs/spend-limits: a 400",
	},
	{
		id: "spend", status: []int{400}, at: openaiCode, starts: "spend_", kind: KindUnusable,
		source: "seen in place of blocked_api_access", unsure: true,
	},
	{
		id: "cancelled", status: []int{499}, kind: KindTransient,
		source: groqErrors + ", 499; our own cancel is seen before an answer is",
	},
}
