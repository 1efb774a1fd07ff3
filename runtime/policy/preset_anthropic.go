package policy

var (
	anthropicType    = []string{"/error/type"}
	anthropicMessage = []string{"/error/message"}
)

const anthropicErrors = "docs.claude.com/en/api/errors"

var anthropicFailures = []row{
	{
		id: "usage-limits", at: anthropicMessage, starts: "You have reached your specified ", kind: KindUnusable,
		wait: wait{at: anthropicMessage, form: waitMessage}, source: "anthropics/claude-code#38035: a 400 without a code",
	},
	{
		id: "credit", at: anthropicMessage, contains: "credit balance is too low", kind: KindUnusable,
		source: "BerriAI/litellm#16092: a 400 without a code",
	},
	{
		id: "prompt-too-long", at: anthropicMessage, contains: "prompt is too long", kind: KindContextTooLong, source: "BrokkAi/brokk-app#540",
	},
	{
		id: "context-limit", at: anthropicMessage, contains: "exceed context limit", kind: KindContextTooLong, source: "BrokkAi/brokk-app#540",
	},
	{
		id: "long-context-plan", at: anthropicMessage, contains: "required for long context requests", kind: KindContextTooLong,
		source: "anthropics/claude-code#29584, #64982: a 429 that no wait can help",
	},
	{
		id: "spend-cap", at: []string{"/error/details/error_code"}, equals: []string{"enforced_spend_limit_reached"}, kind: KindUnusable,
		wait: wait{form: waitMonth}, source: "platform.claude.com/docs/en/api/rate-limits: until the first of the month, 00:00 UTC",
	},
	{
		id: "monthly-spend", at: anthropicMessage, contains: "monthly spend limit", kind: KindUnusable, wait: wait{form: waitMonth},
		source: "can1357/oh-my-pi#5418",
	},
	{
		id: "not-found", at: anthropicType, equals: []string{"not_found_error"}, and: []where{{at: anthropicMessage, contains: "model"}},
		kind:   KindUnusable,
		source: anthropicErrors + ": the model, which the own configuration names; a batch or a file is named by the caller",
	},
	{
		id: "conflict", at: anthropicType, equals: []string{"conflict_error"}, kind: KindTransient,
		source: "anthropics/anthropic-sdk-go retries it", unsure: true,
	},
	{
		id: "overloaded", at: anthropicType, equals: []string{"overloaded_error"}, kind: KindThrottle, counts: true, source: anthropicErrors,
	},
	{
		id: "timeout", at: anthropicType, equals: []string{"timeout_error"}, kind: KindTransient, source: anthropicErrors,
	},
	{
		id: "too-large", at: anthropicType, equals: []string{"request_too_large"}, kind: KindCaller, source: anthropicErrors,
	},
}
