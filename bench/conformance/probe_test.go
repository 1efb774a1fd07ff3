package conformance

import (
	"fmt"
	"strings"
)

// verdict is how a library did in a probe.
type verdict string

const (
	ok            verdict = "ok"
	fails         verdict = "fails"
	choice        verdict = "by choice" // it differs from what is wanted, says so, and has a reason
	notApplicable verdict = "–"
)

// finding is what a probe saw.
type finding struct {
	Verdict  verdict `json:"verdict"`
	Observed string  `json:"observed"`
}

// probe is one trap.
type probe struct {
	id     string // of the defect that was reproduced first, or of the trap
	trap   string
	does   string
	wanted string
	run    func(lib library) finding
}

// hasSocket reports whether it has a real server, and so real time.
func (p probe) hasSocket() bool { return strings.HasPrefix(p.id, "S") }

// probes returns every probe in the order of the page.
func probes() []probe {
	var all []probe
	for _, group := range [][]probe{
		breakerProbes(), halfOpenProbes(), bulkheadProbes(), retryProbes(), budgetProbes(), httpProbes(), retryAfterProbes(), hedgeProbes(),
		fallbackProbes(), limitProbes(), socketProbes(),
	} {
		all = append(all, group...)
	}
	return all
}

// judge returns ok where good, else fails, with what was observed.
func judge(good bool, format string, args ...any) finding {
	f := finding{ok, fmt.Sprintf(format, args...)}
	if !good {
		f.Verdict = fails
	}
	return f
}

// without is the finding about a library that has no such thing.
func without(reason string) finding { return finding{notApplicable, reason} }

// guarded is a probe of a guard.
func guarded(s settings, run func(g *guard) finding) func(library) finding {
	return func(lib library) finding {
		if lib.guard == nil {
			return without("it guards HTTP requests only")
		}
		g, missing := lib.guard(s)
		if missing != "" {
			return without(missing)
		}
		return run(g)
	}
}

// overHTTP is a probe of a client on a scripted server.
func overHTTP(s httpSettings, run func(c *client, s *server) finding, answers ...answer) func(library) finding {
	return func(lib library) finding {
		if lib.http == nil {
			return without("it does not know HTTP")
		}
		srv := newServer(answers...)
		c, missing := lib.http(s, srv)
		if missing != "" {
			return without(missing)
		}
		if c.end != nil {
			defer c.end()
		}
		return run(c, srv)
	}
}
