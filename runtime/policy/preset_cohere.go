package policy

// Cohere writes an error flat, {"message": "..."}, without a code. A stream of API v2 ends in an item {"type": "message-end", "delta":
// {"finish_reason": "..."}}, one of v1 in {"event_type": "stream-end", "finish_reason": "..."}.
var (
	cohereMessage = []string{"/message"}
	cohereEnd     = []string{"/delta/finish_reason", "/finish_reason"}
)

const (
	cohereErrors    = "docs.cohere.com/reference/errors"
	cohereReference = "docs.cohere.com/reference/chat, responses"
)

var cohereFailures = []row{
	{
		id: "too-many-tokens", status: []int{400}, at: cohereMessage, starts: "too many tokens", kind: KindContextTooLong,
		source: cohereErrors + ", 400; portkey.ai/error-library 10147",
	},
	{
		id: "model-cold", status: []int{400}, at: cohereMessage, contains: "is not ready for serving", kind: KindUnusable,
		source: cohereErrors + ", 400: a finetuned model",
	},
	{
		id: "model", status: []int{404}, at: cohereMessage, starts: "model '", and: []where{{at: cohereMessage, contains: "not found"}},
		kind: KindUnusable, source: cohereErrors + ", 404; other resources that are not found are named by the caller",
	},
	{
		id: "finetuned-model", status: []int{404}, at: cohereMessage, starts: "finetuned model ", kind: KindUnusable,
		source: cohereErrors + ", 404",
	},
	{
		id: "billing-maximum", status: []int{402}, at: cohereMessage, starts: "Maximum billing reached", kind: KindUnusable,
		wait: wait{form: waitMonth}, source: cohereErrors + ", 402: resets at the beginning of next month",
	},
	{
		id: "trial-month", status: []int{429}, at: cohereMessage, contains: "API calls / month", kind: KindUnusable,
		wait: wait{form: waitMonth}, source: "docs.cohere.com/docs/rate-limits: trial keys; cohere-ai/cohere-developer-experience#199",
	},
	{
		id: "deny-listed", status: []int{498}, kind: KindRefused,
		source: cohereReference + " 498: a deny-listed token in the request or the answer",
	},
	{
		id: "cancelled", status: []int{499}, kind: KindTransient,
		source: cohereErrors + ", 499: to be tried again; our own cancel is seen before an answer is",
	},
	{
		id: "not-implemented", status: []int{501}, kind: KindCaller,
		source: cohereReference + " 501: the feature is not there, the service is",
	},
	{
		id: "ended-in-error", at: cohereEnd, equals: []string{"ERROR"}, kind: KindTransient,
		source: "docs.cohere.com/reference/chat-stream, finish_reason",
	},
	{
		id: "ended-late", at: cohereEnd, equals: []string{"TIMEOUT"}, kind: KindTransient,
		source: "docs.cohere.com/reference/chat-stream, finish_reason",
	},
	{
		id: "ended-toxic", at: cohereEnd, equals: []string{"ERROR_TOXIC"}, kind: KindRefused,
		source: "docs.cohere.com/v1/reference/chat-stream, finish_reason",
	},
}
