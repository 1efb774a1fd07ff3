package status

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// row is one row of a snapshot as it goes into the report.
type row struct {
	m *runtime.Machines
	t Target

	now        time.Time
	rejections map[rejection]*episode
	report     *Report
	where      string // what its sentences begin with
}

// add puts a row of a snapshot into the report, and says what is wrong with it.
func (r *Report) add(now time.Time, m *runtime.Machines, rejections map[rejection]*episode) {
	a := &row{m: m, now: now, rejections: rejections, report: r}
	a.t = Target{
		State: OK, Client: clean(m.Client), Target: clean(m.Target), Operation: clean(m.Operation),
		Operations: cleaned(m.Operations), Members: cleaned(m.Members),
	}
	a.where = fmt.Sprintf("%s: target %q", a.t.Client, a.t.Target)
	a.t.Text.Name = a.t.Client + " / " + a.t.Target
	a.t.Text.Serves = strings.Join(a.t.Operations, ", ")
	if a.t.Shared = shared(m.Repeats); len(a.t.Shared) > 0 {
		a.t.Text.Serves += "; shares " + list(a.t.Shared)
	}
	a.breaker()
	a.pause()
	a.bulkhead()
	a.limits()
	a.money()
	a.shed()
	a.abandoned()
	r.Targets = append(r.Targets, a.t)
}

// shared names the machines of a set.
func shared(s runtime.MachineSet) []string {
	var names []string
	for _, m := range []struct {
		in   bool
		name string
	}{
		{s.Breaker, "breaker"},
		{s.Bulkhead, "bulkhead"},
		{s.Limit, "limit"},
		{s.Spending, "spending"},
		{s.Shed, "shed"},
		{s.Budget, "budget"},
		{s.Pause, "pause"},
	} {
		if m.in {
			names = append(names, m.name)
		}
	}
	return names
}

// problemf says that something is wrong with the row, unless a row before it has said so of the same machine.
func (a *row) problemf(said bool, p Problem, format string, args ...any) {
	a.t.State = worse(a.t.State, p.State)
	if said {
		return
	}
	p.Client, p.Target, p.Text = a.t.Client, a.t.Target, a.where+" "+fmt.Sprintf(format, args...)
	p.Since = utc(p.Since)
	a.report.Problems = append(a.report.Problems, p)
}

// rejecting takes the episode of rejections of that kind, which the problem of the machine tells of; zero if there is none.
func (a *row) rejecting(k runtime.Kind) (ep episode) {
	key := rejection{a.m.Client, a.m.Target, k}
	if going := a.rejections[key]; going != nil {
		ep = *going
		going.good = a.now // told of
	}
	return ep
}

// leftOver says of rejections what no machine has said.
func (r *Report) leftOver(now time.Time, rejections map[rejection]*episode) {
	for key, ep := range rejections {
		if !ep.good.IsZero() {
			continue
		}
		client, target := clean(key.client), clean(key.target)
		r.Problems = append(r.Problems, Problem{
			State: Notice, What: "rejections", Client: client, Target: target, Kind: key.kind.String(), Since: utc(ep.since),
			Text: fmt.Sprintf("%s: target %q: %s not let through%s: %s.", client, target, were(ep.bad, "attempt"), since(ep.since, now), key.kind),
		})
	}
}

// were returns "1 attempt was" or "12 attempts were".
func were[N int | uint64](n N, one string) string { return counted(n, one) + was(n) }

// was returns " was" or " were".
func was[N int | uint64](n N) string {
	if n == 1 {
		return " was"
	}
	return " were"
}

// finish sorts, and says what the whole comes to.
func (r *Report) finish(now time.Time) {
	slices.SortStableFunc(r.Problems, func(a, b Problem) int {
		if a.State != b.State {
			if worse(a.State, b.State) == a.State {
				return -1
			}
			return 1
		}
		if c := a.Since.Compare(b.Since); c != 0 {
			return c
		}
		return strings.Compare(a.Text, b.Text)
	})
	slices.SortStableFunc(r.Recovered, func(a, b Recovery) int {
		if c := b.Until.Compare(a.Until); c != 0 {
			return c
		}
		return strings.Compare(a.Text, b.Text)
	})
	for _, p := range r.Problems {
		r.State = worse(r.State, p.State)
	}
	r.Headline = r.headline(now)
	r.Text = ReportText{
		Time:  clock(r.Time, now) + " UTC",
		About: fmt.Sprintf("%s, %s for %s", r.Instance, r.Phase, span(now.Sub(r.Started))),
	}
	if r.Phase != Running.String() {
		r.Text.About = fmt.Sprintf("%s, %s, began %s ago", r.Instance, r.Phase, span(now.Sub(r.Started)))
	}
}

// headline says in a few words what is the case, and since when.
func (r *Report) headline(now time.Time) string {
	var first time.Time
	for _, p := range r.Problems {
		if p.State == r.State && !p.Since.IsZero() && (first.IsZero() || p.Since.Before(first)) {
			first = p.Since
		}
	}
	switch r.State {
	case Failing:
		return "Calls fail" + since(first, now) + r.injects()
	case Degraded:
		return "Degraded" + since(first, now) + r.injects()
	case Notice, OK:
	}
	text := "All is well"
	if len(r.Recovered) > 0 {
		text = "All is well again" + since(r.Recovered[0].Until, now)
	}
	if r.State == Notice {
		text += ", with something to know"
	}
	return text + r.injects()
}

// injects says in the headline that faults are made up.
func (r *Report) injects() string {
	if !r.Injected {
		return ""
	}
	return "; chaos is injecting faults"
}

// utc returns the time in UTC; a zero one stays zero.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC()
}

func (a *row) pause() {
	m := a.m
	if m.PausedUntil.IsZero() {
		return
	}
	a.t.Pause = &Pause{Since: utc(m.PausedSince), Until: utc(m.PausedUntil), Kind: m.PausedFor.String(), ProbeAt: utc(m.PauseProbe)}
	probe := ""
	if !m.PauseProbe.IsZero() {
		probe = "; one call probes it at " + clock(m.PauseProbe, a.now)
	}
	a.rejecting(policy.KindRateLimited)
	a.problemf(m.Repeats.Pause, Problem{State: Degraded, What: "pause", Kind: m.PausedFor.String(), Since: m.PausedSince},
		"is not called%s: it asked for no requests until %s, in %s (%s)%s.",
		since(m.PausedSince, a.now), clock(m.PausedUntil, a.now), span(m.PausedUntil.Sub(a.now)), m.PausedFor, probe)
}
