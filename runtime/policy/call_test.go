package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// callTrace drives a Call by a script and writes what it answers. A line is `TIME EVENT… -> ACTIONS`:
//
//	start | ended KIND        the caller starts, or has ended
//	done KIND [after D] [expired] [copy N]   an attempt, or a copy of it, ends; D is what the dependency asked for
//	granted | fired backoff | fired queue | fired hedge | abort [copy N]
type callTrace struct {
	t    *testing.T
	call Call
	base time.Time
	lost []*Held
}

// traced returns a call without jitter.
func traced(t *testing.T, plan *Plan, m []Machines, req Request) *callTrace {
	t.Helper()
	base := time.Unix(1_700_000_000, 0)
	if !req.Deadline.IsZero() {
		req.Deadline = base.Add(time.Duration(req.Deadline.UnixNano()))
	}
	return &callTrace{t: t, call: NewCall(plan, m, req, func() float64 { return 0 }), base: base}
}

func (c *callTrace) run(script string) {
	c.t.Helper()
	var want, got []string
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		event, _, _ := strings.Cut(line, " -> ")
		words := strings.Fields(event)
		d, err := time.ParseDuration(words[0])
		if err != nil {
			c.t.Fatal(err)
		}
		want = append(want, strings.Join(strings.Fields(line), " "))
		got = append(got, strings.Join(words, " ")+" -> "+c.texts(c.call.Step(c.base.Add(d), c.event(words[1:]), nil)))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		c.t.Errorf("the call went another way (-want +got):\n%s", diff)
	}
}

// event reads an event.
func (c *callTrace) event(words []string) Event {
	n := 0
	if i := slices.Index(words, "copy"); i > 0 {
		n, _ = strconv.Atoi(words[i+1])
	}
	switch words[0] {
	case "start":
		return Event{What: CallStarted}
	case "ended":
		k, _ := ParseKind(words[1])
		return Event{What: CallerEnded, Ended: k}
	case "granted":
		return Event{What: PermitGranted}
	case "abort":
		return Event{What: CallAborted, Copy: n}
	case "fired":
		return Event{What: TimerFired, Timer: map[string]Timer{"backoff": BackoffTimer, "queue": QueueTimer, "hedge": HedgeTimer}[words[1]]}
	case "done":
		k, _ := ParseKind(words[1])
		r := Result{Kind: k, Verdict: VerdictOf(k), MayHaveActed: k.InDoubt(), Expired: strings.Contains(strings.Join(words, " "), "expired")}
		if len(words) > 3 && words[2] == "after" {
			r.RetryAfter, _ = time.ParseDuration(words[3])
			r.Pushback = true
		}
		return Event{What: AttemptDone, Copy: n, Result: r}
	default:
		c.t.Fatalf("unknown event %q", words)
		return Event{}
	}
}

