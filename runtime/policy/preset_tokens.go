package policy

import (
	"slices"
	"strings"
	"time"
)

// TokenPlaces are where requests and answers hold numbers of tokens: JSON pointers (RFC 6901), of each field several, because one provider
// speaks in several forms. Of those that are there in one text, the first counts.
type TokenPlaces struct {
	// Max points into the request.
	Max []string
	// Input, Cached, CacheWrite, Output and Reasoning point into the answer, and into each item of a stream.
	Input, Cached, CacheWrite, Output, Reasoning []string
}

// tokenForm is what a preset knows of its provider's tokens.
type tokenForm struct {
	TokenPlaces

	counts TokenCounts
}

// shortly is the span in which providers that say so may enforce a limit for a minute.
const shortly = 10 * time.Second

// The places of OpenAI's three forms: chat completions (and embeddings, images, completions), responses, and the events of a stream of
// responses. Others speak the first.
var (
	chatPlaces = TokenPlaces{
		Max:       []string{"/max_completion_tokens", "/max_tokens"},
		Input:     []string{"/usage/prompt_tokens"},
		Cached:    []string{"/usage/prompt_tokens_details/cached_tokens"},
		Output:    []string{"/usage/completion_tokens"},
		Reasoning: []string{"/usage/completion_tokens_details/reasoning_tokens"},
	}
	responsesPlaces = TokenPlaces{
		Max:       []string{"/max_output_tokens"},
		Input:     []string{"/usage/input_tokens", "/response/usage/input_tokens"},
		Cached:    []string{"/usage/input_tokens_details/cached_tokens", "/response/usage/input_tokens_details/cached_tokens"},
		Output:    []string{"/usage/output_tokens", "/response/usage/output_tokens"},
		Reasoning: []string{"/usage/output_tokens_details/reasoning_tokens", "/response/usage/output_tokens_details/reasoning_tokens"},
	}
	messagesPlaces = TokenPlaces{
		Max:        []string{"/max_tokens"},
		Input:      []string{"/usage/input_tokens", "/message/usage/input_tokens"},
		Cached:     []string{"/usage/cache_read_input_tokens", "/message/usage/cache_read_input_tokens"},
		CacheWrite: []string{"/usage/cache_creation_input_tokens", "/message/usage/cache_creation_input_tokens"},
		Output:     []string{"/usage/output_tokens", "/message/usage/output_tokens"},
	}
)

