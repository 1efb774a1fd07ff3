package policy_test

import (
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
)

// values finds texts by pointer.
func values(pairs ...string) func(string) (string, bool) {
	return func(pointer string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == pointer {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func TestErrorsMatch(t *testing.T) {
	t.Parallel()
	rules := []policy.ErrorRule{
		{Kind: policy.KindUnusable, Status: 404, Pointer: "/code", Equals: "gone"},
		{Kind: policy.KindRefused, Pointer: "/blocked"},
		{Kind: policy.KindTransient, Status: 418},
	}
	for name, c := range map[string]struct {
		errors policy.Errors
		status int
		value  func(string) (string, bool)
		want   policy.Kind
	}{
		"status and value":                 {policy.Errors{Rules: rules}, 404, values("/code", "gone"), policy.KindUnusable},
		"another status":                   {policy.Errors{Rules: rules}, 400, values("/code", "gone"), policy.KindNone},
		"another value":                    {policy.Errors{Rules: rules}, 404, values("/code", "here"), policy.KindNone},
		"inside a response: by value":      {policy.Errors{Rules: rules}, 0, values("/code", "gone"), policy.KindUnusable},
		"inside a response: not by status": {policy.Errors{Rules: rules}, 0, values(), policy.KindNone},
		"any value":                        {policy.Errors{Rules: rules}, 200, values("/blocked", ""), policy.KindRefused},
		"status alone":                     {policy.Errors{Rules: rules}, 418, values(), policy.KindTransient},
		"the preset":                       {policy.Errors{Preset: "openai", Rules: rules}, 429, values("/error/code", "insufficient_quota"), policy.KindUnusable},
		"an error at the top":              {policy.Errors{Preset: "openai"}, 0, values("/code", "insufficient_quota"), policy.KindUnusable},
		"a beginning":                      {policy.Errors{Preset: "openai"}, 429, values("/error/message", "Request too large for gpt"), policy.KindContextTooLong},
		"not in the middle":                {policy.Errors{Preset: "openai"}, 429, values("/error/message", "The Request too large for gpt"), policy.KindNone},
		"generic knows no bodies":          {policy.Errors{}, 429, values("/error/code", "insufficient_quota"), policy.KindNone},
		"the user's rule before the preset's": {
			policy.Errors{Preset: "openai", Rules: []policy.ErrorRule{{Kind: policy.KindThrottle, Pointer: "/error/code", Equals: "insufficient_quota"}}},
			429, values("/error/code", "insufficient_quota"), policy.KindThrottle,
		},
	} {
		if got, ok := c.errors.Match(c.status, c.value); got != c.want || ok != (c.want != policy.KindNone) {
			t.Errorf("%s: %v, %v; want %v", name, got, ok, c.want)
		}
	}
}

func TestClassifyInBand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		value func(string) (string, bool)
		want  policy.Kind
	}{
		"a status as code":    {values("/error/code", "429"), policy.KindThrottle},
		"a status at the top": {values("/status", "503"), policy.KindTransient},
		"a type":              {values("/error/type", "overloaded_error"), policy.KindTransient},
		"a type as code":      {values("/error/code", "rate_limit_exceeded"), policy.KindThrottle},
		"a type at the top":   {values("/type", "invalid_request_error"), policy.KindCaller},
		"a code of its own":   {values("/error/code", "42"), policy.KindPermanent},
		"nothing known":       {values("/error/message", "503"), policy.KindPermanent},
	} {
		if got := policy.ClassifyInBand(c.value); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestPresets(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"": true, "generic": true, "openai": true, "OpenAI": false, "acme": false} {
		if got := policy.HasPreset(name); got != want {
			t.Errorf("HasPreset(%q) = %v, want %v", name, got, want)
		}
	}
}
