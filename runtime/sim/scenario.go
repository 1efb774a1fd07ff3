package sim

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Scenario is what happens to a client: who calls, and how the targets behave. It is data, with a text form: String and Parse.
type Scenario struct {
	// Name is how reports call it.
	Name string
	// Length is how long calls arrive. The run goes on until the last of them has ended.
	Length time.Duration
	// Clients are who calls.
	Clients []Client
	// Servers are the targets. One that a plan names and that is not listed answers at once, and never fails.
	Servers []Server
}

// Client is a source of calls that does not wait for answers (an open loop).
type Client struct {
	// Name is how reports call it, and its tenant.
	Name string
	// Rate is how many calls arrive in a second.
	Rate float64
	// Poisson says that they arrive at random; else they are evenly spaced.
	Poisson bool
	// At lists the arrivals one by one; then Rate does not count.
	At []time.Duration
	// Deadline is how long the caller of each call waits for it; 0 is for ever.
	Deadline time.Duration
	// Cancel is when the caller of each call gives it up, after its arrival; 0 is never.
	Cancel time.Duration
	// Operation names the operation that it calls; empty is a mix of all.
	Operation string
	// Criticality is that of each call; CriticalityUnset is the operation's own.
	Criticality policy.Criticality
	// Remembered is the share of calls that were answered before, so that a cache rung has an answer for them.
	Remembered float64
}

// Server is how a target behaves. The zero value answers each attempt at once.
type Server struct {
	// Target is its name: policy.PrimaryTarget, or what a plan calls it.
	Target string
	// Capacity is how many attempts it can work off in a second, one after the other; 0 is any number. An attempt that its caller
	// has given up is worked off all the same.
	Capacity float64
	// Queue is the longest wait for its turn; an attempt that would wait longer gets Busy at once. With 0 nobody waits: what comes
	// above Capacity in any second of the run gets Busy.
	Queue time.Duration
	// Busy is what the server answers when it has no time. The zero value is a 503 after 1 ms.
	Busy Answer
	// Latency is how long an answer takes beside the wait for its turn. Without a Median, the median and a Sigma of 0 are what the operation says;
	// the zero value is all that it says.
	Latency Latency
	// Stream is how long an answer goes on after its first item, for plans with a stream; 0 is what the operation says.
	Stream time.Duration
	// Faults are what goes wrong. Of those that hold for an attempt, the first counts that is no FaultSlow, FaultWeak and FaultTight.
	Faults []Fault
	// Script is what the server answers to the attempts that reach it, in turn; the last entry to all that follow. With it,
	// nothing else of the server counts.
	Script []Answer
}

// Latency is a distribution of durations.
type Latency struct {
	// Median is the median; with Sigma 0, every duration.
	Median time.Duration
	// Sigma is the standard deviation of the logarithm (log-normal).
	Sigma float64
	// SlowShare is the share of durations that are SlowFactor times as long.
	SlowShare float64
	// SlowFactor is by how much.
	SlowFactor float64
}

// Answer is what becomes of an attempt.
type Answer struct {
	// After is how long it takes from the attempt's start.
	After time.Duration
	// What says what it is.
	What AnswerKind
	// Status is the status code of an Answered attempt; 0 is 200.
	Status int
	// RetryAfter is what the answer asks for, and Pushback says that it does; 0 is at once.
	RetryAfter time.Duration
	Pushback   bool
	// Stream is how long the answer goes on after its first item, for plans with a stream.
	Stream time.Duration
	// Stalls says that the stream then falls silent; else it ends.
	Stalls bool
}

// AnswerKind says what becomes of an attempt.
type AnswerKind uint8

// The kinds of answers.
const (
	// Answered is a response.
	Answered AnswerKind = iota
	// Refused is a connection that was not made.
	Refused
	// Broken is a connection that breaks with the request under way.
	Broken
	// Hanging is no answer at all.
	Hanging

	answerKinds
)

// Fault is something that goes wrong with a server.
type Fault struct {
	// What says what.
	What FaultKind
	// From is when it begins, and To when it ends; 0 is never.
	From, To time.Duration
	// Share is the share of attempts that it meets; 0 is all.
	Share float64
	// Answer is what FaultAnswer answers, without regard to the server's capacity.
	Answer Answer
	// Factor is how much longer FaultSlow takes, and the share of the capacity that FaultWeak begins with.
	Factor float64
}

// FaultKind says what goes wrong.
type FaultKind uint8

