package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/resgen-go/resgen/runtime/policy"
)

// SyntaxError is what is wrong with a scenario's text, and where.
type SyntaxError struct {
	// Line and Column count from 1, columns in characters.
	Line, Column int
	// What says what is wrong.
	What string
}

// Error names the line.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("cannot read the scenario: line %d: %s", e.Line, e.What)
}

// Parse reads a scenario from its text form. Empty lines, and what follows a #, do not count. Its error is a *SyntaxError.
func Parse(text string) (Scenario, error) {
	var s Scenario
	number, named := 0, 1
	for line := range strings.Lines(text) {
		number++
		p := newParser(line)
		if p == nil {
			continue
		}
		if p.first == "scenario" {
			named = number
		}
		p.line(&s)
		p.rest()
		if p.wrong != "" {
			return Scenario{}, &SyntaxError{Line: number, Column: p.where, What: p.wrong}
		}
	}
	if err := s.Validate(); err != nil {
		return Scenario{}, &SyntaxError{Line: named, Column: 1, What: err.Error()}
	}
	return s, nil
}

// parser reads one line. The first thing that is wrong stays.
type parser struct {
	first string
	all   []field // what follows the first word
	begin int     // the column of the first word
	at    int     // the column of what is being read
	wrong string
	where int // the column of what is wrong
}

// field is a word of a line.
type field struct {
	column      int
	name, value string
	valued      bool // it is written name=value
	taken       bool
}

// newParser splits a line into its words; nil if there are none.
func newParser(line string) *parser {
	line, _, _ = strings.Cut(line, "#")
	var p *parser
	column, rest := 1, line
	for {
		word := strings.TrimLeftFunc(rest, unicode.IsSpace)
		column += utf8.RuneCountInString(rest) - utf8.RuneCountInString(word)
		end := strings.IndexFunc(word, unicode.IsSpace)
		if end < 0 {
			end = len(word)
		}
		if end == 0 {
			return p
		}
		if p == nil {
			p = &parser{first: word[:end], begin: column, at: column}
		} else {
			p.add(word[:end], column)
		}
		column, rest = column+utf8.RuneCountInString(word[:end]), word[end:]
	}
}

// mostWords is more than there are names of values.
const mostWords = 64

// add adds a word.
func (p *parser) add(word string, column int) {
	if len(p.all) == mostWords {
		p.at = column
		p.failf("a line has at most %d words", mostWords)
		return
	}
	f := field{column: column}
	f.name, f.value, f.valued = strings.Cut(word, "=")
	if f.valued && slices.ContainsFunc(p.all, func(o field) bool { return o.valued && o.name == f.name }) {
		p.at = column
		p.failf("%s is given twice", f.name)
	}
	p.all = append(p.all, f)
}

// failf notes what is wrong with what is being read.
func (p *parser) failf(format string, args ...any) {
	if p.wrong == "" {
		p.wrong, p.where = fmt.Sprintf(format, args...), p.at
	}
}

// must notes an error about the line.
func (p *parser) must(err error) {
	if err != nil {
		p.at = p.begin
		p.failf("%v", err)
	}
}

// line reads the line.
func (p *parser) line(s *Scenario) {
	switch p.first {
	case "scenario":
		if s.Name != "" {
			p.failf("there is a scenario already")
		}
		s.Name, s.Length = p.name(), p.long("length")
	case "client":
		s.Clients = append(s.Clients, Client{
			Name: p.name(), Rate: p.number("rate"), Poisson: p.flag("poisson"), At: p.list("at"),
			Deadline: p.long("deadline"), Cancel: p.long("cancel"), Criticality: p.criticality(), Remembered: p.number("remembered"),
			Operation: p.text("operation"),
		})
		p.must(s.Clients[len(s.Clients)-1].validate())
	case "server":
		s.Servers = append(s.Servers, Server{
			Target: p.name(), Capacity: p.number("capacity"), Queue: p.long("queue"), Stream: p.long("stream"),
			Latency: Latency{
				Median: p.long("latency"), Sigma: p.number("sigma"), SlowShare: p.number("slow-share"), SlowFactor: p.number("slow-factor"),
			},
		})
		last := len(s.Servers) - 1
		p.must(s.Servers[last].validate())
		if slices.ContainsFunc(s.Servers[:last], func(v Server) bool { return v.Target == s.Servers[last].Target }) {
			p.must(errTwice)
		}
	case "busy", "fault", "script":
		v := p.server(s)
		p.detail(v)
		p.must(v.validate())
	default:
		p.failf("no line begins with %q", p.first)
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
	return &Server{Target: policy.PrimaryTarget}
}

// detail reads what belongs to a server.
func (p *parser) detail(v *Server) {
	switch p.first {
	case "busy":
		v.Busy = p.answer()
	case "fault":
		f := Fault{What: FaultKind(p.oneOf(faultNames[:])), From: p.long("from"), To: p.long("to")}
		f.Share, f.Answer = p.number("share"), p.answer()
		if f.Factor = p.number("factor"); f.What.hasFactor() && !p.has("factor") { // 0 would be a target that answers at once, or never
			p.at = p.begin
			p.failf("a fault of this kind has a factor")
		}
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
	if text, ok := p.take("retry-after"); ok {
		a.Pushback, a.RetryAfter = true, p.duration(text)
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
	for i := range p.all {
		if f := &p.all[i]; !f.valued && !f.taken {
			f.taken, p.at = true, f.column
			return f.name
		}
	}
	p.at = p.begin
	p.failf("a name is missing")
	return ""
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
	for i := range p.all {
		if f := &p.all[i]; !f.valued && !f.taken && f.name == name {
			f.taken, p.at = true, f.column
			return true
		}
	}
	return false
}

func (p *parser) take(name string) (string, bool) {
	for i := range p.all {
		if f := &p.all[i]; f.valued && !f.taken && f.name == name {
			f.taken, p.at = true, f.column
			return f.value, true
		}
	}
	return "", false
}

// has reports whether a value is given on the line.
func (p *parser) has(name string) bool {
	return slices.ContainsFunc(p.all, func(f field) bool { return f.valued && f.name == name })
}

// text takes a text; empty if it is not there.
func (p *parser) text(name string) string {
	text, _ := p.take(name)
	return text
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
	for i := range p.all {
		if f := &p.all[i]; !f.taken {
			p.at = f.column
			p.failf("%q means nothing here", f.name)
		}
	}
}
