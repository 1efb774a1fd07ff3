package policy_test

import (
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
)

// TestSubstitutes: dated versions of what was asked for are that; other models are not.
func TestSubstitutes(t *testing.T) {
	t.Parallel()
	equal := policy.Served{Equal: []string{"o4-mini"}}
	for _, c := range []struct {
		asked, served string
		want          bool
	}{
		{"gpt-4o", "gpt-4o", false},
		{"gpt-4o", "gpt-4o-2024-08-06", false},
		{"gpt-4", "gpt-4-0613", false},
		{"GPT-4o", "gpt-4o", false},
		{"openai/gpt-4o", "gpt-4o-2024-08-06", false},
		{"gpt-4o", "azure/gpt-4o", false},
		{"claude-sonnet-latest", "claude-sonnet-20250101", false},
		{"mistral-large-latest", "mistral-large-latest", false},
		{"mistral-large", "mistral-large-latest", false},
		{"mistral-large-latest", "mistral-small-latest", true},
		{"claude-sonnet", "claude-sonnet@20250101", false},
		{"models/gemini-pro", "gemini-pro-002", false},
		{"deepseek/deepseek-r1:free", "deepseek/deepseek-r1", false},
		{"gpt-4o", "gpt-4o-mini", true},
		{"gpt-4o", "gpt-4", true},
		{"gpt-4o-2024-05-13", "gpt-4o-2024-08-06", true},
		{"gpt-4o", "gpt-4o-2024-08-06x", true},
		{"gpt-4o", "gpt-4o2024", true},
		{"gpt-4o", "gpt-4o-", true},
		{"llama3:70b", "llama3:8b", true},
		{"gpt-4o", "o4-mini", false},
		{"gpt-4o", "o4-mini-2025-04-16", false},
		{"", "gpt-4o", false},
		{"gpt-4o", "", false},
		{"/", "x", false},
	} {
		if got := equal.Substitutes(c.asked, c.served); got != c.want {
			t.Errorf("%q for %q: %v, want %v", c.served, c.asked, got, c.want)
		}
	}
}

// FuzzSubstitutes: whatever a server says, the rule does not fail, and a name is no substitute of itself.
func FuzzSubstitutes(f *testing.F) {
	f.Add("gpt-4o", "gpt-4o-2024-08-06")
	f.Add("a:b", "-")
	f.Add("a", "b-latest")
	f.Fuzz(func(t *testing.T, asked, served string) {
		var s policy.Served
		_ = s.Substitutes(asked, served)
		if s.Substitutes(served, served) {
			t.Errorf("%q is a substitute of itself", served)
		}
	})
}
