package policy

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/internal/docpage"
)

// The page of the presets lists every row: what it looks at, what that means, and where it is documented.
func TestPresetPage(t *testing.T) {
	t.Parallel()
	docpage.Hold(t, "presets.md", presetPage())
}

const presetIntroduction = `# Presets

What the built-in presets of the annotation ` + "`errors`" + ` know, row by row. Rows are asked in this order, after your own rules; the first that
matches decides, and where none does, the status: [kinds](annotations.md). What a preset extends is asked after it.
[Providers as they behave](../explanation/providers.md) says how to read this and how to extend it.

Patterns of messages are compared without regard to case and to the form of quotes. A row that is marked *unsure* rests on one digest of the
provider's documentation, or was seen once. This page is made of the tables themselves; ` + "`go test ./runtime/policy`" + ` holds each row to a sample
of an answer that means something else without it.
`

func presetPage() string {
	var b strings.Builder
	b.WriteString(presetIntroduction)
	for _, name := range Presets() {
		p := presets[name]
		fmt.Fprintf(&b, "\n## `%s`\n\n", name)
		switch {
		case p.extends != "" && len(p.failures)+len(p.answers) == 0:
			fmt.Fprintf(&b, "What `%s` has.\n", p.extends)
		case p.extends != "" && len(p.like) > 0:
			fmt.Fprintf(&b, "Extends `%s`. ", p.extends)
		case p.extends != "":
			fmt.Fprintf(&b, "Extends `%s`.\n", p.extends)
		case len(p.failures)+len(p.answers) == 0:
			b.WriteString("No rows: a body of an unknown provider proves nothing. The status decides.\n")
		}
		if len(p.like) > 0 {
			fmt.Fprintf(&b, "Its answers of success are judged as those of %s too.\n", codes(p.like))
		}
		rowTable(&b, p.extends != "" || len(p.like) > 0, "failure", p.failures)
		rowTable(&b, p.extends != "" || len(p.failures) > 0, "answer of success", p.answers)
	}
	return b.String()
}

// rowTable writes the table of some rows; apart says that text comes before it.
func rowTable(b *strings.Builder, apart bool, of string, rows []row) {
	if len(rows) == 0 {
		return
	}
	if apart {
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "| %s | where | means | source |\n| --- | --- | --- | --- |\n", of)
	for i := range rows {
		r := &rows[i]
		source := r.source
		if r.unsure {
			source += " (*unsure*)"
		}
		cells := []string{"`" + r.id + "`", r.looks(), r.means(), source}
		for i := range cells {
			cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
}

// looks says in words what the row looks at.
func (r *row) looks() string {
	var all []string
	if len(r.status) > 0 {
		codes := make([]string, 0, len(r.status))
		for _, code := range r.status {
			codes = append(codes, strconv.Itoa(code))
		}
		all = append(all, strings.Join(codes, ", "))
	}
	if len(r.at) > 0 {
		all = append(all, r.first().looks())
	}
	for i := range r.and {
		all = append(all, r.and[i].looks())
	}
	if r.writes {
		all = append(all, "operations that change something")
	}
	return strings.Join(all, "; ")
}

func (w *where) looks() string {
	places := codes(w.at)
	if w.every {
		places = "every text at " + places
	}
	switch {
	case w.nothing:
		return "nothing at " + places
	case len(w.equals) > 0:
		return places + " is " + codes(w.equals)
	case w.starts != "":
		return places + " starts with " + code(w.starts)
	case w.contains != "":
		return places + " contains " + code(w.contains)
	case w.something:
		return "something at " + places
	default:
		return places + " is there"
	}
}

// codes writes texts as code, with an "or" between them.
func codes(texts []string) string {
	all := make([]string, 0, len(texts))
	for _, text := range texts {
		if name, isHeader := strings.CutPrefix(text, atHeader); isHeader {
			text = http.CanonicalHeaderKey(name) + ":"
		}
		all = append(all, code(text))
	}
	return strings.Join(all, " or ")
}

func code(text string) string {
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

var waitForms = map[waitForm]string{
	waitDuration: "a duration", waitDate: "a date", waitSeconds: "seconds", waitEpochMS: "milliseconds since 1970", waitMillis: "milliseconds", waitMessage: "in words",
	waitMonth: "until the first of the next month, UTC",
}

// means says in words what the row says.
func (r *row) means() string {
	meaning := "`" + r.kind.String() + "`"
	switch {
	case r.fleeting:
		meaning = "right, but not to be remembered"
	case r.kind == KindNone:
		meaning = "right, but incomplete"
	}
	all := []string{meaning}
	if r.counts {
		all = append(all, "a failure for the breaker")
	}
	if r.once {
		all = append(all, "tried once more")
	}
	switch {
	case r.wait.form == waitMonth:
		all = append(all, waitForms[waitMonth])
	case r.wait.form != waitNone:
		all = append(all, "the wait is at "+codes(slices.Clone(r.wait.at))+", "+waitForms[r.wait.form])
	}
	return strings.Join(all, "; ")
}
