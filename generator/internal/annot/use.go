package annot

// RecommendedPolicy is the name of the policy that is built in.
const RecommendedPolicy = "recommended"

var useEntry = Entry{
	Sort:  Policy,
	Title: "Use a named policy",
	Text: "Takes over the keys of a named policy, just below those that stand beside it. It is a scalar: that of the highest layer counts. " +
		"`recommended` is built in. A policy that is written without `use` takes its missing keys from `recommended`.",
	Example: "use: recommended",
	Since:   "0.1",
	field:   name("use", "", func(s *Settings) *string { return &s.Use }),
}
