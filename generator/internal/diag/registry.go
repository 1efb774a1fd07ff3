package diag

import (
	"slices"
	"strings"
)

// Entry is what the registry knows of a code.
type Entry struct {
	Code Code
	// Name is the name of the code's constant.
	Name string
	// Summary is the rule in one clause, without a full stop.
	Summary string
	// Explain says in one or more sentences what the rule is and why it is there.
	Explain string
	// Example is input that breaks the rule, and Fix the same input with the rule kept (or what to do about it). Both may have
	// several lines.
	Example, Fix string
}

// Registry returns every code, in ascending order. It is the concatenation of the tables, which stand in one file
// for each thousand (codes_rg2.go), or for a hundred of it that is large (codes_rg11.go).
func Registry() []Entry {
	return slices.Concat(rg1, rg11, rg2, rg3, rg4, rg9)
}

// Lookup returns the entry of a code. Case does not count, so that "rg3104" is found.
func Lookup(code string) (Entry, bool) {
	all := Registry()
	want := Code(strings.ToUpper(code))
	i, ok := slices.BinarySearchFunc(all, want, func(e Entry, c Code) int { return strings.Compare(string(e.Code), string(c)) })
	if !ok {
		return Entry{}, false
	}
	return all[i], true
}

// Text returns the entry as `resgen explain` prints it.
func (e Entry) Text() string {
	var b strings.Builder
	b.WriteString(string(e.Code) + " " + e.Name + ": " + e.Summary + "\n\n" + e.Explain + "\n")
	if e.Example != "" {
		b.WriteString("\nExample:\n" + indent(e.Example))
	}
	if e.Fix != "" {
		b.WriteString("\nFix:\n" + indent(e.Fix))
	}
	return b.String()
}

// indent sets every line of a text off by four spaces.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString("    " + strings.TrimRight(line, "\n") + "\n")
	}
	return b.String()
}
