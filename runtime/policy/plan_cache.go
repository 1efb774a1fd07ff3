package policy

import "time"

// CacheConfig answers a call from what an equal call was answered before. The zero value is off. Calls are equal that ask the same of the
// same operation for the same tenant and subject: the path, the query, the request's headers and its body. Whole answers of rung 0 alone are kept,
// and streams of it that came to their proven end.
type CacheConfig struct {
	// TTL is how long an answer is fresh: then it is given without asking the target. 0 is never: answers only serve a RungCache.
	TTL time.Duration
	// StaleIfError is how long after its TTL an answer may serve a RungCache (RFC 5861, section 4).
	StaleIfError time.Duration
	// Key lists JSON pointers (RFC 6901) into the request's body: only the values there count of it. Empty is all of the body. The
	// credential never counts: see runtime.WithTenant.
	Key []string
	// SameSpace is the author's reason why calls that the key makes equal are answered in one vector space: see Space. Empty: they may
	// not be.
	SameSpace string
	// On says that the operation has a cache, also where both times are 0.
	On bool
	// Accepts are the classes of data that may be kept.
	Accepts []string
	// Semantic answers also what means the same.
	Semantic SemanticConfig
}

// CacheSnapshot is what the cache of an operation shows: how many calls it was asked for, and with what result.
type CacheSnapshot struct {
	// Fresh is the number of calls that were answered at once.
	Fresh int64
	// Stale is the number of calls that were answered by a cache rung.
	Stale int64
	// Missed is the number of calls for which there was no fresh answer.
	Missed int64
	// Stored is the number of answers that were kept.
	Stored int64
	// Failed is how often a store failed, was too slow, or was too busy.
	Failed int64
	// Alike is the number of the fresh and the stale answers that were given to a question that means the same, and NotEmbedded how often
	// the embedder failed, was too slow, or was not asked because of that. Dropped is the number of answers that were not kept because
	// writes were under way already.
	Alike, NotEmbedded, Dropped int64
}

// ExerciseMode says what becomes of the answer of a rung that is exercised. The zero value is ExerciseShadow.
type ExerciseMode uint8

// The modes.
const (
	// ExerciseShadow runs the rung beside the call and drops its answer. It goes on when the call has been answered. A func rung gets the
	// very request that the call was made with: whoever changes that afterwards races with it.
	ExerciseShadow ExerciseMode = iota
	// ExerciseServe serves the rung's answer instead of rung 0's, and falls back up to rung 0 where it fails. Only rungs of
	// level Equal serve.
	ExerciseServe
)

// ExerciseConfig uses rungs in normal times, so that an outage is not the first to find out that they are broken. The zero value is off.
type ExerciseConfig struct {
	// Share is the share of calls that exercise a rung, in (0, 1].
	Share float64
	// Mode says what becomes of the answer.
	Mode ExerciseMode
	// MaxPerMinute bounds the exercises of each operation: they are at least that share of a minute apart. 0 is no bound.
	MaxPerMinute int
	// Rungs names the rungs that are exercised, in turn. Empty is all that may be.
	Rungs []string
}
