package policy

// OpenRouter writes an error as {"error": {"code": STATUS, "message", "metadata"}}, with the status of the answer, or inside a 200 with the
// status that it would have been. What it was is in metadata: limit_source for limits and money, reasons for moderation, patterns for a
// guardrail, error_type for the rest. error_type stands elsewhere in its forms of Anthropic's Messages and of OpenAI's Responses, whose own
// codes and types say less.
var (
	openrouterType = []string{
		"/error/metadata/error_type", "/error/error_type", "/error_type", "/response/error_type", "/choices/*/error/metadata/error_type",
	}
	openrouterLimit   = []string{"/error/metadata/limit_source"}
	openrouterMessage = []string{"/error/message"}
	openrouterReset   = wait{at: []string{"/error/metadata/headers/X-RateLimit-Reset", "header:X-Ratelimit-Reset"}, form: waitEpochMS}
)

const (
	openrouterErrors = "openrouter.ai/docs/api/reference/errors-and-debugging"
	openrouterLimits = "openrouter.ai/docs/api/reference/limits"
)

var openrouterFailures = []row{
	// Limits and money. Three 402 mean three things.
	{
		id: "request-too-dear", at: []string{"/error/metadata/reason"}, equals: []string{"weight_exceeds_budget"}, kind: KindContextTooLong,
		source: openrouterLimits + ": one request that exceeds the whole budget; a smaller one may pass",
	},
	{
		id: "in-flight-budget", at: openrouterLimit, equals: []string{"openrouter_in_flight_budget"}, kind: KindThrottle,
		source: openrouterLimits + ": what runs fills the budget; Retry-After says when",
	},
	{
		id: "payment-later", status: []int{402}, at: []string{"header:Retry-After"}, kind: KindThrottle,
		source: openrouterErrors + ": a 402 without Retry-After is no case of waiting; the form of Messages has no metadata",
	},
	{
		id: "free-day", at: openrouterLimit, equals: []string{"openrouter_free_tier_daily"}, kind: KindUnusable, wait: openrouterReset,
		source: "Avarok-Cybersecurity/atlas#543",
	},
	{
		id: "free-day-by-message", status: []int{429}, at: openrouterMessage, starts: "Rate limit exceeded: free-models-per-day",
		kind: KindUnusable, wait: openrouterReset, source: "langwatch/langwatch#7027, Gitlawb/openclaude#936",
	},
	{
		id: "free-minute", status: []int{429}, at: openrouterMessage, starts: "Rate limit exceeded: free-models-per-min",
		kind: KindThrottle, wait: openrouterReset, source: openrouterLimits + "; huggingface/smolagents#361",
	},
	{
		id: "budget", status: []int{403}, at: openrouterLimit,
		equals: []string{"openrouter_guardrail_budget", "openrouter_workspace_budget", "openrouter_key_limit"},
		kind:   KindUnusable, wait: wait{at: []string{"/error/metadata/resets_at"}, form: waitDate},
		source: openrouterErrors + ", 403; NousResearch/hermes-agent#107166",
	},

	// A provider behind it that has no capacity: nothing that we could do less of.
	{
		id: "upstream-wait", status: []int{429}, at: []string{"/error/metadata/retry_after_seconds"}, kind: KindThrottle, counts: true,
		wait:   wait{at: []string{"/error/metadata/retry_after_seconds"}, form: waitSeconds},
		source: "seen with a provider_name: its rate, shared by everybody",
	},
	{
		id: "upstream-busy", status: []int{429}, at: []string{"/error/metadata/raw"}, contains: "temporarily rate-limited upstream",
		kind: KindThrottle, counts: true, source: "seen with a provider_name: its rate, shared by everybody",
	},

	// A policy's no.
	{
		id: "moderation", status: []int{403}, at: []string{"/error/metadata/flagged_input", "/error/metadata/reasons"}, kind: KindRefused,
		source: openrouterErrors + ", moderation errors",
	},
	{
		id: "guardrail", status: []int{403}, at: []string{"/error/metadata/patterns"}, kind: KindRefused,
		source: openrouterErrors + ", guardrail errors",
	},
	{
		id: "policy", at: openrouterType, equals: []string{"content_policy_violation", "refusal"}, kind: KindRefused,
		source: openrouterErrors + ", typed error codes",
	},

	// Types that say more than the status, or than the code of another form.
	{
		id: "window", at: openrouterType, equals: []string{"context_length_exceeded", "max_tokens_exceeded", "token_limit_exceeded"},
		kind: KindContextTooLong, source: openrouterErrors + ", typed error codes",
	},
	{
		id: "credential", at: openrouterType, equals: []string{"authentication", "permission_denied", "payment_required"},
		kind: KindUnusable, source: openrouterErrors + ", typed error codes: server_error in the form of Responses",
	},
	{
		id: "request", at: openrouterType, equals: []string{
			"invalid_request", "invalid_prompt", "string_too_long", "payload_too_large", "unprocessable", "invalid_image", "image_too_large",
			"image_too_small", "unsupported_image_format", "image_not_found", "image_download_failed",
		}, kind: KindCaller, source: openrouterErrors + ", typed error codes: server_error in the form of Responses",
	},
	{
		id: "rate", at: openrouterType, equals: []string{"rate_limit_exceeded"}, kind: KindThrottle,
		source: openrouterErrors + ", typed error codes: in a choice that broke off, beside what there was of it",
	},
	{
		id: "provider", status: []int{500, 502, 503, 504}, at: openrouterType,
		equals: []string{"provider_overloaded", "provider_unavailable", "timeout", "server", "unmapped"}, kind: KindTransient,
		source: openrouterErrors + ", typed error codes",
	},

	// What our own configuration names, and nobody offers.
	{
		id: "unavailable-for-now", status: []int{503}, at: []string{"header:Retry-After"}, kind: KindTransient,
		source: openrouterErrors + ": a 503 may have Retry-After",
	},
	{
		id: "no-provider", status: []int{503}, at: []string{"/error/code"}, equals: []string{"503"}, kind: KindUnusable,
		source: openrouterErrors + ", 503: no provider meets the routing requirements; a 503 of its edge has no such body",
	},
	{
		id: "no-endpoint", status: []int{404}, at: openrouterMessage, starts: "No endpoints found", kind: KindUnusable,
		source: "seen for models that are gone, and for data policies that no provider meets",
	},
	{
		id: "no-allowed-provider", status: []int{404}, at: openrouterMessage, starts: "No allowed providers are available", kind: KindUnusable,
		source: "seen for accounts and requests that allow none of the model's providers",
	},
	{
		id: "model", status: []int{400}, at: openrouterMessage, contains: "is not a valid model ID", kind: KindUnusable,
		source: "seen for names that nobody offers",
	},
}
