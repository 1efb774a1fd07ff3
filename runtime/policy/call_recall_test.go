package policy

import (
	"testing"
	"time"
)

// recallBase is when the scripts of callTrace begin.
var recallBase = time.Unix(1_700_000_000, 0)

func TestCallTakesWhatIsRemembered(t *testing.T) {
	t.Parallel()
	ladder := func() *Plan { return steady(anyRung(RungCache, Stale), anyRung(RungStatic, Canned)) }
	until := func(d time.Duration) time.Time { return recallBase.Add(d) }
	for name, c := range map[string]struct {
		plan   *Plan
		req    Request
		script string
	}{
		"fresh": {plan: ladder(), req: Request{Worst: Canned, Fresh: true, StaleUntil: until(time.Hour)}, script: `
			0s start -> read for rung 0
			0s done none -> finish rung 0
			0s done none -> nothing`},
		"fresh, and cannot be read": {plan: ladder(), req: Request{Worst: Canned, Fresh: true}, script: `
			0s   start -> read for rung 0
			0s   done decode -> start rung 0 attempt 1 until 1s
			10ms done permanent -> tell rung permanent, start rung 2 attempt 1 until never
			10ms done none -> finish rung 2`},
		"fresh, and cannot be read, and another": {plan: ladder(), req: Request{Worst: Canned, Fresh: true, StaleUntil: until(time.Hour)}, script: `
			0s   start -> read for rung 0
			0s   done decode -> start rung 0 attempt 1 until 1s
			10ms done permanent -> tell rung permanent, read for rung 1
			10ms done none -> finish rung 1`},
		"after a long search": {plan: ladder(), req: Request{Worst: Canned, Spent: 9500 * time.Millisecond}, script: `
			0s   start -> start rung 0 attempt 1 until 500ms`},
		"after a long search, and cannot be read": {plan: ladder(), req: Request{Worst: Canned, Fresh: true, Spent: 9500 * time.Millisecond}, script: `
			0s   start -> read for rung 0
			100ms done decode -> start rung 0 attempt 1 until 500ms`},
		"fresh, and the driver ends": {plan: ladder(), req: Request{Worst: Canned, Fresh: true}, script: `
			0s start -> read for rung 0
			0s abort -> nothing
			0s done none -> nothing`},
		"stale": {plan: ladder(), req: Request{Worst: Canned, StaleUntil: until(time.Second)}, script: `
			0s   start -> start rung 0 attempt 1 until 1s
			10ms done permanent -> tell rung permanent, read for rung 1
			10ms done none -> finish rung 1`},
		"stale, and cannot be read": {plan: ladder(), req: Request{Worst: Canned, StaleUntil: until(time.Second)}, script: `
			0s   start -> start rung 0 attempt 1 until 1s
			10ms done permanent -> tell rung permanent, read for rung 1
			10ms done decode -> tell rung permanent, start rung 2 attempt 1 until never`},
		"too old when it is needed": {plan: ladder(), req: Request{Worst: Canned, StaleUntil: until(10 * time.Millisecond)}, script: `
			0s   start -> start rung 0 attempt 1 until 1s
			10ms done permanent -> tell rung permanent, start rung 2 attempt 1 until never`},
		"after the deadline": {plan: ladder(), req: Request{Worst: Canned, StaleUntil: until(time.Hour), Deadline: time.Unix(0, int64(time.Second))}, script: `
			0s start -> start rung 0 attempt 1 until 1s
			1s done timeout expired -> tell rung timeout, read for rung 1`},
		"nothing stale for this caller": {plan: ladder(), req: Request{Worst: Reduced, StaleUntil: until(time.Hour)}, script: `
			0s   start -> start rung 0 attempt 1 until 1s
			10ms done permanent -> finish permanent`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			traced(t, c.plan, []Machines{{Target: PrimaryTarget}, {}, {}}, c.req).run(c.script)
		})
	}
}

func TestCallBeginsWithWhatItExercises(t *testing.T) {
	t.Parallel()
	ladder := func() *Plan { return steady(anyRung(RungTarget, Equal), anyRung(RungStatic, Canned)) }
	for name, c := range map[string]struct {
		req    Request
		full   bool // the rung's bulkhead
		paused bool // the rung's target
		script string
	}{
		"it answers": {req: Request{Worst: Canned}, script: `
			0s   start -> start rung 1 attempt 1 until 1s
			10ms done none -> finish rung 1`},
		"it fails: up, and down past it": {req: Request{Worst: Canned}, script: `
			0s    start -> start rung 1 attempt 1 until 1s
			10ms  done transient -> tell exercise failed transient, start rung 0 attempt 1 until 1.01s
			20ms  done transient -> tell retry transient, set backoff 120ms
			120ms fired backoff -> start rung 0 attempt 2 until 1.12s
			130ms done permanent -> tell rung permanent, start rung 2 attempt 1 until never`},
		"it does not let the call through": {req: Request{Worst: Canned}, full: true, script: `
			0s start -> tell rejected bulkhead-full, start rung 0 attempt 1 until 1s`},
		"it is paused": {req: Request{Worst: Canned}, paused: true, script: `
			0s start -> tell rejected rate-limited, start rung 0 attempt 1 until 1s`},
		"it takes half of the time": {req: Request{Worst: Canned, Deadline: time.Unix(0, int64(time.Second))}, script: `
			0s    start -> start rung 1 attempt 1 until 500ms
			500ms done timeout expired -> tell exercise failed timeout, start rung 0 attempt 1 until 1s`},
		"the caller ends": {req: Request{Worst: Canned}, script: `
			0s   start -> start rung 1 attempt 1 until 1s
			10ms ended canceled -> cancel copy 0 canceled, finish canceled`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.req.Exercise = 1
			eu := Machines{Target: "eu", Bulkhead: NewBulkhead(BulkheadConfig{MaxConcurrent: 1, MaxQueue: 1, MaxWait: time.Second}), Pause: NewPause(0)}
			if c.full {
				eu.Bulkhead.Acquire(recallBase, Claim{})
			}
			if c.paused {
				eu.Pause.Extend(recallBase, recallBase.Add(100*time.Millisecond), KindThrottle)
			}
			traced(t, ladder(), []Machines{{Target: PrimaryTarget, Latency: new(Latency)}, eu, {}}, c.req).run(c.script)
		})
	}
}
