package annot

var policiesEntry = Entry{
	Sort:  Shared,
	Title: "Named policies",
	Text: "Gives names to sets of policies, for `use`. A named policy may `use` another. It holds policies alone: facts say what one operation is, " +
		"and stand with it.",
	Example: "policies:\n  polite:\n    retry: {attempts: 3, backoff: {base: 200ms, max: 5s}}\n    budget: {ratio: 10%, min-per-second: 1}",
	Since:   "0.1",
	field: field[Settings]{
		key: "policies",
		shape: named{
			of: section{title: "a named policy", tables: [][]Entry{policies}}, form: "policies by name", builtIn: []string{RecommendedPolicy},
		},
	},
}
