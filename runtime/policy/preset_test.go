package policy_test

import (
	"slices"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// classify says what an answer is of which kind.
func classify(e policy.Errors, status int, body string) policy.Kind {
	return e.Classify(time.Time{}, policy.Answer{Status: status, Body: []byte(body)}, policy.None, 1).Kind
}

func TestErrorsClassify(t *testing.T) {
	t.Parallel()
	rules := policy.Errors{Rules: []policy.ErrorRule{
		{Kind: policy.KindUnusable, Status: 404, Pointer: "/code", Equals: "gone"},
		{Kind: policy.KindRefused, Pointer: "/blocked"},
		{Kind: policy.KindThrottle, Pointer: "/errors/*/code", Equals: "slow"},
		{Kind: policy.KindTransient, Status: 418},
	}}
	openai := policy.Errors{Preset: "openai", Rules: rules.Rules}
	const quota = `{"error":{"code":"insufficient_quota"}}`
	for name, c := range map[string]struct {
		errors policy.Errors
		status int
		body   string
		want   policy.Kind
	}{
		"status and value":                 {rules, 404, `{"code":"gone"}`, policy.KindUnusable},
		"another status":                   {rules, 403, `{"code":"gone"}`, policy.KindUnusable},
		"another value":                    {rules, 404, `{"code":"here"}`, policy.KindCaller},
		"inside a response: by value":      {rules, 0, `{"code":"gone"}`, policy.KindUnusable},
		"inside a response: not by status": {rules, 0, `{}`, policy.KindPermanent},
		"any value":                        {rules, 400, `{"blocked":""}`, policy.KindRefused},
		"any value but null":               {rules, 400, `{"blocked":null}`, policy.KindCaller},
		"one of a list":                    {rules, 400, `{"errors":[{"code":"bad"},{"code":"slow"}]}`, policy.KindThrottle},
		"none of a list":                   {rules, 400, `{"errors":[{"code":"bad"},{}]}`, policy.KindCaller},
		"status alone":                     {rules, 418, ``, policy.KindTransient},
		"no JSON":                          {openai, 429, `<p>insufficient_quota`, policy.KindThrottle},
		"cut JSON":                         {openai, 429, quota[:len(quota)-1], policy.KindUnusable},
		"the preset":                       {openai, 429, quota, policy.KindUnusable},
		"an error at the top":              {openai, 0, `{"code":"insufficient_quota"}`, policy.KindUnusable},
		"a beginning":                      {openai, 429, `{"error":{"message":"Request too large for gpt"}}`, policy.KindContextTooLong},
		"a beginning in other letters":     {openai, 429, `{"error":{"message":"REQUEST too large for gpt"}}`, policy.KindContextTooLong},
		"not in the middle":                {openai, 429, `{"error":{"message":"The Request too large for gpt"}}`, policy.KindThrottle},
		"generic knows no bodies":          {policy.Errors{}, 429, quota, policy.KindThrottle},
		"the user's rule before the preset's": {
			policy.Errors{Preset: "openai", Rules: []policy.ErrorRule{{Kind: policy.KindCaller, Pointer: "/error/code", Equals: "insufficient_quota"}}},
			429, quota, policy.KindCaller,
		},
	} {
		if got := classify(c.errors, c.status, c.body); got != c.want {
			t.Errorf("%s: %v; want %v", name, got, c.want)
		}
	}
}

// An error that comes inside an answer is what its own fields say.
func TestErrorsClassifyInBand(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]policy.Kind{
		`{"error":{"code":"429"}}`:                 policy.KindThrottle,
		`{"error":{"code":402}}`:                   policy.KindUnusable,
		`{"status":503}`:                           policy.KindTransient,
		`{"error":{"type":"overloaded_error"}}`:    policy.KindTransient,
		`{"error":{"code":"rate_limit_exceeded"}}`: policy.KindThrottle,
		`{"type":"invalid_request_error"}`:         policy.KindCaller,
		`{"error":{"code":"42"}}`:                  policy.KindPermanent,
		`{"error":{"code":9999}}`:                  policy.KindPermanent,
		`{"error":{"message":"503"}}`:              policy.KindPermanent,
	} {
		if got := classify(policy.Errors{}, 0, body); got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
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

func TestPresetNames(t *testing.T) {
	t.Parallel()
	names := policy.Presets()
	if !slices.IsSorted(names) || !slices.Contains(names, "generic") || slices.ContainsFunc(names, func(n string) bool { return !policy.HasPreset(n) }) {
		t.Errorf("presets: %v", names)
	}
}
