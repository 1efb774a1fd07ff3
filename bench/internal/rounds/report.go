package rounds

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"
)

//go:embed page.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// Page returns the page of results in Markdown.
func (r *Results) Page() (string, error) {
	var p strings.Builder
	if err := pageTemplate.Execute(&p, r); err != nil {
		return "", fmt.Errorf("the page: %w", err)
	}
	return p.String(), nil
}

// Promise is a line of the table of goals.
type Promise struct{ Text, Most, Measured, Verdict string }

// Promises returns the table of goals.
func (r *Results) Promises() []Promise {
	goals := Goals()
	lines := make([]Promise, 0, len(goals))
	for _, g := range goals {
		measured, verdict := g.verdict(r)
		lines = append(lines, Promise{g.Text, number(g.Most) + g.Unit, measured, verdict})
	}
	return lines
}

// Table is one benchmark with its arms.
type Table struct {
	Section

	Rows []Row
}

// Row is one arm.
type Row struct {
	Arm   string
	Cells []string
}

// Tables returns the benchmarks that were run.
func (r *Results) Tables() []Table {
	var tables []Table
	for _, s := range Sections() {
		t := Table{Section: s}
		for _, arm := range r.armsOf(s.Benchmark) {
			t.Rows = append(t.Rows, Row{arm, r.cells(s, arm)})
		}
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// armsOf returns the arms of one benchmark in the order in which they ran.
func (r *Results) armsOf(benchmark string) []string {
	var arms []string
	for _, full := range r.Order {
		if arm, ok := strings.CutPrefix(full, benchmark+"/"); ok {
			arms = append(arms, arm)
		}
	}
	return arms
}

func (r *Results) cells(s Section, arm string) []string {
	cells := r.times(s.Benchmark, arm, s.base(arm))
	if s.Parallel != "" {
		cells = append(cells, r.times(s.Parallel, arm, s.base(arm))...)
	}
	full := s.Benchmark + "/" + arm
	return append(cells, shown(r.median(full, bytesOf)), shown(r.median(full, allocsOf)))
}

// times returns the CPU time of an arm, and its ratio.
func (r *Results) times(benchmark, arm, base string) []string {
	return []string{
		shown(r.median(benchmark+"/"+arm, cpuOf)),
		shown(r.paired(benchmark+"/"+arm, benchmark+"/"+base, ratio)),
	}
}

func shown(v float64, measured bool) string {
	if !measured {
		return "-"
	}
	return number(v)
}
