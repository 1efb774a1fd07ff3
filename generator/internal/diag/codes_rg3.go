package diag

// RG3xxx: policies that are fine each by itself, and unsafe or without effect together.
const (
	NoTimeout               Code = "RG3101"
	TimeDoesNotFit          Code = "RG3102"
	StreamTimersTooLong     Code = "RG3103"
	RetryWithoutIdempotency Code = "RG3104"
	RungMayDuplicate        Code = "RG3105"
	RetryTowardsLayered     Code = "RG3106"
	RungRepeatsTarget       Code = "RG3107"
	KeyedWithoutKey         Code = "RG3108"
	NoProbes                Code = "RG3109"
	RungNeverReached        Code = "RG3110"
	AttemptsExceedTotal     Code = "RG3111"
	ShareBelowSlowCall      Code = "RG3112"
	KeyWithoutKeyed         Code = "RG3113"
	FallbackCycle           Code = "RG3114"
	RuleMatchesNothing      Code = "RG3120"
	NothingUsesIt           Code = "RG3121"
	PatchDoesNotFit         Code = "RG3130"
	AnswerDoesNotFit        Code = "RG3131"
	StreamFieldDoesNotFit   Code = "RG3132"
	UnknownEnumValue        Code = "RG3133"
	RungDoesNotFit          Code = "RG3134"
	HedgeWithoutIdempotency Code = "RG3140"
	HedgeKeyBusy            Code = "RG3141"
	HedgeNotHedgeable       Code = "RG3142"
	HedgeMayDuplicate       Code = "RG3143"
	HedgeOfOneShot          Code = "RG3144"
	HedgeTooLate            Code = "RG3145"
	RetryOfOneShot          Code = "RG3146"
	CacheNotSafe            Code = "RG3150"
	CacheKeepsNothing       Code = "RG3151"
	StaleWithoutRung        Code = "RG3152"
	RungWithoutCache        Code = "RG3153"
	CacheRungIdle           Code = "RG3154"
	CacheDoesNotFit         Code = "RG3155"
	ExerciseNotSafe         Code = "RG3160"
	ExerciseWithoutRungs    Code = "RG3161"
	ServeNotEqual           Code = "RG3162"
	LimitWithoutRate        Code = "RG3170"
	TokensNotCounted        Code = "RG3171"
	PointerDoesNotFit       Code = "RG3172"
	BulkheadBelowLimit      Code = "RG3173"
	ShedWindowShort         Code = "RG3174"
	CostWithoutPrice        Code = "RG3175"
	SharedWithoutRate       Code = "RG3176"
	SharedLimitDiffers      Code = "RG3177"
	PageDoesNotFit          Code = "RG3180"
	MembersShape            Code = "RG3182"
	WeightWithoutMembers    Code = "RG3183"
	AffinityWithoutMembers  Code = "RG3184"
	MemberAsRung            Code = "RG3185"
	UnsoundPlan             Code = "RG3190"
	FitUnstated             Code = "RG3191"
	FitUnseen               Code = "RG3192"
	DataNotAccepted         Code = "RG3193"
)

