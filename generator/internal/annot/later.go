package annot

// The annotations below belong to the vocabulary, and no machine carries them out yet. Each moves to a file of its own with the
// machine that does.

func laterFact(key, title string) Entry {
	return Entry{Sort: Fact, Title: title, field: later[Settings](key, "")}
}

var (
	dataEntry = laterFact("data", "Classifications of what the call carries")
)
