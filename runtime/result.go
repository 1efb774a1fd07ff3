package runtime

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Kind says what became of an attempt; see policy.Kind.
type Kind = policy.Kind

// Level says how good an answer is; see policy.Level.
type Level = policy.Level

// Result is the answer of an operation that has a fallback ladder, and by which rung it came. The zero value is an empty answer of
// the operation itself.
type Result[T any] struct {
	// Value is the answer.
	Value T
	// Degraded says that the answer is of another level than policy.Equal.
	Degraded bool
	// Rung is the name of the rung that answered; empty for the operation itself.
	Rung string
	// Level says how good the answer is.
	Level Level
	// Reason is the kind of the failure of the operation itself; policy.KindNone when it did not fail.
	Reason Kind
	// Age is how old the answer is; 0 unless it was remembered.
	Age time.Duration
	// Similarity is how similar the question was that the answer was given to, by cosine, where a semantic cache gave it; 0 where it was this one.
	Similarity float64
	// Exercised says that the rung answered although the operation itself had not failed: it is used now and then, so that it is known
	// to work. Its answer is as good.
	Exercised bool
	// Attempts is the number of attempts that were made, on all rungs; fixed answers, and those that were remembered, are none.
	Attempts int
	// Cause joins the errors of the rungs that failed before; nil when the operation itself answered.
	Cause error
}
