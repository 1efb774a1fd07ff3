package annot

// The annotations below belong to the vocabulary, and no machine carries them out yet. Each moves to a file of its own with the
// machine that does.

func laterEntry(key string, sort Sort, title string) Entry {
	return Entry{Sort: sort, Title: title, field: later[Settings](key, "")}
}

var (
	abandonEntry = laterEntry("abandon", Fact, "A Go method that ignores its context is left behind at the deadline")
	dataEntry    = laterEntry("data", Fact, "Classifications of what the call carries")
	pageEntry    = laterEntry("page", Fact, "Iteration over pages")
	servedEntry  = laterEntry("served", Fact, "Who really answered")
	spaceEntry   = laterEntry("space", Fact, "The vector space of the answer")
)