// texts writes actions.
func (c *callTrace) texts(actions []Action) string {
	all := make([]string, 0, len(actions))
	for _, a := range actions {
		all = append(all, c.text(a))
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}

func (c *callTrace) text(a Action) string {
	until := "never"
	if !a.Until.IsZero() {
		until = a.Until.Sub(c.base).String()
	}
	timer := map[Timer]string{BackoffTimer: "backoff", QueueTimer: "queue", HedgeTimer: "hedge"}[a.Timer]
	copied := ""
	if a.Copy > 0 {
		copied = fmt.Sprintf(" copy %d", a.Copy)
	}
	switch a.Do {
	case StartAttempt:
		if a.Remembered {
			return fmt.Sprintf("read for rung %d", a.Rung)
		}
		return fmt.Sprintf("start rung %d attempt %d%s until %s", a.Rung, a.Number, copied, until)
	case CancelAttempt:
		c.lost = append(c.lost, a.Lost)
		return strings.TrimSpace(fmt.Sprintf("cancel copy %d %s", a.Copy, strings.TrimPrefix(a.Fall.Kind.String(), "none")))
	case SetTimer:
		return "set " + timer + " " + until
	case StopTimer:
		return "stop " + timer
	case AwaitGrant:
		return "await"
	case WakeCall:
		return "wake"
	case TellNote:
		names := map[NoteKind]string{
			NoteRetry: "retry", NoteRung: "rung", NoteUnfit: "unfit", NoteRejected: "rejected", NoteBudget: "no budget", NoteBreaker: "breaker", NotePause: "pause",
			NoteHedge: "hedge", NoteExercise: "exercise failed",
		}
		return strings.TrimSpace("tell " + names[a.Note.What] + " " + strings.TrimPrefix(a.Note.Kind.String(), "none"))
	case FinishCall:
		if a.Fall.Kind == KindNone {
			return fmt.Sprintf("finish rung %d%s", a.Rung, copied)
		}
		return "finish " + a.Fall.Kind.String()
	default:
		return "?"
	}
}

// steady is a plan of three attempts: an attempt has 1 s, a call 10 s, a wait is 100 ms.
func steady(rungs ...Rung) *Plan {
	return &Plan{
		Idempotency: Safe, Timeout: Timeout{Attempt: time.Second, Total: 10 * time.Second},
		Retry: Retry{
			Attempts: 3, On: RetryOn(Safe), RetryAfterMax: 5 * time.Second,
			Backoff: Backoff{Base: 100 * time.Millisecond, Multiplier: 1, Jitter: NoJitter},
		},
		Fallback: Fallback{Rungs: rungs},
	}
}

func anyRung(sort RungSort, level Level) Rung {
	r := Rung{Sort: sort, Level: level}
	for _, k := range Kinds() {
		if k.Any() {
			r.When = append(r.When, k)
		}
	}
	return r
}

func TestCall(t *testing.T) {
	t.Parallel()
	one := BulkheadConfig{MaxConcurrent: 1, MaxQueue: 1, MaxWait: 50 * time.Millisecond}
	for name, c := range map[string]struct {
		plan   *Plan
		req    Request
		full   bool // somebody else holds the bulkhead's one permit
		script string
	}{
		"an answer": {plan: steady(), script: `
			0s    start -> start rung 0 attempt 1 until 1s
			300ms done none -> finish rung 0
			400ms fired backoff -> nothing
			500ms abort -> nothing`},
		"retries": {plan: steady(), script: `
			0s    start -> start rung 0 attempt 1 until 1s
			1s    done timeout expired -> tell retry timeout, set backoff 1.1s
			1.1s  fired queue -> nothing
			1.1s  fired backoff -> start rung 0 attempt 2 until 2.1s
			1.2s  done throttle after 2s -> tell pause throttle, tell retry throttle, set backoff 3.2s
			3.2s  fired backoff -> start rung 0 attempt 3 until 4.2s
			3.3s  done reset -> finish reset`},
		"at once where the dependency says so": {plan: steady(), script: `
			0s    start -> start rung 0 attempt 1 until 1s
			10ms  done throttle after 0s -> tell retry throttle, start rung 0 attempt 2 until 1.01s`},
		"what is not retried": {plan: steady(), script: `
			0s    start -> start rung 0 attempt 1 until 1s
			10ms  done caller -> finish caller`},
		"a wait above the cap": {plan: steady(), script: `
			0s    start -> start rung 0 attempt 1 until 1s
			10ms  done throttle after 6s -> tell pause throttle, finish throttle`},
		"the caller ends in the wait": {plan: steady(anyRung(RungStatic, Canned)), req: Request{Worst: Canned}, script: `
			0s    start -> start rung 0 attempt 1 until 1s
			10ms  done reset -> tell retry reset, set backoff 110ms
			20ms  ended canceled -> finish canceled
			110ms fired backoff -> nothing`},
		"a ladder": {plan: steady(anyRung(RungTarget, Alternate), anyRung(RungFunc, Reduced), anyRung(RungStatic, Canned)), req: Request{Worst: Canned}, script: `
			0s    start -> start rung 0 attempt 1 until 1s
			10ms  done permanent -> tell rung permanent, start rung 1 attempt 1 until 1.01s
			20ms  done caller -> tell unfit caller, tell rung permanent, start rung 2 attempt 1 until 1.02s
			30ms  done transient -> tell rung permanent, start rung 3 attempt 1 until never
			30ms  done none -> finish rung 3`},
		"every rung fails": {plan: steady(anyRung(RungFunc, Reduced)), req: Request{Worst: Canned}, script: `
			0s    start -> start rung 0 attempt 1 until 1s
			10ms  done unusable -> tell rung unusable, start rung 1 attempt 1 until 1.01s
			20ms  done permanent -> finish unusable`},
		"no worse than the caller accepts": {plan: steady(anyRung(RungStatic, Canned)), req: Request{Worst: Reduced}, script: `
			0s    start -> start rung 0 attempt 1 until 1s
			10ms  done permanent -> finish permanent`},
		"the caller's deadline": {plan: steady(anyRung(RungTarget, Alternate), anyRung(RungStatic, Canned)), req: Request{Worst: Canned, Deadline: time.Unix(0, int64(time.Second))}, script: `
			0s    start -> start rung 0 attempt 1 until 900ms
			900ms done timeout expired -> tell rung timeout, start rung 1 attempt 1 until 1s
			1s    done timeout expired -> tell rung timeout, start rung 2 attempt 1 until never`},
		"a queue": {plan: steady(), full: true, script: `
			0s    start -> await, set queue 50ms
			20ms  granted -> stop queue, start rung 0 attempt 1 until 1.02s
			30ms  done none -> finish rung 0`},
		"a queue that takes too long": {plan: steady(), full: true, script: `
			0s    start -> await, set queue 50ms
			50ms  fired queue -> stop queue, tell rejected bulkhead-full, finish bulkhead-full
			60ms  granted -> nothing`},
		"a queue that the caller leaves": {plan: steady(), full: true, script: `
			0s    start -> await, set queue 50ms
			10ms  ended deadline -> stop queue, finish deadline`},
		"an abort": {plan: steady(anyRung(RungStatic, Canned)), req: Request{Worst: Canned}, script: `
			0s    start -> start rung 0 attempt 1 until 1s
			10ms  abort -> nothing
			20ms  done none -> nothing`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := NewBulkhead(one)
			target := Machines{Target: PrimaryTarget, Bulkhead: b, Pause: NewPause(0), Latency: new(Latency)}
			rungs := []Machines{target}
			for _, r := range c.plan.Fallback.Rungs {
				m := Machines{Latency: new(Latency)}
				if r.Sort.Sends() {
					m.Target = "other"
				}
				rungs = append(rungs, m)
			}
			trace := traced(t, c.plan, rungs, c.req)
			if c.full {
				b.Acquire(trace.base, Claim{})
			}
			trace.run(c.script)
		})
	}
}

