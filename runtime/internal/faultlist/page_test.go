package faultlist_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/internal/docpage"
	"github.com/resgen-go/resgen/testdata/providers"
)

const pageHead = `# What a provider's faults come to

A scripted provider for each of %[1]d wire shapes (chat completions, responses, messages, generateContent, Cohere's chat) does at its primary
address, at every request, what the first column says; the clients that resgen generates from [testdata/specs](../../testdata/specs)/llm* call
it, for a whole answer and for a stream. Their plans have two attempts, a second target, and a fixed apology. Each of %[2]d
cells is played twice, with a second target that is well and with one that does the same, in virtual time, and these are compared: the kind of
failure, the requests at both targets, which rung answered and why, the breaker's evidence, pauses and the earliest time of a further call, tokens,
the text and the items so far, and whether the answer is marked as incomplete. The tests are in
[runtime/internal/faultlist](../../runtime/internal/faultlist), the scripts in [testdata/providers](../../testdata/providers); ` + "`make live`" + ` plays
what aimock has of it against a real server.

How to read a cell: *again* is a second request to the primary, and then the next rung; *next* is the next rung at once; *fails* is the
error of a call that nobody else could answer better; *breaks* is an error from reading a stream that had begun, with the text so far. A failure counts
against the target, unless the cell says that it does not.

| what the provider does | whole answer | stream |
|---|---|---|
`

// TestPage holds docs/reference/faults.md to the table.
func TestPage(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	cells := 0
	var lines, notes strings.Builder
	reasons := map[string][]string{}
	for _, r := range table() {
		fmt.Fprintf(&lines, "| %s | %s | %s |\n", r.what, r.column(false, &cells, reasons), r.column(true, &cells, reasons))
	}
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(&notes, "* %s (%s)\n", why, strings.Join(slices.Compact(reasons[why]), ", "))
	}
	fmt.Fprintf(&b, pageHead, len(providers.Shapes()), cells)
	b.WriteString(lines.String() + "\n## Cells that cannot be\n\n" + notes.String())
	docpage.Hold(t, "faults.md", b.String())
}

// column is the text of a row for a form of answer: what most shapes come to, then the others by name.
func (r *row) column(stream bool, cells *int, reasons map[string][]string) string {
	by := map[string][]string{}
	var order []string
	for _, shape := range providers.Shapes() {
		w := r.of(shape, stream)
		if w.why != "" {
			reasons[w.why] = append(reasons[w.why], r.fault)
			continue
		}
		*cells++
		text := w.String()
		if by[text] == nil {
			order = append(order, text)
		}
		by[text] = append(by[text], shape)
	}
	slices.SortStableFunc(order, func(a, b string) int { return len(by[b]) - len(by[a]) })
	for i, text := range order {
		if len(by[text]) < len(providers.Shapes()) && (i > 0 || len(by[text]) == 1) {
			order[i] = strings.Join(by[text], ", ") + ": " + text
		}
	}
	if len(order) == 0 {
		return "–"
	}
	return strings.Join(order, "; ")
}

// String says what a cell comes to.
func (w want) String() string {
	text := map[how]string{answered: "the answer", retried: "again", next: "next", ends: "fails", broken: "breaks"}[w.how]
	if w.how != answered {
		text += fmt.Sprintf(" (`%v`)", w.kind)
	}
	if w.incomplete {
		text += ", marked as incomplete"
	}
	if w.how != answered && w.evidence[1] == 0 {
		text += ", not counted"
	}
	if w.pause > 0 {
		text += ", left alone for " + lasting(w.pause)
	}
	return text
}

// lasting is a duration in the largest unit that it is a multiple of.
func lasting(d time.Duration) string {
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, " days"}, {time.Hour, "h"}, {time.Second, "s"}} {
		if d%u.of == 0 {
			return fmt.Sprint(int64(d/u.of)) + u.name
		}
	}
	return d.String()
}
