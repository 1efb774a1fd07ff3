package status

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// report puts what was watched into the report. The lock is held.
func (w *watch) report(now time.Time, r *Report) {
	for _, op := range w.operations {
		if op.episode.bad > 0 && !op.episode.goesOn(now) {
			w.end(op, op.episode)
			op.episode = episode{}
		}
		r.addOperation(now, op)
	}
	slices.SortFunc(r.Operations, func(a, b Operation) int { return strings.Compare(a.Operation, b.Operation) })
	for i := range w.past {
		if p := w.past[i].recovery(now); now.Sub(p.Until) <= recent {
			r.Recovered = append(r.Recovered, p)
		}
	}
	w.reportFailures(now, r)
	w.reportInjected(now, r)
	for _, h := range w.ring.latest() {
		r.Events = append(r.Events, h.event(now))
	}
}

// end remembers an episode of an operation that is over, unless it hardly mattered. The zero one is none.
func (w *watch) end(op *operation, over episode) {
	if !over.matters() {
		return
	}
	if len(w.past) >= mostPast {
		w.past = slices.Delete(w.past, 0, 1)
	}
	w.past = append(w.past, ended{episode: over, client: op.client, name: op.name})
}

// recovery says how the episode ended.
func (e *ended) recovery(now time.Time) Recovery {
	r := Recovery{What: "calls", Client: clean(e.client), Operation: clean(e.name), Since: utc(e.since), Until: utc(e.good)}
	if e.good.IsZero() {
		r.Until = utc(e.last)
		r.Text = fmt.Sprintf("%s: nobody called it%s; the last call was not answered as asked.", r.Operation, since(e.last, now))
	} else {
		r.Text = fmt.Sprintf("%s: calls are answered as asked%s, after %s.", r.Operation, since(e.good, now), span(e.good.Sub(e.since)))
	}
	return r
}

// addOperation shows an operation, and says what is wrong with its calls.
func (r *Report) addOperation(now time.Time, op *operation) {
	shown := Operation{
		State: OK, Client: clean(op.client), Operation: clean(op.name), Rungs: []Rung{}, Last: utc(op.last),
		Lately: op.calls.sum(now, slots), Failed: op.failed.sum(now, slots), Broken: op.broken.sum(now, slots),
		Injected: op.injected.sum(now, slots),
	}
	if op.why != policy.KindNone {
		shown.LastFailure = op.why.String()
	}
	var words []string
	var fell []fall
	for _, g := range op.rungs {
		rung := Rung{
			Number: g.number, Name: clean(g.name), Level: g.level.String(), Lately: g.lately.sum(now, slots), Total: g.total, Last: utc(g.last),
		}
		if g.reason != policy.KindNone {
			rung.Reason = g.reason.String()
		}
		shown.Rungs = append(shown.Rungs, rung)
		if rung.Lately > 0 {
			words = append(words, fmt.Sprintf("%d by %s", rung.Lately, titleOf(g)))
		}
		if n := g.lately.sum(now, minute); n > 0 && g.number > 0 {
			fell = append(fell, fall{n, rung.Name, rung.Level})
		}
	}
	shown.Text = OperationText{Lately: strconv.Itoa(shown.Lately), Rungs: strings.Join(words, ", "), Failed: "0", Last: clock(op.last, now)}
	if shown.Failed+shown.Broken > 0 {
		shown.Text.Failed = failedWords(shown.Failed, shown.Broken, op.why) + madeUp(shown.Injected)
	}
	shown.State = op.state(now)
	if shown.State != OK {
		r.Problems = append(r.Problems, op.problem(now, shown, fell))
	}
	r.Operations = append(r.Operations, shown)
}

// titleOf names a rung and how good it is.
func titleOf(g *rung) string {
	if g.number == 0 {
		return "the operation itself"
	}
	return fmt.Sprintf("%s (%s)", clean(g.name), g.level)
}

// state says how bad an operation's calls fare now.
func (op *operation) state(now time.Time) State {
	if !op.episode.goesOn(now) {
		return OK
	}
	calls, failed := op.calls.sum(now, minute), op.failed.sum(now, minute)+op.broken.sum(now, minute)
	bad := failed + op.exchanged.sum(now, minute)
	for _, g := range op.rungs {
		if g.number > 0 {
			bad += g.lately.sum(now, minute)
		}
	}
	switch {
	case isShare(failed, calls, 10):
		return Failing
	case isShare(bad, calls, 100):
		return Degraded
	default:
		return OK
	}
}

// problem says what is wrong with an operation's calls.
func (op *operation) problem(now time.Time, shown Operation, fell []fall) Problem {
	answered := op.fallWords(fell)
	p := Problem{State: shown.State, What: "calls", Client: shown.Client, Operation: shown.Operation, Since: utc(op.episode.since)}
	if n := op.exchanged.sum(now, minute); n > 0 {
		answered = append(answered, fmt.Sprintf("%d%s answered by another model than was asked for", n, was(n)))
	}
	failed, broken := op.failed.sum(now, minute), op.broken.sum(now, minute)
	if failed+broken > 0 {
		p.Kind = op.why.String()
		answered = append(answered, failedWords(failed, broken, op.why)+madeUp(op.injected.sum(now, minute)))
	}
	if p.Kind == "" && op.reason != policy.KindNone {
		p.Kind = op.reason.String()
	}
	p.Text = fmt.Sprintf("%s: of %s in the last minute %s,%s.",
		shown.Operation, counted(op.calls.sum(now, minute), "call"), list(answered), since(op.episode.since, now))
	return p
}

