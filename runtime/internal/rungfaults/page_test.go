package rungfaults_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/internal/docpage"
	"github.com/resgen-go/resgen/runtime/policy"
)

const pageHead = `# Which rung answers

What a call of the client in [testdata/specs/llmladder](../../testdata/specs/llmladder) comes to, for each fault at each rung of its ladder:
*second* (another provider), *small* (a smaller model of the primary one), *remembered* (an earlier answer), *passages* (a Go function) and
*sorry* (a fixed text). An attempt has 2 s, and is made again once, after 200 ms; the call has 20 s. The tests in
[runtime/internal/rungfaults](../../runtime/internal/rungfaults) play each cell in virtual time, for a whole answer and for a stream, and each
fault of what sends also with callers that have 3 s, for whom the same rung answers, and 700 ms. Every call of them is held to this: it ends
by its deadline; an answer is whole; its rung, level, reason, cause and age are those of who gave it; what is not whole is an error of a kind;
no attempt is hidden; nothing stays in flight. %[1]d cells are played.

A cell says who answers after how long, and in brackets the reason that the answer is tagged with. The rungs before the one with the fault
answer with status 500 at once (with 429 where a breaker opens, so that theirs do not), and those after it are well.

| fault | at the primary | at *second* | at *small* | at all three |
|---|---|---|---|---|
`

const pageRest = `
## Windows, costs, and what sends nothing

All that sends is down, unless the event says something else; beside a window that is too small, or a cost, the other rung is well.

| at | event | whole answer | stream |
|---|---|---|---|
`

// TestPage holds docs/reference/rungs.md to the table.
func TestPage(t *testing.T) {
	t.Parallel()
	var rows, rest strings.Builder
	played := 0
	for _, f := range sending() {
		if f.plain.why != "" && f.stream.why != "" {
			continue
		}
		fmt.Fprintf(&rows, "| %s |", f.name)
		for _, place := range places {
			plain, stream := shown(cell{f, place, false}, &played), shown(cell{f, place, true}, &played)
			switch {
			case plain == "":
				stream = "stream: " + stream
			case stream == plain:
				stream = plain
			default:
				stream = plain + "; stream: " + stream
			}
			fmt.Fprintf(&rows, " %s |", stream)
		}
		rows.WriteString("\n")
	}
	for _, e := range atHand() {
		if e.plain.why == "" || e.stream.why == "" {
			fmt.Fprintf(&rest, "| *%s* | %s | %s | %s |\n", e.rung, e.name, e.plain.shown(&played), e.stream.shown(&played))
		}
	}
	want := fmt.Sprintf(pageHead, played) + rows.String() + pageRest + rest.String()
	docpage.Hold(t, "rungs.md", want)
}

// shown is what a cell comes to, in words; empty where it is none.
func shown(c cell, played *int) string {
	w := c.of(c.stream)
	if w.why != "" {
		return ""
	}
	*played++
	o := c.wants()
	r := reply{rung: o.rung, kind: o.kind, reason: o.reason, took: o.took, over: o.over}
	return r.words(o.broken)
}

// shown is what an event comes to, in words.
func (r *reply) shown(played *int) string {
	if r.why != "" {
		return "–"
	}
	*played++
	return r.words(false)
}

// words says it.
func (r *reply) words(broken bool) string {
	when := fmt.Sprintf("after %v", r.took)
	switch {
	case r.over > 0 && r.took > 0:
		when = fmt.Sprintf("after %v to %v", r.took, r.took+r.over)
	case r.over > 0:
		when = fmt.Sprintf("within %v", r.over)
	case r.took == 0:
		when = "at once"
	}
	tag := ""
	if r.reason != policy.KindNone {
		tag = fmt.Sprintf(" (%v)", r.reason)
	}
	switch {
	case broken:
		return fmt.Sprintf("*%s* breaks %s: `%v`%s", r.rung, when, r.kind, tag)
	case r.rung == "":
		return fmt.Sprintf("fails %s: `%v`", when, r.kind)
	default:
		return fmt.Sprintf("*%s* %s%s", r.rung, when, tag)
	}
}
