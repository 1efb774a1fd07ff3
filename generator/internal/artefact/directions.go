package artefact

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
)

// Directions is the view of directions.md.tmpl.
type Directions struct{ Groups []DirectionGroup }

// DirectionGroup are the keys of one part of the annotations.
type DirectionGroup struct {
	Title string
	Rows  []DirectionRow
}

// DirectionRow is one key: which of its values are looser, and why.
type DirectionRow struct{ Key, Looser, Why string }

// DirectionsPage is the reference page of what is looser.
func DirectionsPage() (Page, error) {
	view := Directions{Groups: []DirectionGroup{{Title: "Facts"}, {Title: "Policies"}, {Title: "Timeout classes"}, {Title: "Targets"}}}
	for _, d := range annot.Directions() {
		g := &view.Groups[directionGroup(d.Key)]
		g.Rows = append(g.Rows, DirectionRow{Key: d.Key, Looser: d.Looser(), Why: d.Why})
	}
	return render("directions.md", view)
}

// directionGroup is the part that a key belongs to.
func directionGroup(key string) int {
	first, _, _ := strings.Cut(key, ".")
	switch first {
	case "timeout":
		return 2
	case "targets":
		return 3
	}
	for _, e := range annot.Entries() {
		if e.Key() == first && e.Sort == annot.Policy {
			return 1
		}
	}
	return 0
}