// fall is how many calls a lower rung answered in the last minute.
type fall struct {
	calls       int
	rung, level string
}

// fallWords says which lower rungs answered, and why the last one was asked; nothing where none did.
func (op *operation) fallWords(fell []fall) []string {
	why := ""
	if op.reason != policy.KindNone {
		why = " because of " + op.reason.String()
	}
	switch len(fell) {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("%d%s answered by rung %q (%s)%s", fell[0].calls, was(fell[0].calls), fell[0].rung, fell[0].level, why)}
	}
	sum := 0
	var each []string
	for _, f := range fell {
		sum += f.calls
		each = append(each, fmt.Sprintf("%d by %q", f.calls, f.rung))
	}
	if why != "" {
		why = ", the last" + why
	}
	return []string{fmt.Sprintf("%d were answered by lower rungs (%s%s)", sum, strings.Join(each, ", "), why)}
}

// failedWords says how many calls failed and how many streams broke, and why the last did.
func failedWords(failed, broken int, why runtime.Kind) string {
	var words []string
	if failed > 0 {
		words = append(words, fmt.Sprintf("%d failed", failed))
	}
	if broken > 0 {
		words = append(words, fmt.Sprintf("%d broke off", broken))
	}
	last := "last: "
	if failed+broken == 1 {
		last = ""
	}
	return fmt.Sprintf("%s (%s%s)", strings.Join(words, ", "), last, why)
}

// reportFailures shows the kinds of failures of attempts that were the last.
func (w *watch) reportFailures(now time.Time, r *Report) {
	const most = 50
	for key, f := range w.failures {
		shown := Failure{
			Operation: clean(key.operation), Target: clean(key.target), Rung: clean(key.rung), Kind: key.kind.String(), Status: f.status,
			Lately: f.lately.sum(now, slots), Total: f.total, Last: utc(f.last), Injected: f.made.sum(now, slots),
		}
		shown.Text = FailureText{
			Target: shown.Target, Kind: shown.Kind, Last: clock(f.last, now),
			Lately: fmt.Sprintf("%d of %d%s", shown.Lately, shown.Total, madeUp(shown.Injected)),
		}
		if shown.Rung != "" {
			shown.Text.Target = "rung " + shown.Rung
		}
		if f.status > 0 {
			shown.Text.Kind += fmt.Sprintf(" (%d)", f.status)
		}
		r.Failures = append(r.Failures, shown)
	}
	slices.SortFunc(r.Failures, func(a, b Failure) int {
		if c := b.Last.Compare(a.Last); c != 0 {
			return c
		}
		return strings.Compare(a.Operation+"\x00"+a.Text.Target+"\x00"+a.Kind, b.Operation+"\x00"+b.Text.Target+"\x00"+b.Kind)
	})
	r.Failures = r.Failures[:min(most, len(r.Failures))]
}

// event shows what happened.
func (h *happening) event(now time.Time) Event {
	e := Event{
		Time: utc(h.first), Last: utc(h.last), Count: h.count, What: h.what.String(), Client: clean(h.client), Operation: clean(h.operation),
		Target: clean(h.target), Rung: clean(h.rung), From: clean(h.from), To: clean(h.to), Until: utc(h.until),
		Fault: clean(h.fault),
	}
	if h.rung != "" {
		e.Level = h.level.String()
	}
	if h.kind != policy.KindNone {
		e.Kind = h.kind.String()
	}
	e.Text.When = clock(h.last, now)
	if h.count > 1 {
		e.Text.When += fmt.Sprintf(", %d times since %s", h.count, clock(h.first, now))
	}
	e.Text.What = e.words(now)
	return e
}

// words says what happened.
func (e *Event) words(now time.Time) string {
	var b strings.Builder
	switch e.What {
	case runtime.BreakerChanged.String():
		fmt.Fprintf(&b, "%s: breaker of target %q went from %s to %s", e.Client, e.Target, e.From, e.To)
	case runtime.Paused.String():
		fmt.Fprintf(&b, "%s: target %q asked for no requests", e.Operation, e.Target)
	case runtime.RungTaken.String():
		fmt.Fprintf(&b, "%s: went down to rung %q (%s)", e.Operation, e.Rung, e.Level)
	default:
		name := e.Operation
		if name == "" {
			name = e.Client
		}
		fmt.Fprintf(&b, "%s: %s", name, e.What)
		if e.Rung != "" {
			fmt.Fprintf(&b, ", rung %q", e.Rung)
		}
		if e.Target != "" {
			fmt.Fprintf(&b, ", target %q", e.Target)
		}
	}
	if e.Fault != "" {
		fmt.Fprintf(&b, ", %q", e.Fault)
	}
	if !e.Until.IsZero() {
		fmt.Fprintf(&b, ", until %s", clock(e.Until, now))
	}
	if e.Kind != "" {
		fmt.Fprintf(&b, " (%s)", e.Kind)
	}
	return b.String()
}
