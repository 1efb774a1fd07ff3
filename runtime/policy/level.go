package policy

import "fmt"

// Level says how good an answer is, from the operation's own to a fixed text. The zero value is Equal.
type Level uint8

// The levels, best first.
const (
	// Equal is an answer as good as the first rung's.
	Equal Level = iota
	// Alternate is an answer from another target.
	Alternate
	// Reduced is an answer by lesser means: a smaller model, another operation.
	Reduced
	// Stale is an answer that was right some time ago.
	Stale
	// Canned is a fixed answer.
	Canned

	levelCount
)

var levelNames = [levelCount]string{Equal: "equal", Alternate: "alternate", Reduced: "reduced", Stale: "stale", Canned: "canned"}

// String returns the level's name as annotations, logs and metrics spell it.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("level(%d)", uint8(l))
}

// ParseLevel returns the level of that name and whether there is one.
func ParseLevel(name string) (Level, bool) {
	for l, n := range levelNames {
		if n == name {
			return Level(l), true
		}
	}
	return Equal, false
}

// Idempotency says whether an operation may be executed more than once. The zero value is None: it may not.
type Idempotency uint8

// The idempotency facts.
const (
	// None must not be executed twice: only a failure that proves non-execution may be retried.
	None Idempotency = iota
	// Keyed may be sent again with the same idempotency key.
	Keyed
	// Idempotent has the same effect executed once or many times (RFC 9110, section 9.2.2).
	Idempotent
	// Safe has no effect that the caller answers for (RFC 9110, section 9.2.1).
	Safe

	idempotencyCount
)

var idempotencyNames = [idempotencyCount]string{None: "none", Keyed: "keyed", Idempotent: "idempotent", Safe: "safe"}

// String returns the fact's name as annotations spell it.
func (i Idempotency) String() string {
	if int(i) < len(idempotencyNames) {
		return idempotencyNames[i]
	}
	return fmt.Sprintf("idempotency(%d)", uint8(i))
}

// ParseIdempotency returns the fact of that name and whether there is one.
func ParseIdempotency(name string) (Idempotency, bool) {
	for i, n := range idempotencyNames {
		if n == name {
			return Idempotency(i), true
		}
	}
	return None, false
}

// Repeatable reports whether a request may be sent again after a failure that leaves its execution in doubt.
func (i Idempotency) Repeatable() bool { return i != None }
