package swagger

import (
	"fmt"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

const (
	// maxCopies is how many values may be repeated because they are needed in several places: the schema of a body in each of its media
	// types, a response where it is referred to. Real documents repeat some 100,000.
	maxCopies = 3_000_000
	// maxTypes is how many media types a body may have. Real ones have some 20.
	maxTypes = 100
)

// ledger counts what a conversion repeats.
type ledger struct {
	spent     int
	overspent bool
	// long are the lists of media types that were reported as too long.
	long map[*source.Value]bool
}

// spend counts values that are repeated. It fails where a document would grow without end.
func (c *converter) spend(n int) bool {
	c.ledger.spent += n
	if c.ledger.spent <= maxCopies {
		return true
	}
	if !c.ledger.overspent {
		c.ledger.overspent = true
		c.List.Add(diag.Diagnostic{
			Code: diag.LimitExceeded, Span: source.Span{Pos: c.root.Pos},
			What: fmt.Sprintf("what the operations share, repeated in each of them, adds up to more than %d values", maxCopies),
			Why:  "limits keep a hostile document from exhausting memory",
			Fix:  "list fewer media types under consumes and produces, or remove operations by an overlay",
		})
	}
	return false
}

// copyOf returns a copy of a value, for another place. Beyond the limit it is empty.
func (c *converter) copyOf(v *source.Value) source.Value {
	if !c.spend(size(v)) {
		return source.Value{Pos: v.Pos, Kind: source.Map}
	}
	return v.Clone()
}

// size counts the values in a value.
func size(v *source.Value) int {
	n := 1
	for i := range v.Map {
		n += size(&v.Map[i].Value)
	}
	for i := range v.List {
		n += size(&v.List[i])
	}
	return n
}

// atMost returns the first of a list of media types that is too long, and reports that it is.
func (c *converter) atMost(list *source.Value) []source.Value {
	all := textsOf(list)
	if len(all) <= maxTypes {
		return all
	}
	if !c.ledger.long[list] {
		c.ledger.long[list] = true
		lose(c.List, list.Pos, fmt.Sprintf("of %d media types the first %d are read", len(all), maxTypes),
			"limits keep a hostile document from exhausting memory", "list those that clients use")
	}
	return all[:maxTypes]
}
