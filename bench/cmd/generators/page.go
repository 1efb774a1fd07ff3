package main

import (
	"fmt"
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
	parts := []string{r.doc.name}
	for i, t := range tools() {
		got := &r.results[i]
		parts = append(parts, fmt.Sprintf("%s: generated %t, compiles %t, %d of %d, %d lines, %s + %s", t.name, got.generated, got.compiles,
			got.operations, r.doc.operations, got.lines, seconds(got.generate), seconds(got.build)))
	}
	return strings.Join(parts, "; ")
}

// report is the page.
func report(rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What generation costs

Written by `+"`make -C bench generators`"+` from one run: every tool on the same %d real documents, one after the other, with %s on
%s/%s. CPU time is user and system time of the command and all that it starts. A build compiles the generated package alone:
what it imports is built, and the package never was. "whole" says that the package compiles and has every operation of its document.

`, len(rows), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	b.WriteString("| | " + strings.Join(columns(func(t tool) string { return t.name + " " + t.version }), " | ") + " |\n|---|" +
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
	b.WriteString("\nPaired: over the documents that both make a package of that compiles.\n\n## The documents\n\n" +
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
	case !got.generated:
		return "not generated"
	case !got.compiles:
		return "does not compile"
	}
	const megabyte = 1024 // of kilobytes
	text := fmt.Sprintf("%s + %s, %d MB", seconds(got.generate), seconds(got.build), got.buildRSSKB/megabyte)
	if missing := r.doc.operations - got.operations; missing > 0 {
		text += fmt.Sprintf(", %d operations missing", missing)
	}
	return text
}

func columns(of func(tool) string) []string {
	var out []string
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
