package generator

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/plan"
)

// Worst is what one call may cost when nothing answers: how many requests it may send to all its targets together, and how long
// its caller may wait.
type Worst struct {
	// Requests is what one call may send: on each rung that sends, its attempts and the hedges of the first of them, and where rungs
	// are exercised, one more; where a rung asks another operation, what that may send.
	Requests int `json:"requests"`
	// WithinBudget is the mean over many calls, which the budgets hold down: each rung sends its first attempt and the budget's share
	// of retries and hedges. It equals Requests where no budget is on and nothing is hedged.
	WithinBudget float64 `json:"withinBudget"`
	// Floor is what the budgets allow each second besides, so that quiet clients may retry at all.
	Floor float64 `json:"floorPerSecond"`
	// Wait is the longest wait, for a stream until its first item; 0 is unbounded.
	Wait time.Duration `json:"waitNanoseconds"`
	// Stream is how long a stream may go on after its first item; 0 is no stream, or unbounded.
	Stream time.Duration `json:"streamNanoseconds"`
	// Cost is what it may cost in money; nil where nothing has a price.
	Cost *WorstCost `json:"cost,omitempty"`
}

// worst computes it from the plan that the runtime will execute. all are the methods of the client, some of which rungs ask.
func worst(op *plan.Operation, all []plan.Operation) Worst {
	p := &op.Policy
	s := sum{op: op, paid: map[string]bool{}, Worst: Worst{Wait: p.Timeout.Total, Stream: p.Timeout.MaxStream}}
	s.rung(0, primary)
	var exercised []int
	longest := 0
	for i := range p.Fallback.Rungs {
		r := &p.Fallback.Rungs[i]
		sent := 1
		switch other := askedBy(op, i+1, all); {
		case other != nil:
			sent = s.other(other)
		case r.Sort.Resends():
			s.rung(i+1, cmp.Or(r.Target, primary))
		default:
			continue
		}
		if len(p.Exercise.Rungs) == 0 || slices.Contains(p.Exercise.Rungs, r.Name) {
			exercised, longest = append(exercised, i+1), max(longest, sent)
		}
	}
	if p.Exercise.Share > 0 && len(exercised) > 0 {
		s.exercised(exercised)
		s.Requests += longest
		s.WithinBudget += p.Exercise.Share
	}
	return s.Worst
}

// askedBy is the method that a rung asks; nil for none.
func askedBy(op *plan.Operation, rung int, all []plan.Operation) *plan.Operation {
	for _, step := range op.Steps {
		if other, ok := step.(plan.OtherStep); ok && other.Rung == rung {
			at := slices.IndexFunc(all, func(o plan.Operation) bool { return o.GoName == other.Method })
			if at >= 0 {
				return &all[at]
			}
		}
	}
	return nil
}

// other adds a rung that asks another method, once and without its ladder, and returns how many requests that is. A function between the two
// may ask it more often: nobody can know.
func (s *sum) other(op *plan.Operation) int {
	its := sum{op: op, paid: s.paid, Worst: Worst{Cost: s.Cost}}
	its.rung(0, primary)
	s.Requests += its.Requests
	s.WithinBudget += its.WithinBudget
	s.Floor += its.Floor
	s.Cost = its.Cost
	return its.Requests
}

// primary is policy.PrimaryTarget, which rung 0 calls.
const primary = "primary"

// hedgeSlack is how far a hedger's own budget may exceed its extra load.
const hedgeSlack = 1.2

// sum adds up what the rungs of a plan may send.
type sum struct {
	Worst

	op *plan.Operation
	// paid are the targets whose floor is in the sum: there is one budget for each.
	paid map[string]bool
}

// rung adds a rung that sends to a target.
func (s *sum) rung(rung int, target string) {
	p := &s.op.Policy
	retries, hedges, mean := max(p.Retry.Attempts, 1)-1, max(p.Hedge.Max, 0), 0.0
	copies := cmp.Or(p.Hedge.Target, target)
	if s.layered(target) {
		retries = 0
	}
	if s.layered(copies) {
		hedges = 0
	}
	if hedges > 0 {
		mean = min(hedgeSlack*p.Hedge.ExtraLoad, float64(hedges))
	}
	s.Requests += 1 + retries + hedges
	s.bill(rung, target, 1+retries)
	s.bill(rung, copies, hedges)
	s.WithinBudget++
	if copies == target {
		s.pay(target, float64(retries)+mean)
		return
	}
	s.pay(target, float64(retries))
	s.pay(copies, mean)
}

// pay adds the requests beyond the first that a target's budget pays for.
func (s *sum) pay(target string, more float64) {
	if more == 0 {
		return
	}
	b := s.op.Policy.Budget
	for i := range s.op.Policy.Targets {
		if t := &s.op.Policy.Targets[i]; t.Name == target && (t.Budget.Ratio > 0 || t.Budget.MinPerSecond > 0) {
			b = t.Budget
		}
	}
	if b.Ratio <= 0 && b.MinPerSecond <= 0 {
		s.WithinBudget += more
		return
	}
	s.WithinBudget += min(b.Ratio, more)
	if !s.paid[target] {
		s.paid[target] = true
		s.Floor += b.MinPerSecond
	}
}

// layered reports whether a target retries or falls back itself: nothing is retried or hedged towards it.
func (s *sum) layered(target string) bool {
	for i := range s.op.Policy.Targets {
		if t := &s.op.Policy.Targets[i]; t.Name == target {
			return t.Layered
		}
	}
	return false
}

// String says it in a clause.
func (w Worst) String() string {
	s := fmt.Sprintf("at most %d %s", w.Requests, plural(w.Requests, "request"))
	if w.WithinBudget < float64(w.Requests) {
		s += fmt.Sprintf(" a call, %s on average within the budgets", strconv.FormatFloat(w.WithinBudget, 'g', 3, 64))
		if w.Floor > 0 {
			s += fmt.Sprintf(" (and %s a second)", strconv.FormatFloat(w.Floor, 'g', 3, 64))
		}
	}
	if w.Wait == 0 {
		s += "; no bound in time"
	} else {
		s += "; at most " + w.Wait.String()
	}
	if w.Stream > 0 {
		s += ", then a stream of at most " + w.Stream.String()
	}
	if w.Cost != nil {
		s += "; " + w.Cost.String()
	}
	return s
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// printWorst writes a table: what one call of each method may cost when nothing answers.
func (r *Result) printWorst(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range r.Explain("") {
		if _, err := fmt.Fprintf(table, "%s\t%s\t%s\n", diag.Escape(e.Method), diag.Escape(e.Request), e.Worst); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
