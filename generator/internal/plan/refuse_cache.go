package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// cache reports caches of what has effects, and caches and cache rungs of which nothing comes.
func (c *refusal) cache(p policy.Problem) {
	d := diag.Diagnostic{Span: c.at(p.Field), Related: c.where()}
	switch p.Code {
	case policy.CacheNotSafe:
		d.Code, d.What = diag.CacheNotSafe, c.name()+" has a cache, but is not safe"
		d.Why = "a remembered answer is one without its effect; " + c.whyNotSafe()
		d.Fix = "write `cache: null`" + withoutCacheRungs(&c.whole) + ", or, if the operation has no effect but its price, add `idempotency: safe`"
		d.Related = slices.Concat(d.Related, c.related("idempotency", "the operation is declared so here"))
	case policy.StaleWithoutRung:
		d.Code, d.What = diag.StaleWithoutRung, c.name()+" keeps stale answers that nothing serves"
		d.Why = "what is older than its ttl is given by a cache rung alone"
		d.Fix = "add `{name: remembered, cache: {}}` to `fallback`, or remove `stale-if-error`"
	case policy.RungWithoutCache:
		d.Code, d.What = diag.RungWithoutCache, c.name()+": the rung "+c.rungName(p.Field)+" answers from a cache that there is none of"
		d.Why = "what was answered is kept where `cache` says so, and for as long as it says"
		d.Fix = "add `cache: {ttl: 0s, stale-if-error: 24h}` to the operation, or remove the rung"
	case policy.CacheRungIdle:
		d.Code, d.Severity = diag.CacheRungIdle, diag.Warning
		d.What = c.name() + ": the rung " + c.rungName(p.Field) + " has no answer that the cache would not have given"
		d.Why = "a call is answered from the cache before it is sent; what the rung serves besides is what `stale-if-error` keeps"
		d.Fix = "add `stale-if-error: 24h` to `cache`, or remove the rung"
	default:
		d.Code, d.What = diag.CacheKeepsNothing, c.name()+" has a cache that keeps nothing"
		d.Why = "without `ttl` and `stale-if-error` no answer is ever given again"
		d.Fix = "write `cache: {ttl: 10m}`, or `cache: null`"
		if rung := withoutCacheRungs(&c.whole); rung != "" {
			d.Fix = "write `cache: {ttl: 10m, stale-if-error: 24h}`, or `cache: null`" + rung
		}
	}
	c.list.Add(d)
}

// withoutCacheRungs says that who removes the cache removes the rungs that answer from it, as far as there are any.
func withoutCacheRungs(p *policy.Plan) string {
	for _, rung := range p.Fallback.Rungs {
		if rung.Sort == policy.RungCache {
			return " and remove the rung " + quoted(rung.Name)
		}
	}
	return ""
}

// refuseUnkept refuses caches of operations of which no answer is ever kept: of those that answer with a file, and of those that are asked
// in a way that does not tell what is asked.
func (r *resolver) refuseUnkept() {
	for _, a := range r.asks {
		if !r.policies.Plans[a.index].Cache.On {
			continue
		}
		what, why := r.unkept(a)
		if what == "" {
			continue
		}
		r.list.Add(diag.Diagnostic{
			Code: diag.CacheKeepsNothing, Span: r.spanOf(a, "cache."), What: nameOf(a.op) + " has a cache, and " + what, Why: why,
			Fix:     "write `cache: null`" + withoutCacheRungs(&r.policies.Plans[a.index]),
			Related: []diag.Related{{Span: source.Span{Pos: a.op.Pos}, What: "the operation is here"}},
		})
	}
}

// unkept says what keeps the answers of an operation from being kept, and why; empty where nothing does.
func (r *resolver) unkept(a *ask) (what, why string) {
	if a.body != nil && a.body.codec != JSONCodec {
		return "its request body is no JSON", "what is asked is told by the path, the parameters and a JSON body"
	}
	for _, m := range r.methods {
		switch {
		case m.ask != a:
		case m.answer.download:
			return "answers with a file", "a file is handed over as it comes, and of any length: nothing of it is kept"
		default:
			return "", ""
		}
	}
	return "", ""
}

// whyNotSafe says who says that the operation is not safe.
func (c *refusal) whyNotSafe() string {
	if c.whole.Idempotency == policy.None {
		return c.whyNotIdempotent()
	}
	return "the operation is " + quoted(c.whole.Idempotency.String())
}

// rungName is the name of the rung that a path leads to.
func (c *refusal) rungName(field string) string {
	if i := rungOf(field); i >= 0 && i < len(c.whole.Fallback.Rungs) {
		return quoted(c.whole.Fallback.Rungs[i].Name)
	}
	return quoted(field)
}

// exercise reports exercises that are a risk, or that exercise nothing.
func (c *refusal) exercise(p policy.Problem) {
	d := diag.Diagnostic{Span: c.at(p.Field, "exercise"), Related: c.where()}
	switch p.Code {
	case policy.ExerciseNotSafe:
		d.Code, d.What, d.Fix = diag.ExerciseNotSafe, c.name()+" exercises its rungs, but "+c.whyNoExercise(), "write `exercise: null`"
		d.Why = "a rung that runs in normal times does what the operation does once more, and may be worse than it"
	case policy.ExerciseWithoutRungs:
		d.Code, d.What = diag.ExerciseWithoutRungs, c.name()+" exercises rungs, but has none"
		d.Why, d.Fix = "there is nothing to find out about a ladder that is not there", "write `exercise: null`, or give the operation a `fallback`"
	case policy.ExerciseUnknownRung:
		i := rungOf(p.Field)
		if i < 0 || i >= len(c.whole.Exercise.Rungs) {
			return
		}
		name, known := c.whole.Exercise.Rungs[i], make([]string, len(c.whole.Fallback.Rungs))
		for j, rung := range c.whole.Fallback.Rungs {
			known[j] = rung.Name
		}
		d.Code, d.What, d.Why = diag.UnknownName, c.name()+" has no rung "+quoted(name), "it is to be exercised, and is not there"
		if d.Fix = diag.DidYouMean(name, known); d.Fix == "" {
			d.Fix = "name one of its rungs, or remove it from `rungs`"
		}
	default:
		d.Code, d.What, d.Why = diag.ServeNotEqual, c.name()+": "+p.Text, "in normal times no caller is to get an answer that is worse"
		d.Fix = "write `mode: shadow`"
		if i := c.servable(p.Field); i >= 0 {
			d.Fix += ", or, if the answers of the rung " + quoted(c.whole.Fallback.Rungs[i].Name) + " are as good, add `level: equal` to it"
		}
	}
	c.list.Add(d)
}

// servable is the index of the rung that would be served if it were equal, -1 for none.
func (c *refusal) servable(field string) int {
	named := ""
	if i := rungOf(field); i >= 0 && i < len(c.whole.Exercise.Rungs) {
		named = c.whole.Exercise.Rungs[i]
	}
	return slices.IndexFunc(c.whole.Fallback.Rungs, func(r policy.Rung) bool { return r.Sort.Sends() && (named == "" || r.Name == named) })
}

func (c *refusal) whyNoExercise() string {
	switch {
	case !c.whole.Idempotency.Repeatable() || c.whole.Idempotency == policy.Keyed:
		return "is " + quoted(c.whole.Idempotency.String())
	case c.whole.Fallback.Refuse != "":
		return "never degrades"
	default:
		return "is critical"
	}
}
