package simulate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/sim"
)

// Scenario is what is played, and what is expected of it.
type Scenario struct {
	sim.Scenario

	// About says in a clause what happens; empty for one of a file.
	About string
	// Expect are the expectations that the scenario has of its own.
	Expect Expect
}

// text is the scenario as a file has it.
func (s *Scenario) text() string {
	text := s.String()
	if len(s.Expect) > 0 {
		text += expectWord + " " + s.Expect.String() + "\n"
	}
	return text
}

// fault is when something is wrong: from the beginning of the first fault to the end of the last, or of the calls. Without one, to is 0.
func (s *Scenario) fault() (from, to time.Duration) {
	from = s.Length
	for i := range s.Servers {
		v := &s.Servers[i]
		if len(v.Script) > 0 { // nothing else of the server counts
			return 0, s.Length
		}
		for _, f := range v.Faults {
			if f.From < s.Length {
				from, to = min(from, f.From), max(to, min(cmp.Or(f.To, s.Length), s.Length))
			}
		}
	}
	if to == 0 {
		from = 0
	}
	return from, to
}

// judged is when calls are judged: in the fault, and from the beginning to the end where there is none.
func (s *Scenario) judged() (from, to time.Duration) {
	if from, to = s.fault(); to == 0 {
		to = s.Length
	}
	return from, to
}

// settles reports whether there is time to see an operation recover.
func (s *Scenario) settles() bool {
	_, to := s.fault()
	return to > 0 && to+recoveredSpan*time.Second <= s.Length
}

// mostCalls is how many calls a scenario may have: what is remembered of them fits into the memory of any machine.
const mostCalls = 2e6

// calls is how many calls arrive, about.
func (s *Scenario) calls() float64 {
	sum := 0.0
	for i := range s.Clients {
		if c := &s.Clients[i]; len(c.At) > 0 {
			sum += float64(len(c.At))
		} else {
			sum += c.Rate * s.Length.Seconds()
		}
	}
	return sum
}

const (
	// expectWord begins the lines of a scenario's text that say what is expected.
	expectWord = "expect"
	// MaxFile is how long the file of a scenario may be, in bytes.
	MaxFile = 64 << 10
	// MaxLength is how long a scenario may be: what becomes of its calls is kept for each second and operation.
	MaxLength = 4 * time.Hour
)

// Read reads the scenario of a file, and reports what is wrong with it.
func Read(file string, data []byte, list *diag.List) (Scenario, bool) {
	at := func(line, column int, what string) {
		list.Add(diag.Diagnostic{
			Code: diag.InvalidScenario, Span: source.Span{Pos: source.Pos{File: file, Line: line, Column: column}}, What: what,
			Why: "a line of a scenario is a word, a name, and then name=value",
			Fix: "see docs/explanation/simulate.md; a whole one is\n" + strings.TrimSpace(example),
		})
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // the mark of some editors that it is UTF-8
	switch {
	case len(data) > MaxFile:
		at(1, 1, fmt.Sprintf("the file is longer than %d bytes", MaxFile))
		return Scenario{}, false
	case !utf8.Valid(data):
		at(1, 1, "the file is not UTF-8")
		return Scenario{}, false
	}
	s := Scenario{Expect: Expect{}}
	var rest strings.Builder // the same lines, those about expectations empty
	number, good := 0, true
	for line := range strings.Lines(string(data)) {
		number++
		body, _, _ := strings.Cut(line, "#")
		words := strings.Fields(body)
		if len(words) == 0 || words[0] != expectWord {
			rest.WriteString(line)
			continue
		}
		rest.WriteString("\n")
		for _, w := range words[1:] {
			if err := s.Expect.Set(w); err != nil {
				before, _, _ := strings.Cut(line, w)
				at(number, 1+utf8.RuneCountInString(before), err.Error())
				good = false
			}
		}
	}
	parsed, err := sim.Parse(rest.String())
	if wrong, ok := errors.AsType[*sim.SyntaxError](err); ok {
		at(wrong.Line, wrong.Column, wrong.What)
		return Scenario{}, false
	}
	s.Scenario = parsed
	if s.Length > MaxLength {
		at(1, 1, fmt.Sprintf("the scenario is %v long; a simulation is at most %v", s.Length, MaxLength))
		return Scenario{}, false
	}
	if n := s.calls(); n > mostCalls {
		at(1, 1, fmt.Sprintf("about %.0f calls arrive; a simulation has at most %.0f", n, float64(mostCalls)))
		return Scenario{}, false
	}
	return s, good
}

// example is a whole scenario.
const example = `
scenario outage length=1m
client users rate=50/s poisson
server primary capacity=75 queue=2s latency=50ms sigma=0.3
fault primary answer from=10s to=25s status=503 after=5ms
expect lost=30% recovery=10s
`
