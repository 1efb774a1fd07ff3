package sim

import (
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// fortune draws random plans and scenarios.
type fortune struct{ *rand.Rand }

func fortuneOf(seed uint64) fortune {
	return fortune{rand.New(rand.NewPCG(seed, 0xc4a05))} // a stream of its own
}

func (f fortune) chance(p float64) bool { return f.Float64() < p }

// between draws a duration, short ones as often as long ones.
func (f fortune) between(low, high time.Duration) time.Duration {
	span := float64(high) / float64(low)
	return time.Duration(float64(low) * pow(span, f.Float64()))
}

func (f fortune) upTo(n int) int { return 1 + f.IntN(n) }

// maybe is a duration, or 0.
func (f fortune) maybe(p float64, low, high time.Duration) time.Duration {
	if !f.chance(p) {
		return 0
	}
	return f.between(low, high)
}

// plan draws a plan that passes Validate.
func (f fortune) plan() policy.Plan {
	for {
		p := f.anyPlan()
		valid := true
		for _, problem := range p.Validate() {
			valid = valid && problem.Warning
		}
		if valid {
			return p
		}
	}
}

// anyPlan draws a plan that may contradict itself.
func (f fortune) anyPlan() policy.Plan {
	const ms, sec = time.Millisecond, time.Second
	p := policy.Plan{
		Operation: "Chaos", Idempotency: policy.Idempotency(f.IntN(4)), Criticality: policy.Criticality(f.IntN(4)),
		Timeout: policy.Timeout{Attempt: f.maybe(0.8, 20*ms, 3*sec), Total: f.between(50*ms, 20*sec)},
		Breaker: f.breaker(), Bulkhead: f.bulkhead(), Budget: f.budget(), Limit: f.limit(),
		Key: policy.Key{Header: "Idempotency-Key", TTL: f.maybe(0.3, 50*ms, 5*sec), Concurrent: f.chance(0.5)},
	}
	if f.chance(0.8) {
		p.Retry = policy.Retry{
			Attempts: f.upTo(5), On: policy.RetryOn(p.Idempotency), RetryAfterMax: f.maybe(0.8, 10*ms, 30*sec),
			Backoff: policy.Backoff{Base: f.maybe(0.9, ms, sec), Jitter: policy.Jitter(f.IntN(4))},
		}
		if f.chance(0.7) {
			p.Retry.Backoff.Max = f.between(sec, 5*sec)
		}
	}
	if f.chance(0.2) {
		p.Stream = policy.Stream{Format: policy.SSE, Done: "[DONE]"}
		p.Timeout.FirstItem, p.Timeout.Idle = f.maybe(0.5, 20*ms, 2*sec), f.between(50*ms, 2*sec)
		p.Timeout.MaxStream = 2*sec + f.between(ms, 5*sec)
	}
	f.hedges(&p)
	f.remembers(&p)
	if f.chance(0.2) {
		p.Shed = policy.ShedConfig{
			Factor: 1 + 2*f.Float64(), Window: f.between(sec, 20*sec), MaxReject: 0.5 + 0.49*f.Float64(), MinPerSecond: 10 * f.Float64(),
		}
	}
	for i := range f.IntN(4) {
		p.Fallback.Rungs = append(p.Fallback.Rungs, f.rung(i, p.Idempotency))
	}
	if f.chance(0.5) {
		p.Targets = []policy.Target{{
			Name: "second", Layered: f.chance(0.2), Breaker: f.breaker(), Bulkhead: f.bulkhead(), Budget: f.budget(), Limit: f.limit(),
		}}
	}
	return p
}

// rung draws a rung. Where the operation must not be executed twice, it follows only what proves that nothing was executed.
func (f fortune) rung(i int, idempotency policy.Idempotency) policy.Rung {
	sorts := []policy.RungSort{policy.RungTarget, policy.RungPatch, policy.RungStatic, policy.RungFunc, policy.RungCache}
	r := policy.Rung{
		Name: "rung" + strconv.Itoa(i), Sort: sorts[f.IntN(len(sorts))], Level: policy.Level(f.IntN(5)),
		Reserve: f.maybe(0.3, 5*time.Millisecond, time.Second),
	}
	if r.Sort == policy.RungTarget && f.chance(0.8) {
		r.Target = "second"
	}
	if f.chance(0.1) {
		r.MayDuplicate = "chaos"
	}
	once := r.Sort.Sends() && (idempotency == policy.None || idempotency == policy.Keyed) && r.MayDuplicate == ""
	for _, k := range policy.Kinds() {
		if f.chance(0.7) && (!once || !k.InDoubt()) {
			r.When = append(r.When, k)
		}
	}
	return r
}

func (f fortune) breaker() policy.BreakerConfig {
	if f.chance(0.2) {
		return policy.BreakerConfig{}
	}
	b := policy.BreakerConfig{
		Mode: policy.BreakerOn, WindowCalls: f.upTo(100), WindowAge: f.maybe(0.7, 100*time.Millisecond, 20*time.Second),
		FailureRate: 0.1 + 0.9*f.Float64(), Consecutive: f.IntN(6), Probes: f.upTo(4), CloseAfter: f.upTo(5),
		OpenFor: f.between(10*time.Millisecond, 3*time.Second),
	}
	b.MinCalls = f.upTo(b.WindowCalls)
	b.OpenMax = b.OpenFor + f.maybe(0.5, 10*time.Millisecond, 5*time.Second)
	if f.chance(0.5) {
		b.SlowRate, b.SlowCall = 0.2+0.8*f.Float64(), f.maybe(0.5, 5*time.Millisecond, time.Second)
	}
	if f.chance(0.1) {
		b.Mode = policy.BreakerMode(f.upTo(4))
	}
	return b
}

func (f fortune) bulkhead() policy.BulkheadConfig {
	if f.chance(0.25) {
		return policy.BulkheadConfig{}
	}
	b := policy.BulkheadConfig{MaxConcurrent: f.upTo(12), MaxQueue: f.IntN(10), MaxWait: f.maybe(0.8, time.Millisecond, time.Second)}
	if f.chance(0.2) {
		b.Per = policy.PerTenant
	}
	b.Adaptive = f.chance(0.2)
	return b
}

func (f fortune) budget() policy.BudgetConfig {
	if f.chance(0.25) {
		return policy.BudgetConfig{}
	}
	b := policy.BudgetConfig{Ratio: f.Float64() / 2, MinPerSecond: 2 * f.Float64()}
	if f.chance(0.3) {
		b.Cap = 1 + 20*f.Float64()
	}
	return b
}

// remembers lets a plan keep answers, and exercise its rungs.
func (f fortune) remembers(p *policy.Plan) {
	if f.chance(0.5) {
		p.Cache = policy.CacheConfig{TTL: time.Second, StaleIfError: f.between(time.Second, time.Minute), On: true}
	}
	if f.chance(0.2) {
		p.Exercise = policy.ExerciseConfig{Share: f.Float64(), Mode: policy.ExerciseServe}
	}
}

// limit draws a limit of requests.
func (f fortune) limit() policy.LimitConfig {
	if f.chance(0.7) {
		return policy.LimitConfig{}
	}
	l := policy.LimitConfig{Requests: policy.Rate{Amount: float64(f.upTo(100)), Per: f.between(100*time.Millisecond, 2*time.Second)}}
	if f.chance(0.5) {
		l.Burst = f.upTo(20)
	}
	if f.chance(0.3) {
		l.Per = policy.PerTenant
	}
	return l
}

// hedges lets a plan hedge.
func (f fortune) hedges(p *policy.Plan) {
	p.Hedgeable = f.chance(0.7)
	if !p.Hedgeable || f.chance(0.4) {
		return
	}
	p.Hedge = policy.HedgeConfig{Max: f.upTo(3), Delay: f.maybe(0.6, time.Millisecond, 200*time.Millisecond), ExtraLoad: 0.05 + f.Float64()/2}
	if f.chance(0.2) {
		p.Hedge.Target = "second"
	}
}

// scenario draws a scenario of about so many calls.
func (f fortune) scenario(calls int) Scenario {
	s := Scenario{Name: "chaos"}
	rate := 0.0
	for i := range f.upTo(3) {
		c := Client{Name: "client" + strconv.Itoa(i), Rate: float64(f.upTo(100)), Poisson: f.chance(0.7)}
		c.Deadline = f.maybe(0.5, 20*time.Millisecond, 10*time.Second)
		c.Cancel = f.maybe(0.3, 10*time.Millisecond, 5*time.Second)
		c.Criticality, c.Remembered = policy.Criticality(f.IntN(4)), f.Float64()
		rate += c.Rate
		s.Clients = append(s.Clients, c)
	}
	s.Length = time.Duration(float64(calls) / rate * float64(time.Second))
	for _, name := range []string{policy.PrimaryTarget, "second", "rung0", "rung1"} {
		s.Servers = append(s.Servers, f.server(name, s.Length))
	}
	return s
}

func (f fortune) server(name string, length time.Duration) Server {
	v := Server{
		Target: name, Stream: f.maybe(0.8, time.Millisecond, 3*time.Second),
		Latency: Latency{
			Median: f.maybe(0.9, time.Millisecond, 300*time.Millisecond), Sigma: f.Float64(), SlowShare: 0.1 * f.Float64(), SlowFactor: 20,
		},
	}
	if f.chance(0.5) {
		v.Capacity, v.Queue = float64(10+f.IntN(200)), f.maybe(0.7, 10*time.Millisecond, 2*time.Second)
	}
	for range f.IntN(5) {
		from := time.Duration(f.Float64() * float64(length))
		v.Faults = append(v.Faults, Fault{
			What: FaultKind(f.IntN(int(faultKinds))), From: from, To: from + f.between(100*time.Millisecond, 10*time.Second),
			Share: f.Float64(), Factor: 3 * f.Float64(), Answer: f.answer(),
		})
	}
	return v
}

func (f fortune) answer() Answer {
	codes := []int{200, 400, 401, 403, 408, 409, 418, 429, 429, 500, 502, 503, 503, 503, 529}
	a := Answer{
		After: f.maybe(0.8, time.Millisecond, time.Second), What: AnswerKind(f.IntN(int(answerKinds))), Status: codes[f.IntN(len(codes))],
		Stream: f.maybe(0.5, time.Millisecond, 2*time.Second), Stalls: f.chance(0.2),
	}
	if f.chance(0.6) {
		a.What = Answered
	}
	if f.chance(0.3) {
		a.Pushback, a.RetryAfter = true, f.maybe(0.9, time.Millisecond, 90*time.Second)
	}
	return a
}
