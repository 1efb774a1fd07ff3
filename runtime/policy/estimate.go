package policy

import (
	"math"
	"sync"
	"time"
)

// Estimator learns what the calls of an operation to a target cost in tokens: input by the length of the request, output by what answers
// used. It has a fixed size (2 KB), and answers of the last five minutes count. The zero value is ready. Safe for concurrent use.
type Estimator struct {
	mu       sync.Mutex
	clock    clock
	perByte  float64 // of input; 0 while nothing was observed
	output   histogram
	err      float64 // smoothed: how far estimates were off, as a share of what was used
	observed uint64
}

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
// or nothing where it says nothing: then it is charged when it is known.
func (e *Estimator) Estimate(now time.Time, size Size) Cost {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.output.forget(e.clock.tick(now))
	perByte := e.perByte
	if perByte == 0 {
		perByte = firstPerByte
	}
	c := Cost{Input: int64(math.Ceil(float64(max(size.Bytes, 0)) * perByte))}
	bound := max(size.MaxOutput, 0)
	if e.output.samples() == 0 {
		c.Output = bound
		return c
	}
	c.Output, c.Guessed = tokensOf(e.output.quantile(costlyShare)), true
	if bound > 0 {
		c.Output = min(c.Output, bound)
	}
	return c
}

// Observe takes what an answer said that it used.
func (e *Estimator) Observe(now time.Time, size Size, estimated Cost, used Usage) {
	if used.Input <= 0 && used.Output <= 0 {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if used.Input > 0 && size.Bytes > 0 {
		ratio := min(max(float64(used.Input)/float64(size.Bytes), leastPerByte), mostPerByte)
		if e.perByte == 0 {
			e.perByte = ratio
		}
		e.perByte += newShare * (ratio - e.perByte)
	}
	e.output.record(e.clock.tick(now), durationOf(max(used.Output, 0)))
	actual := float64(max(used.Input, 0)) + float64(max(used.Output, 0))
	off := math.Abs(float64(estimated.Input)+float64(estimated.Output)-actual) / actual
	if e.observed == 0 {
		e.err = off
	}
	e.err += newShare * (off - e.err)
	e.observed++
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
}

// Snapshot returns what the estimator shows.
func (e *Estimator) Snapshot() EstimateSnapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := EstimateSnapshot{Observed: e.observed, PerByte: e.perByte, Error: e.err}
	if s.PerByte == 0 {
		s.PerByte = firstPerByte
	}
	if e.output.samples() > 0 {
		s.Output = tokensOf(e.output.quantile(costlyShare))
	}
	return s
}
