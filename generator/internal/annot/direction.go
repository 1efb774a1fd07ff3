package annot

import (
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// Sense says which way of a key is the looser one: the one by which a dependency may be asked more, a caller may wait longer or be given less,
// or a guard acts later. The zero value is Neither.
type Sense uint8

// The senses.
const (
	// Neither: one value is as tight as another, or nobody can say.
	Neither Sense = iota
	// More: the greater number, duration, share or rate is looser; Less: the smaller one.
	More
	Less
	// Wider: a list is looser with each item that it has more; Narrower: with each one less.
	Wider
	Narrower
	// Stepped: the values have an order of their own, Direction.Steps.
	Stepped
	// Given: that the key is there is looser; Missing: that it is not.
	Given
	Missing
	// Demanding: a rate over a time is looser where it demands less, or for longer.
	Demanding
)

// Absence says what a key means that is not there. The zero value is Apart.
type Absence uint8

// The absences.
const (
	// Apart: it cannot be weighed against a value, unless Direction.Default says which one it is.
	Apart Absence = iota
	// Loosest and Tightest: looser, or tighter, than every value.
	Loosest
	Tightest
)

// Direction says how the values of one key are weighed against each other. Every key of the registry has one: see directions.
type Direction struct {
	// Key is the key with those that lead to it, such as "retry.backoff.base". A rung's keys stand below "fallback", a target's below
	// "targets", those of a timeout class below "timeout"; KIND stands for each kind of failure. The budget, breaker, bulkhead and limit of a
	// target have the directions of the operations'.
	Key    string
	Sense  Sense
	Absent Absence
	// Default is the value that a missing key means; empty where Absent says all.
	Default string
	// Steps are the values of a Stepped key, tightest first; "a|b" are as tight as each other.
	Steps []string
	// Whole: what stands below the key is one value. Ordered: it is a list whose order counts.
	Whole, Ordered bool
	// Why says it to the readers of the reference page.
	Why string
}

// Directions are those of all keys, facts first, in the order of the registry.
func Directions() []Direction { return slices.Clone(directions) }

// DirectionOf is the direction of a key, and whether it has one of its own: a key that only holds others need not.
func DirectionOf(key string) (Direction, bool) {
	i := slices.IndexFunc(directions, func(d Direction) bool { return d.Key == key })
	if i < 0 {
		return Direction{Key: key}, false
	}
	return directions[i], true
}

var directions = slices.Concat(factDirections, policyDirections, sharedDirections)

// Same reports whether two values of the key mean the same; nil is a key that is not there.
func (d *Direction) Same(from, to *source.Value) bool {
	return d.spelled(from) == d.spelled(to)
}

// spelled is a value as one text: that of a missing key is its default, and a list whose order does not count is sorted.
func (d *Direction) spelled(v *source.Value) string {
	switch {
	case v == nil && d.Default != "":
		return plainOrQuoted(d.Default)
	case v == nil:
		return ""
	case v.Kind == source.List && !d.Ordered:
		return strings.Join(slices.Sorted(slices.Values(items(v))), "\n")
	default:
		return Flow(v)
	}
}

// items are the items of a list as texts; none for what is no list.
func items(v *source.Value) []string {
	if v == nil {
		return nil
	}
	out := make([]string, 0, len(v.List))
	for i := range v.List {
		out = append(out, Flow(&v.List[i]))
	}
	return out
}

// Looser says in words which values of the key are looser than others.
func (d *Direction) Looser() string {
	words := map[Sense]string{
		Neither: "neither", More: "more", Less: "less", Wider: "an item more", Narrower: "an item less", Given: "that it is there",
		Missing: "that it is not there", Demanding: "a smaller rate, or a longer time",
	}[d.Sense]
	switch {
	case d.Sense == Stepped:
		words = "the later of `" + strings.ReplaceAll(strings.Join(d.Steps, "`, `"), "|", "` or `") + "`"
	case d.Sense == Neither || d.Sense == Narrower:
	case d.Absent == Loosest:
		words += ", or none"
	case d.Absent == Apart && d.Default == "" && (d.Sense == More || d.Sense == Less || d.Sense == Wider):
		words += "; none is not weighed"
	}
	if d.Default != "" {
		words += "; without it, `" + d.Default + "`"
	}
	return words
}
