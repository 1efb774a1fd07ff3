package policy

// Chroma writes an error as {"error": NAME, "message": "..."}. Four names say what it was (InvalidArgumentError, NotFoundError,
// InternalError, VersionMismatchError), ChromaError stands for all others, and the status tells those apart; but for 400, which is that of
// a call that the server gave up, too.
var (
	chromaName    = []string{"/error"}
	chromaMessage = []string{"/message"}
)

const (
	chromaSources = "chroma-core/chroma rust/error"
	chromaQuota   = "chroma-core/chroma rust/frontend/src/quota: a total, not a limit of one call"
	chromaSQLite  = "sqlite.org/rescode.html, as a server of one node passes it on"
)

var chromaFailures = []row{
	{
		id: "given-up", status: []int{400}, at: chromaName, equals: []string{"ChromaError"}, kind: KindTransient,
		source: chromaSources + ": Cancelled and Aborted; wrong arguments have a name of their own (but OutOfRange)",
	},
	{
		id: "key-missing", status: []int{400}, at: chromaMessage, starts: "Missing API key", kind: KindUnusable,
		source: "chroma-core/chroma rust/frontend/src/quota: ApiKeyMissing is an InvalidArgument",
	},
	{
		id: "collection", status: []int{404}, at: chromaMessage, starts: "Collection [", kind: KindUnusable,
		source: "chroma-core/chroma rust/types: a collection is named by configuration",
	},
	{
		id: "collection-python", status: []int{400, 500}, at: chromaName, equals: []string{"InvalidCollection"}, kind: KindUnusable,
		source: "chroma-core/chroma chromadb/errors.py, the server in Python",
	},
	{
		id: "quota-collections", status: []int{422}, at: chromaMessage, contains: "'Number of collections' exceeded quota",
		kind: KindUnusable, source: chromaQuota,
	},
	{
		id: "quota-databases", status: []int{422}, at: chromaMessage, contains: "'Number of databases' exceeded quota",
		kind: KindUnusable, source: chromaQuota,
	},
	{
		id: "quota-size", status: []int{422}, at: chromaMessage, contains: "'Collection size (records)' exceeded quota",
		kind: KindUnusable, source: chromaQuota,
	},
	{
		id: "quota-forks", status: []int{422}, at: chromaMessage, contains: "'Number of forks' exceeded quota",
		kind: KindUnusable, source: chromaQuota,
	},
	{
		id: "version", status: []int{405, 410}, at: chromaMessage, contains: "v1 API is deprecated", kind: KindUnusable,
		source: "chroma-core/chroma rust/frontend: the API that the client speaks is gone",
	},
	{
		id: "read-only", status: []int{500}, writes: true, at: chromaMessage, contains: "attempt to write a readonly database",
		kind: KindUnusable, source: chromaSQLite,
	},
	{
		id: "disk-full", status: []int{500}, writes: true, at: chromaMessage, contains: "database or disk is full",
		kind: KindUnusable, source: chromaSQLite,
	},
}
