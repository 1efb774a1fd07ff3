package annot

import "slices"

// Sort says what an annotation is about, and so where it may be written. The zero value is Fact.
type Sort uint8

// The sorts.
const (
	// Fact says what an operation is.
	Fact Sort = iota
	// Policy says what is done about it.
	Policy
	// Shared stands at the top of the document's x-resilience or of the policy file, for all operations.
	Shared
)

// Entry is what the registry knows of one annotation.
type Entry struct {
	Sort Sort
	// Title is a few words, Text one paragraph, Example a YAML fragment that is accepted as it stands.
	Title, Text, Example string
	// Since is the version that brought it; empty for an annotation that is not supported yet.
	Since string

	field field[Settings]
	// brief is a value that says little and is right of itself, for fixes; empty where Example is that.
	brief string
}

// Key is the annotation's key, in kebab-case.
func (e *Entry) Key() string { return e.field.key }

// Supported reports whether this version carries the annotation out.
func (e *Entry) Supported() bool { return e.Since != "" }

// The tables are sorted by key.
var (
	facts = []Entry{
		abandonEntry,
		criticalityEntry,
		dataEntry,
		errorsEntry,
		hedgeableEntry,
		idempotencyEntry,
		idempotentEntry,
		idsEntry,
		keyEntry,
		pageEntry,
		servedEntry,
		spaceEntry,
		streamEntry,
		tokensEntry,
	}
	policies = []Entry{
		breakerEntry,
		budgetEntry,
		bulkheadEntry,
		cacheEntry,
		exerciseEntry,
		fallbackEntry,
		hedgeEntry,
		limitEntry,
		retryEntry,
		shedEntry,
		timeoutEntry,
		useEntry,
	}
	shared = []Entry{
		defaultsEntry,
		policiesEntry,
		rulesEntry,
		targetsEntry,
		timeoutClassesEntry,
		versionEntry,
	}
)

// sharedKeys are the keys of shared, for places where they cannot stand.
var sharedKeys = []string{"defaults", "policies", "rules", "targets", "timeout-classes", "version"}

// Entries returns every annotation: facts, policies, shared ones, each sorted by key.
func Entries() []Entry { return slices.Concat(facts, policies, shared) }
