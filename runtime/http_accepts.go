package runtime

import (
	"maps"
	"slices"

	"github.com/resgen-go/resgen/runtime/policy"
)

// WithAccepts says, in WithTarget, which classes of data a target may see (`data` and `accepts` of the annotations): for targets that are only
// known where the client is made. What the annotations say of it counts beside that.
func WithAccepts(classes ...string) TargetOption {
	return targetOption(func(t *httpTarget) { t.Accepts = append(slices.Clone(t.Accepts), classes...) })
}

// accepting gives a plan what options say of its targets.
func (h *HTTP) accepting(plan *policy.Plan) {
	if len(plan.Data) == 0 {
		return
	}
	plan.Targets = slices.Clone(plan.Targets)
	for _, name := range slices.Sorted(maps.Keys(h.targets)) {
		t := h.targets[name]
		if len(t.Accepts) == 0 {
			continue
		}
		i := slices.IndexFunc(plan.Targets, func(t policy.Target) bool { return t.Name == name })
		if i < 0 {
			i = len(plan.Targets)
			plan.Targets = append(plan.Targets, policy.Target{Name: name})
		}
		plan.Targets[i].Accepts = t.Accepts
	}
}
