package simulate

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/diag"
)

// Text writes the report for people. Names may be text of a document.
func (r *Report) Text(b *bytes.Buffer) {
	for i := range r.Runs {
		if i > 0 {
			b.WriteByte('\n')
		}
		r.Runs[i].text(b)
	}
}

func (r *Run) text(b *bytes.Buffer) {
	b.WriteString(r.title())
	if r.About != "" {
		fmt.Fprintf(b, ": %s", r.About)
	}
	b.WriteByte('\n')
	r.operations(b)
	r.targets(b)
	for i := range r.Verdicts {
		r.Verdicts[i].text(b)
	}
	if len(r.Verdicts) == 0 {
		b.WriteString("  as expected\n")
	}
}

// title names the run.
func (r *Run) title() string {
	if r.Client != "" {
		return diag.Escape(r.Client + ": " + r.Scenario)
	}
	return diag.Escape(r.Scenario)
}

// operations writes a table of what users saw: with the policies, and below that with timeouts alone.
func (r *Run) operations(b *bytes.Buffer) {
	table(b, r.operationRows("  "))
	for i := range r.Operations {
		for _, d := range r.Operations[i].details() {
			fmt.Fprintf(b, "  %s\n", d)
		}
	}
}

// operationRows are the cells of that table: its head, and two rows for each operation.
func (r *Run) operationRows(indent string) [][]string {
	rows := [][]string{{"operation", "calls", "ok", "degraded", "failed", "attempts/call", "p50", "p99", "max", "recovered after"}}
	for i := range r.Operations {
		o := &r.Operations[i]
		for _, side := range []struct {
			name string
			of   *Outcome
		}{{o.title(), &o.Policies}, {indent + "without policies", &o.None}} {
			p := side.of
			rows = append(rows, []string{
				side.name, count(p.Calls), share(p.OK), share(p.Degraded), share(p.Failed), fmt.Sprintf("%.2f", p.Attempts),
				span(p.Wait.P50), span(p.Wait.P99), span(p.Wait.Max), r.recovery(p),
			})
		}
	}
	return rows
}

// table writes rows with aligned columns, the first to the left and all others to the right.
func table(b *bytes.Buffer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		fmt.Fprintf(b, "  %-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(b, "  %*s", widths[i+1], cell)
		}
		b.WriteByte('\n')
	}
}

// title names the operations of a row.
func (o *OperationRun) title() string {
	return diag.Escape(list(append([]string{o.Operation}, o.More...)))
}

// details are lines of what no column has.
func (o *OperationRun) details() []string {
	p := &o.Policies
	var out []string
	add := func(head string, parts []string) {
		if len(parts) > 0 {
			out = append(out, o.title()+": "+head+" "+strings.Join(parts, ", "))
		}
	}
	parts := make([]string, 0, len(p.Rungs))
	for _, r := range p.Rungs {
		parts = append(parts, fmt.Sprintf("%s (%s) %s", diag.Escape(r.Rung), r.Level, share(r.Percent)))
	}
	add("answered by", parts)
	parts = parts[:0]
	for _, k := range slices.Sorted(maps.Keys(p.Failures)) {
		parts = append(parts, k+" "+share(p.Failures[k]))
	}
	add("failed by", parts)
	parts = parts[:0]
	for _, k := range slices.Sorted(maps.Keys(p.Refused)) {
		parts = append(parts, fmt.Sprintf("%s %.1f", k, p.Refused[k]))
	}
	if p.Denied > 0 {
		parts = append(parts, fmt.Sprintf("retries without budget %.1f", p.Denied))
	}
	add("refused by the client:", parts)
	if p.Broken > 0 {
		out = append(out, fmt.Sprintf("%s: %s of the streams break, after a silence of %s", o.title(), share(p.Broken), span(p.Silence)))
	}
	return out
}

// targets writes a table of what the targets got, without policies in brackets.
func (r *Run) targets(b *bytes.Buffer) { table(b, r.targetRows()) }

// targetRows are the cells of that table.
func (r *Run) targetRows() [][]string {
	rows := make([][]string, 1, 1+len(r.Targets))
	during := "in the fault"
	if r.Fault == nil {
		during = "in the run"
	}
	rows[0] = []string{"target", "attempts", "most in a second", "for a call " + during, "in the 5 s after", "breaker openings"}
	counted := slices.ContainsFunc(r.Targets, func(t TargetRun) bool { return t.Policies.Input+t.Policies.Output > 0 })
	priced := slices.ContainsFunc(r.Targets, func(t TargetRun) bool { return t.Policies.Cost+t.None.Cost > 0 })
	if counted {
		rows[0] = append(rows[0], "tokens in", "tokens out")
	}
	if priced {
		rows[0] = append(rows[0], "cost")
	}
	for i := range r.Targets {
		t := &r.Targets[i]
		p, n := &t.Policies, &t.None
		cells := []string{
			diag.Escape(t.Target), count(p.Attempts) + " (" + count(n.Attempts) + ")", count(p.Peak) + " (" + count(n.Peak) + ")",
			fmt.Sprintf("%.2f (%.2f)", p.InFault, n.InFault), fmt.Sprintf("%.2f (%.2f)", p.After, n.After), fmt.Sprintf("%.1f", p.Openings),
		}
		if counted {
			cells = append(cells, count(p.Input), count(p.Output))
		}
		if priced {
			cells = append(cells, fmt.Sprintf("%g (%g)", p.Cost, n.Cost))
		}
		rows = append(rows, cells)
	}
	return rows
}

// text writes a verdict.
func (v *Verdict) text(b *bytes.Buffer) {
	fmt.Fprintf(b, "  %s %s: %s%s\n      why: %s\n      fix: %s\n", v.Result, v.Rule, v.about(), diag.Escape(v.What), diag.Escape(v.Why), diag.Escape(v.Fix))
}

// about names the operations that it is about.
func (v *Verdict) about() string {
	if len(v.Operations) == 0 {
		return ""
	}
	return diag.Escape(list(v.Operations)) + ": "
}

// recovery spells how long it took until the operation itself answered again.
func (r *Run) recovery(o *Outcome) string {
	switch {
	case !r.settles:
		return "-"
	case o.Recovery == nil:
		return "not at all"
	default:
		return fmt.Sprintf("%gs", *o.Recovery)
	}
}

func count(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }

func share(percent float64) string { return fmt.Sprintf("%.1f%%", percent) }

func span(ms float64) string {
	return short(time.Duration(ms * float64(time.Millisecond))).String()
}