func TestHeldIsReleasedOnce(t *testing.T) {
	t.Parallel()
	b, br := NewBulkhead(BulkheadConfig{MaxConcurrent: 1}), NewBreaker(Recommended(false).Breaker, time.Second, nil)
	now := time.Unix(1_700_000_000, 0)
	c := NewCall(steady(), []Machines{{Target: PrimaryTarget, Bulkhead: b, Breaker: br}}, Request{Hold: true}, nil)
	c.Step(now, Event{What: CallStarted}, nil)
	c.Step(now.Add(time.Second/2), Event{What: AttemptDone, Result: Result{Verdict: Success}}, nil)
	h := c.Held()
	if n := b.Snapshot(now).InFlight; n != 1 {
		t.Errorf("%d permits held while the answer lives, want 1", n)
	}
	for range 2 {
		h.Release(now.Add(time.Minute), Failure, nil)
	}
	c.Step(now.Add(time.Minute), Event{What: CallAborted}, nil)
	if s := br.State(now.Add(time.Minute)); b.Snapshot(now).InFlight != 0 || s.Failures != 1 || s.InFlight != 0 {
		t.Errorf("after the end: %+v, want one failure and nothing in flight", s)
	}
}

// TestAbortBeforeInit gives up a call whose beginning panicked before there was one.
func TestAbortBeforeInit(t *testing.T) {
	t.Parallel()
	var c Call
	if got := c.Step(time.Now(), Event{What: CallAborted}, nil); len(got) != 0 {
		t.Errorf("got the actions %v, want none", got)
	}
}
