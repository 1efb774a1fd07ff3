package diag

// RG32xx: vector spaces, ids and batches.
const (
	SpaceOfRung       Code = "RG3200"
	SpaceOfHedge      Code = "RG3201"
	SpaceOfCache      Code = "RG3202"
	SpaceUnchecked    Code = "RG3203"
	IDsUnused         Code = "RG3204"
	PartialDoesNotFit Code = "RG3205"
	SemanticThreshold Code = "RG3210"
	SemanticSubject   Code = "RG3211"
	SemanticEmbedder  Code = "RG3212"
	SemanticTurn      Code = "RG3213"
	SemanticSpace     Code = "RG3214"
	EmbedderNotApart  Code = "RG3215"
)

// rg32 is sorted by code.
var rg32 = []Entry{
	{
		Code: SpaceOfRung, Name: "SpaceOfRung", Summary: "a rung that may answer in another vector space",
		Explain: "Vectors of two models cannot be compared, and nothing fails when they are: the ranking is noise, and what was written with the other " +
			"model stays wrong for ever. So an operation with `space` falls back to no other target and changes neither model nor dimensions, " +
			"unless the author says why the space is the same: the same model, served elsewhere. The right rung for a search is another way to " +
			"search (a keyword search, by `func`), and for what is stored it is `refuse`.",
		Example: "space: {model: /model}\nfallback: [{name: elsewhere, target: secondary}]",
		Fix:     "space: {model: /model}\nfallback: {refuse: \"another model is another vector space\"}",
	},
	{
		Code: SpaceOfHedge, Name: "SpaceOfHedge", Summary: "a hedge that may be answered in another vector space",
		Explain: "The copy of a hedge goes to another target, and its answer is taken where it comes first: by chance, calls would be answered in " +
			"one vector space or the other. Copies to the operation's own target are fine.",
		Example: "space: {model: /model}\nhedge: {target: secondary}",
		Fix:     "space: {model: /model}\nhedge: {delay: auto}",
	},
	{
		Code: SpaceOfCache, Name: "SpaceOfCache", Summary: "a cache whose key leaves out what chooses the vector space",
		Explain: "Calls with equal keys are given one answer. Where the key leaves out the model, or the length that was asked for, a call is given " +
			"the vector of another model. Without `key` all of the request counts.",
		Example: "space: {model: /model}\ncache: {key: [/input], ttl: 10m}",
		Fix:     "space: {model: /model}\ncache: {key: [/model, /input], ttl: 10m}",
	},
	{
		Code: SpaceUnchecked, Name: "SpaceUnchecked", Summary: "vectors whose lengths nobody checks",
		Explain: "A gateway that answers with another model is found out by the length of its vectors, if it is known where these are. They are looked " +
			"for where embedding APIs have them, such as `/data/*/embedding`; `vectors` says where else. A pointer must lead to a list of numbers or " +
			"to text.",
		Example: "space: {model: /model}",
		Fix:     "space: {model: /model, vectors: /result/*/values}",
	},
	{
		Code: IDsUnused, Name: "IDsUnused", Summary: "ids on an operation that is not idempotent by them",
		Explain: "`ids` makes an operation idempotent in the calls that name what they write, and none in the others. Declared `safe`, `keyed` or `none`, " +
			"it is that in all its calls.",
		Example: "idempotency: none\nids: /points/*/id",
		Fix:     "ids: /points/*/id",
	},
	{
		Code: PartialDoesNotFit, Name: "PartialDoesNotFit", Summary: "`errors.partial` does not find the items of a batch",
		Explain: "The answer to a batch has a list with what became of each item (`items`, or the answer itself), and in each what went wrong (`error`); or a " +
			"list of those that failed, each with its number (`index`); or no more than how many did not fail (`count`). `sent` is the list in the " +
			"request, for sending again what failed.",
		Example: "errors: {partial: {sent: /objects, items: /result, error: /error}}",
		Fix:     "errors: {partial: {sent: /objects, items: /results, error: /error}}",
	},
}
