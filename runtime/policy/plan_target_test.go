package policy_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// TestALimitIsThatOfTheTargetsProvider gives an operation a limit of tokens, and its targets other providers.
func TestALimitIsThatOfTheTargetsProvider(t *testing.T) {
	t.Parallel()
	tokens := policy.Rate{Amount: 100, Per: time.Minute}
	p := policy.Plan{
		Errors: policy.Errors{Preset: "openai"},
		Limit:  policy.LimitConfig{Tokens: tokens, Headers: policy.LimitHeadersOf("openai")},
		Targets: []policy.Target{
			{Name: "own", Preset: "anthropic"},
			{Name: "group", AnyOf: []string{"member", "odd"}, Preset: "anthropic"},
			{Name: "odd", Preset: "openai"},
			{Name: "written", Preset: "anthropic", Limit: policy.LimitConfig{Requests: tokens, Headers: policy.LimitHeadersNone}},
		},
	}
	apart := policy.LimitConfig{InputTokens: tokens, OutputTokens: tokens, Headers: policy.LimitHeadersOf("anthropic"), Slice: 10 * time.Second}
	together := policy.LimitConfig{Tokens: tokens, Headers: policy.LimitHeadersOf("openai"), Slice: 10 * time.Second}
	for target, want := range map[string]policy.LimitConfig{
		"primary": together, "own": apart, "member": apart, "odd": together, "written": p.Targets[3].Limit,
	} {
		if diff := cmp.Diff(want, policy.TargetOf(&p, target).Limit); diff != "" {
			t.Errorf("%s (-want +got):\n%s", target, diff)
		}
	}
	if diff := cmp.Diff(apart, policy.MemberOf(&p, "group", "member").Limit); diff != "" {
		t.Errorf("the member of the group (-want +got):\n%s", diff)
	}
	if p.Errors.Preset != "openai" || policy.PlanAt(&p, "primary") != &p || policy.PlanAt(&p, "odd") != &p {
		t.Error("a plan was changed, or copied for nothing")
	}
}
