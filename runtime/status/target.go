package status

import "time"

// Target is the machines that some operations use at a target; those that are off are left out.
type Target struct {
	State  State  `json:"state"`
	Client string `json:"client"`
	Target string `json:"target"`
	// Operation is set where a breaker or a bulkhead is of one operation alone.
	Operation string `json:"operation,omitempty"`
	// Operations are those that use the machines.
	Operations []string `json:"operations"`
	// Members are the names of the target's members, which have rows of their own.
	Members []string `json:"members,omitempty"`
	// Shared are the machines that a target before this one in the list has too.
	Shared   []string  `json:"shared,omitempty"`
	Breaker  *Breaker  `json:"breaker,omitempty"`
	Bulkhead *Bulkhead `json:"bulkhead,omitempty"`
	// Limits are what is left of each limit, and Waiting the number of calls in line for them.
	Limits   []Limit    `json:"limits,omitempty"`
	Waiting  int        `json:"waiting,omitempty"`
	Pause    *Pause     `json:"pause,omitempty"`
	Budget   *Budget    `json:"budget,omitempty"`
	Shed     *Shed      `json:"shed,omitempty"`
	Spending *Spending  `json:"spending,omitempty"`
	Text     TargetText `json:"text"`
}

// TargetText is what the page says of a Target.
type TargetText struct {
	Name    string `json:"name"`
	Serves  string `json:"serves"`
	Breaker string `json:"breaker"`
	Load    string `json:"load"`
	Limits  string `json:"limits"`
	Budget  string `json:"budget"`
}

// Breaker is a breaker.
type Breaker struct {
	// State is "closed", "open" or "half-open"; Mode is "on", "shadow", "forced-open" or "forced-closed".
	State string `json:"state"`
	Mode  string `json:"mode"`
	// Since is when it came to be in State, and OpenedAt when it left "closed" the last time; neither is there while it has never opened.
	Since    time.Time `json:"since,omitzero"`
	OpenedAt time.Time `json:"opened_at,omitzero"`
	// NotBefore is when probes begin, while it is open.
	NotBefore time.Time `json:"not_before,omitzero"`
	// Calls, Failures and Slow are what it judges now, or what opened it.
	Calls    int `json:"calls"`
	Failures int `json:"failures"`
	Slow     int `json:"slow"`
}

// Bulkhead is a bulkhead. Where it is per tenant, Limit and MaxQueued are those of each, and the rest is that of all.
type Bulkhead struct {
	InFlight      int     `json:"in_flight"`
	Limit         int     `json:"limit"`
	MaxConcurrent int     `json:"max_concurrent"`
	Queued        int     `json:"queued"`
	MaxQueued     int     `json:"max_queued"`
	OldestSeconds float64 `json:"oldest_seconds"`
	Overload      bool    `json:"overload"`
}

// Limit is a limit. Where it is per tenant, it is that of the tenant who has the least left.
type Limit struct {
	// Of is "requests", "tokens", "input-tokens" or "output-tokens".
	Of string `json:"of"`
	// Left is what may be used at once, of Most; below zero it is a debt.
	Left      float64 `json:"left"`
	Most      float64 `json:"most"`
	PerSecond float64 `json:"per_second"`
	// LoweredUntil is until when the target's headers have lowered it; PausedUntil is until when they said that nothing is left.
	LoweredUntil time.Time `json:"lowered_until,omitzero"`
	PausedUntil  time.Time `json:"paused_until,omitzero"`
}

// Pause is a time for which the target asked for no requests.
type Pause struct {
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
	Kind  string    `json:"kind"`
	// ProbeAt is when a call finds out whether the time named was right.
	ProbeAt time.Time `json:"probe_at,omitzero"`
}

// Budget is the number of retries that are paid for, of the most.
type Budget struct {
	Balance float64 `json:"balance"`
	Most    float64 `json:"most"`
}

// Shed is what a target did not take, and the share of the calls that is rejected because of that.
type Shed struct {
	Requests int     `json:"requests"`
	Accepted int     `json:"accepted"`
	Rejected int     `json:"rejected"`
	Share    float64 `json:"share"`
}

// Spending is money: what was spent, what calls that run may come to, and the most that may be spent in its span.
type Spending struct {
	Spent    float64 `json:"spent"`
	Reserved float64 `json:"reserved"`
	Most     float64 `json:"most"`
}
