// Package semantic keeps answers of semantic caches in this process, and finds those to questions that mean the same: a runtime.SemanticStore
// with bounds.
//
//	client, err := llm.New(runtime.WithSemanticStore(semantic.New(semantic.Config{})), ...)
//
// The search is exact: each vector of a namespace is compared. Namespaces are small, since all of a conversation but its last turn is part of
// them, so that an index would cost more than it saves.
//
// An answer is kept for the ttl of its operation's cache and its stale-if-error. Share a store between processes with a SemanticStore of your
// own, over a vector database.
package semantic
