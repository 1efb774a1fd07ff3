package alerts_test

import (
	"cmp"
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/chaos"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/promobserver"
	"github.com/resgen-go/resgen/runtime/wire"
)

// incident is a client in virtual time: what it is, who calls it, and what its targets do.
type incident struct {
	// name says in words what happens.
	name string
	// plan changes that of a chat with a model: see chatPlan.
	plan func(*policy.Plan)
	// lasts is how long it is watched, and every how often somebody calls; 0 is once a second.
	lasts, every time.Duration
	// looks is how often series are collected and rules evaluated; 0 is each half minute, as the rules say.
	looks time.Duration
	// blind is how long the process has run before Prometheus knows it.
	blind time.Duration
	// beside says that another instance is called, too, whose targets are well. Without it the other one is idle.
	beside bool
	// until is when the calls stop; 0 is never.
	until time.Duration
	// answer is what a target does in an attempt that begins then, the n-th.
	answer func(after time.Duration, n int, at runtime.Attempt) reply
	// serve is the same of incidents by HTTP, where call is callHTTP.
	serve func(after time.Duration, host string) page
	// call makes a call where it is no plain one; nil is runtime.DoResult.
	call func(s *service) error
	// chaos are faults that are made up, where serve is set.
	chaos *chaos.Plan
	// wiring is what the operation needs beside its plan.
	wiring runtime.Wiring
	// want are the alerts that fire at some time, sorted; no other may.
	want []string
	// stay are those of them that fire at the end.
	stay []string
}

// reply is what a target does: it takes a time, and then fails unless err is nil.
type reply struct {
	takes time.Duration
	err   error
}

// Replies that many incidents need.
var (
	errDown    = &wire.StatusError{Status: 503}
	errRevoked = &wire.StatusError{Status: 401}
	fine       = reply{takes: 200 * time.Millisecond}
	down       = reply{takes: 100 * time.Millisecond, err: errDown}
)

// chatPlan is a chat with a model as policies recommend it: a second provider below, then an apology.
func chatPlan() policy.Plan {
	p := policy.Recommended(true)
	p.Operation, p.Idempotency = "chat", policy.Safe
	p.Timeout = policy.Timeout{Attempt: 5 * time.Second, Total: 15 * time.Second}
	p.Retry.On = policy.RetryOn(policy.Safe)
	p.Targets = []policy.Target{{Name: policy.PrimaryTarget}, {Name: "second"}}
	p.Fallback.Rungs = []policy.Rung{
		{Name: "second", Sort: policy.RungTarget, Target: "second", When: anyKind(), Level: policy.Alternate},
		{Name: "sorry", Sort: policy.RungStatic, When: anyKind(), Level: policy.Canned},
	}
	return p
}

// anyKind is `when: [any]`.
func anyKind() []policy.Kind {
	var all []policy.Kind
	for _, k := range policy.Kinds() {
		if k.Any() {
			all = append(all, k)
		}
	}
	return all
}

// alone takes the ladder away.
func alone(p *policy.Plan) { p.Fallback.Rungs = nil }

// service is a client in an incident.
type service struct {
	in       *incident
	ctx      context.Context
	op       *runtime.Operation
	http     *runtime.HTTP // of incidents by HTTP
	group    *runtime.Group
	observer *promobserver.Observer
	start    time.Time

	mu       sync.Mutex
	n        int
	panicked bool
}

// attempt does what the targets do.
func (s *service) attempt(ctx context.Context, at runtime.Attempt) (string, error) {
	if at.Rung > 0 && at.Target == "" {
		return "sorry", nil // the fixed answer
	}
	s.mu.Lock()
	s.n++
	n := s.n
	s.mu.Unlock()
	r := s.in.answer(time.Since(s.start), n, at)
	if err := pause(ctx, r.takes); err != nil {
		return "", err
	}
	return "answer", r.err
}

// pause waits in virtual time.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// start makes the client of an instance in a bubble, and what collects its metrics.
func (in *incident) start(ctx context.Context, t *testing.T) (*service, *prometheus.Registry) {
	t.Helper()
	draw := 0
	s := &service{
		in: in, ctx: ctx, start: time.Now(),
		group: runtime.NewGroup(runtime.WithRand(func() float64 { // the same each time, and of every size
			draw++
			return float64(draw*37%100) / 100
		})),
	}
	s.observer = promobserver.New(s.group)
	p := chatPlan()
	if in.plan != nil {
		in.plan(&p)
	}
	w := in.wiring
	w.Observer = s.observer
	var err error
	if in.chaos != nil {
		made, err := chaos.New(*in.chaos)
		if err != nil {
			t.Fatal(err)
		}
		w.Chaos = made
	}
	if in.serve != nil {
		s.op, err = s.overHTTP(p, w)
	} else {
		s.op, err = runtime.NewOperation(s.group, "llm", p, w)
	}
	if err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(s.observer)
	return s, registry
}

// run lets the incident happen, and returns what Prometheus saw of it, in two instances.
func (in *incident) run(t *testing.T) (scrapes []scrape) {
	t.Helper()
	if in.chaos != nil {
		t.Setenv(chaos.Variable, in.chaos.Name)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s, registry := in.start(ctx, t)
		well := *in
		well.answer, well.call, well.serve = func(time.Duration, int, runtime.Attempt) reply { return fine }, nil, nil
		well.chaos = nil
		other, besides := well.start(ctx, t)
		var all sync.WaitGroup
		all.Go(func() { s.callers(&all) })
		if in.beside {
			all.Go(func() { other.callers(&all) })
		}
		for time.Since(s.start) < in.lasts {
			if time.Since(s.start) >= in.blind {
				scrapes = append(scrapes, scrape{at: time.Now(), families: [][]*dto.MetricFamily{gather(t, registry), gather(t, besides)}})
			}
			_ = pause(ctx, cmp.Or(in.looks, everyScrape))
		}
		cancel()
		all.Wait()
		_ = pause(t.Context(), time.Minute) // what runs beside calls, such as exercises, ends by its own timeout
	})
	return scrapes
}

func gather(t *testing.T, r *prometheus.Registry) []*dto.MetricFamily {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// callers call, each on a goroutine of its own, a little after the scrapes: what happens at the same time has no order.
func (s *service) callers(all *sync.WaitGroup) {
	every := cmp.Or(s.in.every, time.Second)
	_ = pause(s.ctx, 137*time.Millisecond)
	for s.ctx.Err() == nil && (s.in.until == 0 || time.Since(s.start) < s.in.until) {
		all.Go(func() {
			if s.in.call != nil {
				_ = s.in.call(s)
				return
			}
			_, _ = runtime.DoResult(s.ctx, s.op, s.attempt)
		})
		_ = pause(s.ctx, every)
	}
}

// between says whether the time lies between two.
func between(after, from, to time.Duration) bool { return after >= from && after < to }
