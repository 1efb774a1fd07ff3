package policy

// Where the Gemini API and Vertex AI write an error: a stream that is no event stream is one list.
var (
	geminiStatus  = []string{"/error/status", "/0/error/status"}
	geminiMessage = []string{"/error/message", "/0/error/message"}
	geminiReason  = []string{"/error/details/*/reason", "/0/error/details/*/reason"}
	geminiQuota   = []string{"/error/details/*/violations/*/quotaId", "/0/error/details/*/violations/*/quotaId"}
)

// geminiRetry is google.rpc.RetryInfo: there is no Retry-After.
var geminiRetry = wait{at: []string{"/error/details/*/retryDelay", "/0/error/details/*/retryDelay"}, form: waitDuration}

const (
	geminiGuide  = "ai.google.dev/gemini-api/docs/troubleshooting"
	vertexErrors = "cloud.google.com/vertex-ai/generative-ai/docs/model-reference/api-errors"
)

var geminiFailures = []row{
	{
		id: "key", at: geminiReason, equals: []string{"API_KEY_INVALID"}, kind: KindUnusable,
		source: "google-gemini/gemini-cli#25198: a bad key is a 400",
	},
	{
		id: "file-not-ready", at: geminiMessage, contains: "is not in an ACTIVE state", kind: KindCaller,
		source: "expectedparrot/edsl#1907: a 400 FAILED_PRECONDITION about a file of the caller",
	},
	{
		id: "file", at: geminiMessage, contains: "or it may not exist", kind: KindCaller,
		source: "googleapis/python-genai#1218, google-gemini/deprecated-generative-ai-js#236: a 403 for a file that is not there",
	},
	{
		id: "precondition", at: geminiStatus, equals: []string{"FAILED_PRECONDITION"}, kind: KindUnusable,
		source: geminiGuide + ": the region, or billing that is off",
	},
	{
		id: "window", at: geminiMessage, contains: "exceeds the maximum number of tokens", kind: KindContextTooLong,
		source: vertexErrors + ", google-gemini/gemini-cli#4231",
	},
	{
		id: "model", at: geminiStatus, equals: []string{"NOT_FOUND"}, and: []where{{at: geminiMessage, contains: "model"}}, kind: KindUnusable,
		source: geminiGuide,
	},
	{
		id: "no-quota", status: []int{429}, at: geminiMessage, contains: "limit: 0,", kind: KindUnusable,
		source: "continuedev/continue#10062: there is no quota at all, whatever wait it names",
	},
	{
		id: "per-day", status: []int{429}, at: geminiQuota, contains: "PerDay", kind: KindUnusable, wait: geminiRetry,
		source: "google-gemini/gemini-cli#8437, langgenius/dify#19838",
	},
	{
		id: "shared-capacity", status: []int{429}, at: geminiMessage, starts: "Resource exhausted", kind: KindThrottle, counts: true,
		source: vertexErrors + ", google-gemini/gemini-cli#14811: capacity that is shared, not the own quota",
	},
	{
		id: "rate", status: []int{429}, at: geminiStatus, equals: []string{"RESOURCE_EXHAUSTED"}, kind: KindThrottle, wait: geminiRetry,
		source: "agentgateway/agentgateway#1500: the wait is in the body",
	},
	{
		id: "cancelled", status: []int{499}, kind: KindTransient, source: vertexErrors + ": something on the way hung up",
	},
	{
		id: "by-name", at: geminiStatus, equals: []string{"UNAVAILABLE", "INTERNAL", "DEADLINE_EXCEEDED", "CANCELLED", "ABORTED"},
		kind: KindTransient, source: vertexErrors,
	},
	{
		id: "credential-by-name", at: geminiStatus, equals: []string{"UNAUTHENTICATED", "PERMISSION_DENIED"}, kind: KindUnusable,
		source: vertexErrors,
	},
	{
		id: "interactions", at: []string{"/error/code"}, equals: []string{"quota_exceeded", "too_many_requests"}, kind: KindThrottle,
		source: "ai.google.dev/gemini-api/docs/interactions", unsure: true,
	},
}
