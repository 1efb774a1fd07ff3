package annot

// The annotations below belong to the vocabulary, and no machine carries them out yet. Each moves to a file of its own with the
// machine that does.

func laterEntry(key string, sort Sort, title string) Entry {
	return Entry{Sort: sort, Title: title, field: later[Settings](key, "")}
}

var (
	abandonEntry     = laterEntry("abandon", Fact, "A Go method that ignores its context is left behind at the deadline")
	criticalityEntry = laterEntry("criticality", Fact, "Who is shed first")
	dataEntry        = laterEntry("data", Fact, "Classifications of what the call carries")
	pageEntry        = laterEntry("page", Fact, "Iteration over pages")
	servedEntry      = laterEntry("served", Fact, "Who really answered")
	spaceEntry       = laterEntry("space", Fact, "The vector space of the answer")
	tokensEntry      = laterEntry("tokens", Fact, "What the bill and the limits count")

	cacheEntry    = laterEntry("cache", Policy, "Exact and semantic cache")
	exerciseEntry = laterEntry("exercise", Policy, "A share of calls that exercises the rungs")
	hedgeEntry    = laterEntry("hedge", Policy, "A second copy of a slow call")
	limitEntry    = laterEntry("limit", Policy, "Rate limits")
)