// rg31 are the codes of time, repetition and ladders, sorted.
var rg31 = []Entry{
	{
		Code: NoTimeout, Name: "NoTimeout", Summary: "an operation has no total timeout",
		Explain: "A call without an end holds its goroutine, its connection and its permit for as long as the dependency likes. Every " +
			"operation has a total; the built-in class gives 60s to those that name no class.",
		Example: "timeout: null",
		Fix:     "timeout: fast        # or leave the key out: the built-in class then holds",
	},
	{
		Code: TimeDoesNotFit, Name: "TimeDoesNotFit", Summary: "one attempt leaves no time for what is to follow it",
		Explain: "A first attempt that times out must leave time for the least backoff, for a useful part of the next attempt (a tenth), and for " +
			"what rungs reserve; otherwise the retry or the ladder never runs when it is needed most.",
		Example: "timeout-classes: {fast: {total: 2s, attempt: 2s}}\nretry: {attempts: 3}",
		Fix:     "timeout-classes: {fast: {total: 2s, attempt: 600ms}}",
	},
	{
		Code: StreamTimersTooLong, Name: "StreamTimersTooLong", Summary: "a stream's stall is noticed no sooner than its end",
		Explain: "`idle` and `item-gap` notice a stream that stalls. At `max-stream` or longer they never act.",
		Example: "timeout-classes: {generate: {total: 90s, idle: 5m, max-stream: 5m}}",
		Fix:     "timeout-classes: {generate: {total: 90s, idle: 15s, max-stream: 5m}}",
	},
	{
		Code: RetryWithoutIdempotency, Name: "RetryWithoutIdempotency",
		Summary: "an operation that is not idempotent is retried on a kind that leaves execution in doubt",
		Explain: "After a timeout, a reset, a truncated answer or a 5xx nobody knows whether the server has acted. A retry of an " +
			"operation with side effects may then do it twice: bill twice, send twice, insert twice. POST and PATCH have no " +
			"declared idempotency (RFC 9110 section 9.2.2).",
		Example: "post:\n  operationId: createOrder\n  x-resilience: {retry: {on: [timeout, connect]}}",
		Fix: "If the server knows idempotency keys:\n    idempotency: keyed\n    key: {in: header, name: Idempotency-Key}\n" +
			"If the operation has no effect but its price, as a completion:\n    idempotency: safe\n" +
			"Otherwise retry only what was never executed:\n    retry: {on: [connect, throttle]}",
	},
	{
		Code: RungMayDuplicate, Name: "RungMayDuplicate", Summary: "a rung may do again, elsewhere, what was already done",
		Explain: "After a timeout, a reset, a truncated answer or a 5xx nobody knows whether the first target has acted. A rung that sends the " +
			"request to another target, or sends a changed one, may do it twice; an idempotency key is known to one target only, so it does not help.",
		Example: "idempotency: keyed\nfallback: [{name: eu, target: secondary, when: [any]}]",
		Fix: "fallback: [{name: eu, target: secondary, when: [connect, throttle, breaker-open]}]\n" +
			"or, where doing it twice is acceptable:\n    may-duplicate: \"the receiver drops duplicates\"",
	},
	{
		Code: RetryTowardsLayered, Name: "RetryTowardsLayered", Summary: "retries or hedges towards a target that retries itself",
		Explain: "Retries at two layers multiply: three attempts over three attempts are nine. A target that is marked `layered` retries or falls " +
			"back itself, so nothing is retried or hedged towards it here.",
		Example: "targets: {primary: {layered: true}}\nretry: {attempts: 3}",
		Fix:     "retry: null",
	},
	{
		Code: RungRepeatsTarget, Name: "RungRepeatsTarget", Summary: "a rung calls the target that has just failed",
		Explain: "A rung that sends the same request to the primary target, which the operation itself calls, is a retry in another dress: without " +
			"backoff, and beyond the attempts of `retry`. A patch rung, which changes the request, is none.",
		Example: "fallback: [{name: again, target: primary, when: [any]}]",
		Fix:     "retry: {attempts: 3}\nfallback: [{name: eu, target: secondary, when: [any]}]",
	},
	{
		Code: KeyedWithoutKey, Name: "KeyedWithoutKey", Summary: "a keyed operation whose key travels nowhere",
		Explain: "`keyed` promises that the server recognises a repeated request by its key. Without the name of the header no key is sent, and " +
			"every retry is a new request to the server.",
		Example: "idempotency: keyed",
		Fix:     "idempotency: keyed\nkey: {in: header, name: Idempotency-Key}",
	},
	{
		Code: NoProbes, Name: "NoProbes", Summary: "a breaker that can never close again",
		Explain: "A breaker closes by the results of its probes. With none it stays open for ever after the first trip.",
		Example: "breaker: {probes: 0}",
		Fix:     "breaker: {probes: 3}",
	},
	{
		Code: RungNeverReached, Name: "RungNeverReached", Summary: "a kind of failure that never leads to the rung that names it",
		Explain: "After the caller's own deadline there is time for a fixed answer only, and a call that was shed must not become a request to " +
			"another target.",
		Example: "fallback: [{name: eu, target: secondary, when: [timeout, deadline]}]",
		Fix:     "fallback: [{name: eu, target: secondary, when: [timeout]}]",
	},
	{
		Code: AttemptsExceedTotal, Name: "AttemptsExceedTotal", Summary: "not all attempts can use their whole time",
		Explain: "Attempts × attempt is more than total: when each attempt takes all of its time, the last ones are cut short or never made.",
		Example: "timeout-classes: {fast: {total: 2s, attempt: 1s}}\nretry: {attempts: 3}",
		Fix:     "timeout-classes: {fast: {total: 3s, attempt: 1s}}",
	},
	{
		Code: ShareBelowSlowCall, Name: "ShareBelowSlowCall", Summary: "a rung's time ends before a call counts as slow",
		Explain: "An attempt that is cut short counts as slow only from the slow-call threshold on. Where a rung gets less time than that, a " +
			"target that hangs is never seen by its breaker.",
		Example: "fallback: [{name: eu, target: secondary, reserve: 100ms}]",
		Fix:     "fallback: [{name: eu, target: secondary, reserve: 1s}]",
	},
	{
		Code: KeyWithoutKeyed, Name: "KeyWithoutKeyed", Summary: "a key is described for an operation that sends none",
		Explain: "Only an operation that is `keyed` sends an idempotency key. Without that fact the description is without effect.",
		Example: "key: {in: header, name: Idempotency-Key}",
		Fix:     "idempotency: keyed\nkey: {in: header, name: Idempotency-Key}",
	},
	{
		Code: FallbackCycle, Name: "FallbackCycle", Summary: "operations that fall back to each other in a circle",
		Explain: "A rung that asks another operation asks it without that one's own ladder, so a circle never ends in a loop. But it says that each of " +
			"two operations answers when the other cannot, which is true of neither when both are down, and an operation that falls back to itself is a " +
			"retry in another dress.",
		Example: "paths: {/chat: {fallback: [{name: search, operation: search, func: found}]}, /search: {fallback: [{name: chat, operation: chat, func: said}]}}",
		Fix:     "paths: {/chat: {fallback: [{name: search, operation: search, func: found}]}, /search: {fallback: [{name: local, func: localSearch}]}}",
	},
	{
		Code: RuleMatchesNothing, Name: "RuleMatchesNothing", Summary: "a rule of the policy file matches no operation",
		Explain: "What the rule asks for would silently not happen: the operation was renamed, or the pattern has a typing error.",
		Example: "rules: [{match: {operation-id: createChatCompletoin}, set: {retry: null}}]",
		Fix:     "rules: [{match: {operation-id: createChatCompletion}, set: {retry: null}}]",
	},
	{
		Code: NothingUsesIt, Name: "NothingUsesIt", Summary: "a policy, class or target that nothing uses",
		Explain: "A name that nothing refers to is a policy that its author believes to be in force.",
		Example: "timeout-classes: {fast: {total: 2s}}",
		Fix:     "defaults: {timeout: fast}    # or remove the class",
	},
	{
		Code: PatchDoesNotFit, Name: "PatchDoesNotFit", Summary: "a patch that the request of its operation cannot take",
		Explain: "A patch rung sends the same request with some of its fields changed. Each path must lead to a field of the request body, through " +
			"objects alone; the value must be one of the field's type; and what the body requires cannot be removed. Positions in lists, members " +
			"of maps and fields of unions depend on the request at hand and cannot be checked, so a func rung does those.",
		Example: "fallback: [{name: small, patch: [{op: replace, path: /modle, value: small-fast}]}]",
		Fix:     "fallback: [{name: small, patch: [{op: replace, path: /model, value: small-fast}]}]",
	},
	{
		Code: AnswerDoesNotFit, Name: "AnswerDoesNotFit", Summary: "a static rung whose answer is none of its operation's",
		Explain: "A static rung answers with an example of the document, in place of the operation. It is what callers get when everything else is " +
			"down, so it is checked against the type of the answer now. Who reads a stream gets the items of the example that `items` names, or what " +
			"the whole answer says in the form of the provider's streams, where the preset of `errors` knows it. No item may say that the answer failed, by " +
			"that preset or by `stream.failed` and `stream.error`: nothing is below a fixed answer. An operation that answers with " +
			"nothing, a file or with one of several types has no fixed answer; a func rung gives those.",
		Example: "fallback: [{name: sorry, static: '#/components/examples/Apology'}]   # whose value lacks a required field",
		Fix: "Complete the example, or answer by a func rung: fallback: [{name: sorry, func: apologize}]\nFor a stream of a form that no preset knows:\n" +
			"    {name: sorry, static: '#/components/examples/Apology', items: '#/components/examples/ApologyItems'}",
	},
	{
		Code: StreamFieldDoesNotFit, Name: "StreamFieldDoesNotFit", Summary: "stream.when is no field of the request, or not of that value",
		Explain: "The stream method sets the field to ask for a stream, and the plain method clears it. The pointer must lead to a field of the " +
			"request body, through objects alone, and the value must be one of the field's type.",
		Example: "stream: {when: {pointer: /streaming, equals: true}}",
		Fix:     "stream: {when: {pointer: /stream, equals: true}}",
	},
	{
		Code: UnknownEnumValue, Name: "UnknownEnumValue", Summary: "a value that is none of the enum's known ones",
		Explain: "The document lists the values of the field, and this is not among them. Documents lag behind servers, so it is a warning; the " +
			"usual cause is a typing error.",
		Example: "patch: [{op: replace, path: /service_tier, value: flx}]",
		Fix:     "patch: [{op: replace, path: /service_tier, value: flex}]",
	},
	{
		Code: RungDoesNotFit, Name: "RungDoesNotFit", Summary: "an operation rung whose operation takes or answers with another type, and no func",
		Explain: "A rung may ask another operation with the very request, and give its very answer, only where both are of the same Go types: a second " +
			"route to the same thing. Anything else, such as a search in place of a completion, needs a function that says what is asked and what of the " +
			"answer is given. It is named by `func`, and is given the other method as its last parameter.",
		Example: "fallback: [{name: passages, operation: searchPassages}]",
		Fix:     "fallback: [{name: passages, operation: searchPassages, func: passages}]",
	},
}