// tokenForms holds what each preset knows; one that is not listed knows nothing.
//
// What counts: OpenAI, "Rate limits" (the greater of the request's maximum and the estimate; enforced in shorter spans too). Azure, "Manage quota"
// (the estimate with the maximum; seen from 1 s to 10 s). Anthropic, "Rate limits" (input and output apart, cached reads uncounted, the maximum
// does not count). Gemini, "Rate limits" (input alone has a limit). Bedrock, "Token burndown" (input and the maximum, then what was used).
// Groq, "Prompt caching" (cached tokens uncounted). Cohere's bill is billed_units, which stand first.
var tokenForms = map[string]tokenForm{
	"openai": {
		TokenPlaces: join(chatPlaces, responsesPlaces),
		counts:      TokenCounts{Input: CountAll, Output: CountMax, Slice: shortly},
	},
	"azure": {
		TokenPlaces: join(chatPlaces, responsesPlaces),
		counts:      TokenCounts{Input: CountAll, Output: CountMax, Slice: shortly},
	},
	"anthropic": {
		TokenPlaces: messagesPlaces,
		counts:      TokenCounts{Input: CountUncached, Output: CountEstimate, Separate: CountApart, Slice: shortly},
	},
	"gemini": {
		TokenPlaces: join(TokenPlaces{
			Max:       []string{"/generationConfig/maxOutputTokens", "/generation_config/max_output_tokens"},
			Input:     []string{"/usageMetadata/promptTokenCount"},
			Cached:    []string{"/usageMetadata/cachedContentTokenCount"},
			Output:    []string{"/usageMetadata/candidatesTokenCount"},
			Reasoning: []string{"/usageMetadata/thoughtsTokenCount"},
		}, chatPlaces),
		counts: TokenCounts{Input: CountAll, Output: CountEstimate, Separate: CountApart},
	},
	"bedrock": {
		TokenPlaces: join(TokenPlaces{
			Max:        []string{"/inferenceConfig/maxTokens"},
			Input:      []string{"/usage/inputTokens", "/metadata/usage/inputTokens"},
			Cached:     []string{"/usage/cacheReadInputTokens", "/metadata/usage/cacheReadInputTokens"},
			CacheWrite: []string{"/usage/cacheWriteInputTokens", "/metadata/usage/cacheWriteInputTokens"},
			Output:     []string{"/usage/outputTokens", "/metadata/usage/outputTokens"},
		}, messagesPlaces),
		counts: TokenCounts{Input: CountAll, Output: CountMax},
	},
	"cohere": {
		TokenPlaces: TokenPlaces{
			Max: []string{"/max_tokens"},
			Input: []string{
				"/usage/billed_units/input_tokens", "/delta/usage/billed_units/input_tokens", "/meta/billed_units/input_tokens",
				"/usage/tokens/input_tokens", "/delta/usage/tokens/input_tokens", "/meta/tokens/input_tokens",
			},
			Cached: []string{"/usage/cached_tokens", "/delta/usage/cached_tokens", "/meta/cached_tokens"},
			Output: []string{
				"/usage/billed_units/output_tokens", "/delta/usage/billed_units/output_tokens", "/meta/billed_units/output_tokens",
				"/usage/tokens/output_tokens", "/delta/usage/tokens/output_tokens", "/meta/tokens/output_tokens",
			},
		},
	},
	"mistral":  {TokenPlaces: chatPlaces},
	"together": {TokenPlaces: chatPlaces},
	"groq": {
		TokenPlaces: join(chatPlaces, TokenPlaces{
			Input:  []string{"/x_groq/usage/prompt_tokens"},
			Cached: []string{"/x_groq/usage/prompt_tokens_details/cached_tokens"},
			Output: []string{"/x_groq/usage/completion_tokens"},
		}, responsesPlaces),
		counts: TokenCounts{Input: CountUncached},
	},
	"openrouter": {
		TokenPlaces: join(chatPlaces, TokenPlaces{CacheWrite: []string{"/usage/prompt_tokens_details/cache_write_tokens"}}, responsesPlaces),
	},
	"openai-compatible": {
		TokenPlaces: join(chatPlaces, responsesPlaces, TokenPlaces{
			Max:    []string{"/options/num_predict"},
			Input:  []string{"/prompt_eval_count"},
			Cached: []string{"/usage/prompt_cache_hit_tokens"},
			Output: []string{"/eval_count"},
		}),
	},
}

// join returns the places of all, in order.
func join(all ...TokenPlaces) (out TokenPlaces) {
	for _, p := range all {
		out.Max = slices.Concat(out.Max, p.Max)
		out.Input, out.Cached = slices.Concat(out.Input, p.Input), slices.Concat(out.Cached, p.Cached)
		out.CacheWrite = slices.Concat(out.CacheWrite, p.CacheWrite)
		out.Output, out.Reasoning = slices.Concat(out.Output, p.Output), slices.Concat(out.Reasoning, p.Reasoning)
	}
	return out
}

// TokenPlacesOf returns where the requests and answers of an operation hold numbers of tokens: where its Tokens say so, else where its preset
// knows them to be. The lists are not to be changed.
func TokenPlacesOf(p *Plan) TokenPlaces {
	places, t := tokenForms[p.Errors.Preset].TokenPlaces, &p.Tokens
	for _, own := range []struct {
		pointer string
		places  *[]string
	}{
		{t.Max, &places.Max},
		{t.Input, &places.Input},
		{t.Cached, &places.Cached},
		{t.CacheWrite, &places.CacheWrite},
		{t.Output, &places.Output},
		{t.Reasoning, &places.Reasoning},
	} {
		if own.pointer != "" {
			*own.places = []string{own.pointer}
		}
	}
	return places
}

// The names of fields that come on top of another: tokens that were cached on top of the input, and those that are not shown on top of the
// output. Every other field that a preset knows is a part of the other.
var (
	cachedOnTop    = []string{"cache_read_input_tokens", "cacheReadInputTokens"}
	reasoningOnTop = []string{"thoughtsTokenCount"}
)

// anyNamed reports whether a pointer ends in one of the names.
func anyNamed(pointers, names []string) bool {
	return slices.ContainsFunc(pointers, func(p string) bool { return slices.Contains(names, p[strings.LastIndexByte(p, '/')+1:]) })
}
