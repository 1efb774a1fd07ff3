package policy

// Weaviate writes an error as {"error": [{"message": "..."}]}, and GraphQL's as {"errors": [{"message": "..."}]} inside a 200. There are no
// codes. Behind it there is often a vectorizer, whose own status stands in the message: a 500 that is our limit, or our key, elsewhere.
var weaviateMessage = []string{"/error/*/message", "/errors/*/message"}

// weaviateVectorizer is how a message tells of the vectorizer's status.
const weaviateVectorizer = "weaviate/weaviate modules, connection to the vectorizer"

var weaviateFailures = []row{
	{
		id: "suspended", status: []int{422}, at: weaviateMessage, contains: "is suspended", kind: KindUnusable,
		source: "weaviate/weaviate test/acceptance/namespace: a namespace that is suspended",
	},
	{
		id: "deleting", status: []int{422}, at: weaviateMessage, contains: "being deleted", kind: KindUnusable,
		source: "weaviate/weaviate openapi-specs/schema.json, 422", unsure: true,
	},
	{
		id: "class", status: []int{422}, at: weaviateMessage, contains: "no such class with name", kind: KindUnusable,
		source: "weaviate/weaviate entities/schema: a class is named by configuration",
	},
	{
		id: "gone", status: []int{410}, kind: KindCaller, source: "weaviate/weaviate openapi-specs/schema.json, 410", unsure: true,
	},
	{
		id: "class-in-graphql", at: weaviateMessage, contains: `on type "GetObjectsObj"`, kind: KindUnusable,
		source: "weaviate/weaviate test/acceptance/graphql: the same for a query",
	},
	{
		id: "query", at: weaviateMessage, starts: "Cannot query field", kind: KindCaller,
		source: "spec.graphql.org, validation: a field that the class does not have",
	},
	{
		id: "syntax", at: weaviateMessage, starts: "Syntax Error", kind: KindCaller,
		source: "spec.graphql.org, syntax: as graphql-go writes it",
	},
	{
		id: "read-only", writes: true, at: weaviateMessage, contains: "store is read-only", kind: KindUnusable,
		source: "weaviate/weaviate entities/storagestate: the disk is full, and it stays so until somebody acts",
	},
	{
		id: "vectorizer-key-missing", at: weaviateMessage, contains: "no api key found", kind: KindUnusable, source: weaviateVectorizer,
	},
	{
		id: "vectorizer-key", at: weaviateMessage, contains: "failed with status: 401", kind: KindUnusable, source: weaviateVectorizer,
	},
	{
		id: "vectorizer-money", at: weaviateMessage, contains: "failed with status: 429",
		and: []where{{at: weaviateMessage, contains: "exceeded your current quota"}}, kind: KindUnusable, source: weaviateVectorizer,
	},
	{
		id: "vectorizer-rate", at: weaviateMessage, contains: "failed with status: 429", kind: KindThrottle, source: weaviateVectorizer,
	},
	{
		id: "replicas", at: weaviateMessage, contains: "cannot achieve consistency level", kind: KindTransient,
		source: "weaviate/weaviate cluster/replication/errors: in a query it comes inside a 200",
	},
	{
		id: "late", at: weaviateMessage, contains: "context deadline exceeded", kind: KindTransient,
		source: "the server's own deadline (QUERY_DEFAULTS, timeouts of nodes): in a query it comes inside a 200",
	},
}
