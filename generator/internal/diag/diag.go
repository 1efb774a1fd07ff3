// Package diag holds what the stages have to say about their input: diagnostics as values, collected in a list, printed at the
// very end. It also holds the registry of their codes.
package diag

import (
	"cmp"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// Code identifies a rule, such as RG3104. RG1xxx input, RG2xxx annotations, RG3xxx combinations of policies, RG4xxx Go names
// and types, RG9xxx faults of resgen itself.
type Code string

// Severity says whether a diagnostic stops the run. The zero value is Error.
type Severity uint8

// The severities.
const (
	// Error stops the run after the stage that reported it.
	Error Severity = iota
	// Warning does not.
	Warning
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Diagnostic is one finding.
type Diagnostic struct {
	Code     Code
	Severity Severity
	// Span is the innermost place that the finding is about.
	Span source.Span
	// What names the finding in one lower-case clause, the thing in quotes.
	What string
	// Why gives the rule's reason.
	Why string
	// Fix is an imperative that can be pasted.
	Fix string
	// Related are other places that have a part in it.
	Related []Related
}

// Related is another place that has a part in a diagnostic.
type Related struct {
	Span source.Span
	What string
}

// List collects diagnostics. The zero value is empty and ready. It is not safe for concurrent use.
type List struct {
	all []Diagnostic
}

// Add appends a diagnostic.
func (l *List) Add(d Diagnostic) { l.all = append(l.all, d) }

// Errorf-like helpers are left out on purpose: every diagnostic is written as a literal with its what, why and fix.

// HasErrors reports whether the list holds an Error.
func (l *List) HasErrors() bool {
	return slices.ContainsFunc(l.all, func(d Diagnostic) bool { return d.Severity == Error })
}

// Errors is how many Errors the list holds: a stage compares it with what it was before, to know whether it reported one.
func (l *List) Errors() int {
	n := 0
	for i := range l.all {
		if l.all[i].Severity == Error {
			n++
		}
	}
	return n
}

// Sorted returns the diagnostics by file, line, column and code, without duplicates.
func (l *List) Sorted() []Diagnostic {
	out := slices.Clone(l.all)
	slices.SortStableFunc(out, func(a, b Diagnostic) int {
		return cmp.Or(a.Span.Compare(b.Span.Pos), cmp.Compare(a.Code, b.Code), cmp.Compare(a.What, b.What))
	})
	return slices.CompactFunc(out, func(a, b Diagnostic) bool {
		return a.Code == b.Code && a.Span.Pos == b.Span.Pos && a.What == b.What
	})
}
