package simulate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/resgen-go/resgen/generator/internal/diag"
)

// chart is a picture of numbers over time, with every place computed: a box of 480 by 200, in which the plot is from (44, 10) to (470, 170).
type chart struct {
	Title, Label  string
	Band          *band // the fault; nil for none
	Rows, Columns []mark
	Areas, Lines  []shape
}

type band struct{ X, Width string }

// mark is a text at an axis.
type mark struct{ At, Text string }

// shape is a line or an area of one class.
type shape struct{ Class, Name, Points string }

// The plot.
const (
	left, right = 44.0, 470.0
	top, bottom = 10.0, 170.0
)

// plot turns seconds and values into places.
type plot struct {
	seconds float64
	most    float64
	log     bool // from leastWait on, by tens
}

// leastWait and mostWait are the ends of an axis of waits, in milliseconds.
const (
	leastWait = 1.0
	mostWait  = 1e5
)

func (p *plot) x(second float64) float64 { return left + (right-left)*second/p.seconds }

func (p *plot) y(v float64) float64 {
	share := v / p.most
	if p.log {
		share = math.Log10(max(v, leastWait)/leastWait) / math.Log10(p.most/leastWait)
	}
	return bottom - (bottom-top)*min(share, 1)
}

func place(x float64) string { return strconv.FormatFloat(round(x, 1), 'f', -1, 64) }

// line draws a value for each second, in its middle.
func (p *plot) line(values []float64) string {
	points := make([]string, len(values))
	for i, v := range values {
		points[i] = place(p.x(float64(i)+0.5)) + "," + place(p.y(v))
	}
	return strings.Join(points, " ")
}

// area fills what lies between two lines.
func (p *plot) area(below, above []float64) string {
	back := strings.Fields(p.line(below))
	slices.Reverse(back)
	return p.line(above) + " " + strings.Join(back, " ")
}

// steps are the marks of an axis from 0: three or four round numbers.
func (p *plot) steps() []mark {
	if p.log {
		var out []mark
		for v := 10.0; v <= p.most; v *= 10 {
			text := strconv.FormatFloat(v, 'f', 0, 64) + "ms"
			if v >= 1000 {
				text = strconv.FormatFloat(v/1000, 'f', 0, 64) + "s"
			}
			out = append(out, mark{place(p.y(v)), text})
		}
		return out
	}
	step := roundUp(p.most / 4)
	var out []mark
	for v := 0.0; v <= p.most*1.001; v += step {
		out = append(out, mark{place(p.y(v)), strconv.FormatFloat(round(v, 2), 'f', -1, 64)})
	}
	return out
}

// roundUp is the next number that begins with 1, 2 or 5 and has only zeros after it.
func roundUp(x float64) float64 {
	if x <= 0 {
		return 1
	}
	ten := math.Pow(10, math.Floor(math.Log10(x)))
	for _, n := range []float64{1, 2, 5} {
		if x <= n*ten*1.0001 {
			return n * ten
		}
	}
	return 10 * ten
}

// newChart begins a chart of a run.
func newChart(title string, p *plot, r *Run) chart {
	c := chart{Title: title, Label: fmt.Sprintf("%s, in scenario %s", title, r.Scenario), Rows: p.steps()}
	step := roundUp(p.seconds / 8)
	for s := 0.0; s <= p.seconds; s += step {
		c.Columns = append(c.Columns, mark{place(p.x(s)), strconv.FormatFloat(s, 'f', -1, 64) + "s"})
	}
	if f := r.Fault; f != nil {
		c.Band = &band{place(p.x(f.From)), place(p.x(f.To) - p.x(f.From))}
	}
	return c
}

// mostLines is how many targets have a line.
const mostLines = 4

// charts draws a run: the load of the targets, the answers, and the waits.
func charts(r *Run, with, without *watch) []chart {
	return []chart{loadChart(r, with, without), answerChart(r, with, without), waitChart(r, with, without)}
}

func loadChart(r *Run, with, without *watch) chart {
	type row struct {
		class, name string
		values      []float64
	}
	rows := []row{}
	add := func(class, name string, w *watch, target string) {
		seconds := make([]float64, len(w.classes[0].seconds))
		if l := w.targets[target]; l != nil {
			for i, n := range l.seconds {
				seconds[i] = float64(n) / float64(w.plays)
			}
		}
		rows = append(rows, row{class, name, seconds})
	}
	for i, t := range r.Targets[:min(len(r.Targets), mostLines)] {
		if i == 0 {
			add("none", diag.Escape(t.Target)+" without policies", without, t.Target)
		}
		add(string(rune('a'+i)), diag.Escape(t.Target), with, t.Target)
	}
	p := plot{seconds: with.length.Seconds()}
	for i := range rows {
		p.most = max(p.most, slices.Max(rows[i].values))
	}
	p.most = 4 * roundUp(p.most/4)
	c := newChart("Attempts a second at each target", &p, r)
	for _, x := range rows {
		c.Lines = append(c.Lines, shape{x.class, x.name, p.line(x.values)})
	}
	return c
}

// answers are the answers of each second, in percent: those of the operations, and those with the lesser ones.
func (w *watch) answers() (ok, answered []float64) {
	n := len(w.classes[0].seconds)
	ok, answered = make([]float64, n), make([]float64, n)
	for i := range n {
		good, some, all := 0, 0, 0
		for c := range w.classes {
			s := &w.classes[c].seconds[i]
			good, some, all = good+s.ok, some+s.ok+s.degraded, all+s.ok+s.degraded+s.failed
		}
		if all == 0 { // nobody called: as in the second before
			if i > 0 {
				ok[i], answered[i] = ok[i-1], answered[i-1]
			}
			continue
		}
		ok[i], answered[i] = 100*float64(good)/float64(all), 100*float64(some)/float64(all)
	}
	return ok, answered
}

func answerChart(r *Run, with, without *watch) chart {
	p := plot{seconds: with.length.Seconds(), most: 100}
	c := newChart("What calls came to, by the second in which they arrived, in percent", &p, r)
	ok, answered := with.answers()
	zero, all := make([]float64, len(ok)), make([]float64, len(ok))
	for i := range all {
		all[i] = 100
	}
	bare, _ := without.answers()
	c.Areas = []shape{
		{"good", "ok", p.area(zero, ok)}, {"less", "degraded", p.area(ok, answered)}, {"bad", "failed", p.area(answered, all)},
	}
	c.Lines = []shape{{"none", "ok without policies", p.line(bare)}}
	return c
}

// waits are the 99th percentiles of each second, in milliseconds.
func (w *watch) waits() []float64 {
	out := make([]float64, len(w.classes[0].seconds))
	for i := range out {
		var all []time.Duration
		for c := range w.classes {
			all = append(all, w.classes[c].seconds[i].waits...)
		}
		out[i] = milliseconds(quantile(all, 0.99))
	}
	return out
}

func waitChart(r *Run, with, without *watch) chart {
	p := plot{seconds: with.length.Seconds(), most: mostWait, log: true}
	c := newChart("What one in a hundred waits at least, by the second in which the call arrived", &p, r)
	c.Lines = []shape{{"none", "without policies", p.line(without.waits())}, {"a", "with them", p.line(with.waits())}}
	return c
}
