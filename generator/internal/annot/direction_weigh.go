package annot

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// Weigh reports whether one value of the key is looser than another in some way, and whether it is tighter in some way: neither where the two
// cannot be weighed, both where a list has lost some items and got others. Nil is a key that is not there.
func (d *Direction) Weigh(from, to *source.Value) (looser, tighter bool) {
	switch d.Sense {
	case More, Less, Stepped, Demanding:
		c := d.compare(from, to)
		return c > 0, c < 0
	case Wider, Narrower:
		return d.weighLists(from, to)
	case Given:
		return from == nil && to != nil, from != nil && to == nil
	case Missing:
		return from != nil && to == nil, from == nil && to != nil
	default:
		return false, false
	}
}

// compare is above 0 where the second value is the looser one, and 0 also where the two cannot be weighed.
func (d *Direction) compare(from, to *source.Value) int {
	a, b := d.orDefault(from), d.orDefault(to)
	if d.Sense == Demanding && a != "" && b != "" {
		return demand(a, b)
	}
	x, okFrom := d.looseness(a)
	y, okTo := d.looseness(b)
	if !okFrom || !okTo {
		return 0
	}
	return cmp.Compare(y, x)
}

// orDefault is the text of a value, or the default; empty where neither is there.
func (d *Direction) orDefault(v *source.Value) string {
	if v == nil {
		return d.Default
	}
	return v.Text
}

// looseness is how loose a value is; false where that cannot be said.
func (d *Direction) looseness(text string) (float64, bool) {
	switch {
	case text == "" && d.Absent == Loosest:
		return math.Inf(1), true
	case text == "" && d.Absent == Tightest:
		return math.Inf(-1), true
	case d.Sense == Stepped:
		i := slices.IndexFunc(d.Steps, func(step string) bool { return slices.Contains(strings.Split(step, "|"), text) })
		return float64(i), i >= 0
	}
	x, ok := magnitude(text)
	if d.Sense == Less {
		x = -x
	}
	return x, ok
}

// magnitude is a number, a duration in seconds, a share, or a rate in a second.
func magnitude(text string) (float64, bool) {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, true
	}
	if share, ok := strings.CutSuffix(text, "%"); ok {
		x, err := strconv.ParseFloat(share, 64)
		return x / 100, err == nil
	}
	if r, ok := parseRate(text); ok {
		return r.Amount / r.Per.Seconds(), true
	}
	span, err := time.ParseDuration(text)
	return span.Seconds(), err == nil
}

// demand compares two rates over a time, as compare does: they are weighed only where both parts say the same, and count the same.
func demand(from, to string) int {
	a, okFrom := parseMinRate(from)
	b, okTo := parseMinRate(to)
	if !okFrom || !okTo || a.Bytes != b.Bytes {
		return 0
	}
	rate, over := cmp.Compare(a.PerSecond, b.PerSecond), cmp.Compare(b.Over, a.Over)
	if rate*over < 0 {
		return 0
	}
	return cmp.Or(rate, over)
}

// weighLists weighs lists by their items.
func (d *Direction) weighLists(from, to *source.Value) (looser, tighter bool) {
	if from == nil || to == nil {
		switch d.Absent {
		case Loosest:
			return to == nil, from == nil
		case Tightest:
			return from == nil, to == nil
		default:
			return false, false
		}
	}
	a, b := items(from), items(to)
	added := slices.ContainsFunc(b, func(item string) bool { return !slices.Contains(a, item) })
	gone := slices.ContainsFunc(a, func(item string) bool { return !slices.Contains(b, item) })
	if d.Sense == Narrower {
		return gone, added
	}
	return added, gone
}
