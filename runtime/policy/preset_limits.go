package policy

import "time"

// LimitHeaders names the response headers from which a limit learns. The zero value is LimitHeadersNone.
type LimitHeaders uint8

// The families. Those that are called like a preset are what its provider documents, with its units and windows.
const (
	// LimitHeadersNone learns nothing.
	LimitHeadersNone LimitHeaders = iota
	// LimitHeadersX are X-RateLimit-Limit, -Remaining and -Reset, with the suffixes -Requests and -Tokens (and _usage_based) or without one,
	// X-TokenLimit, and those of the same meaning that begin with Anthropic-RateLimit, in any unit: see ReadLimits.
	LimitHeadersX
	// LimitHeadersDraft are RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers).
	LimitHeadersDraft
	// LimitHeadersOpenAI are X-RateLimit-{Limit,Remaining,Reset}-{Requests,Tokens}, also with _usage_based: resets are durations.
	LimitHeadersOpenAI
	// LimitHeadersAzure are the same names; resets are whole seconds, X-Rate-Limit-Reset-Tokens is one too, and 0 is as unknown as -1.
	LimitHeadersAzure
	// LimitHeadersAnthropic are Anthropic-RateLimit-{Requests,Tokens,Input-Tokens,Output-Tokens}-{Limit,Remaining,Reset}: resets are dates.
	LimitHeadersAnthropic
	// LimitHeadersGroq are OpenAI's names; requests are those of a day, tokens those of a minute.
	LimitHeadersGroq
	// LimitHeadersMistral are X-RateLimit-{Limit,Remaining}-{Req,Tokens}-Minute.
	LimitHeadersMistral
	// LimitHeadersTogether are X-RateLimit-{Limit,Remaining,Reset} for requests, and X-TokenLimit-{Limit,Remaining,Reset}, of a second each.
	LimitHeadersTogether
	// LimitHeadersOpenRouter are X-RateLimit-{Limit,Remaining,Reset}: resets are milliseconds since 1970.
	LimitHeadersOpenRouter
)

// LimitHeadersOf returns the family of a preset's provider; LimitHeadersNone where that documents none (Gemini, Bedrock, Cohere, the vector
// stores), or where there is no telling.
func LimitHeadersOf(preset string) LimitHeaders {
	switch preset {
	case "openai":
		return LimitHeadersOpenAI
	case "azure":
		return LimitHeadersAzure
	case "anthropic":
		return LimitHeadersAnthropic
	case "groq":
		return LimitHeadersGroq
	case "mistral":
		return LimitHeadersMistral
	case "together":
		return LimitHeadersTogether
	case "openrouter":
		return LimitHeadersOpenRouter
	case "openai-compatible":
		return LimitHeadersX
	default:
		return LimitHeadersNone
	}
}

// resetUnit says what a reset is that is a plain number. The zero value is resetAny: small ones are seconds, large ones a time since 1970.
type resetUnit uint8

const (
	resetAny resetUnit = iota
	resetSeconds
	resetEpochMillis
)

// limitField is the header fields of one limit, by their canonical names.
type limitField struct {
	bucket           LimitBucket
	limit, remaining string
	reset            []string // the first that says something
	unit             resetUnit
	window           time.Duration // 0 is that of the configuration
	zeroUnknown      bool          // a remainder of 0 means that it is not known
}

// suffixed is a limit as OpenAI names it.
func suffixed(b LimitBucket, what string, window time.Duration) limitField {
	return limitField{
		bucket: b, limit: "X-Ratelimit-Limit-" + what, remaining: "X-Ratelimit-Remaining-" + what, reset: []string{"X-Ratelimit-Reset-" + what},
		window: window,
	}
}

// anthropics is a limit as Anthropic names it.
func anthropics(b LimitBucket, what string, window time.Duration) limitField {
	name := "Anthropic-Ratelimit-" + what
	return limitField{bucket: b, limit: name + "-Limit", remaining: name + "-Remaining", reset: []string{name + "-Reset"}, window: window}
}

// plain is a limit of requests that is named without a suffix.
func plain(unit resetUnit, window time.Duration) limitField {
	return limitField{
		bucket: BucketRequests, limit: "X-Ratelimit-Limit", remaining: "X-Ratelimit-Remaining", reset: []string{"X-Ratelimit-Reset"},
		unit: unit, window: window,
	}
}

// tokenLimit is a limit of tokens as Together names it.
func tokenLimit(window time.Duration) limitField {
	return limitField{
		bucket: BucketTokens, limit: "X-Tokenlimit-Limit", remaining: "X-Tokenlimit-Remaining", reset: []string{"X-Tokenlimit-Reset"}, window: window,
	}
}

const aDay = 24 * time.Hour

var openaiLimits = []limitField{
	suffixed(BucketRequests, "Requests", 0), suffixed(BucketTokens, "Tokens", 0), suffixed(BucketTokens, "Tokens_usage_based", 0),
}

// anthropicLimits are Anthropic's, in a window that is known, or 0.
func anthropicLimits(window time.Duration) []limitField {
	return []limitField{
		anthropics(BucketRequests, "Requests", window), anthropics(BucketTokens, "Tokens", window),
		anthropics(BucketInput, "Input-Tokens", window), anthropics(BucketOutput, "Output-Tokens", window),
	}
}

// limitFamilies holds the fields of each family, in groups: the first group that says something counts. Sources: OpenAI, "Rate limits in headers";
// Azure, as seen in openai/openai-dotnet#838 and openai/openai-python#937; Anthropic, "Response headers"; Groq, "Rate limits"; Together, "Rate
// limits"; Mistral, as its API answers; OpenRouter, "Limits".
var limitFamilies = [...][][]limitField{
	LimitHeadersX:      {openaiLimits, anthropicLimits(0), {plain(resetAny, 0), tokenLimit(0)}},
	LimitHeadersDraft:  nil,
	LimitHeadersOpenAI: {openaiLimits},
	LimitHeadersAzure: {{
		{
			bucket: BucketRequests, limit: "X-Ratelimit-Limit-Requests", remaining: "X-Ratelimit-Remaining-Requests",
			reset: []string{"X-Ratelimit-Reset-Requests", "X-Rate-Limit-Reset-Requests"}, unit: resetSeconds, zeroUnknown: true,
		},
		{
			bucket: BucketTokens, limit: "X-Ratelimit-Limit-Tokens", remaining: "X-Ratelimit-Remaining-Tokens",
			reset: []string{"X-Ratelimit-Reset-Tokens", "X-Rate-Limit-Reset-Tokens"}, unit: resetSeconds, zeroUnknown: true,
		},
	}},
	LimitHeadersAnthropic: {anthropicLimits(time.Minute)},
	LimitHeadersGroq:      {{suffixed(BucketRequests, "Requests", aDay), suffixed(BucketTokens, "Tokens", time.Minute)}},
	LimitHeadersMistral:   {{suffixed(BucketRequests, "Req-Minute", time.Minute), suffixed(BucketTokens, "Tokens-Minute", time.Minute)}},
	LimitHeadersTogether:  {{plain(resetSeconds, time.Second), tokenLimit(time.Second)}},
	LimitHeadersOpenRouter: {{
		plain(resetEpochMillis, 0),
	}},
}
