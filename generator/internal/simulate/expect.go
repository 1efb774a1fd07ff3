package simulate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Expect are the bounds that verdicts hold a run to, by their names. Durations are in seconds, shares in percent. What is not in it is not
// judged.
type Expect map[string]float64

// The names of expectations.
const (
	// Amplification is how many attempts a target gets for each call, in a fault or in the five seconds after it.
	Amplification = "amplification"
	// Wait is how long one in a hundred of those waits whose calls arrive in a fault.
	Wait = "wait"
	// Recovery is how long after a fault the operation itself answers 95 % of the calls of each second again.
	Recovery = "recovery"
	// Lost is the share of the calls of a fault that get no answer.
	Lost = "lost"
	// Refused is the share of calls that the client itself turns away before a fault.
	Refused = "refused"
)

// unit says how an expectation is written.
type unit uint8

const (
	plainNumber unit = iota
	seconds
	percents
)

// expectation is a row of the table of expectations.
type expectation struct {
	name string
	unit unit
	// usual is what holds where nobody says otherwise; NaN is nothing.
	usual float64
	about string
}

// expectations is the table, in the order of the documentation.
var expectations = []expectation{
	{Amplification, plainNumber, 1.5, "attempts that a target gets for each call, in the fault or in the 5 s after it"},
	{Wait, seconds, math.NaN(), "the 99th percentile of what users wait whose calls arrive in the fault: 10s, for models and streams 30s"},
	{Recovery, seconds, 30, "how long after the fault the operation itself answers 95 % of the calls of each second again"},
	{Lost, percents, math.NaN(), "the share of the fault's calls that get no answer; judged where a scenario or a flag says so"},
	{Refused, percents, 1, "the share of calls that the client itself turns away before the fault"},
}

// usualWait is what Wait is for operations that answer at once, and modelWait for those of language models and for streams, in seconds.
const (
	usualWait = 10
	modelWait = 30
)

// noBound is how an expectation is written that is not to be judged.
const noBound = "off"

// usualExpect returns what holds where nobody says otherwise.
func usualExpect() Expect {
	e := Expect{}
	for _, x := range expectations {
		if !math.IsNaN(x.usual) {
			e[x.name] = x.usual
		}
	}
	return e
}

// names are those of all expectations.
func names() []string {
	all := make([]string, len(expectations))
	for i := range expectations {
		all[i] = expectations[i].name
	}
	return all
}

// Set reads one expectation: NAME=VALUE, or NAME=off.
func (e Expect) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("an expectation is NAME=VALUE, not %q", text)
	}
	at := slices.IndexFunc(expectations, func(x expectation) bool { return x.name == name })
	if at < 0 {
		return fmt.Errorf("nothing called %q is expected; there are %s", name, strings.Join(names(), ", "))
	}
	if value == noBound {
		e[name] = math.NaN()
		return nil
	}
	x, err := expectations[at].unit.parse(value)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	e[name] = x
	return nil
}

// parse reads a value.
func (u unit) parse(text string) (float64, error) {
	var x float64
	var err error
	wanted := "a number such as 1.5"
	switch u {
	case seconds:
		var d time.Duration
		d, err = time.ParseDuration(text)
		x, wanted = d.Seconds(), "a duration such as 10s"
	case percents:
		wanted = "a share such as 5% or 0.05"
		digits, isPercent := strings.CutSuffix(text, "%")
		if x, err = strconv.ParseFloat(digits, 64); !isPercent {
			x *= 100
		}
		if x > 100 {
			err = strconv.ErrRange
		}
	case plainNumber:
		x, err = strconv.ParseFloat(text, 64)
	}
	if err != nil || !(x >= 0 && x <= math.MaxInt32) {
		return 0, fmt.Errorf("%q is not %s", text, wanted)
	}
	return x, nil
}

// over returns the expectations laid over others.
func (e Expect) over(below Expect) Expect {
	out := maps.Clone(below)
	maps.Copy(out, e)
	return out
}

// bound returns what is expected, and whether that is to be judged.
func (e Expect) bound(name string) (float64, bool) {
	x, ok := e[name]
	return x, ok && !math.IsNaN(x)
}

// String returns the expectations as a scenario's text has them.
func (e Expect) String() string {
	var words []string
	for _, x := range expectations {
		v, ok := e[x.name]
		if !ok {
			continue
		}
		text := noBound
		if !math.IsNaN(v) {
			text = x.unit.text(v)
		}
		words = append(words, x.name+"="+text)
	}
	return strings.Join(words, " ")
}

func (u unit) text(x float64) string {
	switch u {
	case seconds:
		return time.Duration(x * float64(time.Second)).String()
	case percents:
		return strconv.FormatFloat(x, 'g', -1, 64) + "%"
	default:
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
}
