package policy

import (
	"math"
	"sync"
	"time"
)

// Estimator learns what the calls of an operation to a target cost in tokens: input by the length of the request, output by what answers
// used. It has a fixed size (2 KB), and answers of the last five minutes count. The zero value is ready. Safe for concurrent use.
type Estimator struct {
	counting Counting

	mu       sync.Mutex
	clock    clock
	perByte  float64 // of input that limits count; 0 while nothing was observed
	all      density // of all input
	output   histogram
	err      float64 // smoothed: how far estimates were off, as a share of what was used
	ratio    float64 // smoothed: estimate / actual
	observed uint64
	left     AbandonedUsage
}

// NewEstimator returns an estimator of tokens that are counted in that way.
func NewEstimator(c Counting) *Estimator { return &Estimator{counting: c} }

// Counting returns how the tokens are counted.
func (e *Estimator) Counting() Counting { return e.counting }

// What an Estimator starts with, and the bounds of what it learns: a request may refer to images and files that are no part of it, but one
// answer must not make every call look impossible.
const (
	firstPerByte = 0.25 // of English text, by the tokenizers in use
	leastPerByte = 1.0 / 64
	mostPerByte  = 4.0
	// newShare is the weight of the newest observation.
	newShare = 0.1
	// costlyShare is the quantile of observed output that is reserved.
	costlyShare = 0.9
	// assumedOutput is the most output, in tokens, of a request that says nothing, where few answers were seen: what it may cost.
	assumedOutput = 4096
	// fewAnswers is how many answers are too few to say what the dearest may be.
	fewAnswers = 100
)

// Size is what is known of a request before it is sent.
type Size struct {
	// Bytes is the length of its body.
	Bytes int
	// MaxOutput is the most output that it asks for, in tokens; 0 is no bound.
	MaxOutput int64
}

// Estimate returns what a call of that size is likely to cost: its bytes by the tokens that a byte came to, and the output that nine of ten
// answers stayed below, at most what the request allows. While no answer was seen the output is all that the request allows,
// or nothing where it says nothing: then it is charged when it is known. Where the provider reserves all that a request allows, so does it.
func (e *Estimator) Estimate(now time.Time, size Size) Cost { return e.expect(now, size).Cost }

// expectation is what a call is expected to cost.
type expectation struct {
	Cost

	all  int64 // input, what limits leave out among it
	most int64 // output that is to be reckoned with
}

// expect is Estimate, with what only money needs to know.
func (e *Estimator) expect(now time.Time, size Size) expectation {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.output.forget(e.clock.tick(now))
	c := expectation{Cost: Cost{Input: inputOf(size, e.perByte)}, all: inputOf(size, e.all.perByte())}
	bound := max(size.MaxOutput, 0)
	c.most = bound
	if bound == 0 {
		c.most = assumedOutput
	}
	if e.output.samples() == 0 || e.counting.Most && bound > 0 {
		c.Output = bound
		return c
	}
	c.Output, c.Guessed = tokensOf(e.output.quantile(costlyShare)), true
	if bound > 0 {
		c.Output = min(c.Output, bound)
	} else if c.most = max(c.most, c.Output); e.observed >= fewAnswers {
		c.most = tokensOf(e.output.quantile(1))
	}
	return c
}

// inputOf returns the tokens of a request, by what a byte came to; 0 while that is not known.
func inputOf(size Size, perByte float64) int64 {
	if perByte == 0 {
		perByte = firstPerByte
	}
	return int64(math.Ceil(float64(max(size.Bytes, 0)) * perByte))
}

// Observe takes what an answer said that it used.
func (e *Estimator) Observe(now time.Time, size Size, estimated Cost, used Usage) {
	counted := e.counting.counted(used)
	if counted.Input <= 0 && counted.Output <= 0 {
		return
	}
	all, _ := e.counting.input(used)
	e.mu.Lock()
	defer e.mu.Unlock()
	learnBytes(&e.perByte, size, counted.Input)
	e.all.learn(size, all)
	e.output.record(e.clock.tick(now), durationOf(counted.Output))
	expected, actual := float64(estimated.Input)+float64(estimated.Output), float64(counted.Input)+float64(counted.Output)
	off, ratio := math.Abs(expected-actual)/actual, expected/actual
	if e.observed == 0 {
		e.err, e.ratio = off, ratio
	}
	e.err += newShare * (off - e.err)
	e.ratio += newShare * (ratio - e.ratio)
	e.observed++
}

