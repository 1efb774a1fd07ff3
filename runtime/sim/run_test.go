package sim_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// run plays a scenario, which must be possible.
func run(t *testing.T, s sim.Scenario, p policy.Plan, seed uint64, opts ...sim.Option) sim.Report {
	t.Helper()
	r, err := sim.Run(s, p, seed, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines returns the trace of a scenario in the order in which things happened.
func lines(t *testing.T, s sim.Scenario, p policy.Plan) []string {
	t.Helper()
	var all []string
	run(t, s, p, 1, sim.WithTrace(func(l sim.Line) { all = append(all, strings.Join(strings.Fields(l.String()), " ")) }))
	return all
}

// plain is one attempt at a safe operation.
func plain(change ...func(*policy.Plan)) policy.Plan {
	p := policy.Plan{Operation: "Get", Idempotency: policy.Safe}
	for _, c := range change {
		c(&p)
	}
	return p
}

// scripted is a scenario of calls that are listed, and a primary target that answers by script.
func scripted(script []sim.Answer, clients ...sim.Client) sim.Scenario {
	return sim.Scenario{
		Name: "test", Length: time.Hour, Clients: clients, Servers: []sim.Server{{Target: policy.PrimaryTarget, Script: script}},
	}
}

func app(at ...time.Duration) sim.Client { return sim.Client{Name: "app", At: at} }

// TestOneInstant holds the driver to the order that its documentation states: an attempt's end, a grant, a timer, the caller's end, an
// arrival. In each case two things happen at 100 ms.
func TestOneInstant(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	narrow := plain(func(p *policy.Plan) {
		p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 4, MaxWait: 80 * ms}
	})
	retried := plain(func(p *policy.Plan) {
		p.Retry = policy.Retry{Attempts: 2, On: policy.RetryOn(policy.Safe), Backoff: policy.Backoff{Base: 100 * ms, Jitter: policy.NoJitter}}
	})
	tests := map[string]struct {
		plan     policy.Plan
		scenario sim.Scenario
		want     []string // at 100 ms
	}{
		"the end of an attempt frees its permit before a call arrives": {
			plain(func(p *policy.Plan) { p.Bulkhead.MaxConcurrent = 1 }),
			scripted([]sim.Answer{{After: 100 * ms}}, app(0, 100*ms)),
			[]string{
				"call 1 rung 0 attempt 1 ends: answered", "call 1 ends: answered by rung 0, attempts: 1",
				"call 2 starts", "call 2 rung 0 attempt 1 starts",
			},
		},
		"a grant comes before the end of the wait for it": {
			narrow, scripted([]sim.Answer{{After: 100 * ms}}, app(0, 20*ms)),
			[]string{
				"call 1 rung 0 attempt 1 ends: answered", "call 1 ends: answered by rung 0, attempts: 1",
				"call 2 rung 0 attempt 1 starts",
			},
		},
		"a grant comes before the caller's end, which then ends the attempt": {
			narrow, scripted([]sim.Answer{{After: 100 * ms}}, app(0), sim.Client{Name: "hasty", At: []time.Duration{30 * ms}, Cancel: 70 * ms}),
			[]string{
				"call 1 rung 0 attempt 1 ends: answered", "call 1 ends: answered by rung 0, attempts: 1",
				"call 2 rung 0 attempt 1 starts", "call 2 rung 0 attempt 1 ends: canceled", "call 2 ends: canceled, attempts: 1",
			},
		},
		"a timer comes before the caller's end": {
			retried, scripted([]sim.Answer{{Status: 503}, {After: ms}}, sim.Client{Name: "hasty", At: []time.Duration{0}, Cancel: 100 * ms}),
			[]string{
				"call 1 rung 0 attempt 2 starts", "call 1 rung 0 attempt 2 ends: canceled", "call 1 ends: canceled, attempts: 2",
			},
		},
		"an answer comes before the end of its time": {
			plain(func(p *policy.Plan) { p.Timeout.Attempt = 100 * ms }), scripted([]sim.Answer{{After: 100 * ms}}, app(0)),
			[]string{"call 1 rung 0 attempt 1 ends: answered", "call 1 ends: answered by rung 0, attempts: 1"},
		},
		"an answer comes before the caller's end": {
			plain(), scripted([]sim.Answer{{After: 100 * ms}}, sim.Client{Name: "hasty", At: []time.Duration{0}, Cancel: 100 * ms}),
			[]string{"call 1 rung 0 attempt 1 ends: answered", "call 1 ends: answered by rung 0, attempts: 1"},
		},
		"equals come in the order in which they were entered": {
			plain(), scripted([]sim.Answer{{After: 100 * ms}, {After: 50 * ms}}, app(0, 50*ms)),
			[]string{
				"call 1 rung 0 attempt 1 ends: answered", "call 1 ends: answered by rung 0, attempts: 1",
				"call 2 rung 0 attempt 1 ends: answered", "call 2 ends: answered by rung 0, attempts: 1",
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, l := range lines(t, test.scenario, test.plan) {
				if rest, ok := strings.CutPrefix(l, "100ms "); ok {
					got = append(got, rest)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("at 100 ms (-want +got):\n%s", diff)
			}
		})
	}
}

func TestASeedRepeatsItself(t *testing.T) {
	t.Parallel()
	p := recommended()
	for _, s := range sim.Named() {
		s.Clients[0].Poisson = true
		a, b, c := run(t, s, p, 1), run(t, s, p, 1), run(t, s, p, 2)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s: the same seed gave another run:\n%s", s.Name, diff)
		}
		if c.Seed = a.Seed; cmp.Equal(a, c) {
			t.Errorf("%s: another seed gave the same run", s.Name)
		}
		if a.Unfinished != 0 || a.Calls == 0 {
			t.Errorf("%s: %d of %d calls never ended", s.Name, a.Unfinished, a.Calls)
		}
	}
}

func TestPlansMeetTheSameLoad(t *testing.T) {
	t.Parallel()
	s := sim.Blip(0.2)
	s.Clients[0].Poisson = true
	arrivals := func(p policy.Plan) (at []time.Duration) {
		run(t, s, p, 7, sim.WithTrace(func(l sim.Line) {
			if l.What == sim.CallStarts {
				at = append(at, l.At)
			}
		}))
		return at
	}
	retried := plain(func(p *policy.Plan) {
		p.Retry = policy.Retry{Attempts: 3, On: policy.RetryOn(policy.Safe), Backoff: policy.Backoff{Base: time.Second}}
	})
	if diff := cmp.Diff(arrivals(plain()), arrivals(retried)); diff != "" {
		t.Errorf("the arrivals differ:\n%s", diff)
	}
}

func TestServers(t *testing.T) {
	t.Parallel()
	const sec = time.Second
	load := []sim.Client{{Name: "load", Rate: 100}}
	scenario := func(v sim.Server) sim.Scenario {
		v.Target = policy.PrimaryTarget
		return sim.Scenario{Name: "test", Length: 10 * sec, Clients: load, Servers: []sim.Server{v}}
	}
	for name, test := range map[string]struct {
		server sim.Server
		check  func(r *sim.Report) bool
	}{
		"by default it answers at once": {sim.Server{}, func(r *sim.Report) bool { return r.OK == 1000 && r.Answered.Max == 0 }},
		"a capacity without a queue is one for each second": {
			sim.Server{Capacity: 60}, func(r *sim.Report) bool { return r.OK == 600 && r.Failed == 400 && r.Failing.Max == time.Millisecond },
		},
		"a queue is worked off in turn, up to its bound": {
			sim.Server{Capacity: 50, Queue: sec}, func(r *sim.Report) bool {
				return r.OK > 540 && r.OK < 560 && r.Answered.Max > sec && r.Answered.Max < sec+50*time.Millisecond
			},
		},
		"a latency has its median": {
			sim.Server{Latency: sim.Latency{Median: 20 * time.Millisecond, Sigma: 0.5}}, func(r *sim.Report) bool {
				return r.Answered.P50 > 18*time.Millisecond && r.Answered.P50 < 22*time.Millisecond && r.Answered.P99 > 50*time.Millisecond
			},
		},
		"a share is slow": {
			sim.Server{Latency: sim.Latency{Median: 10 * time.Millisecond, SlowShare: 0.05, SlowFactor: 20}}, func(r *sim.Report) bool {
				return r.Answered.P90 == 10*time.Millisecond && r.Answered.P99 == 200*time.Millisecond
			},
		},
		"a fault has its window and its share": {
			sim.Server{Faults: []sim.Fault{{From: 2 * sec, To: 6 * sec, Share: 0.5, Answer: sim.Answer{Status: 503}}}},
			func(r *sim.Report) bool {
				return r.Failed > 160 && r.Failed < 240 && r.Failures["transient"] == r.Failed
			},
		},
		"a brownout multiplies the latency": {
			sim.Server{Latency: sim.Latency{Median: 10 * time.Millisecond}, Faults: []sim.Fault{{What: sim.FaultSlow, From: 5 * sec, Factor: 3}}},
			func(r *sim.Report) bool {
				return r.Answered.P50 == 10*time.Millisecond && r.Answered.P90 == 30*time.Millisecond
			},
		},
		"a weak server grows its capacity back": {
			sim.Server{Capacity: 100, Faults: []sim.Fault{{What: sim.FaultWeak, To: 10 * sec, Factor: 0.2}}},
			func(r *sim.Report) bool { return r.OK > 500 && r.OK < 650 },
		},
		"what hangs for ever never ends": {
			sim.Server{Faults: []sim.Fault{{From: 9 * sec, Answer: sim.Answer{What: sim.Hanging}}}},
			func(r *sim.Report) bool { return r.OK == 900 && r.Unfinished == 100 },
		},
		"what stalls hangs where there is no stream": {
			sim.Server{Faults: []sim.Fault{{What: sim.FaultStall, From: 9 * sec}}},
			func(r *sim.Report) bool { return r.OK == 900 && r.Unfinished == 100 },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := run(t, scenario(test.server), plain(), 1); !test.check(&r) {
				t.Errorf("report:\n%s", &r)
			}
		})
	}
}

