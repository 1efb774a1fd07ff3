package annot

var defaultsEntry = Entry{
	Sort:    Shared,
	Title:   "Defaults",
	Text:    "Facts and policies of every operation, below what stands at its path or at the operation itself.",
	Example: "defaults: {use: recommended, timeout: fast, errors: openai}",
	Since:   "0.1",
	field: field[Settings]{
		key: "defaults", shape: section{title: "defaults", tables: [][]Entry{facts, policies}},
	},
}
