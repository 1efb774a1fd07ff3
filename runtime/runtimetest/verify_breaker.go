package runtimetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// hasBreaker reports whether there is a breaker that rejects.
func hasBreaker(p *policy.Plan) bool { return p.Breaker.Mode == policy.BreakerOn }

// alone is a context in which a call makes one attempt, and takes no rung.
func alone(ctx context.Context) context.Context {
	return runtime.WithoutRetries(runtime.WithoutFallback(ctx))
}

// breaker checks the whole life of the breaker: that it opens after as many failures as the plan says, rejects without asking the target for
// as long as the plan says, then admits only its probes, closes when they succeed, and opens again when one fails.
func breaker(r *trial) {
	opens := r.opensAfter()
	f, ok := r.faultOf(policy.KindTransient)
	switch {
	case opens == 0 || !ok:
		r.logf("the breaker is not opened by failures alone")
		return
	case r.plan.Shed.Factor > 0:
		r.logf("calls are shed before the breaker opens")
		return
	case hasMembers(r.plan):
		r.logf("each member has a breaker of its own")
		return
	case !r.admits(max(opens, r.burst()+r.plan.Breaker.CloseAfter)):
		r.logf("the limit admits fewer calls at once than it takes to open the breaker")
		return
	}
	for _, well := range []bool{true, false} {
		r.bubble(func(ctx context.Context, st *stage, do call) {
			st.play = func(*asked) reply { return f.does }
			if until := r.opened(ctx, st, do, opens); !until.IsZero() {
				pass(time.Until(until))
				r.probed(ctx, st, do, &f, well)
			}
		})
	}
}

// forcedOpen checks that a breaker which is held open lets nothing through.
func forcedOpen(r *trial) {
	r.bubble(func(ctx context.Context, st *stage, do call) {
		if o := do(alone(ctx)); o.kind() != policy.KindBreakerOpen || len(st.requests()) > 0 {
			r.errorf("a breaker that is forced open lets %d requests through: %v", len(st.requests()), o.err)
		}
	})
}

// opened has the breaker open, and returns until when it is; zero where it does not.
func (r *trial) opened(ctx context.Context, st *stage, do call, opens int) time.Time {
	for n := range opens {
		if o := do(alone(ctx)); o.kind() != policy.KindTransient {
			r.errorf("call %d of %d that fail: %v", n+1, opens, o.err)
			return time.Time{}
		}
	}
	o := do(alone(ctx))
	var e *runtime.Error
	if n := len(st.requests()); n != opens || o.kind() != policy.KindBreakerOpen || !errors.As(o.err, &e) {
		r.errorf("after %d failures a call sends %d more, and ends with %v; the breaker should be open", opens, n-opens, o.err)
		return time.Time{}
	}
	const spread = 4 // jitter adds at most a quarter
	if wait := time.Until(e.NotBefore); wait < r.plan.Breaker.OpenFor || wait > r.plan.Breaker.OpenFor+r.plan.Breaker.OpenFor/spread {
		r.errorf("the breaker is open for %v, want %v and up to a quarter more", wait, r.plan.Breaker.OpenFor)
		return time.Time{}
	}
	return e.NotBefore
}

// probed checks what a breaker does that is half open: with probes that succeed, or of which one fails.
func (r *trial) probed(ctx context.Context, st *stage, do call, f *fault, well bool) {
	b := r.plan.Breaker
	answer := reply{answer: st.right}
	if !well {
		answer = f.does
	}
	if flying, rejected := r.atOnce(ctx, st, do, answer); flying != b.Probes || rejected != r.burst()-b.Probes {
		r.errorf("half open, it lets %d of %d calls through and rejects %d; want %d probes", flying, r.burst(), rejected, b.Probes)
		return
	}
	if well { // else it would be half open again by then
		r.refill()
	}
	st.play = func(*asked) reply { return answer }
	for range b.CloseAfter - b.Probes {
		if o := do(alone(ctx)); well && o.err != nil {
			r.errorf("half open, a further probe fails: %v", o.err)
		}
	}
	before := len(st.requests())
	o := do(alone(ctx))
	sent := len(st.requests()) - before
	switch {
	case well && (sent != 1 || o.err != nil):
		r.errorf("after %d probes that succeeded it is not closed: %v", max(b.CloseAfter, b.Probes), o.err)
	case !well && (sent != 0 || o.kind() != policy.KindBreakerOpen):
		r.errorf("after probes that failed it is not open again: %d requests, %v", sent, o.err)
	}
	if !well {
		return
	}
	r.refill()
	if flying, rejected := r.atOnce(ctx, st, do, answer); flying != r.burst() {
		r.errorf("closed again, it lets %d of %d calls through and rejects %d", flying, r.burst(), rejected)
	}
}

// burst is the number of calls that are made at once: more than there are probes, where the bulkhead has room.
func (e *exam) burst() int {
	n := e.plan.Breaker.Probes + 2
	if most := e.plan.Bulkhead.MaxConcurrent; most > 0 {
		n = max(min(n, most), e.plan.Breaker.Probes)
	}
	return n
}

// atOnce makes calls at the same time, whose requests are answered together, and returns how many were sent and how many rejected.
func (r *trial) atOnce(ctx context.Context, st *stage, do call, answer reply) (flying, rejected int) {
	before := len(st.requests())
	answer.gate = make(chan struct{})
	st.play = func(*asked) reply { return answer }
	var calls sync.WaitGroup
	var mu sync.Mutex
	for range r.burst() {
		calls.Go(func() {
			if o := do(alone(ctx)); o.kind() == policy.KindBreakerOpen {
				mu.Lock()
				rejected++
				mu.Unlock()
			}
		})
	}
	settle()
	flying = len(st.requests()) - before
	close(answer.gate)
	calls.Wait()
	return flying, rejected
}

// admits reports whether the limit lets so many calls through without a wait.
func (e *exam) admits(calls int) bool {
	l := e.plan.Limit
	if l.Replicas > 1 || l.Tokens.Amount > 0 && l.Tokens.Amount < 1000*float64(calls) {
		return false
	}
	burst := float64(l.Burst)
	if l.Burst == 0 && l.Requests.Per > 0 {
		burst = l.Requests.Amount / l.Requests.Per.Seconds()
	}
	return l.Requests.Amount == 0 || burst >= float64(calls)
}

// apart is the time between two calls that the limit admits one after the other for ever; 0 without a limit of requests.
func (e *exam) apart() time.Duration {
	if l := e.plan.Limit.Requests; l.Amount > 0 {
		return time.Duration(float64(l.Per)/l.Amount) + time.Nanosecond
	}
	return 0
}

// refill waits until the limit admits as many calls at once as it ever does.
func (e *exam) refill() {
	if d := e.apart() * time.Duration(max(e.plan.Limit.Burst, int(time.Second/max(e.apart(), 1)))+1); d > 0 {
		pass(d)
	}
}

// hasMembers reports whether the primary target is several endpoints.
func hasMembers(p *policy.Plan) bool {
	return len(p.Targets) > 0 && len(membersOf(p, policy.PrimaryTarget)) > 0
}

// membersOf returns the members of a target, as far as the plan says.
func membersOf(p *policy.Plan, target string) []string {
	for i := range p.Targets {
		if p.Targets[i].Name == target {
			return p.Targets[i].AnyOf
		}
	}
	return nil
}
