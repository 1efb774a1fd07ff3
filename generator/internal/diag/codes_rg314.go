package diag

import "slices"

// rg3 is sorted by code.
var rg3 = slices.Concat(rg31, rg314, rg319, rg32, rg321)

// rg314 are the codes of hedges, caches, exercises and limits, and what is left, sorted.
var rg314 = []Entry{
	{
		Code: HedgeWithoutIdempotency, Name: "HedgeWithoutIdempotency", Summary: "an operation that is not idempotent is hedged",
		Explain: "A hedge is a second copy that runs beside the first; mostly both are executed. An operation with side effects would then do them " +
			"twice, without any failure.",
		Example: "post:\n  operationId: createOrder\n  x-resilience: {hedge: {delay: auto}}",
		Fix:     "hedge: null\nIf the operation has no effect but its price, as an embedding:\n    idempotency: safe",
	},
	{
		Code: HedgeKeyBusy, Name: "HedgeKeyBusy", Summary: "a keyed operation is hedged whose server takes one request with a key at a time",
		Explain: "Both copies carry the same idempotency key, and the second comes while the first is being handled. Servers that are not made for that " +
			"refuse it with 409, or handle both. `key.concurrent` says that the server waits for the first and answers both alike.",
		Example: "idempotency: keyed\nkey: {in: header, name: Idempotency-Key}\nhedgeable: true\nhedge: {delay: auto}",
		Fix:     "key: {in: header, name: Idempotency-Key, concurrent: true}   # if the server handles it; else remove the hedge",
	},
	{
		Code: HedgeNotHedgeable, Name: "HedgeNotHedgeable", Summary: "a hedge of an operation that must not run twice at once",
		Explain: "`hedgeable` says that an operation may run twice at once and is worth its price. It is true by itself for operations that are safe; " +
			"elsewhere it is its author's word.",
		Example: "hedgeable: false\nhedge: {delay: auto}",
		Fix:     "hedgeable: true\nhedge: {delay: auto}",
	},
	{
		Code: HedgeMayDuplicate, Name: "HedgeMayDuplicate", Summary: "a keyed operation is hedged on another target",
		Explain: "An idempotency key is known to one target only. A copy that goes to another one is another request, and both may be executed.",
		Example: "idempotency: keyed\nhedge: {delay: auto, target: secondary}",
		Fix:     "hedge: {delay: auto}",
	},
	{
		Code: HedgeOfOneShot, Name: "HedgeOfOneShot", Summary: "a hedge of a request whose body may be a reader",
		Explain: "Files and raw bytes are often given as a reader, which can be read once. A second copy has nothing to send, and would fail just where " +
			"it is needed.",
		Example: "requestBody: {content: {application/octet-stream: {}}}\nx-resilience: {idempotency: safe, hedge: {delay: auto}}",
		Fix:     "hedge: null",
	},
	{
		Code: HedgeTooLate, Name: "HedgeTooLate", Summary: "a hedge that comes after the attempt is over",
		Explain: "A call is copied when it has run for the delay. Where an attempt is over before that, no copy is ever sent.",
		Example: "timeout-classes: {fast: {total: 2s, attempt: 500ms}}\nhedge: {delay: 1s}",
		Fix:     "hedge: {delay: auto}",
	},
	{
		Code: RetryOfOneShot, Name: "RetryOfOneShot", Summary: "a Go method is tried again with an argument that can be used once",
		Explain: "A reader, or a channel that is received from, is used up by the attempt that reads it, and whether one was is not known to who calls " +
			"the method. Retries that only a wide layer asks for (`use recommended` at the type, the defaults of a policy file) are left out for " +
			"such a method; asked for at the method itself, or by a rule, they are refused, and so are rungs that ask another target.",
		Example: "//resgen:retry attempts=3\nPut(ctx context.Context, body io.Reader) error",
		Fix:     "//resgen:retry attempts=3\nPut(ctx context.Context, body []byte) error",
	},
	{
		Code: CacheNotSafe, Name: "CacheNotSafe", Summary: "a cache on an operation that has effects",
		Explain: "A call that is answered from a cache is not sent, so its effect does not happen. Only operations that are `safe` have none.",
		Example: "put:\n  operationId: replaceDocument\n  x-resilience: {cache: {ttl: 10m}}",
		Fix:     "cache: null\nIf the operation has no effect but its price, as an embedding:\n    idempotency: safe",
	},
	{
		Code: CacheKeepsNothing, Name: "CacheKeepsNothing", Summary: "a cache of which no answer is ever given",
		Explain: "`ttl` is how long an answer is given without asking the target, `stale-if-error` how long after that it may serve the cache rung. " +
			"Without both the cache is without effect.",
		Example: "cache: {key: [/model, /input]}",
		Fix:     "cache: {key: [/model, /input], ttl: 10m}",
	},
	{
		Code: StaleWithoutRung, Name: "StaleWithoutRung", Summary: "stale answers are kept that no rung serves",
		Explain: "What is older than its ttl is served by a cache rung of the ladder, after a failure and at its place among the other rungs. Without " +
			"one, `stale-if-error` fills memory and nothing else.",
		Example: "cache: {ttl: 10m, stale-if-error: 24h}",
		Fix:     "cache: {ttl: 10m, stale-if-error: 24h}\nfallback: [{name: remembered, cache: {}}]",
	},
	{
		Code: RungWithoutCache, Name: "RungWithoutCache", Summary: "a cache rung of an operation that has no cache",
		Explain: "A cache rung answers with what an equal call was answered before. `cache` says that such answers are kept, and for how long.",
		Example: "fallback: [{name: remembered, cache: {}}]",
		Fix:     "cache: {ttl: 0s, stale-if-error: 24h}\nfallback: [{name: remembered, cache: {}}]",
	},
	{
		Code: CacheRungIdle, Name: "CacheRungIdle", Summary: "a cache rung that has nothing of its own",
		Explain: "A call is answered from the cache before it is sent, as long as the answer is within its ttl. A rung that may serve nothing older has no " +
			"answer left when its turn comes.",
		Example: "cache: {ttl: 10m}\nfallback: [{name: remembered, cache: {}}]",
		Fix:     "cache: {ttl: 10m, stale-if-error: 24h}\nfallback: [{name: remembered, cache: {}}]",
	},
	{
		Code: CacheDoesNotFit, Name: "CacheDoesNotFit", Summary: "a Go method whose calls or answers a cache cannot keep",
		Explain: "A cache tells calls apart by their arguments as JSON, and keeps one finished value as JSON. A method that takes a channel, a function or " +
			"an io.Reader, or that answers with several values or a stream, has no cache.",
		Example: "//resgen:cache ttl=1m\nEach(ctx context.Context, f func(Item)) (int, error)",
		Fix:     "Each(ctx context.Context, f func(Item)) (int, error)",
	},
	{
		Code: ExerciseNotSafe, Name: "ExerciseNotSafe", Summary: "rungs are exercised beside calls that must not be",
		Explain: "An exercise runs a rung in normal times. Where the operation is `keyed` or `none` that would do again what the call does; where it is " +
			"critical, or never degrades, nobody is to be exposed to its rungs.",
		Example: "criticality: critical\nexercise: {share: 1%}",
		Fix:     "exercise: null",
	},
	{
		Code: ExerciseWithoutRungs, Name: "ExerciseWithoutRungs", Summary: "an exercise of a ladder without rungs",
		Explain: "`exercise` finds out whether the rungs of `fallback` work. Without rungs it is without effect.",
		Example: "exercise: {share: 1%}",
		Fix:     "exercise: {share: 1%}\nfallback: [{name: eu, target: secondary}]",
	},
	{
		Code: ServeNotEqual, Name: "ServeNotEqual", Summary: "in normal times an exercise would serve an answer that is worse",
		Explain: "With `mode: serve` callers get the answers of the rungs that are exercised. Only rungs of level `equal` that send a request may do " +
			"that; fixed, remembered and wired answers run in the shadow.",
		Example: "exercise: {mode: serve}\nfallback: [{name: small, patch: [{op: replace, path: /model, value: small}]}]",
		Fix:     "exercise: {mode: shadow}\nfallback: [{name: small, patch: [{op: replace, path: /model, value: small}]}]",
	},
	{
		Code: LimitWithoutRate, Name: "LimitWithoutRate", Summary: "a limit that bounds nothing",
		Explain: "A limit is one of requests or of tokens, or, with `headers`, whatever the target's answers say is left. `burst`, `per` and `replicas` " +
			"say how it is counted, `burst` that of requests.",
		Example: "limit: {per: tenant}",
		Fix:     "limit: {requests: 500/1m, per: tenant}",
	},
	{
		Code: TokensNotCounted, Name: "TokensNotCounted", Summary: "a limit of tokens that nothing is counted against",
		Explain: "How many tokens a call takes is known from its answer: `tokens.usage` says where. `input-tokens` needs `input`, `output-tokens` needs " +
			"`output`, and `tokens` one of the two.",
		Example: "limit: {tokens: 300000/1m}",
		Fix:     "limit: {tokens: 300000/1m}\ntokens: {usage: {input: /usage/prompt_tokens, output: /usage/completion_tokens}}",
	},
	{
		Code: PointerDoesNotFit, Name: "PointerDoesNotFit", Summary: "a pointer into a request or an answer where nothing can be",
		Explain: "`tokens.max` and `cache.key` point into the JSON body of the request, `tokens.usage` into that of the answer or of a stream's items. " +
			"The document says what these bodies are, and there is no such field, or, for tokens, it is no number. Where the document leaves open " +
			"what a value is, every pointer fits.",
		Example: "tokens: {usage: {input: /usage/promt_tokens}}",
		Fix:     "tokens: {usage: {input: /usage/prompt_tokens}}",
	},
	{
		Code: BulkheadBelowLimit, Name: "BulkheadBelowLimit", Summary: "the bulkhead is full before the limit is used up",
		Explain: "By Little's law the calls in flight are the rate times the time that each takes. If calls take a quarter of the attempt timeout, the " +
			"bulkhead rejects some while the limit would still admit them.",
		Example: "timeout-classes: {slow: {total: 90s, attempt: 40s}}\nlimit: {requests: 500/1m}\nbulkhead: {max-concurrent: 16}",
		Fix:     "bulkhead: {max-concurrent: 84}",
	},
	{
		Code: ShedWindowShort, Name: "ShedWindowShort", Summary: "shedding judges less time than a call may hang",
		Explain: "Shedding compares the requests of a window with those that the target accepted. A call that hangs is known to have failed when its attempt " +
			"is over; if it has left the window by then, a target that hangs is taken for well.",
		Example: "timeout-classes: {slow: {total: 90s, attempt: 40s}}\nshed: {window: 30s}",
		Fix:     "shed: {window: 2m}",
	},
	{
		Code: CostWithoutPrice, Name: "CostWithoutPrice", Summary: "money is bounded for calls that cost nobody knows what",
		Explain: "`limit.cost` reserves what a call may cost before it is sent, at the price of the rung that is to serve it, and passes over a rung that is " +
			"too dear. So every target that the operation calls needs a `price`, and so does a patch that asks another model, on the rung itself. What " +
			"costs nothing has the price `{input: 0}`.",
		Example: "limit: {cost: 5.00/24h, per: tenant}",
		Fix:     "limit: {cost: 5.00/24h, per: tenant}\ntargets: {primary: {price: {input: 2.50, cached: 1.25, output: 10}}}",
	},
	{
		Code: SharedWithoutRate, Name: "SharedWithoutRate", Summary: "a shared limit of nothing that processes can share",
		Explain: "With `shared` all processes draw on one limit, which lies in a store: one of requests, or of tokens. What headers alone say, each process " +
			"learns for itself; and money is not kept there yet: with `replicas` each process has its part of it.",
		Example: "limit: {headers: x-ratelimit, shared: openai}",
		Fix:     "limit: {requests: 500/1m, headers: x-ratelimit, shared: openai}",
	},
	{
		Code: SharedLimitDiffers, Name: "SharedLimitDiffers", Summary: "a shared limit has other numbers elsewhere",
		Explain: "Whoever names a shared limit draws on the same buckets. Were their numbers not the same, they would fill and empty them by different " +
			"rules, and none would hold. A limit of another target than `primary` is another one of the same name.",
		Example: "a: {limit: {requests: 500/1m, shared: openai}}\nb: {limit: {requests: 100/1m, shared: openai}}",
		Fix:     "policies: {openai: {limit: {requests: 500/1m, shared: openai}}}\na: {use: openai}\nb: {use: openai}",
	},
	{
		Code: PageDoesNotFit, Name: "PageDoesNotFit", Summary: "pages are not where an annotation says",
		Explain: "`page` says where a request names the page that it asks for, and where an answer has its items and the next page. Generated code " +
			"reaches them by the types of the document, so both must be there: the token of a text or a whole number on both sides, the items as a list.",
		Example: "page: {style: cursor, request: {token: aftr}, response: {items: /data, next: /last_id}}",
		Fix:     "page: {style: cursor, request: {token: after}, response: {items: /data, next: /last_id}}",
	},
	{
		Code: MembersShape, Name: "MembersShape", Summary: "members of a target that are no endpoints",
		Explain: "`any-of` lists the endpoints, or the credentials, behind one target: targets with an address of their own. A target is no member of " +
			"itself, and a member has no members, so that there is one choice and no circle.",
		Example: "targets:\n  primary: {any-of: [pool, us]}\n  pool: {any-of: [eu1, eu2]}\n  us: {base-url: https://us.example.com}",
		Fix:     "targets:\n  primary: {any-of: [eu1, eu2, us]}\n  us: {base-url: https://us.example.com}",
	},
	{
		Code: WeightWithoutMembers, Name: "WeightWithoutMembers", Summary: "a weight of a target that is no member",
		Explain: "`weight` is a member's share of the calls of the target that lists it in `any-of`, relative to the weights of the other members. " +
			"A target that is no member gets every call that is sent to it.",
		Example: "targets:\n  secondary: {base-url: https://eu.example.com, weight: 2}",
		Fix:     "targets:\n  primary: {any-of: [eu, us]}\n  eu: {base-url: https://eu.example.com, weight: 2}\n  us: {base-url: https://us.example.com}",
	},
	{
		Code: AffinityWithoutMembers, Name: "AffinityWithoutMembers", Summary: "an affinity, or shared keys, of a target that has no use for it",
		Explain: "`affinity` keeps a conversation on one member of a target, and `shared-keys` says that its members know each other's idempotency " +
			"keys: both are about a choice, which a target without `any-of` does not have. An affinity needs a key, the same on all targets, " +
			"since a call belongs to one conversation, and a ttl.",
		Example: "targets:\n  primary: {affinity: {key: conversation, ttl: 5m}}",
		Fix:     "targets:\n  primary: {any-of: [eu, us], affinity: {key: conversation, ttl: 5m}}",
	},
	{
		Code: MemberAsRung, Name: "MemberAsRung", Summary: "a rung calls a member of a target that was called before",
		Explain: "A call leaves a target with members when none of them can serve: their breakers are open, or they asked for a pause. A rung that then " +
			"calls one of them finds it as it was.",
		Example: "targets: {primary: {any-of: [eu, us]}}\nfallback: [{name: eu, target: eu}]",
		Fix:     "targets: {primary: {any-of: [eu, us]}}\nfallback: [{name: other, target: secondary}]",
	},
	{
		Code: UnsoundPlan, Name: "UnsoundPlan", Summary: "the values of a policy contradict each other",
		Explain: "The machine that carries the policy out cannot work with these values together, though each is fine by itself. The text of the " +
			"diagnostic says which.",
		Example: "retry: {attempts: 3, backoff: {base: 5s, max: 1s}}",
		Fix:     "retry: {attempts: 3, backoff: {base: 1s, max: 5s}}",
	},
}
