package plan

import (
	"github.com/resgen-go/resgen/runtime/policy"
)

// limitHeaders has the limits that somebody wrote learn from the headers of the preset's provider, where nobody wrote from which.
func (r *resolution) limitHeaders(s *shared) {
	headers, layer := policy.LimitHeadersOf(r.plan.Errors.Preset), "preset "+r.plan.Errors.Preset
	if headers != policy.LimitHeadersNone && bounds(&r.plan.Limit) && r.tree.find("limit.headers") == nil {
		r.plan.Limit.Headers = headers
		r.tree.set("limit.headers", headers.String(), layer)
	}
	for i := range r.plan.Targets {
		t := &r.plan.Targets[i]
		if def := s.targets.find(t.Name); bounds(&t.Limit) && def != nil && def.tree.find("limit.headers") == nil {
			t.Limit.Headers = policy.LimitHeadersOf(policy.PlanAt(&r.plan, t.Name).Errors.Preset)
		}
	}
}

// bounds reports whether a limit bounds requests or tokens: what headers may lower.
func bounds(l *policy.LimitConfig) bool { return l.Requests != (policy.Rate{}) || l.CountsTokens() }
