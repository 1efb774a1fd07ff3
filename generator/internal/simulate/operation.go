package simulate

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
)

// Operation is one that is played.
type Operation struct {
	// Name is its operationId, or Interface.Method.
	Name string
	// Plan is what the client does for it.
	Plan policy.Plan
	// MostOutput is the most output that its requests can ask for, in tokens; 0 is not bounded.
	MostOutput int64
}

// HasPolicy reports whether more is decided about a plan than that which holds for operations that nobody annotated.
func HasPolicy(p *policy.Plan) bool {
	bare := bare(p)
	return bare.Timeout != p.Timeout || p.Retry.Attempts > 1 || p.Breaker.Mode != policy.BreakerOff || p.Bulkhead.MaxConcurrent > 0 ||
		!p.Limit.IsOff() || p.Shed.Factor > 0 || p.Hedge.Max > 0 || p.Cache.On || len(p.Fallback.Rungs) > 0
}

// bare is the plan of the same operation where nobody decided anything: its facts, and the built-in timeouts.
func bare(p *policy.Plan) policy.Plan {
	return policy.Plan{
		Operation: p.Operation, Idempotency: p.Idempotency, IDs: p.IDs, Key: p.Key, Hedgeable: p.Hedgeable, Errors: p.Errors, Stream: p.Stream,
		Tokens: p.Tokens, Targets: unguarded(p.Targets), Timeout: policy.BuiltIn(p.Stream.Format.Streams()),
	}
}

// unguarded are targets with nothing of their own but members and prices.
func unguarded(all []policy.Target) []policy.Target {
	out := make([]policy.Target, len(all))
	for i := range all {
		t := &all[i]
		out[i] = policy.Target{Name: t.Name, AnyOf: t.AnyOf, Weight: t.Weight, Price: t.Price, Preset: t.Preset, SharedKeys: t.SharedKeys}
	}
	return out
}

// What requests and answers of language models are taken to be, in tokens, and a byte of a request in tokens.
const (
	inputTokens  = 1000
	outputTokens = 300
	bytesPer     = 4
)

// How long answers take, unless Options say so: those of language models, and all others.
const (
	usualLatency = 50 * time.Millisecond
	modelLatency = time.Second
	modelStream  = 5 * time.Second
	spread       = 0.3
	// attemptShare is how many answers there is time for in an attempt, at least.
	attemptShare = 5
)

// isModel reports whether answers take as long as those of a language model.
func isModel(p *policy.Plan) bool {
	works := p.Errors.Judge || p.Limit.CountsTokens() // its answers are the work of a model, if those of its provider count tokens
	return p.Stream.Format.Streams() || p.Tokens.Output != "" || works && len(policy.TokenPlacesOf(p).Output) > 0
}

// countsTokens reports whether tokens are counted for an operation.
func countsTokens(p *policy.Plan) bool {
	places := policy.TokenPlacesOf(p)
	return len(places.Input)+len(places.Output) > 0 || p.Limit.CountsTokens() || p.PricesRungs() ||
		slices.ContainsFunc(p.Targets, func(t policy.Target) bool { return t.Price.IsKnown() || t.Limit.CountsTokens() })
}

// played returns the operation as the simulator plays it.
func (o *Operation) played(latency time.Duration) sim.Operation {
	s := sim.Operation{Plan: o.Plan, Latency: sim.Latency{Median: o.latency(latency), Sigma: spread}}
	if countsTokens(&o.Plan) {
		s.Size = policy.Size{Bytes: inputTokens * bytesPer, MaxOutput: o.MostOutput}
		s.Used = policy.Usage{Input: inputTokens}
		if places := policy.TokenPlacesOf(&o.Plan); len(places.Output) > 0 || isModel(&o.Plan) {
			s.Used.Output = outputTokens
		}
		if o.MostOutput > 0 {
			s.Used.Output = min(s.Used.Output, o.MostOutput)
		}
	}
	if o.Plan.Stream.Format.Streams() {
		s.Stream = modelStream
	}
	return s
}

// latency is how long an answer takes in the median.
func (o *Operation) latency(given time.Duration) time.Duration {
	if given > 0 {
		return given
	}
	d := usualLatency
	if isModel(&o.Plan) {
		d = modelLatency
	}
	if attempt := cmp.Or(o.Plan.Timeout.Attempt, o.Plan.Timeout.Total); attempt > 0 {
		d = min(d, attempt/attemptShare)
	}
	if first := o.Plan.Timeout.FirstByte; first > 0 && o.Plan.Stream.Format.Streams() {
		d = min(d, first/attemptShare)
	}
	return d.Round(time.Millisecond)
}

// How many calls arrive in a second, unless Options say so: at most, and of what limits and bulkheads take.
const (
	usualRate     = 50
	modelRate     = 10
	limitShare    = 0.8
	bulkheadShare = 0.5
	leastRate     = 0.1
)

// rateOf is how many calls the operations are taken to get, all together: what their limits and bulkheads take with something to spare.
func rateOf(ops []Operation, latency time.Duration) float64 {
	rate := float64(usualRate)
	for i := range ops {
		o := &ops[i]
		if isModel(&o.Plan) {
			rate = min(rate, modelRate)
		}
		t := policy.TargetOf(&o.Plan, policy.PrimaryTarget)
		members := float64(max(len(t.AnyOf), 1))
		use := o.played(latency)
		for _, l := range []struct {
			of   policy.Rate
			each int64
		}{
			{t.Limit.Requests, 1},
			{t.Limit.Tokens, use.Used.Input + use.Used.Output},
			{t.Limit.InputTokens, use.Used.Input},
			{t.Limit.OutputTokens, use.Used.Output},
		} {
			if l.of.Amount > 0 && l.of.Per > 0 && l.each > 0 {
				rate = min(rate, limitShare*members*l.of.Amount/l.of.Per.Seconds()/float64(l.each)/float64(max(t.Limit.Replicas, 1)))
			}
		}
		if n := t.Bulkhead.MaxConcurrent; n > 0 {
			held := use.Latency.Median + use.Stream
			rate = min(rate, bulkheadShare*members*float64(n)/max(held, time.Millisecond).Seconds())
		}
	}
	if rate > 1 {
		rate = math.Floor(rate)
	}
	return max(round(rate, 3), leastRate)
}

// class is operations of equal policies: what becomes of their calls is told together.
type class struct {
	ops  []int // by their places
	plan *policy.Plan
}

// classes groups operations whose plans are equal but for their names.
func classes(ops []Operation) (all []class, of []int) {
	of = make([]int, len(ops))
	for i := range ops {
		plan := ops[i].Plan
		plan.Operation = ""
		at := slices.IndexFunc(all, func(c class) bool {
			other := *c.plan
			other.Operation = ""
			return reflect.DeepEqual(plan, other)
		})
		if at < 0 {
			at = len(all)
			all = append(all, class{plan: &ops[i].Plan})
		}
		all[at].ops, of[i] = append(all[at].ops, i), at
	}
	return all, of
}
