package annot

import "github.com/resgen-go/resgen/runtime/policy"

var criticalityEntry = Entry{
	Sort:  Fact,
	Title: "Criticality",
	Text: "Says who is shed first where not all calls can be served: `sheddable` before `normal`, which is the default, before `critical`. A " +
		"caller may say otherwise for one call. Targets that are `internal` are told.",
	Example: "criticality: sheddable",
	Since:   "0.1",
	field: oneOf("criticality", "", []policy.Criticality{policy.Critical, policy.Normal, policy.Sheddable},
		func(s *Settings) *policy.Criticality { return &s.Plan.Criticality }),
}
