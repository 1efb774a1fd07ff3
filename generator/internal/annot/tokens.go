package annot

import (
	"time"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var tokensEntry = Entry{
	Sort:  Fact,
	Title: "Tokens",
	Text: "Says where requests and answers of a language model hold what limits of tokens count: `max` points into the request's body, at the " +
		"most that the answer may take, and `usage` into the answer. Of a stream each item is looked at, and the last value that is not null " +
		"counts. `counts` says what the provider's limits count: `input` all tokens or those that were not cached, `output` what is to be expected " +
		"or the request's maximum, input and output with limits of their own (`separate`: `limit.tokens` then holds for each), and the `slice` of " +
		"time in which limits are enforced. A preset of `errors` knows all of this for its provider; what is written here wins. An operation " +
		"with tokens is slow and dear: `recommended` retries it less.",
	Example: "tokens: {max: /max_tokens, usage: {input: /usage/prompt_tokens, output: /usage/completion_tokens}}",
	Since:   "0.1",
	field:   object("tokens", "", tokensKeys, func(s *Settings) *policy.Tokens { return &s.Plan.Tokens }),
}

type tokens = policy.Tokens

var tokensKeys = record[tokens]{
	pointerField("max", "Where the request says how many tokens the answer may take.", "/max_tokens", func(t *tokens) *string { return &t.Max }),
	object("usage", "Where the answer says how many it took.", record[tokens]{
		pointerField("input", "Tokens of the request.", "/usage/prompt_tokens", func(t *tokens) *string { return &t.Input }),
		pointerField("cached", "Those of them that the provider had cached.", "/usage/prompt_tokens_details/cached_tokens", func(t *tokens) *string { return &t.Cached }),
		pointerField("cache-write", "Those that it put into its cache.", "/usage/cache_creation_input_tokens", func(t *tokens) *string { return &t.CacheWrite }),
		pointerField("output", "Tokens of the answer.", "/usage/completion_tokens", func(t *tokens) *string { return &t.Output }),
		pointerField("reasoning", "Those of them that the caller does not see.", "/usage/completion_tokens_details/reasoning_tokens",
			func(t *tokens) *string { return &t.Reasoning }),
	}, func(t *tokens) *tokens { return t }),
	object("counts", "What the provider's limits count.", countsKeys, func(t *tokens) *policy.TokenCounts { return &t.Counts }),
}

var countsKeys = record[policy.TokenCounts]{
	oneOf("input", "Which tokens of a request: all of them, or those that were not cached.",
		[]policy.InputCount{policy.CountAll, policy.CountUncached}, func(c *policy.TokenCounts) *policy.InputCount { return &c.Input }),
	oneOf("output", "Which output is reserved before it is known: what answers are seen to use, or the request's maximum.",
		[]policy.OutputCount{policy.CountEstimate, policy.CountMax}, func(c *policy.TokenCounts) *policy.OutputCount { return &c.Output }),
	separateField(),
	duration("slice", "The span in which the provider enforces its limits of tokens, where that is shorter than theirs.",
		func(c *policy.TokenCounts) *time.Duration { return &c.Slice }),
}

// separateField is a boolean of which false says something too: a preset may say true.
func separateField() field[policy.TokenCounts] {
	f := flag("separate", "Input and output have limits of their own.", func(*policy.TokenCounts) *bool { return new(bool) })
	f.put = func(c *policy.TokenCounts, v *source.Value) {
		if c.Separate = policy.CountTogether; v.Text == "true" {
			c.Separate = policy.CountApart
		}
	}
	f.take = func(c *policy.TokenCounts) (source.Value, bool) {
		return source.Value{Kind: source.Bool, Text: c.Separate.String()}, c.Separate != policy.SeparateUnset
	}
	return f
}
