package compare

import (
	"cmp"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// Class says what a change is to those who depend on it.
type Class uint8

// The classes, worst first.
const (
	// Breaking: what called the old package does not compile with the new one, or no longer works.
	Breaking Class = iota
	// Loosened: a dependency may be asked more, a caller may wait longer or be given less, or a guard acts later.
	Loosened
	// Tightened: the opposite.
	Tightened
	// Changed: neither.
	Changed
	// Added: something more is there for callers, and nothing that was there has changed.
	Added
)

var classNames = [...]string{Breaking: "breaking", Loosened: "loosened", Tightened: "tightened", Changed: "changed", Added: "added"}

// String names the class as it is printed.
func (c Class) String() string { return classNames[c] }

// MarshalText prints the class in JSON.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Classes are all classes, worst first.
func Classes() []Class { return []Class{Breaking, Loosened, Tightened, Changed, Added} }

// Side is one of the two values of a change.
type Side struct {
	// Value is the value as annotations or Go spell it; empty where there is none.
	Value string
	// Layer is who set it: "built-in", "operation", "rule 2"; empty where no layer did.
	Layer string
	// Pos is where it was written; the zero value where nobody wrote it.
	Pos source.Pos
}

// Change is one difference.
type Change struct {
	Class Class
	// Operation is the operationId, or Interface.Method; empty for what is the client's.
	Operation string
	// Key is an annotation's, such as "retry.attempts", with the names of rungs and targets in it, or says what of the Go API changed.
	Key string
	// Old and New are the two values.
	Old, New Side
	// Note says more; it is empty where Key and the values say all.
	Note string
}

// order sorts changes: by class, then by what they are about. Equal ones are said once.
func order(changes []Change) []Change {
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(a.Class, b.Class), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Key, b.Key),
			cmp.Compare(a.Old.Value, b.Old.Value), cmp.Compare(a.New.Value, b.New.Value), cmp.Compare(a.Note, b.Note),
		)
	})
	return slices.Compact(changes)
}
