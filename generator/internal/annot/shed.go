package annot

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

var shedEntry = Entry{
	Sort:  Policy,
	Title: "Load shedding",
	Text: "Rejects calls to a target that does not accept most of them, before they are sent, with the kind `shed`: the client-side " +
		"throttling of Google's SRE book (chapter 21). Calls are rejected once requests exceed `factor` times what the target accepted " +
		"within `window`, the less critical ones first (see `criticality`). A call that was shed is answered only by rungs that send nothing.",
	Example: "shed: {factor: 2, window: 2m, max-reject: 90%, min-per-second: 5}",
	Since:   "0.1",
	field:   object("shed", "", shedKeys, func(s *Settings) *policy.ShedConfig { return &s.Plan.Shed }),
}

var shedKeys = record[policy.ShedConfig]{
	number("factor", "How many times what is accepted is let through: 2 sends twice as much as the target takes.", 1,
		func(s *policy.ShedConfig) *float64 { return &s.Factor }),
	duration("window", "The span that is judged, longer than the longest call.", func(s *policy.ShedConfig) *time.Duration { return &s.Window }),
	share("max-reject", "The most that is rejected, less than 100%: a trickle finds out when the target is well.",
		func(s *policy.ShedConfig) *float64 { return &s.MaxReject }),
	number("min-per-second", "The rate of requests below which nothing is rejected.", 0,
		func(s *policy.ShedConfig) *float64 { return &s.MinPerSecond }),
}
