package annot

import "github.com/resgen-go/resgen/runtime/policy"

var tokensEntry = Entry{
	Sort:  Fact,
	Title: "Tokens",
	Text: "Says where requests and answers of a language model hold what limits of tokens count: `max` points into the request's body, at the " +
		"most that the answer may take, and `usage` into the answer. Of a stream each item is looked at, and the last value that is not null " +
		"counts. An operation with tokens is slow and dear: `recommended` retries it less.",
	Example: "tokens: {max: /max_tokens, usage: {input: /usage/prompt_tokens, output: /usage/completion_tokens}}",
	Since:   "0.1",
	field:   object("tokens", "", tokensKeys, func(s *Settings) *policy.Tokens { return &s.Plan.Tokens }),
}

type tokens = policy.Tokens

var tokensKeys = record[tokens]{
	pointerField("max", "Where the request says how many tokens the answer may take.", func(t *tokens) *string { return &t.Max }),
	object("usage", "Where the answer says how many it took.", record[tokens]{
		pointerField("input", "Tokens of the request.", func(t *tokens) *string { return &t.Input }),
		pointerField("cached", "Those of them that the provider had cached.", func(t *tokens) *string { return &t.Cached }),
		pointerField("cache-write", "Those that it put into its cache.", func(t *tokens) *string { return &t.CacheWrite }),
		pointerField("output", "Tokens of the answer.", func(t *tokens) *string { return &t.Output }),
		pointerField("reasoning", "Those of them that the caller does not see.", func(t *tokens) *string { return &t.Reasoning }),
	}, func(t *tokens) *tokens { return t }),
	later[tokens]("counts", "What the provider's limits and bills count."),
}
