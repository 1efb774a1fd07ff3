package annot

import "github.com/resgen-go/resgen/runtime/policy"

var budgetEntry = Entry{
	Sort:  Policy,
	Title: "Retry budget",
	Text: "Bounds retries to a share of the first attempts against the same target, so that an outage is not multiplied. The bucket " +
		"gains `ratio` with each first attempt and `min-per-second` with each second; a retry costs 1, after an attempt timeout 2. " +
		"Operations with the same settings share a bucket; with others, each has its own.",
	Example: "budget: {ratio: 20%, min-per-second: 1}",
	Since:   "0.1",
	field:   object("budget", "", budgetKeys, func(s *Settings) *policy.BudgetConfig { return &s.Plan.Budget }),
}

var budgetKeys = record[policy.BudgetConfig]{
	share("ratio", "The part of a retry that each first attempt pays for.", func(b *policy.BudgetConfig) *float64 { return &b.Ratio }),
	number("min-per-second", "Retries a second that are allowed whatever the traffic.", 0,
		func(b *policy.BudgetConfig) *float64 { return &b.MinPerSecond }),
}
