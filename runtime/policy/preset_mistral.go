package policy

// Mistral writes an error flat, {"object": "error", "message", "type", "param", "code"}; the message of a 422 is an object. Codes are
// numbers in text, and one code stands for several faults: 3051 for every wrong argument, 1500 for models and messages alike. So the type
// comes first.
var (
	mistralCode    = []string{"/code"}
	mistralType    = []string{"/type"}
	mistralMessage = []string{"/message"}
)

const mistralGlossary = "docs.mistral.ai/resources/error-glossary"

var mistralFailures = []row{
	{
		id: "window", at: mistralMessage, starts: "Prompt contains ", and: []where{{at: mistralMessage, contains: "too large for model"}},
		kind: KindContextTooLong, source: "seen as a 400 of code 3051, which other wrong arguments have too: no code of its own",
	},
	{
		id: "model", at: mistralType, equals: []string{"invalid_model"}, kind: KindUnusable,
		source: "seen as a 400 or 404 of code 1500, for names that were withdrawn; " + mistralGlossary + ", 404",
	},
	{
		id: "unknown-model", at: mistralCode, equals: []string{"unknown_model"}, kind: KindUnusable,
		source: mistralGlossary + ", the form of errors",
	},
	{
		id: "capacity", at: mistralType, equals: []string{"service_tier_capacity_exceeded"}, kind: KindThrottle, counts: true,
		source: "seen as a 429: capacity that is shared by a tier, not our own limit",
	},
	{
		id: "capacity-by-code", at: mistralCode, equals: []string{"3505"}, kind: KindThrottle, counts: true,
		source: "the code of service_tier_capacity_exceeded, seen with other types",
	},
	{
		id: "capacity-by-message", at: mistralMessage, starts: "Service tier capacity exceeded", kind: KindThrottle, counts: true,
		source: "continuedev/continue#6185: an older shape, of type invalid_request_error and without a code",
	},
	{
		id: "no-rate-at-all", status: []int{429}, at: []string{"header:X-Ratelimit-Limit-Req-Minute"}, equals: []string{"0"},
		kind: KindUnusable, source: "seen on the free plan, for models that it does not have", unsure: true,
	},
	{
		id: "rate", at: mistralType, equals: []string{"rate_limited"}, kind: KindThrottle,
		source: "raycast/extensions#31107: type rate_limited, code 1300",
	},
	{
		id: "backend", at: mistralType, equals: []string{"unreachable_backend"}, kind: KindTransient,
		source: "seen as a 503 of code 1100",
	},
}
