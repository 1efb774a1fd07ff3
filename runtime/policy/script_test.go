package policy_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// epoch is when virtual time starts in every test.
func epoch() time.Time { return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC) }

// at returns the instant d after the epoch.
func at(d time.Duration) time.Time { return epoch().Add(d) }

// constant returns a source of randomness that always gives r.
func constant(r float64) func() float64 { return func() float64 { return r } }

// since writes an instant as its distance from the epoch.
func since(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Sub(epoch()).String()
}

// runScript runs a script line by line and compares what happened with what it says. A line is `TIME VERB ARGS… -> WANT`.
func runScript(t *testing.T, script string, do func(now time.Time, verb string, args []string) string) {
	t.Helper()
	var want, got []string
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		event, _, _ := strings.Cut(line, " -> ")
		words := strings.Fields(event)
		d, err := time.ParseDuration(words[0])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		want = append(want, strings.Join(strings.Fields(line), " "))
		got = append(got, strings.Join(words, " ")+" -> "+do(at(d), words[1], words[2:]))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the script went another way (-want +got):\n%s", diff)
	}
}

// breakerScript drives a breaker by a script.
type breakerScript struct {
	t       *testing.T
	b       *policy.Breaker
	tickets map[string]policy.Ticket
	started map[string]time.Time
}

// runBreaker runs a script against a breaker without jitter:
//
//	admit NAME             -> ok | ok probe | no, not before T: WHY
//	report NAME VERDICT [D]-> nothing | TRANSITION           D is the time in flight; default: since admit
//	commit NAME            -> done
//	peek                   -> closed | open until T
//	raise T                -> open until T
//	state                  -> STATE CALLS/FAILURES/SLOW
func runBreaker(t *testing.T, cfg policy.BreakerConfig, attempt time.Duration, script string) {
	t.Helper()
	s := &breakerScript{
		t: t, b: policy.NewBreaker(cfg, attempt, constant(0)),
		tickets: map[string]policy.Ticket{}, started: map[string]time.Time{},
	}
	runScript(t, script, s.do)
}

func (s *breakerScript) do(now time.Time, verb string, args []string) string {
	switch verb {
	case "admit":
		return s.admit(now, args[0])
	case "report":
		return s.report(now, args)
	case "commit":
		s.b.Commit(now, s.tickets[args[0]])
		return "done"
	case "peek":
		if notBefore, open := s.b.Peek(now); open {
			return "open until " + since(notBefore)
		}
		return "closed"
	case "raise":
		s.b.RaiseOpen(now, at(s.duration(args[0])))
		return "open until " + since(s.b.State(now).NotBefore)
	case "state":
		st := s.b.State(now)
		return fmt.Sprintf("%v %d/%d/%d", st.State, st.Calls, st.Failures, st.Slow)
	default:
		s.t.Fatalf("no such verb: %q", verb)
		return ""
	}
}

func (s *breakerScript) admit(now time.Time, name string) string {
	ticket, a := s.b.Admit(now)
	s.tickets[name], s.started[name] = ticket, now
	text := "ok"
	switch {
	case !a.OK:
		text = fmt.Sprintf("no, not before %s: %v", since(a.NotBefore), a.Why)
	case a.Probe:
		text = "ok probe"
	}
	for _, tr := range a.Changed {
		text += " " + transition(tr)
	}
	return text
}

func (s *breakerScript) report(now time.Time, args []string) string {
	o := policy.Outcome{InFlight: now.Sub(s.started[args[0]])}
	for _, v := range []policy.Verdict{policy.Neutral, policy.Success, policy.Answered, policy.Failure} {
		if v.String() == args[1] {
			o.Verdict = v
		}
	}
	if len(args) > 2 {
		o.InFlight = s.duration(args[2])
	}
	if tr, ok := s.b.Report(now, s.tickets[args[0]], o); ok {
		return transition(tr)
	}
	return "nothing"
}

func (s *breakerScript) duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

func transition(tr policy.Transition) string {
	until := ""
	if tr.To == policy.StateOpen {
		until = " until " + since(tr.NotBefore)
	}
	return fmt.Sprintf("[%v>%v at %s%s %d/%d/%d]", tr.From, tr.To, since(tr.At), until, tr.Calls, tr.Failures, tr.Slow)
}

// repeat writes n calls that start and end at the given instant.
func repeat(n int, when, verdict, want string) string {
	var b strings.Builder
	for i := range n {
		name := when + "-" + verdict + "-" + strconv.Itoa(i)
		fmt.Fprintf(&b, "%s admit %s -> ok\n%s report %s %s -> %s\n", when, name, when, name, verdict, want)
	}
	return b.String()
}
