package conformance

import (
	_ "embed"
	"strings"
	"text/template"
)

// matrix is what was found; it is kept as JSON beside the page that is made of it.
type matrix struct {
	Go      string   `json:"go"`
	Date    string   `json:"date"`
	Modules []string `json:"modules"`
	// Findings are by the probe's id and the library's name.
	Findings map[string]map[string]finding `json:"findings"`
}

//go:embed page.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

func (m matrix) page() (string, error) {
	var b strings.Builder
	err := pageTemplate.Execute(&b, m)
	return b.String(), err
}

// Libraries returns the names of the columns.
func (matrix) Libraries() []string {
	var names []string
	for _, lib := range libraries() {
		names = append(names, lib.name)
	}
	return names
}

// sum counts the verdicts of one library.
type sum struct {
	Library string
	Counts  []int
}

// Sums returns a line for each library.
func (m matrix) Sums() []sum {
	var all []sum
	for _, lib := range m.Libraries() {
		line := sum{Library: lib}
		for _, v := range []verdict{ok, fails, choice, notApplicable} {
			n := 0
			for _, of := range m.Findings {
				if of[lib].Verdict == v {
					n++
				}
			}
			line.Counts = append(line.Counts, n)
		}
		all = append(all, line)
	}
	return all
}

// row is one probe.
type row struct {
	ID, Trap, Does, Wanted string

	Cells    []string
	Observed []observed
}

// observed is what one library did.
type observed struct {
	finding

	Library string
}

// Rows returns a line for each probe.
func (m matrix) Rows() []row {
	var all []row
	for _, p := range probes() {
		line := row{ID: p.id, Trap: p.trap, Does: p.does, Wanted: p.wanted}
		for _, lib := range m.Libraries() {
			f := m.Findings[p.id][lib]
			line.Cells = append(line.Cells, f.cell())
			if f.Verdict != notApplicable {
				line.Observed = append(line.Observed, observed{f, lib})
			}
		}
		all = append(all, line)
	}
	return all
}

func (f finding) cell() string {
	if f.Verdict == fails {
		return "**fails**"
	}
	return string(f.Verdict)
}

// lack is why some probes do not apply to a library.
type lack struct{ Library, Reason, IDs string }

// Lacks returns a line for each library and reason.
func (m matrix) Lacks() []lack {
	var all []lack
	for _, lib := range m.Libraries() {
		first := len(all)
		for _, p := range probes() {
			f := m.Findings[p.id][lib]
			if f.Verdict != notApplicable {
				continue
			}
			at := first
			for at < len(all) && all[at].Reason != f.Observed {
				at++
			}
			if at == len(all) {
				all = append(all, lack{lib, f.Observed, p.id})
				continue
			}
			all[at].IDs += "; " + p.id
		}
	}
	return all
}
