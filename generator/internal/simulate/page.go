package simulate

import (
	"fmt"
	"io"
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/templates"
)

// page is the view of simulation.html.tmpl.
type page struct {
	Title  string
	Seed   string
	Failed bool
	Runs   []pageRun
}

// pageRun is one run in it.
type pageRun struct {
	Anchor, Title, About, Text string
	Plays                      int
	Verdicts                   []pageVerdict
	Charts                     []chart
	OperationHead, TargetHead  []string
	Operations, Targets        []pageRow
	Details                    []string
}

type pageVerdict struct{ Result, Rule, About, What, Why, Fix string }

type pageRow struct {
	Class string
	Cells []string
}

// Page writes the report as one page of HTML that needs nothing else.
func (r *Report) Page(w io.Writer) error {
	view := page{Title: "Simulation of resilience policies", Seed: strconv.FormatUint(r.Seed, 10), Failed: r.Failed}
	for i := range r.Runs {
		view.Runs = append(view.Runs, r.Runs[i].page(i))
	}
	if err := templates.RenderHTML(w, "simulation.html.tmpl", view); err != nil {
		return fmt.Errorf("simulation: %w", err)
	}
	return nil
}

func (r *Run) page(number int) pageRun {
	p := pageRun{Anchor: "run-" + strconv.Itoa(number+1), Title: r.title(), About: r.About, Text: r.Text, Plays: r.Plays, Charts: r.charts}
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		p.Verdicts = append(p.Verdicts, pageVerdict{v.Result, v.Rule, v.about(), diag.Escape(v.What), diag.Escape(v.Why), diag.Escape(v.Fix)})
	}
	rows := r.operationRows("")
	p.OperationHead = rows[0]
	for i, cells := range rows[1:] {
		class := "with"
		if i%2 == 1 {
			class = "none"
		}
		p.Operations = append(p.Operations, pageRow{class, cells})
	}
	for i := range r.Operations {
		p.Details = append(p.Details, r.Operations[i].details()...)
	}
	rows = r.targetRows()
	p.TargetHead = rows[0]
	for _, cells := range rows[1:] {
		p.Targets = append(p.Targets, pageRow{"with", cells})
	}
	return p
}
