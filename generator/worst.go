package generator

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/plan"
)

// Worst is what one call may cost when nothing answers: how many requests it may send to all its targets together, and how long
// its caller may wait.
type Worst struct {
	// Requests is attempts times rungs that send, for one call.
	Requests int `json:"requests"`
	// WithinBudget is the mean over many calls, which the retry budgets hold down: each rung sends its first attempt and the
	// budget's share of retries. It equals Requests where no budget is on.
	WithinBudget float64 `json:"withinBudget"`
	// Floor is what the budgets allow each second besides, so that quiet clients may retry at all.
	Floor float64 `json:"floorPerSecond"`
	// Wait is the longest wait, for a stream until its first item; 0 is unbounded.
	Wait time.Duration `json:"waitNanoseconds"`
	// Stream is how long a stream may go on after its first item; 0 is no stream, or unbounded.
	Stream time.Duration `json:"streamNanoseconds"`
}

// worst computes it from the plan that the runtime will execute.
func worst(op *plan.Operation) Worst {
	p := &op.Policy
	w := Worst{Wait: p.Timeout.Total, Stream: p.Timeout.MaxStream}
	targets := map[string]bool{}
	rung := func(target string) {
		attempts, budget := max(p.Retry.Attempts, 1), p.Budget
		for i := range p.Targets {
			t := &p.Targets[i]
			if t.Name != target {
				continue
			}
			if t.Layered {
				attempts = 1
			}
			if t.Budget.Ratio > 0 || t.Budget.MinPerSecond > 0 {
				budget = t.Budget
			}
		}
		w.Requests += attempts
		if attempts == 1 || budget.Ratio <= 0 && budget.MinPerSecond <= 0 {
			w.WithinBudget += float64(attempts)
			return
		}
		w.WithinBudget += min(1+budget.Ratio, float64(attempts))
		if !targets[target] { // one budget for each target
			targets[target] = true
			w.Floor += budget.MinPerSecond
		}
	}
	const primary = "primary" // policy.PrimaryTarget; rung 0 calls it
	rung(primary)
	for i := range p.Fallback.Rungs {
		r := &p.Fallback.Rungs[i]
		if !r.Sort.Sends() {
			continue
		}
		if r.Target == "" {
			rung(primary)
		} else {
			rung(r.Target)
		}
	}
	return w
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
