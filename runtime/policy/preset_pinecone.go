package policy

// Pinecone writes an error as {"error": {"code": "NAME", "message"}, "status"}, on the data plane as {"code": NUMBER, "message",
// "details"}. One code stands for a quota and for a protection, one status for a rate and for a month.
var pineconeMessage = []string{"/error/message", "/message"}

const pineconeLimits = "docs.pinecone.io/reference/api/database-limits"

var pineconeFailures = []row{
	{
		id: "deletion-protection", status: []int{400, 403, 412}, at: pineconeMessage, starts: "Deletion protection is enabled",
		kind: KindCaller, source: "docs.pinecone.io/guides/manage-data/manage-indexes; a quota is 403 FORBIDDEN too, and unusable",
	},
	{
		id: "month", status: []int{429}, at: pineconeMessage, contains: "for the current month", kind: KindUnusable,
		wait: wait{form: waitMonth}, source: pineconeLimits + ": read and write units, tokens of embeddings, reranks",
	},
	{
		id: "index-full", writes: true, at: pineconeMessage, contains: "Index is full", kind: KindUnusable,
		source: "docs.pinecone.io/guides/indexes/pods, index fullness: it still answers queries",
	},
	{
		id: "index", status: []int{404}, at: pineconeMessage, starts: "Resource ", and: []where{{at: pineconeMessage, contains: "not found"}},
		kind: KindUnusable, source: "docs.pinecone.io/reference/api/errors, 404: an index is named by configuration", unsure: true,
	},
	{
		id: "precondition", status: []int{412}, kind: KindCaller, source: "docs.pinecone.io/reference/api/errors, 412",
	},
}
