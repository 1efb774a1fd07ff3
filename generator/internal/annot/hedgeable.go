package annot

var hedgeableEntry = Entry{
	Sort:  Fact,
	Title: "Hedgeable",
	Text: "Says that the operation may run twice at once, and is worth its price. True for operations that are `safe`, " +
		"false for the rest.",
	Example: "hedgeable: false",
	Since:   "0.1",
	field:   flag("hedgeable", "", func(s *Settings) *bool { return &s.Plan.Hedgeable }),
}
