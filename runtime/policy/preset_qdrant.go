package policy

// Qdrant writes an error as {"status": {"error": "KIND: text"}, "time": ...}, without a code; what a kind of error has for a status is in
// its sources. Most need no row: 400 and 409 are the caller's, 401 and 403 (a locked storage too) are unusable, 429 says in Retry-After
// when, 500 and 503 are transient.
var qdrantError = []string{"/status/error"}

const qdrantSources = "qdrant/qdrant src/actix/helpers.rs"

var qdrantFailures = []row{
	{
		id: "collection", status: []int{404}, at: qdrantError, contains: "collection `",
		and: []where{{at: qdrantError, contains: "doesn't exist"}}, kind: KindUnusable,
		source: "lib/storage, NotFound: a collection is named by configuration, a point by the caller",
	},
	{
		id: "server-timeout", status: []int{408}, kind: KindTimeout,
		source: qdrantSources + ", Timeout: the server's own; an update may have been done",
	},
	{
		id: "storage-full", status: []int{507}, writes: true, kind: KindUnusable,
		source: qdrantSources + ", InsufficientStorage: searches go on",
	},
	{
		id: "disk-full", status: []int{500}, writes: true, at: qdrantError, contains: "No space left on device", kind: KindUnusable,
		source: "lib/collection, before there was a 507; qdrant.tech/documentation/common-errors",
	},
}
