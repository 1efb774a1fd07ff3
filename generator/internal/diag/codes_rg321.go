package diag

// rg321 are the entries from RG3210 on, sorted by code: caches that answer what means the same.
var rg321 = []Entry{
	{
		Code: SemanticThreshold, Name: "SemanticThreshold", Summary: "a semantic cache without a threshold",
		Explain: "From which similarity two texts mean the same depends on the embedder, on the language, and on what a wrong answer costs: 0.8 of one model " +
			"is 0.95 of another. So there is no default. Measure it: pairs of questions that must share an answer, and pairs that must not.",
		Example: "cache: {ttl: 10m, semantic: {subject: true, embedder: local-embedder}}",
		Fix:     "cache: {ttl: 10m, semantic: {threshold: 0.93, subject: true, embedder: local-embedder}}",
	},
	{
		Code: SemanticSubject, Name: "SemanticSubject", Summary: "a semantic cache that does not keep subjects apart",
		Explain: "\"What do I owe?\" means the same whoever asks, and has another answer for each. So answers are kept for each subject " +
			"(`runtime.WithSubject`) of each tenant apart, and `subject: true` says that the author knows that calls must say whose they are: one that does " +
			"not is neither answered from the cache nor kept. Where all users of a tenant may see the same, name the group as the subject.",
		Example: "cache: {ttl: 10m, semantic: {threshold: 0.93, embedder: local-embedder}}",
		Fix:     "cache: {ttl: 10m, semantic: {threshold: 0.93, subject: true, embedder: local-embedder}}",
	},
	{
		Code: SemanticEmbedder, Name: "SemanticEmbedder", Summary: "a semantic cache without an embedder",
		Explain: "What means the same is told by vectors, and those are made by a model of the user's choice: `embedder` is the name under which the client is " +
			"given it (`runtime.WithEmbedder`).",
		Example: "cache: {ttl: 10m, semantic: {threshold: 0.93, subject: true}}",
		Fix:     "cache: {ttl: 10m, semantic: {threshold: 0.93, subject: true, embedder: local-embedder}}",
	},
	{
		Code: SemanticTurn, Name: "SemanticTurn", Summary: "a semantic cache that does not know where the last turn is",
		Explain: "Only the text of the last turn is compared by meaning; all before it must be equal. The presets of language models know where it lies in their " +
			"requests; elsewhere `turn` says it. A segment `-1` is the last item of a list. The text is a string, or a list of parts that have a `text`.",
		Example: "cache: {ttl: 10m, semantic: {threshold: 0.93, subject: true, embedder: local-embedder}}",
		Fix:     "cache: {ttl: 10m, semantic: {threshold: 0.93, subject: true, embedder: local-embedder, turn: /messages/-1/content}}",
	},
	{
		Code: SemanticSpace, Name: "SemanticSpace", Summary: "a semantic cache of vectors",
		Explain: "The answer of an operation with `space` is the vector of its text. That of a text that means nearly the same is another one, and what is built on " +
			"it would be wrong without a sign. A cache of equal requests is fine.",
		Example: "space: {model: /model}\ncache: {ttl: 10m, semantic: {threshold: 0.93, subject: true, embedder: local-embedder}}",
		Fix:     "space: {model: /model}\ncache: {ttl: 10m}",
	},
	{
		Code: EmbedderNotApart, Name: "EmbedderNotApart", Summary: "an embedder that fails with the operation itself",
		Explain: "The rung of a cache serves when the target is gone. If the embedder is an operation of the same document, which calls the same target unless " +
			"it is given another, it is gone as well, and nothing that means the same is found just when it is needed. A warning: where the embedder is a " +
			"client of another target, give it another name.",
		Example: "cache: {ttl: 10m, semantic: {threshold: 0.93, subject: true, embedder: createEmbedding}}   # an operation of this document",
		Fix:     "cache: {ttl: 10m, semantic: {threshold: 0.93, subject: true, embedder: local-embedder}}",
	},
}
