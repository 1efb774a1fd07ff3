package plan

import (
	"cmp"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// hedge reports hedges of what must not run twice at once, and those that come too late.
func (c *refusal) hedge(p policy.Problem) {
	d := diag.Diagnostic{Span: c.at(p.Field), Related: slices.Concat(c.where(), c.related("idempotency", "the operation is declared so here"))}
	switch p.Code {
	case policy.HedgeInDoubt:
		d.Code, d.What = diag.HedgeWithoutIdempotency, c.name()+" is hedged but not idempotent"
		d.Why = c.whyNotIdempotent() + ", and a hedge is executed beside the first copy, so what it does would be done twice"
		d.Fix = "write `hedge: null`, or, if the operation has no effect but its price, add `idempotency: safe`"
	case policy.HedgeKeyBusy:
		d.Code, d.What = diag.HedgeKeyBusy, c.name()+" is hedged, but its server takes one request with a key at a time"
		d.Why = "the second copy has the key of the first, which is still being handled; a server that is not made for that refuses it, or does both"
		d.Fix = "if the server handles it, add `concurrent: true` to `key`"
		if !c.whole.Hedgeable {
			d.Fix += " and `hedgeable: true` to the operation"
		}
		d.Fix += "; else write `hedge: null`"
	case policy.HedgeMayDuplicate:
		d.Code, d.What = diag.HedgeMayDuplicate, c.name()+" is hedged on the target "+quoted(c.whole.Hedge.Target)+", which may do again what was done"
		d.Why = "an idempotency key is known to one target only, and both copies may be executed"
		d.Fix = "remove `target` from `hedge`, or write `hedge: null`"
	case policy.HedgeTooLate:
		d.Code, d.Severity, d.Related = diag.HedgeTooLate, diag.Warning, c.where()
		d.What = "the hedge comes after " + annot.Duration(c.whole.Hedge.Delay) + ", and an attempt is over after " +
			annot.Duration(c.whole.Timeout.Attempt)
		d.Why = "no copy is ever sent"
		d.Fix = "write `delay: auto`"
		if half := roundDown(c.whole.Timeout.Attempt / 2); half > 0 {
			d.Fix += ", or a delay below the attempt timeout: `delay: " + annot.Duration(half) + "`"
		}
	default:
		d.Code, d.What = diag.HedgeNotHedgeable, c.name()+" is hedged but not hedgeable"
		d.Why = "only what may run twice at once, and is worth its price, is hedged; `hedgeable` is true by itself for operations that are safe"
		d.Fix = "add `hedgeable: true`, or write `hedge: null`"
		d.Related = slices.Concat(c.where(), c.related("hedgeable", "it is declared so here"))
	}
	c.list.Add(d)
}

// hedgeLayered refuses hedges towards a target that retries itself: the runtime sends none there.
func (c *refusal) hedgeLayered() {
	name := cmp.Or(c.whole.Hedge.Target, policy.PrimaryTarget)
	layered := func(t policy.Target) bool { return t.Name == name && t.Layered }
	if c.whole.Hedge.Max <= 0 || !slices.ContainsFunc(c.whole.Targets, layered) {
		return
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.RetryTowardsLayered, Span: c.at("hedge.target", "hedge"), What: "hedges towards the target " + quoted(name) + ", which is layered",
		Why: "the target retries or falls back itself, and copies at two layers multiply; none is sent", Fix: "write `hedge: null`",
		Related: slices.Concat(c.where(), c.related("targets."+name+".layered", "the target is declared layered here")),
	})
}

// refuseOneShotHedges refuses hedges of requests whose body may be one that can be read once: two copies cannot both send it.
func (r *resolver) refuseOneShotHedges() {
	for _, a := range r.asks {
		if r.policies.Plans[a.index].Hedge.Max <= 0 || a.body == nil {
			continue
		}
		if a.body.codec != BinaryCodec && !r.types.hasFiles(*a.body) {
			continue
		}
		r.list.Add(diag.Diagnostic{
			Code: diag.HedgeOfOneShot, Span: r.spanOf(a, "hedge."), What: nameOf(a.op) + " is hedged, and its body may be a reader",
			Why: "a file or a stream of bytes is often given as a reader, which is read once: a second copy would have nothing to send",
			Fix: "write `hedge: null`", Related: []diag.Related{{Span: source.Span{Pos: a.op.Pos}, What: "the operation is here"}},
		})
	}
}
