package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// others are the operations of an API, whose rungs ask one another. What one plan shows alone is not checked here.
type others []*refusal

// refuse reports rungs that ask what is not there, and ladders that lead in a circle, to data or to effects that nobody meant.
func (o others) refuse() {
	for at, c := range o {
		for i := range c.whole.Fallback.Rungs {
			rung := &c.whole.Fallback.Rungs[i]
			if rung.Sort != policy.RungOperation {
				continue
			}
			field := "fallback[" + strconv.Itoa(i) + "].operation"
			next := o.find(rung.Operation)
			if next < 0 {
				o.unknown(c, field, rung)
				continue
			}
			if way := o.way(next, at, nil); way != nil && slices.Min(way) == at {
				o.circle(c, field, rung, way)
			}
			c.otherData(field, rung, o[next])
			c.exercisesOther(field, rung, o[next])
		}
	}
}

// find is the index of the operation that annotations call so: by its operationId, or a Go method by its name; -1 for none.
func (o others) find(name string) int {
	return slices.IndexFunc(o, func(c *refusal) bool { return isCalled(c.r.op, name) })
}

// isCalled reports whether annotations call the operation by that name.
func isCalled(op *model.Operation, name string) bool {
	bind, isFunc := op.Bind.(*model.FuncBinding)
	return op.ID == name || isFunc && bind.Method == name
}

// way is by which operations the ladders lead from one to another, both of them included; nil where they do not.
func (o others) way(from, to int, before []int) []int {
	way := append(slices.Clip(before), from)
	if from == to {
		return way
	}
	for _, rung := range o[from].whole.Fallback.Rungs {
		if rung.Sort != policy.RungOperation {
			continue
		}
		next := o.find(rung.Operation)
		if next < 0 || slices.Contains(way, next) {
			continue
		}
		if whole := o.way(next, to, way); whole != nil {
			return whole
		}
	}
	return nil
}

func (o others) unknown(c *refusal, field string, rung *policy.Rung) {
	known := make([]string, len(o))
	for i, other := range o {
		known[i] = other.r.plan.Operation
	}
	fix := diag.DidYouMean(rung.Operation, known)
	if fix == "" {
		fix = "name an operation by its operationId; one that is left out by include, exclude or tags cannot answer"
		if c.isFunc() {
			fix = "name a method of the interface that is not passed through"
		}
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.UnknownName, Span: c.at(field), Fix: fix, Related: c.where(),
		What: c.name() + ": the rung " + quoted(rung.Name) + " asks the operation " + quoted(rung.Operation) + ", which is not generated here",
		Why:  "an operation rung answers by another method of the same client",
	})
}

func (o others) circle(c *refusal, field string, rung *policy.Rung, way []int) {
	what := c.name() + ": the rung " + quoted(rung.Name) + " asks the operation itself"
	if len(way) > 1 {
		names := make([]string, len(way))
		for i, at := range way {
			names[i] = quoted(o[at].r.op.ID)
		}
		what = c.name() + " falls back in a circle: " + strings.Join(names, ", then ")
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.FallbackCycle, Span: c.at(field), What: what, Related: c.where(),
		Why: "each would answer when the other cannot, and when they are down together nobody does",
		Fix: "remove the rung, or answer by what depends on neither: a func, a cache or a static rung",
	})
}

// otherData refuses a rung by which data comes to an operation that is not said to carry it, so that nobody has asked if what that calls and
// keeps accepts it.
func (c *refusal) otherData(field string, rung *policy.Rung, other *refusal) {
	missing := policy.Unaccepted(c.whole.Data, other.whole.Data)
	if len(missing) == 0 {
		return
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.DataNotAccepted, Span: c.at(field),
		What: c.name() + " carries " + quoted(strings.Join(missing, ", ")) + ", and " + other.name() + ", which its rung " + quoted(rung.Name) +
			" asks, is not said to carry that",
		Why: "what the other operation calls and keeps is asked to accept what that carries, and no more",
		Fix: "write `data: [" + strings.Join(slices.Concat(other.whole.Data, missing), ", ") + "]` at " + quoted(other.r.op.ID) + ", or remove the rung",
		Related: slices.Concat(c.related("data", "what it carries is said here"),
			[]diag.Related{{Span: source.Span{Pos: other.r.op.Pos}, What: "the other operation is here"}}),
	})
}

// exercisesOther refuses an exercise that would do in normal times what the other operation does.
func (c *refusal) exercisesOther(field string, rung *policy.Rung, other *refusal) {
	e := &c.whole.Exercise
	if e.Share <= 0 || len(e.Rungs) > 0 && !slices.Contains(e.Rungs, rung.Name) {
		return
	}
	if i := other.whole.Idempotency; i == policy.Safe || i == policy.Idempotent {
		return
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.ExerciseNotSafe, Span: c.at("exercise", field),
		What: c.name() + " exercises the rung " + quoted(rung.Name) + ", and " + other.name() + ", which that asks, is " +
			quoted(other.whole.Idempotency.String()),
		Why:     "an exercise runs in normal times, beside the call, and would do what the other operation does",
		Fix:     "name the other rungs in `exercise.rungs`, or, if " + quoted(other.r.op.ID) + " has no effect but its price, add `idempotency: safe` to it",
		Related: c.where(),
	})
}
