package sim

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// errSyntax is a scenario text that cannot be read.
var errSyntax = errors.New("cannot read the scenario")

// Parse reads a scenario from its text form. Empty lines, and what follows a #, do not count.
func Parse(text string) (Scenario, error) {
	var s Scenario
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		p := parser{values: map[string]string{}}
		p.split(words[1:])
		p.line(&s, words[0])
		p.rest()
		if p.wrong != "" {
			return Scenario{}, fmt.Errorf("%w: line %d: %s", errSyntax, number, p.wrong)
		}
	}
	if err := s.Validate(); err != nil {
		return Scenario{}, err
	}
	return s, nil
}

// parser reads one line. The first thing that is wrong stays.
type parser struct {
	names  []string // words without a value
	values map[string]string
	wrong  string
}

// split sorts the words of a line.
func (p *parser) split(words []string) {
	for _, w := range words {
		name, value, valued := strings.Cut(w, "=")
		_, twice := p.values[name]
		switch {
		case !valued:
			p.names = append(p.names, w)
		case twice:
			p.failf("%s is given twice", name)
		default:
			p.values[name] = value
		}
	}
}

func (p *parser) failf(format string, args ...any) {
	if p.wrong == "" {
		p.wrong = fmt.Sprintf(format, args...)
	}
}

// line reads a line that begins with a word.
func (p *parser) line(s *Scenario, word string) {
	switch word {
	case "scenario":
		if s.Name != "" {
			p.failf("there is a scenario already")
		}
		s.Name, s.Length = p.name(), p.long("length")
	case "client":
		s.Clients = append(s.Clients, Client{
			Name: p.name(), Rate: p.number("rate"), Poisson: p.flag("poisson"), At: p.list("at"),
			Deadline: p.long("deadline"), Cancel: p.long("cancel"), Criticality: p.criticality(), Remembered: p.number("remembered"),
		})
	case "server":
		s.Servers = append(s.Servers, Server{
			Target: p.name(), Capacity: p.number("capacity"), Queue: p.long("queue"), Stream: p.long("stream"),
			Latency: Latency{
				Median: p.long("latency"), Sigma: p.number("sigma"), SlowShare: p.number("slow-share"), SlowFactor: p.number("slow-factor"),
			},
		})
	case "busy", "fault", "script":
		p.detail(p.server(s), word)
	default:
		p.failf("no line begins with %q", word)
	}
}

// server returns the server that the line names, which must be there.
func (p *parser) server(s *Scenario) *Server {
	name := p.name()
	for i := range s.Servers {
		if s.Servers[i].Target == name {
			return &s.Servers[i]
		}
	}
	p.failf("there is no server %q above", name)
	return new(Server)
}

// detail reads what belongs to a server.
func (p *parser) detail(v *Server, word string) {
	switch word {
	case "busy":
		v.Busy = p.answer()
	case "fault":
		f := Fault{What: FaultKind(p.oneOf(faultNames[:])), From: p.long("from"), To: p.long("to")}
		f.Share, f.Factor, f.Answer = p.number("share"), p.number("factor"), p.answer()
		v.Faults = append(v.Faults, f)
	default:
		v.Script = append(v.Script, p.answer())
	}
}

func (p *parser) answer() Answer {
	a := Answer{After: p.long("after"), Stream: p.long("stream"), Stalls: p.flag("stalls")}
	for k, name := range answerNames {
		if p.flag(name) {
			a.What = AnswerKind(k)
		}
	}
	if text, ok := p.take("status"); ok {
		code, err := strconv.Atoi(text)
		if err != nil || code < 100 || code > 999 {
			p.failf("%q is no status", text)
		}
		a.Status = code
	}
	if _, ok := p.values["retry-after"]; ok {
		a.Pushback, a.RetryAfter = true, p.long("retry-after")
	}
	return a
}

// criticality takes a criticality; CriticalityUnset if it is not there.
func (p *parser) criticality() policy.Criticality {
	text, ok := p.take("criticality")
	if !ok {
		return policy.CriticalityUnset
	}
	c, ok := policy.ParseCriticality(text)
	if !ok {
		p.failf("%q is no criticality", text)
	}
	return c
}

// name takes the line's first bare word.
func (p *parser) name() string {
	if len(p.names) == 0 {
		p.failf("a name is missing")
		return ""
	}
	name := p.names[0]
	p.names = p.names[1:]
	return name
}

// oneOf takes the line's first bare word, which is one of the names, and returns its place.
func (p *parser) oneOf(names []string) int {
	name := p.name()
	i := slices.Index(names, name)
	if i < 0 {
		p.failf("%q is none of %s", name, strings.Join(names, ", "))
	}
	return max(i, 0)
}

// flag takes a bare word, and reports whether it was there.
func (p *parser) flag(name string) bool {
	i := slices.Index(p.names, name)
	if i >= 0 {
		p.names = slices.Delete(p.names, i, i+1)
	}
	return i >= 0
}

func (p *parser) take(name string) (string, bool) {
	text, ok := p.values[name]
	delete(p.values, name)
	return text, ok
}

// long takes a duration; 0 if it is not there.
func (p *parser) long(name string) time.Duration {
	text, ok := p.take(name)
	if !ok {
		return 0
	}
	return p.duration(text)
}

func (p *parser) duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		p.failf("%q is no duration", text)
	}
	return d
}

// number takes a number, of which a rate may be written 80/s and a share 5%; 0 if it is not there.
func (p *parser) number(name string) float64 {
	text, ok := p.take(name)
	if !ok {
		return 0
	}
	digits, unit := strings.TrimSuffix(text, "/s"), 1.0
	if cut, ok := strings.CutSuffix(text, "%"); ok {
		digits, unit = cut, 1.0/percent
	}
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		p.failf("%q is no number", text)
	}
	return x * unit
}

// list takes durations that are divided by commas.
func (p *parser) list(name string) []time.Duration {
	text, ok := p.take(name)
	if !ok {
		return nil
	}
	var all []time.Duration
	for part := range strings.SplitSeq(text, ",") {
		all = append(all, p.duration(part))
	}
	return all
}

// rest refuses what nobody has taken.
func (p *parser) rest() {
	for _, name := range p.names {
		p.failf("%q means nothing here", name)
	}
	for name := range p.values {
		p.failf("%q means nothing here", name)
	}
}
