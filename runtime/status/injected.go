package status

import (
	"fmt"
	"time"

	"github.com/resgen-go/resgen/runtime"
)

// mostInjections is how many sorts of faults that are made up are remembered.
const mostInjections = 200

// injection is what tells faults apart that are made up: see runtime.WithChaos.
type injection struct{ client, operation, target, rung, fault string }

// injections counts faults of one sort.
type injections struct {
	episode

	lately lately
}

// injected counts a fault that was made up.
func (w *watch) injected(e *runtime.Event) {
	key := injection{e.Client, e.Operation, e.Target, e.RungName, e.Injected}
	if n := bounded(&w.made, key, mostInjections, func() *injections { return new(injections) }); n != nil {
		n.add(e.Time, true)
		n.lately.add(e.Time)
	}
}

// reportInjected says which faults are made up now, so that nobody takes them for an outage. The lock is held.
func (w *watch) reportInjected(now time.Time, r *Report) {
	for key, n := range w.made {
		if !n.goesOn(now) {
			continue
		}
		r.Injected = true
		fault := clean(key.fault)
		p := Problem{
			State: Notice, What: "chaos", Client: clean(key.client), Operation: clean(key.operation), Target: clean(key.target), Fault: fault,
			Since: utc(n.since),
		}
		p.Text = fmt.Sprintf("%s: chaos makes faults up at target %q: %q, %s in the last minute,%s. These are no real failures.",
			p.Operation, p.Target, fault, counted(n.lately.sum(now, minute), "time"), since(n.since, now))
		r.Problems = append(r.Problems, p)
	}
}

// madeUp says how many of failures were made up; nothing where none was.
func madeUp(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d injected by chaos", n)
}
