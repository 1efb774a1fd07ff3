// Package cache keeps answers in this process, for operations whose policy has a cache.
//
//	call ──▶ key ──▶ Get ──▶ fresh: the answer
//	                  │
//	                  ├────▶ stale: kept for the ladder's cache rung
//	                  └────▶ the target ──▶ answer ──▶ Set
//
// It is a runtime.Store, bounded in answers and in bytes; runtime/internal/bounded is its list. What is cached, for how long, and what makes two
// calls the same is for the policy to say; see policy.CacheConfig.
//
// There is one file to read: cache.go.
package cache
