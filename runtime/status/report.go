package status

import (
	"slices"
	"time"
)

// State says how bad something is.
type State string

// The states, from good to bad.
const (
	// OK is nothing of note.
	OK State = "ok"
	// Notice is something to know: users notice nothing.
	Notice State = "notice"
	// Degraded is less than was asked for: a target that is not called, answers of lower rungs.
	Degraded State = "degraded"
	// Failing is calls that get no answer.
	Failing State = "failing"
)

// worse returns the worse of two states.
func worse(a, b State) State {
	order := []State{OK, Notice, Degraded, Failing}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}

// Report is what is the case now. Its JSON is what JSON answers: names of fields stay, more may come. Durations are in seconds, times those of
// RFC 3339; what is off, or not known, is left out. What is called text is for people, and its wording may change.
type Report struct {
	Title    string `json:"title"`
	Instance string `json:"instance"`
	// Time is when the report was made, and Started when the status was.
	Time    time.Time `json:"time"`
	Started time.Time `json:"started"`
	// Phase is "running", "starting" or "stopping".
	Phase string `json:"phase"`
	// State is the worst of the problems, and Headline says it in words.
	State    State  `json:"state"`
	Headline string `json:"headline"`
	// Observed says that somebody asked for the observer: without it there are no operations, failures and events.
	Observed bool `json:"observed"`
	// Injected says that faults are made up now, by chaos: what fails may be no real failure.
	Injected bool `json:"injected,omitempty"`
	// Problems are what is wrong now, the worst first.
	Problems []Problem `json:"problems"`
	// Recovered is what was wrong and ended in the last quarter of an hour, the latest first.
	Recovered []Recovery `json:"recovered"`
	// Targets are the machines of each target.
	Targets []Target `json:"targets"`
	// Operations are what calls came to lately.
	Operations []Operation `json:"operations"`
	// Failures are the last kinds of failures of attempts, the latest first.
	Failures []Failure `json:"failures"`
	// Events are what happened lately, the latest first.
	Events []Event `json:"events"`
	// Text is the rest of what the page says.
	Text ReportText `json:"text"`
}

// ReportText is what the page says of a Report.
type ReportText struct {
	Time  string `json:"time"`
	About string `json:"about"`
}

// Problem is something that is wrong now.
type Problem struct {
	State State `json:"state"`
	// What is the sort: "breaker", "pause", "limit", "bulkhead", "shed", "budget", "spending", "calls", "rejections", "abandoned", "chaos", "phase".
	What      string `json:"what"`
	Client    string `json:"client,omitempty"`
	Target    string `json:"target,omitempty"`
	Operation string `json:"operation,omitempty"`
	// Fault is what chaos makes up.
	Fault string `json:"fault,omitempty"`
	// Kind is the kind of failure, where there is one.
	Kind string `json:"kind,omitempty"`
	// Since is when it began, where that is known.
	Since time.Time `json:"since,omitzero"`
	Text  string    `json:"text"`
}

// Recovery is something that was wrong.
type Recovery struct {
	What      string `json:"what"`
	Client    string `json:"client,omitempty"`
	Target    string `json:"target,omitempty"`
	Operation string `json:"operation,omitempty"`
	// Since is when it began, and Until when it ended.
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
	Text  string    `json:"text"`
}

// Operation is what the calls of an operation came to.
type Operation struct {
	State     State  `json:"state"`
	Client    string `json:"client"`
	Operation string `json:"operation"`
	// Rungs are those that answered, in the order of the ladder.
	Rungs []Rung `json:"rungs"`
	// Lately is the number of calls in the last five minutes, Failed how many of them had no answer for which the caller was not to blame, and Broken
	// how many streams broke off after their begin.
	Lately int `json:"lately"`
	Failed int `json:"failed"`
	Broken int `json:"broken"`
	// Injected is how many of these chaos had made faults up for.
	Injected int `json:"injected,omitempty"`
	// LastFailure is the kind of failure of the last call without an answer.
	LastFailure string `json:"last_failure,omitempty"`
	// Last is when the last call ended.
	Last time.Time     `json:"last"`
	Text OperationText `json:"text"`
}

// OperationText is what the page says of an Operation.
type OperationText struct {
	Lately string `json:"lately"`
	Rungs  string `json:"rungs"`
	Failed string `json:"failed"`
	Last   string `json:"last"`
}

// Rung is a rung that answered.
type Rung struct {
	// Number is 0 for the operation itself, whose Name is empty.
	Number int    `json:"number"`
	Name   string `json:"name"`
	// Level is the level of its last answer, and Reason why the operation itself did not give it.
	Level  string `json:"level"`
	Reason string `json:"reason,omitempty"`
	// Lately is the number of its answers in the last five minutes, and Total that of all.
	Lately int       `json:"lately"`
	Total  uint64    `json:"total"`
	Last   time.Time `json:"last"`
}

// Failure is a kind of failure of attempts at a target.
type Failure struct {
	Operation string `json:"operation"`
	// Target is empty for a rung that calls none, whose name is Rung then.
	Target string `json:"target"`
	Rung   string `json:"rung,omitempty"`
	Kind   string `json:"kind"`
	// Status is the last status code; 0 without a response.
	Status int `json:"status,omitempty"`
	Lately int `json:"lately"`
	// Injected is how many of those lately chaos made up.
	Injected int         `json:"injected,omitempty"`
	Total    uint64      `json:"total"`
	Last     time.Time   `json:"last"`
	Text     FailureText `json:"text"`
}

// FailureText is what the page says of a Failure.
type FailureText struct {
	Target string `json:"target"`
	Kind   string `json:"kind"`
	Lately string `json:"lately"`
	Last   string `json:"last"`
}

// Event is something that happened, Count times in a row from Time to Last.
type Event struct {
	Time      time.Time `json:"time"`
	Last      time.Time `json:"last"`
	Count     uint64    `json:"count"`
	What      string    `json:"what"`
	Client    string    `json:"client,omitempty"`
	Operation string    `json:"operation,omitempty"`
	Target    string    `json:"target,omitempty"`
	Rung      string    `json:"rung,omitempty"`
	Level     string    `json:"level,omitempty"`
	Kind      string    `json:"kind,omitempty"`
	From      string    `json:"from,omitempty"`
	To        string    `json:"to,omitempty"`
	Fault     string    `json:"fault,omitempty"`
	Until     time.Time `json:"until,omitzero"`
	Text      EventText `json:"text"`
}

// EventText is what the page says of an Event.
type EventText struct {
	When string `json:"when"`
	What string `json:"what"`
}

// Report returns what is the case now.
func (s *Status) Report() Report {
	now := time.Now()
	r := Report{
		Time: now.UTC(), Started: s.started.UTC(), Phase: s.Phase().String(), State: OK, Observed: s.watch.given.Load(),
		Problems: []Problem{}, Recovered: []Recovery{}, Targets: []Target{}, Operations: []Operation{}, Failures: []Failure{}, Events: []Event{},
	}
	r.Title, r.Instance = s.names()
	if s.Phase() != Running {
		r.Problems = append(r.Problems, Problem{State: Notice, What: "phase", Text: "This instance is " + r.Phase + ": it is not ready for requests."})
	}
	s.watch.mu.Lock()
	rejections := s.watch.rejections(now)
	s.watch.report(now, &r)
	s.watch.mu.Unlock()
	for _, g := range s.groups {
		for _, m := range g.Snapshot() {
			r.add(now, &m, rejections)
		}
	}
	r.leftOver(now, rejections)
	r.finish(now)
	return r
}
