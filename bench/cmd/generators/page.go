package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// row is one document with the results of all tools, in their order.
type row struct {
	doc     document
	results []result
}

// line says what became of a document, for the terminal.
func (r *row) line() string {
	parts := append(make([]string, 0, len(r.results)+1), r.doc.name)
	for i, t := range tools() {
		got := &r.results[i]
		parts = append(parts, fmt.Sprintf("%s: generated %t, compiles %t, %d of %d, %d lines, %s + %s", t.name, got.generated, got.compiles,
			got.operations, r.doc.operations, got.lines, seconds(got.generate), seconds(got.build)))
	}
	return strings.Join(parts, "; ")
}

// report is the page: one run.
type report struct {
	began          time.Time
	load, revision string
	of, left       int // the documents of the corpus, and those of the run that there was no time for
	chosen         string
	startUp        []time.Duration // of each tool, in their order
	rows           []row
}

func (p *report) write(name string) error {
	if name == "" {
		return nil
	}
	if err := os.WriteFile(name, []byte(p.text()), 0o600); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	return nil
}

// head says what was measured, and how.
func (p *report) head() string {
	text := fmt.Sprintf(`<!-- Written by `+"`make -C bench generators`"+`; do not edit. -->
# What generation costs

One run of resgen and its peers over %d of the %d real documents of the corpus: every tool on each document, one after the other.

* %s, %s/%s with %d processors, %s`, len(p.rows), p.of, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		p.began.UTC().Format(time.DateOnly))
	if p.load != "" {
		text += ". The machine was shared: its load was " + p.load + " when the run began. A busy machine makes CPU times longer; ratios are of one run"
	}
	text += "\n* resgen " + p.revision + "\n* the documents: " + p.chosen
	if p.left > 0 {
		text += fmt.Sprintf("; %d of them were left out for want of time", p.left)
	}
	return text + `
* CPU time is user and system time of the command and of all that it starts
* a build is ` + "`go build -p 1`" + ` of the generated package alone: what it imports is built, the package never was
* memory is the most that one process of the build had
* resgen makes a client with its policies; oapi-codegen types and a client; ogen a client, without a server
* what does not compile is tried again, with names that collide resolved (oapi-codegen), or without what the tool does not know (ogen)
* "whole" says that the package compiles and has every operation of its document
* an operation is counted once, whatever the number of its methods. Lines are all lines of all files, comments too

`
}

// text is the whole page.
func (p *report) text() string {
	var b strings.Builder
	rows := p.rows
	b.WriteString(p.head())
	b.WriteString("| | " + strings.Join(columns(func(t tool) string { return strings.TrimSpace(t.name + " " + t.version) }), " | ") + " |\n|---|" +
		strings.Repeat("--:|", len(tools())) + "\n")
	for _, m := range []struct {
		name string
		of   func(i int) string
	}{
		{"generated", func(i int) string { return counted(rows, i, func(_ *row, r *result) bool { return r.generated }) }},
		{"compiles", func(i int) string { return counted(rows, i, func(_ *row, r *result) bool { return r.compiles }) }},
		{"whole", func(i int) string { return counted(rows, i, func(d *row, r *result) bool { return r.whole(&d.doc) }) }},
		{"lines per operation, median of what compiles", func(i int) string { return medianOf(rows, i, linesPerOperation, "%.0f") }},
		{"CPU to generate, median of what compiles, s", func(i int) string {
			return medianOf(rows, i, func(_ *row, r *result) float64 { return r.generate.Seconds() }, "%.2f")
		}},
		{"CPU to build, median of what compiles, s", func(i int) string {
			return medianOf(rows, i, func(_ *row, r *result) float64 { return r.build.Seconds() }, "%.2f")
		}},
		{"resgen's CPU to generate, paired, median ratio", func(i int) string {
			return ratio(rows, i, func(r *result) float64 { return r.generate.Seconds() })
		}},
		{"resgen's CPU to build, paired, median ratio", func(i int) string {
			return ratio(rows, i, func(r *result) float64 { return r.build.Seconds() })
		}},
	} {
		b.WriteString("| " + m.name)
		for i := range tools() {
			b.WriteString(" | " + m.of(i))
		}
		b.WriteString(" |\n")
	}
	b.WriteString("| CPU to generate from a document of one operation, s")
	for _, took := range p.startUp {
		fmt.Fprintf(&b, " | %.3f", took.Seconds())
	}
	b.WriteString(" |\n")
	b.WriteString("\nPaired: over the documents of which both make a package that compiles; their number is in brackets. One operation: the median of " +
		"eleven runs.\n\n## The documents\n\n" +
		"CPU seconds to generate and to build, and the most memory that building took.\n\n| document | operations | " +
		strings.Join(columns(func(t tool) string { return t.name }), " | ") + " |\n|---|--:|" + strings.Repeat("---|", len(tools())) + "\n")
	for i := range rows {
		fmt.Fprintf(&b, "| %s | %d", rows[i].doc.name, rows[i].doc.operations)
		for j := range rows[i].results {
			b.WriteString(" | " + rows[i].cell(&rows[i].results[j]))
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

func (r *row) cell(got *result) string {
	switch {
	case got.late:
		return "stopped"
	case !got.generated:
		return "not generated"
	case !got.compiles:
		return "does not compile"
	}
	const megabyte = 1024 // of kilobytes
	text := fmt.Sprintf("%s + %s, %d MB", seconds(got.generate), seconds(got.build), got.buildKB/megabyte)
	if got.again {
		text += ", second try"
	}
	if missing := r.doc.operations - got.operations; missing > 0 {
		text += fmt.Sprintf(", %d operations missing", missing)
	}
	return text
}

func columns(of func(tool) string) []string {
	out := make([]string, 0, len(tools()))
	for _, t := range tools() {
		out = append(out, of(t))
	}
	return out
}

func counted(rows []row, tool int, is func(*row, *result) bool) string {
	n := 0
	for i := range rows {
		if is(&rows[i], &rows[i].results[tool]) {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, len(rows))
}

func linesPerOperation(d *row, r *result) float64 {
	return float64(r.lines) / float64(d.doc.operations)
}

// medianOf is the median over what compiles.
func medianOf(rows []row, tool int, of func(*row, *result) float64, format string) string {
	var all []float64
	for i := range rows {
		if r := &rows[i].results[tool]; r.compiles {
			all = append(all, of(&rows[i], r))
		}
	}
	return median(all, format)
}

// ratio is the median of resgen's figures over those of another tool.
func ratio(rows []row, tool int, of func(*result) float64) string {
	if tool == 0 {
		return "1"
	}
	var all []float64
	for i := range rows {
		mine, other := &rows[i].results[0], &rows[i].results[tool]
		if mine.compiles && other.compiles && of(other) > 0 {
			all = append(all, of(mine)/of(other))
		}
	}
	return median(all, "%.2f") + fmt.Sprintf(" (%d)", len(all))
}

func median(all []float64, format string) string {
	if len(all) == 0 {
		return "-"
	}
	slices.Sort(all)
	middle := len(all) / 2
	if len(all)%2 == 0 {
		return fmt.Sprintf(format, (all[middle-1]+all[middle])/2) //nolint:mnd // the mean of the two in the middle
	}
	return fmt.Sprintf(format, all[middle])
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
