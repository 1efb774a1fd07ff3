package sim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// server is a Server at work.
type server struct {
	cfg    Server
	rand   *rand.Rand
	freeAt int64 // when it has worked off what it has taken
	second int64 // the second of the run that is counted, where nobody waits
	taken  int   // in it
	told   int   // entries of the script
}

// longest is the longest time that anything takes, in nanoseconds: 73 years.
const longest = math.MaxInt64 / 4

// busyAfter is how long the zero Busy takes.
const busyAfter = time.Millisecond

func newServer(cfg Server, r *rand.Rand) *server {
	if cfg.Busy == (Answer{}) {
		cfg.Busy = Answer{Status: statusUnavailable, After: busyAfter}
	}
	return &server{cfg: cfg, rand: r}
}

// statusUnavailable is 503: what a busy server answers (RFC 9110, section 15.6.4).
const statusUnavailable = 503

// take takes an attempt of an operation and returns what becomes of it.
func (s *server) take(now int64, op *operation) Answer {
	if n := len(s.cfg.Script); n > 0 {
		a := s.cfg.Script[min(s.told, n-1)]
		s.told++
		return a
	}
	slow, weak, stalls := 1.0, 1.0, false
	for i := range s.cfg.Faults {
		f := &s.cfg.Faults[i]
		if !f.holds(now) || f.Share > 0 && s.rand.Float64() >= f.Share {
			continue
		}
		switch f.What {
		case FaultAnswer:
			return f.Answer
		case FaultSlow:
			slow *= f.Factor
		case FaultWeak:
			weak = min(weak, f.left(now))
		case FaultTight:
			weak = min(weak, f.Factor)
		case FaultStall, faultKinds:
			stalls = true
		}
	}
	wait, ok := s.queue(now, weak)
	if !ok {
		return s.cfg.Busy
	}
	latency := s.cfg.Latency.over(op.latency)
	return Answer{After: time.Duration(wait) + scaled(latency.draw(s.rand), slow), Stream: cmp.Or(s.cfg.Stream, op.stream), Stalls: stalls}
}

// queue takes an attempt into the queue and returns how long it is until it was worked off, and whether there was room.
func (s *server) queue(now int64, weak float64) (wait int64, ok bool) {
	capacity := s.cfg.Capacity * weak
	switch {
	case s.cfg.Capacity <= 0:
		return 0, true
	case capacity <= 0:
		return 0, false
	case s.cfg.Queue <= 0:
		if n := now / int64(time.Second); n != s.second {
			s.second, s.taken = n, 0
		}
		s.taken++
		return 0, float64(s.taken) <= capacity
	}
	s.freeAt = max(s.freeAt, now)
	if s.freeAt-now > int64(s.cfg.Queue) {
		return 0, false
	}
	s.freeAt += nanos(1 / capacity)
	return s.freeAt - now, true
}

// holds reports whether the fault is there.
func (f *Fault) holds(now int64) bool {
	return now >= int64(f.From) && (f.To == 0 || now < int64(f.To))
}

// left returns the share of the capacity that FaultWeak leaves.
func (f *Fault) left(now int64) float64 {
	if f.To == 0 {
		return f.Factor
	}
	grown := float64(now-int64(f.From)) / float64(f.To-f.From)
	return f.Factor + (1-f.Factor)*grown
}

// over lays what a server says over what an operation says.
func (l Latency) over(below Latency) Latency {
	switch {
	case l == Latency{}:
		return below
	case l.Median == 0:
		l.Median, l.Sigma = below.Median, cmp.Or(l.Sigma, below.Sigma)
	}
	return l
}

// draw draws a duration.
func (l Latency) draw(r *rand.Rand) time.Duration {
	by := 1.0
	if l.Sigma > 0 {
		by = math.Exp(l.Sigma * r.NormFloat64())
	}
	if l.SlowShare > 0 && r.Float64() < l.SlowShare {
		by *= l.SlowFactor
	}
	return scaled(l.Median, by)
}

// scaled returns a duration times a factor, which may be too large for a number: nothing takes no time however slow it is.
func scaled(d time.Duration, by float64) time.Duration {
	if x := float64(d) * by; x < longest {
		return time.Duration(x)
	}
	if d == 0 || by == 0 {
		return 0
	}
	return longest
}

// result returns how an attempt ends that is answered like that: what a live driver makes of the same response.
func (a Answer) result(op *operation, number int) policy.Result {
	switch a.What {
	case Refused:
		return failed(policy.KindConnect, false)
	case Broken:
		return failed(policy.KindReset, true)
	case Answered, Hanging, answerKinds:
	}
	status := a.Status
	if status == 0 {
		status = statusOK
	}
	k := policy.ClassifyStatus(status, op.plan.Idempotency, number)
	if k == policy.KindNone {
		return policy.Result{Verdict: policy.Success, Used: op.used}
	}
	r := policy.Result{Kind: k, Verdict: policy.VerdictOfStatus(status, k), Pushback: a.Pushback, RetryAfter: a.RetryAfter}
	r.MayHaveActed = policy.InDoubtAfter(status, k) || status >= leastServerError || status < leastClientError
	return r
}

// The classes of status codes.
const (
	statusOK         = 200
	leastClientError = 400
	leastServerError = 500
)

// failed returns the result of a failure of that kind.
func failed(k policy.Kind, acted bool) policy.Result {
	return policy.Result{Kind: k, Verdict: policy.VerdictOf(k), MayHaveActed: acted}
}
