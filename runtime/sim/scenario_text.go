package sim

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// String returns the scenario's text form, which Parse reads: a line for each thing, a word that says what it is, then name=value.
//
//	scenario outage length=1m0s
//	client load rate=80 deadline=10s
//	server primary capacity=100 queue=2s
//	fault primary answer from=10s to=25s status=503 after=5ms
//
// What is zero is left out, but for the factor of a fault that has one.
func (s Scenario) String() string {
	var b strings.Builder
	line(&b, "scenario", s.Name, long("length", s.Length))
	for _, c := range s.Clients {
		line(&b, "client", c.Name, number("rate", c.Rate), mark("poisson", c.Poisson), list("at", c.At), long("deadline", c.Deadline),
			long("cancel", c.Cancel), word("operation", c.Operation), word("criticality", c.Criticality.String()), number("remembered", c.Remembered))
	}
	for _, v := range s.Servers {
		line(&b, "server", v.Target, number("capacity", v.Capacity), long("queue", v.Queue), v.Latency.text(), long("stream", v.Stream))
		if v.Busy != (Answer{}) {
			line(&b, "busy", v.Target, v.Busy.text())
		}
		for _, f := range v.Faults {
			line(&b, "fault", v.Target, f.What.String(), long("from", f.From), long("to", f.To),
				number("share", f.Share), f.factor(), f.Answer.text())
		}
		for _, a := range v.Script {
			line(&b, "script", v.Target, a.text())
		}
	}
	return b.String()
}

// line writes a line of the words that are not empty.
func line(b *strings.Builder, words ...string) {
	first := true
	for _, w := range words {
		if w == "" {
			continue
		}
		if !first {
			b.WriteByte(' ')
		}
		first = false
		b.WriteString(w)
	}
	b.WriteByte('\n')
}

// text returns the latency's words.
func (l Latency) text() string {
	return words(long("latency", l.Median), number("sigma", l.Sigma), number("slow-share", l.SlowShare), number("slow-factor", l.SlowFactor))
}

// factor returns the word of the factor.
func (f *Fault) factor() string {
	if f.Factor == 0 && f.What.hasFactor() {
		return "factor=0"
	}
	return number("factor", f.Factor)
}

// text returns the answer's words.
func (a Answer) text() string {
	what := ""
	if a.What != Answered {
		what = a.What.String()
	}
	status := ""
	if a.Status != 0 {
		status = "status=" + strconv.Itoa(a.Status)
	}
	wait := ""
	if a.Pushback || a.RetryAfter != 0 {
		wait = "retry-after=" + a.RetryAfter.String()
	}
	return words(what, status, long("after", a.After), wait, long("stream", a.Stream), mark("stalls", a.Stalls))
}

// words joins those that are not empty.
func words(all ...string) string {
	var b strings.Builder
	line(&b, all...)
	return strings.TrimSuffix(b.String(), "\n")
}

func long(name string, d time.Duration) string {
	if d == 0 {
		return ""
	}
	return name + "=" + d.String()
}

func number(name string, x float64) string {
	if x == 0 {
		return ""
	}
	return name + "=" + strconv.FormatFloat(x, 'g', -1, 64)
}

func word(name, text string) string {
	if text == "" {
		return ""
	}
	return name + "=" + text
}

func mark(name string, set bool) string {
	if !set {
		return ""
	}
	return name
}

func list(name string, all []time.Duration) string {
	if len(all) == 0 {
		return ""
	}
	parts := make([]string, len(all))
	for i, d := range all {
		parts[i] = d.String()
	}
	return name + "=" + strings.Join(parts, ",")
}

var answerNames = [answerKinds]string{Answered: "answered", Refused: "refused", Broken: "broken", Hanging: "hanging"}

// String returns the kind as text forms spell it.
func (k AnswerKind) String() string {
	if k < answerKinds {
		return answerNames[k]
	}
	return fmt.Sprintf("answer(%d)", uint8(k))
}

var faultNames = [faultKinds]string{FaultAnswer: "answer", FaultSlow: "slow", FaultWeak: "weak", FaultTight: "tight", FaultStall: "stall"}

// String returns the kind as text forms spell it.
func (k FaultKind) String() string {
	if k < faultKinds {
		return faultNames[k]
	}
	return fmt.Sprintf("fault(%d)", uint8(k))
}
