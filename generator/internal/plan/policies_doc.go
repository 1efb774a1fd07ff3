package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/runtime/policy"
)

// doc is the paragraph of the method's comment that states the policy: "POST /chat/completions. Tried up to 2 times within 90s; falls
// back to ...".
func (r *resolution) doc(p *policy.Plan) string {
	begin := r.op.ID
	if bind, ok := r.op.Bind.(*model.HTTPBinding); ok {
		begin = bind.Request()
	}
	return begin + ". " + tries(p) + hedged(&p.Hedge) + limited(p) + shed(p) + cached(&p.Cache) + r.ladder(p) + exercised(&p.Exercise) + "."
}

func tries(p *policy.Plan) string {
	out := "Tried once"
	if p.Retry.Attempts > 1 {
		out = "Tried up to " + strconv.Itoa(p.Retry.Attempts) + " times"
	}
	if p.Idempotency == policy.Keyed && p.Key.Header != "" {
		out += " with one idempotency key"
	}
	if p.Timeout.Total > 0 {
		out += " within " + annot.Duration(p.Timeout.Total)
	}
	if p.Retry.Attempts > 1 && !p.Idempotency.Repeatable() {
		out += ", again only where it was never executed"
	}
	if p.Retry.Attempts > 1 && p.IsNamed() {
		out += ", without ids again only where it was never executed"
	}
	return out
}

func (r *resolution) ladder(p *policy.Plan) string {
	if p.Fallback.Refuse != "" {
		return "; never degrades: " + strings.TrimRight(oneLine(p.Fallback.Refuse), ".")
	}
	rungs := make([]string, len(p.Fallback.Rungs))
	for i, rung := range p.Fallback.Rungs {
		rungs[i] = strconv.Quote(rung.Name) + " (" + r.means(&rung) + fitWords(rung.MaxInput, rung.Lacks) + ")"
	}
	if len(rungs) == 0 {
		return ""
	}
	return "; falls back to " + enumerate(rungs)
}

// means says by what means a rung answers.
func (r *resolution) means(rung *policy.Rung) string {
	switch rung.Sort {
	case policy.RungTarget:
		return "target " + rung.Target
	case policy.RungPatch:
		own := slices.IndexFunc(r.plan.Fallback.Rungs, func(other policy.Rung) bool { return other.Name == rung.Name })
		var paths []string
		for _, op := range r.facts.Rungs[own].Patch {
			paths = append(paths, oneLine(op.Path))
		}
		return "patch of " + strings.Join(paths, ", ")
	case policy.RungStatic:
		return "static"
	case policy.RungCache:
		return "cache"
	case policy.RungOperation:
		means := "operation " + oneLine(rung.Operation)
		if rung.Func != "" {
			means += " by func " + rung.Func
		}
		return means
	default:
		return "func " + rung.Func
	}
}

func kindList(kinds []policy.Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.String()
	}
	return "[" + strings.Join(names, ", ") + "]"
}