func TestStreamsStall(t *testing.T) {
	t.Parallel()
	p := plain(func(p *policy.Plan) {
		p.Stream = policy.Stream{Format: policy.SSE, Done: "[DONE]"}
		p.Timeout = policy.Timeout{Attempt: 10 * time.Second, Total: 20 * time.Second, FirstItem: 5 * time.Second, Idle: 2 * time.Second}
	})
	r := run(t, sim.StalledStreams(), p, 1)
	if r.OK != 480 || r.Streams != 480 || r.BrokenStreams < 25 || r.BrokenStreams > 55 {
		t.Errorf("want about a third of the 120 streams in the fault broken:\n%s", &r)
	}
}

func TestClientsAreReportedApart(t *testing.T) {
	t.Parallel()
	s := sim.Outage(5*time.Second, false)
	s.Clients = append(s.Clients, sim.Client{Name: "other", Rate: 5, Poisson: true})
	r := run(t, s, plain(), 1)
	if len(r.Clients) != 2 || r.Clients[0].Calls != 4800 || r.Clients[0].Calls+r.Clients[1].Calls != r.Calls || r.Clients[1].Failed == 0 {
		t.Errorf("report:\n%s", &r)
	}
	for _, want := range []string{"scenario outage, seed 1", "client load", "client other", "transient"} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("no %q in\n%s", want, &r)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	if _, err := sim.Run(sim.Scenario{Name: "empty"}, plain(), 1); err == nil {
		t.Error("a scenario without a length is played")
	}
	bad := plain(func(p *policy.Plan) { p.Retry.Attempts = -1 })
	if _, err := sim.Run(sim.Blip(0.1), bad, 1); err == nil {
		t.Error("a plan that contradicts itself is played")
	}
}

// Example plays what an outage of 15 s does to a target and to its callers, without and with a breaker.
func Example() {
	plan := policy.Recommended(false)
	plan.Operation, plan.Idempotency, plan.Retry.On = "Get", policy.Safe, policy.RetryOn(policy.Safe)
	plan.Timeout = policy.Timeout{Attempt: time.Second, Total: 10 * time.Second}
	without := plan
	without.Breaker = policy.BreakerConfig{}
	for _, p := range []policy.Plan{without, plan} {
		r, err := sim.Run(sim.Outage(15*time.Second, true), p, 1)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%.0f %% ok, %.1f attempts per call in the outage\n", r.OKPercent(), r.Amplification)
	}
	// Output:
	// 75 % ok, 0.8 attempts per call in the outage
	// 64 % ok, 0.1 attempts per call in the outage
}
