package generator

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/compare"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// ComparisonFormats are the names that Comparison.Print takes.
func ComparisonFormats() []string {
	return []string{string(diag.Text), string(diag.JSON), string(diag.GitHub)}
}

// Print writes the changes, in one of ComparisonFormats; empty is "text". It returns ErrUsage for a format that it does not know. No change is no text.
func (d *Comparison) Print(w io.Writer, format string) error {
	var b bytes.Buffer
	switch diag.Format(format) {
	case diag.Text, "":
		d.text(&b)
	case diag.JSON:
		report := struct {
			Changes []Change       `json:"changes"`
			Count   map[string]int `json:"count"`
		}{append([]Change{}, d.Changes...), d.count()}
		if err := diag.EncodeJSON(&b, report); err != nil {
			return fmt.Errorf("print changes: %w", err)
		}
	case diag.GitHub:
		if err := diag.Print(&b, diag.GitHub, d.annotations(), diag.Options{}); err != nil {
			return fmt.Errorf("print changes: %w", err)
		}
	default:
		return fmt.Errorf("%w: changes are %s, not %q", ErrUsage, strings.Join(ComparisonFormats(), ", "), format)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("print changes: %w", err)
	}
	return nil
}

// count is how many changes there are of each class.
func (d *Comparison) count() map[string]int {
	out := map[string]int{}
	for _, c := range compare.Classes() {
		out[c.String()] = 0
	}
	for i := range d.Changes {
		out[d.Changes[i].Class]++
	}
	return out
}

// text writes a line for each change, and one with their numbers. What is the same for several operations is one line.
func (d *Comparison) text(b *bytes.Buffer) {
	for _, g := range d.grouped() {
		b.WriteString(diag.Escape(g.place()) + g.line() + "\n")
	}
	if len(d.Changes) == 0 {
		return
	}
	var parts []string
	count := d.count()
	for _, c := range compare.Classes() {
		if n := count[c.String()]; n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+c.String())
		}
	}
	b.WriteString(strings.Join(parts, ", ") + "\n")
}

// annotations are the changes as GitHub shows them beside the lines of a pull request: errors for what makes the exit code 1.
func (d *Comparison) annotations() []Diagnostic {
	groups := d.grouped()
	out := make([]Diagnostic, 0, len(groups))
	for _, g := range groups {
		a := Diagnostic{Code: diag.Code(g.Class), Severity: diag.Warning, What: g.line()}
		if g.Class == compare.Breaking.String() || g.Class == compare.Loosened.String() {
			a.Severity = diag.Error
		}
		if v := g.New; v != nil && v.Line > 0 { // the lines of the old side are not in the pull request
			a.Span.Pos = v.pos()
		}
		out = append(out, a)
	}
	return out
}

func (v *ChangedValue) pos() source.Pos {
	return source.Pos{File: v.File, Line: v.Line, Column: v.Column}
}

// group is one change of several operations.
type group struct {
	Change

	operations []string
}

// grouped puts changes together that differ in their operation alone, in the place of the first of them.
func (d *Comparison) grouped() []*group {
	type identity struct {
		class, client, key, note string
		from, to                 ChangedValue
	}
	value := func(v *ChangedValue) ChangedValue {
		if v == nil {
			return ChangedValue{Column: -1}
		}
		return *v
	}
	var out []*group
	seen := map[identity]*group{}
	for _, c := range d.Changes {
		id := identity{c.Class, c.Client, c.Key, c.Note, value(c.Old), value(c.New)}
		g := seen[id]
		if g == nil {
			g = &group{Change: c}
			seen[id] = g
			out = append(out, g)
		}
		g.operations = append(g.operations, c.Operation)
	}
	return out
}

// place is where the new value was written, else where the old one was, with a colon; empty for what nobody wrote.
func (g *group) place() string {
	for _, v := range []*ChangedValue{g.New, g.Old} {
		if v != nil && v.Line > 0 {
			return v.pos().String() + ": "
		}
	}
	return ""
}

// namedOperations is how many operations a line names.
const namedOperations = 3

// line says what has changed. All of it may be text of a document.
func (g *group) line() string {
	var b strings.Builder
	b.WriteString(g.Class + ": ")
	if g.Client != "" {
		b.WriteString(g.Client + ": ")
	}
	if g.operations[0] != "" {
		b.WriteString(strings.Join(g.operations[:min(len(g.operations), namedOperations)], ", "))
		if more := len(g.operations) - namedOperations; more > 0 {
			b.WriteString(" and " + strconv.Itoa(more) + " more")
		}
		b.WriteString(": ")
	}
	b.WriteString(g.Key + ": " + g.values())
	var details []string
	for _, detail := range []string{g.Note, g.before(), g.now()} {
		if detail != "" {
			details = append(details, detail)
		}
	}
	if len(details) > 0 {
		b.WriteString(" (" + strings.Join(details, "; ") + ")")
	}
	return diag.Escape(b.String())
}

// values are the two values; one that is not there is said in words.
func (g *group) values() string {
	from, to := g.Old != nil && g.Old.Value != "", g.New != nil && g.New.Value != ""
	switch {
	case from && to:
		return g.Old.Value + " → " + g.New.Value
	case to:
		return "now " + g.New.Value
	case from:
		return "no longer " + g.Old.Value
	default:
		return "changed"
	}
}

// before says where the old value was written, or else who set it.
func (g *group) before() string {
	v := g.Old
	switch {
	case v == nil || v.Line > 0 && (g.New == nil || g.New.Line == 0): // the line begins with it
		return ""
	case v.Line > 0:
		return "was at " + v.pos().String()
	case v.Layer != "":
		return "was " + v.Layer
	default:
		return ""
	}
}

// now says who set the new value, where the line begins with the place of the old one and nobody wrote the new one.
func (g *group) now() string {
	if g.New == nil || g.New.Line > 0 || g.New.Layer == "" || g.Old == nil || g.Old.Line == 0 {
		return ""
	}
	return "now " + g.New.Layer
}
