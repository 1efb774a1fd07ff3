package annot

var abandonEntry = Entry{
	Sort:  Fact,
	Title: "Abandon",
	Text: "Says that a call which ignores its context is left behind when that ends: when the time of the attempt or of the call is over, or the " +
		"caller has gone. For methods of Go interfaces. Without it such a call holds its caller until it returns, whatever the timeouts say. What " +
		"is left behind goes on: its goroutine runs and what it changes, it changes. So at most 1,000 attempts of the method run at once, those " +
		"left behind among them; a further one is `bulkhead-full`. They are counted in the group's snapshot, and observers are told. A call of an HTTP " +
		"operation ends with its context anyway.",
	Example: "abandon: true",
	Since:   "0.1",
	field:   flag("abandon", "", func(s *Settings) *bool { return &s.Plan.Abandon }),
}
