package sim_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// named is the plan of an operation with the recommended breaker.
func named(name string, change ...func(*policy.Plan)) sim.Operation {
	p := recommended()
	p.Operation = name
	for _, c := range change {
		c(&p)
	}
	return sim.Operation{Plan: p}
}

func runAll(t *testing.T, s sim.Scenario, ops []sim.Operation, opts ...sim.Option) sim.Report {
	t.Helper()
	r, err := sim.RunAll(s, ops, 1, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestOperationsShareTheirTargetsMachines: in an outage the breaker of a target opens once for all operations that set it alike, and once for
// each where its scope is the operation.
func TestOperationsShareTheirTargetsMachines(t *testing.T) {
	t.Parallel()
	own := func(p *policy.Plan) { p.Breaker.Scope = policy.ScopeOperation }
	other := func(p *policy.Plan) { p.Breaker.WindowCalls++ }
	for name, test := range map[string]struct {
		second, third func(*policy.Plan)
		trips         int
	}{
		"alike":           {func(*policy.Plan) {}, func(*policy.Plan) {}, 1},
		"its own":         {own, own, 3},
		"set differently": {func(*policy.Plan) {}, other, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runAll(t, sim.Outage(4*time.Second, false), []sim.Operation{named("a"), named("b", test.second), named("c", test.third)})
			if r.Trips != test.trips {
				t.Errorf("%d trips, want %d\n%s", r.Trips, test.trips, &r)
			}
		})
	}
}

// TestTheMixFollowsWeights: calls are of operations by their weights, and of the one that a client names.
func TestTheMixFollowsWeights(t *testing.T) {
	t.Parallel()
	ops := []sim.Operation{named("often"), named("seldom"), named("named")}
	ops[0].Weight, ops[1].Weight, ops[2].Weight = 8, 1, 1
	s := sim.Outage(time.Second, false)
	s.Servers = nil
	s.Clients = append(s.Clients, sim.Client{Name: "own", Rate: 8, Operation: "named"})
	counts := make([]int, len(ops))
	runAll(t, s, ops, sim.WithTrace(func(l sim.Line) {
		if l.What == sim.CallStarts {
			counts[l.Operation]++
		}
	}))
	for i, want := range []float64{3840, 480, 960} {
		near(t, ops[i].Plan.Operation, float64(counts[i]), want, 0.1*want)
	}
}

func TestOperationsAreRefused(t *testing.T) {
	t.Parallel()
	s := sim.Blip(0.1)
	for want, run := range map[string]func() error{
		"there is no operation": func() error { _, err := sim.RunAll(s, nil, 1); return err },
		"a weight is below 0":   func() error { _, err := sim.RunAll(s, []sim.Operation{{Weight: -1}}, 1); return err },
		`operation "x": no operation has that name`: func() error {
			s := sim.Blip(0.1)
			s.Clients[0].Operation = "x"
			_, err := sim.RunAll(s, []sim.Operation{named("a")}, 1)
			return err
		},
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestARunIsStopped(t *testing.T) {
	t.Parallel()
	asked := 0
	_, err := sim.RunAll(sim.Blip(0.1), []sim.Operation{named("a")}, 1, sim.WithStop(func() bool { asked++; return true }))
	if !errors.Is(err, sim.ErrStopped) || asked != 1 {
		t.Errorf("%v after being asked %d times, want ErrStopped at the first", err, asked)
	}
}

// TestATightTarget: FaultTight leaves a share of the capacity all the time that it holds, and none of it after.
func TestATightTarget(t *testing.T) {
	t.Parallel()
	s := sim.Scenario{
		Name: "tight", Length: 30 * time.Second, Clients: []sim.Client{{Name: "app", Rate: 50}},
		Servers: []sim.Server{{
			Target: policy.PrimaryTarget, Capacity: 50,
			Faults: []sim.Fault{{What: sim.FaultTight, From: 10 * time.Second, To: 20 * time.Second, Factor: 0.4}},
		}},
	}
	r := run(t, s, plain(), 1)
	near(t, "failed calls", float64(r.Failed), 10*50*0.6, 1)
}

// TestTokensOfASimulation: requests and answers that have sizes use limits of tokens up.
func TestTokensOfASimulation(t *testing.T) {
	t.Parallel()
	s := sim.Scenario{Name: "tokens", Length: time.Minute, Clients: []sim.Client{{Name: "app", Rate: 10}}}
	o := sim.Operation{Plan: plain(func(p *policy.Plan) {
		p.Timeout.Total = time.Second
		p.Limit = policy.LimitConfig{InputTokens: policy.Rate{Amount: 6000, Per: time.Minute}}
		p.Tokens.Input = "/usage/input"
	}), Size: policy.Size{Bytes: 400}, Used: policy.Usage{Input: 100}}
	r := runAll(t, s, []sim.Operation{o})
	if ok := r.OK; ok < 60 || ok > 150 {
		t.Errorf("%d calls were answered, want about the burst and the 60 that the limit lets through in the minute\n%s", ok, &r)
	}
	o.Used, o.Size = policy.Usage{}, policy.Size{}
	if r := runAll(t, s, []sim.Operation{o}); r.Failed > 0 {
		t.Errorf("calls without a size met the limit\n%s", &r)
	}
}

// TestSyntaxErrorsHaveAPlace: what is wrong with a scenario's text is told with its line and column.
func TestSyntaxErrorsHaveAPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]sim.SyntaxError{
		"scenario a length=1s\nclient c rate=x":                              {Line: 2, Column: 10, What: `"x" is no number`},
		"scenario a length=1s\nclient c rate=1\nserver p  queue=1s queue=2s": {Line: 3, Column: 20, What: "queue is given twice"},
		"scenario a length=1s\nclient c rate=1\n\n  serve p":                 {Line: 4, Column: 3, What: `no line begins with "serve"`},
		"scenario a length=1s\nclient c rate=1 zwölf=1 fast":                 {Line: 2, Column: 17, What: `"zwölf" means nothing here`},
		"\nscenario a length=0s\nclient c rate=1":                            {Line: 2, Column: 1, What: "the length must be above 0"},
		"scenario a length=1s\nclient c rate=1 remembered=150%":              {Line: 2, Column: 1, What: "a share lies between 0 and 1"},
	} {
		_, err := sim.Parse(text)
		got, ok := errors.AsType[*sim.SyntaxError](err)
		if !ok || *got != want {
			t.Errorf("%q: %+v, want %+v", text, err, want)
		}
	}
}

// TestLatencyOfOperationsAndServers: a server that says how its latency spreads has the median of the operation all the same, and numbers that
// are too large are long waits, not short ones.
func TestLatencyOfOperationsAndServers(t *testing.T) {
	t.Parallel()
	own := sim.Latency{Median: 40 * time.Millisecond}
	for name, test := range map[string]struct {
		server   sim.Server
		of       sim.Latency
		p50, p90 time.Duration
	}{
		"nothing is said":      {sim.Server{}, own, 40 * time.Millisecond, 40 * time.Millisecond},
		"a tail is said":       {sim.Server{Latency: sim.Latency{SlowShare: 0.2, SlowFactor: 5}}, own, 40 * time.Millisecond, 200 * time.Millisecond},
		"a median is said":     {sim.Server{Latency: sim.Latency{Median: time.Millisecond}}, own, time.Millisecond, time.Millisecond},
		"far too wide":         {sim.Server{Latency: sim.Latency{Sigma: 1e308}}, own, 0, 10 * time.Second},
		"far too slow":         {sim.Server{Latency: sim.Latency{SlowShare: 1, SlowFactor: 1e308}}, own, 10 * time.Second, 10 * time.Second},
		"no latency, too wide": {sim.Server{Latency: sim.Latency{Sigma: 1e308}}, sim.Latency{}, 0, 0},
		"no latency, too slow": {
			sim.Server{Faults: []sim.Fault{{What: sim.FaultSlow, Factor: 1e308}, {What: sim.FaultSlow, Factor: 1e308}}}, sim.Latency{}, 0, 0,
		},
	} {
		test.server.Target = policy.PrimaryTarget
		s := sim.Scenario{
			Name: "x", Length: 10 * time.Second, Servers: []sim.Server{test.server},
			Clients: []sim.Client{{Name: "c", Rate: 100, Deadline: 10 * time.Second}},
		}
		var waits []time.Duration
		starts := map[int]time.Duration{}
		_, err := sim.RunAll(s, []sim.Operation{{Plan: plain(), Latency: test.of}}, 1, sim.WithTrace(func(l sim.Line) {
			switch l.What {
			case sim.CallStarts:
				starts[l.Call] = l.At
			case sim.CallEnds:
				waits = append(waits, l.At-starts[l.Call])
			default:
			}
		}))
		slices.Sort(waits)
		if err != nil || len(waits) != 1000 {
			t.Fatalf("%s: %v, %d calls", name, err, len(waits))
		}
		p50, p90 := waits[499], waits[899]
		if name == "far too wide" { // half take no time, and half for ever
			p50 = waits[400]
		}
		if p50 != test.p50 || p90 != test.p90 {
			t.Errorf("%s: p50 %v and p90 %v, want %v and %v", name, p50, p90, test.p50, test.p90)
		}
	}
}
