package policy_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// runPause runs a script against a pause:
//
//	extend T | long T | lift | refund -> until T
//	admit                             -> ok | probe | no, not before T
func runPause(t *testing.T, openMax time.Duration, script string) {
	t.Helper()
	p := policy.NewPause(openMax)
	runScript(t, script, func(now time.Time, verb string, args []string) string {
		var until time.Time
		if len(args) > 0 {
			d, err := time.ParseDuration(args[0])
			if err != nil {
				t.Fatal(err)
			}
			until = at(d)
		}
		switch verb {
		case "extend":
			p.Extend(now, until, policy.KindThrottle)
		case "long":
			p.ExtendLong(now, until, policy.KindUnusable)
		case "lift":
			p.Lift()
		case "refund":
			p.Refund(now)
		case "admit":
			a := p.Admit(now)
			switch {
			case a.Probe:
				return "probe"
			case a.OK:
				return "ok"
			default:
				return "no, not before " + since(a.NotBefore)
			}
		default:
			t.Fatalf("no such verb: %q", verb)
		}
		return "until " + since(p.Until(now))
	})
}

func TestT55_PauseAfterThrottling(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"it holds everything back until its end": `
		0s admit -> ok
		0s extend 2s -> until 2s
		1.999s admit -> no, not before 2s
		2s admit -> ok`,
		"it is only ever extended": `
		0s extend 10s -> until 10s
		1s extend 5s -> until 10s
		2s extend 20s -> until 20s
		15s admit -> no, not before 20s`,
		"one that is over already is none": `
		5s extend 5s -> until never
		5s extend 4s -> until never
		5s admit -> ok`,
		"a short one has no probes": `
		0s extend 50s -> until 50s
		49s extend 90s -> until 1m30s
		80s admit -> no, not before 1m30s`,
		"a long one lets one call through each minute": `
		0s long 1h -> until 1h0m0s
		59s admit -> no, not before 1h0m0s
		60s admit -> probe
		60s admit -> no, not before 1h0m0s
		61s long 1h -> until 1h0m0s
		119s admit -> no, not before 1h0m0s
		125s admit -> probe
		184s admit -> no, not before 1h0m0s
		185s admit -> probe`,
		"a probe that succeeds lifts it": `
		0s long 1h -> until 1h0m0s
		60s admit -> probe
		61s lift -> until never
		61s admit -> ok
		62s extend 64s -> until 1m4s
		63s admit -> no, not before 1m4s`,
		"a probe that was not sent is given back": `
		0s long 1h -> until 1h0m0s
		60s admit -> probe
		61s refund -> until 1h0m0s
		61s admit -> probe
		61s admit -> no, not before 1h0m0s`,
		"a long one makes a short one long, and a new one starts short": `
		0s extend 10s -> until 10s
		1s long 2m -> until 2m0s
		61s admit -> probe
		130s extend 300s -> until 5m0s
		250s admit -> no, not before 5m0s`,
	}
	for name, script := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runPause(t, 15*time.Second, script)
		})
	}
	t.Run("probes are open-max apart where that is longer", func(t *testing.T) {
		t.Parallel()
		runPause(t, 5*time.Minute, `
		0s long 1h -> until 1h0m0s
		299s admit -> no, not before 1h0m0s
		300s admit -> probe`)
	})
	if diff := cmp.Diff(policy.PauseAnswer{OK: true}, policy.NewPause(0).Admit(at(0))); diff != "" {
		t.Errorf("a new pause (-want +got):\n%s", diff)
	}
}

// What Extend said holds for everybody who asks after it has returned, and what Lift said too, although Admit looks without the lock.
func TestPauseIsSeenByThoseWhoAskLater(t *testing.T) {
	t.Parallel()
	p := policy.NewPause(0)
	var all sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					p.Admit(at(time.Second))
					p.Until(at(time.Second))
				}
			}
		})
	}
	for i := range 2000 {
		p.Extend(at(0), at(time.Minute), policy.KindThrottle)
		if p.Admit(at(time.Second)).OK || p.Until(at(time.Second)).IsZero() {
			t.Fatalf("round %d: a call went through a pause that had been set before", i)
		}
		p.Lift()
		if !p.Admit(at(time.Second)).OK {
			t.Fatalf("round %d: lifted, and still a call was held back", i)
		}
	}
	close(stop)
	all.Wait()
	p.Extend(at(0), at(time.Minute), policy.KindThrottle)
	if !p.Admit(at(time.Minute)).OK {
		t.Error("the pause is over, and still a call was held back")
	}
	p.Extend(at(2*time.Minute), at(3*time.Minute), policy.KindThrottle)
	if p.Admit(at(2 * time.Minute)).OK {
		t.Error("a call went through a pause that came after one that had ended")
	}
}