// learnBytes takes the tokens of a request to what a byte comes to.
func learnBytes(perByte *float64, size Size, tokens int64) {
	if tokens <= 0 || size.Bytes <= 0 {
		return
	}
	ratio := min(max(float64(tokens)/float64(size.Bytes), leastPerByte), mostPerByte)
	if *perByte == 0 {
		*perByte = ratio
	}
	*perByte += newShare * (ratio - *perByte)
}

// density is what a byte of requests comes to in tokens, by all bytes of the newest of them: a long request says more than a short one, most of
// which is names and brackets. The zero value knows nothing.
type density struct{ tokens, bytes float64 }

// learn takes the tokens of a request.
func (d *density) learn(size Size, tokens int64) {
	if tokens <= 0 || size.Bytes <= 0 {
		return
	}
	d.tokens += float64(tokens) - newShare*d.tokens
	d.bytes += float64(size.Bytes) - newShare*d.bytes
}

// perByte returns the tokens of a byte; 0 while that is not known.
func (d *density) perByte() float64 {
	if d.bytes == 0 {
		return 0
	}
	return min(max(d.tokens/d.bytes, leastPerByte), mostPerByte)
}

// most returns the tokens that a request is to be taken for where too long a one must not be sent: what is known of fewer bytes than it has
// does not make it shorter than text usually is.
func (d *density) most(size Size) int64 {
	perByte := d.perByte()
	if d.bytes < float64(size.Bytes) {
		perByte = max(perByte, firstPerByte)
	}
	return inputOf(size, perByte)
}

// window returns the input tokens that a request is to be taken for where it must not exceed what a target can take.
func (e *Estimator) window(size Size) int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.all.most(size)
}

// abandon takes what a copy was charged whose answer nobody took.
func (e *Estimator) abandon(charged Usage) {
	e.mu.Lock()
	e.left.Copies++
	e.left.Input += uint64(max(charged.Input, 0))
	e.left.Output += uint64(max(charged.Output, 0))
	e.mu.Unlock()
}

// AbandonedUsage is what copies are taken to have used whose answers nobody took: those that lost to another copy, and those whose caller, or
// whose time, ended first. The target may have gone on, and bills it.
type AbandonedUsage struct {
	// Copies is their number.
	Copies uint64
	// Input and Output are tokens, as answers say, or else as they were expected.
	Input, Output uint64
}

// A histogram counts durations from 1024 ns on: a token is that long.

func durationOf(tokens int64) time.Duration { return time.Duration(min(tokens, 1<<40) << latencyShift) }

func tokensOf(d time.Duration) int64 { return (int64(d) + 1<<latencyShift - 1) >> latencyShift }

// EstimateSnapshot is what an Estimator shows of itself.
type EstimateSnapshot struct {
	// Observed is the number of answers that said what they used.
	Observed uint64
	// PerByte is the input tokens that a byte of a request comes to; Output is the output that is reserved where the request allows it.
	PerByte float64
	Output  int64
	// Error is how far the newest estimates were off, as a share of what was used: 0.2 is a fifth.
	Error float64
	// Ratio is estimate / actual of the newest answers: 1 is exact, 2 is twice too much; 0 while nothing was observed.
	Ratio float64
	// Abandoned is what was used for answers that nobody took.
	Abandoned AbandonedUsage
}

// Snapshot returns what the estimator shows.
func (e *Estimator) Snapshot() EstimateSnapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := EstimateSnapshot{Observed: e.observed, PerByte: e.perByte, Error: e.err, Ratio: e.ratio, Abandoned: e.left}
	if s.PerByte == 0 {
		s.PerByte = firstPerByte
	}
	if e.output.samples() > 0 {
		s.Output = tokensOf(e.output.quantile(costlyShare))
	}
	return s
}
