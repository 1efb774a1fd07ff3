package annot

import "github.com/resgen-go/resgen/runtime/policy"

var limitEntry = Entry{
	Sort:  Policy,
	Title: "Rate limit",
	Text: "Bounds what is sent to a target in a span of time: requests, retries and hedges among them, and the tokens of language models, for " +
		"which `tokens` says where they are counted. `500/1m` is 500 in a minute, `60/s` is short for `60/1s`. A call waits for its turn as " +
		"long as its time allows, else it goes on to the next rung or fails with the kind `rate-limited`. With `per: tenant` each tenant " +
		"(`runtime.WithTenant`) has the limit for itself, and calls without a tenant are one more; with `replicas` this process takes its " +
		"part of a limit that several share; with `shared` all of them draw on one limit, whoever needs it. " +
		"`headers` lets the answers of the target lower the limit until they say otherwise; " +
		"alone, it holds calls back from when they say that nothing is left until they may go on. Beside a preset of `errors` the preset's family is " +
		"the default, and `headers: none` learns nothing. `cost` bounds what all rungs together may spend, at the `price` of their targets: a rung " +
		"that is too dear is passed over, and a cheaper one may answer.",
	Example: "limit: {requests: 500/1m, tokens: 300000/1m, burst: 20, headers: x-ratelimit}",
	Since:   "0.1",
	brief:   "{requests: 500/1m}",
	field:   object("limit", "", limitKeys, func(s *Settings) *policy.LimitConfig { return &s.Plan.Limit }),
}

type limit = policy.LimitConfig

var limitKeys = record[limit]{
	rate("requests", "Requests.", func(l *limit) *policy.Rate { return &l.Requests }),
	rate("tokens", "Tokens of requests and answers together.", func(l *limit) *policy.Rate { return &l.Tokens }),
	rate("input-tokens", "Tokens of requests.", func(l *limit) *policy.Rate { return &l.InputTokens }),
	rate("output-tokens", "Tokens of answers.", func(l *limit) *policy.Rate { return &l.OutputTokens }),
	count("burst", "Requests that may go at once after a silence. Without it: what `requests` allows in a second, at least 1.", 1,
		func(l *limit) *int { return &l.Burst }),
	perField("`tenant` gives each tenant a limit of its own.", func(l *limit) *policy.Partition { return &l.Per }),
	oneOf("headers", "The response headers that lower the limit: X-RateLimit-Limit, -Remaining and -Reset (Anthropic-RateLimit too), those of the IETF's "+
		"draft, or those of a provider, with its units and windows.",
		[]policy.LimitHeaders{
			policy.LimitHeadersNone, policy.LimitHeadersX, policy.LimitHeadersDraft, policy.LimitHeadersOpenAI, policy.LimitHeadersAzure,
			policy.LimitHeadersAnthropic, policy.LimitHeadersGroq, policy.LimitHeadersMistral, policy.LimitHeadersTogether,
			policy.LimitHeadersOpenRouter,
		},
		func(l *limit) *policy.LimitHeaders { return &l.Headers }),
	count("replicas", "Processes that share the limit, each with an equal part. With `shared`, how many there are taken to be while the store is gone "+
		"and has never said.", 1, func(l *limit) *int { return &l.Replicas }),
	rate("cost", "Money, in the unit of the prices, over all rungs: `5.00/24h`.", func(l *limit) *policy.Rate { return &l.Cost }),
	name("shared", "The name under which the limit lies in a store, for all processes together: runtime.WithLimitStore, such as package "+
		"redisstore makes one of Redis. Limits of one name have the same numbers.", func(l *limit) *string { return &l.Shared }),
}

func perField[T any](doc string, at func(*T) *policy.Partition) field[T] {
	return oneOf("per", doc, []policy.Partition{policy.PerTenant}, at)
}