// The faults.
const (
	// FaultAnswer answers with Answer.
	FaultAnswer FaultKind = iota
	// FaultSlow multiplies the latency by Factor.
	FaultSlow
	// FaultWeak leaves the share Factor of the capacity at its beginning, which grows back evenly until its end.
	FaultWeak
	// FaultTight leaves the share Factor of the capacity until its end.
	FaultTight
	// FaultStall lets streams fall silent after their first item, and answers that are no streams hang.
	FaultStall

	faultKinds
)

// hasFactor reports whether Factor says what the fault does.
func (k FaultKind) hasFactor() bool { return k == FaultSlow || k == FaultWeak || k == FaultTight }

// What is wrong with a scenario.
var (
	errNoLength  = errors.New("the length must be above 0")
	errName      = errors.New("a name is one word, without = and #")
	errNoClients = errors.New("nobody calls")
	errRate      = errors.New("the rate must be above 0 and at most a million a second")
	errTwice     = errors.New("two servers are one target")
	errShare     = errors.New("a share lies between 0 and 1")
	errWindow    = errors.New("a fault ends after it begins, or never")
	errNegative  = errors.New("a duration, a rate or a factor is below 0")
	errUnknown   = errors.New("an answer, a fault or a criticality is of no known kind")
)

// mostRate bounds the arrivals, so that a slip does not fill the memory.
const mostRate = 1e6

// Validate returns what is wrong with the scenario, nil if nothing is.
func (s Scenario) Validate() error {
	switch {
	case !isWord(s.Name):
		return errName
	case s.Length <= 0:
		return errNoLength
	case len(s.Clients) == 0:
		return errNoClients
	}
	for _, c := range s.Clients {
		if err := c.validate(); err != nil {
			return fmt.Errorf("client %s: %w", c.Name, err)
		}
	}
	seen := map[string]bool{}
	for _, v := range s.Servers {
		if seen[v.Target] {
			return fmt.Errorf("server %s: %w", v.Target, errTwice)
		}
		seen[v.Target] = true
		if err := v.validate(); err != nil {
			return fmt.Errorf("server %s: %w", v.Target, err)
		}
	}
	return nil
}

func (c *Client) validate() error {
	if !isWord(c.Name) {
		return errName
	}
	if len(c.At) == 0 && !(c.Rate > 0 && c.Rate <= mostRate) {
		return errRate
	}
	if !isShare(c.Remembered) {
		return errShare
	}
	if c.Operation != "" && !isWord(c.Operation) {
		return errName
	}
	if c.Criticality > policy.Sheddable {
		return errUnknown
	}
	for _, d := range append([]time.Duration{c.Deadline, c.Cancel}, c.At...) {
		if d < 0 {
			return errNegative
		}
	}
	return nil
}

func (v *Server) validate() error {
	if !isWord(v.Target) {
		return errName
	}
	l := v.Latency
	if !notBelow(v.Capacity, float64(v.Queue), float64(v.Stream), float64(l.Median), l.Sigma, l.SlowFactor) {
		return errNegative
	}
	if !isShare(l.SlowShare) {
		return errShare
	}
	for _, f := range v.Faults {
		switch {
		case !isShare(f.Share):
			return errShare
		case f.From < 0 || f.To != 0 && f.To <= f.From:
			return errWindow
		case f.What >= faultKinds:
			return errUnknown
		case !notBelow(f.Factor):
			return errNegative
		}
		if err := f.Answer.validate(); err != nil {
			return err
		}
	}
	for _, a := range append([]Answer{v.Busy}, v.Script...) {
		if err := a.validate(); err != nil {
			return err
		}
	}
	return nil
}

func (a Answer) validate() error {
	if a.What >= answerKinds {
		return errUnknown
	}
	if a.After < 0 || a.RetryAfter < 0 || a.Stream < 0 {
		return errNegative
	}
	return nil
}

// isWord reports whether a name can stand in a text form.
func isWord(name string) bool {
	return name != "" && !strings.ContainsAny(name, "=#") && len(strings.Fields(name)) == 1 && strings.TrimSpace(name) == name
}

// notBelow reports whether no number is below 0, infinite, or none at all.
func notBelow(all ...float64) bool {
	for _, x := range all {
		if !(x >= 0 && x <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

func isShare(x float64) bool { return x >= 0 && x <= 1 }

// fault returns the first fault of the primary target that ends: the window in which amplification is measured. Without one it is empty.
func (s Scenario) fault() (from, to time.Duration) {
	for _, v := range s.Servers {
		if v.Target != policy.PrimaryTarget {
			continue
		}
		for _, f := range v.Faults {
			if f.To > 0 && f.What != FaultWeak {
				return f.From, f.To
			}
		}
	}
	return 0, 0
}
