package rounds

import (
	"cmp"
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
type Promise struct{ Text, Bound, Measured, Verdict string }

// Promises returns the table of goals.
func (r *Results) Promises() []Promise {
	goals := Goals()
	lines := make([]Promise, 0, len(goals))
	for _, g := range goals {
		measured, verdict := g.verdict(r)
		lines = append(lines, Promise{g.Text, g.bound(), measured, verdict})
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

// Columns are what stands over the cells.
func (s Section) Columns() []string {
	columns := []string{"CPU ns", "× " + s.Against}
	if s.Parallel != "" {
		columns = append(columns, "in parallel, CPU ns", "× "+s.Against)
	}
	if s.Slower != "" {
		columns = append(columns, s.Slower+" ÷ it")
	}
	return append(columns, "bytes", "allocations")
}

func (r *Results) cells(s Section, arm string) []string {
	full := s.Benchmark + "/" + arm
	cells := r.times(s, s.Benchmark, arm)
	if s.Parallel != "" {
		cells = append(cells, r.times(s, s.Parallel, arm)...)
	}
	if s.Slower != "" {
		cells = append(cells, shown(r.paired(cmp.Or(s.SlowerIn, s.Benchmark)+"/"+s.Slower, full, ratio)))
	}
	return append(cells, s.shown(r.median(full, bytesOf)), s.shown(r.median(full, allocsOf)))
}

// times returns the CPU time of an arm, and its ratio.
func (r *Results) times(s Section, benchmark, arm string) []string {
	full, base := benchmark+"/"+arm, benchmark+"/"+s.base(arm)
	return []string{s.shown(r.median(full, cpuOf)), shown(r.paired(full, base, ratio))}
}

// shown is a number for each thing that an operation does.
func (s Section) shown(v float64, measured bool) string {
	return shown(v/float64(max(1, s.Each)), measured)
}

func shown(v float64, measured bool) string {
	if !measured {
		return "-"
	}
	return number(v)
}
