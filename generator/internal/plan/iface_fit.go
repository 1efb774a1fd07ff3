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

// layerOneShot is what takes away the retries of a method whose argument can be used once, where only a wide layer asked for them.
const layerOneShot = "one-shot argument"

// oneShot keeps a method with an argument that can be used once from being tried again. Who asked for it for this very method is told so
// by the refusal below.
func (r *resolution) oneShot() {
	bind, ok := r.op.Bind.(*model.FuncBinding)
	if !ok || len(bind.OneShot) == 0 {
		return
	}
	if r.plan.Retry.Attempts > 1 && !r.asksItself("retry") {
		r.plan.Retry.Attempts = 1
		r.tree.set("retry.attempts", "1", layerOneShot)
	}
	if r.plan.Hedge.Max > 0 && !r.asksItself("hedge") {
		r.plan.Hedge = policy.HedgeConfig{}
		r.tree.value.Delete("hedge")
		r.tree.forget("hedge")
	}
}

// asksItself reports whether a policy was written for the operation itself: at it, or by a rule.
func (r *resolution) asksItself(key string) bool {
	for path, layer := range r.tree.layers {
		if (path == key || strings.HasPrefix(path, key+".")) && (layer == layerMethod || layer == layerOperation || strings.HasPrefix(layer, "rule ")) {
			return true
		}
	}
	return false
}

// oneShot refuses to use twice what can be used once.
func (c *refusal) oneShot() {
	bind, ok := c.r.op.Bind.(*model.FuncBinding)
	if !ok || len(bind.OneShot) == 0 {
		return
	}
	param := bind.Params[bind.OneShot[0]].Name
	why := "the first attempt may have used it up, so that the next one would send what is left, or nothing"
	related := c.where()
	if c.whole.Retry.Attempts > 1 {
		c.list.Add(diag.Diagnostic{
			Code: diag.RetryOfOneShot, Span: c.at("retry.attempts", "retry", "use"),
			What: c.name() + " is retried, and its argument " + quoted(param) + " can be used once",
			Why:  why, Fix: "write `//resgen:retry null`, or have the method take bytes or a function that opens the reader", Related: related,
		})
	}
	if c.whole.Hedge.Max > 0 {
		c.list.Add(diag.Diagnostic{
			Code: diag.HedgeOfOneShot, Span: c.at("hedge"), What: c.name() + " is hedged, and its argument " + quoted(param) + " can be used once",
			Why: "two copies cannot both read it", Fix: "write `//resgen:hedge null`", Related: related,
		})
	}
	for i := range c.whole.Fallback.Rungs {
		if rung := &c.whole.Fallback.Rungs[i]; rung.Sort == policy.RungTarget {
			c.list.Add(diag.Diagnostic{
				Code: diag.RetryOfOneShot, Span: c.at("fallback[" + strconv.Itoa(i) + "]"),
				What: c.name() + ": the rung " + quoted(rung.Name) + " asks another target, and the argument " + quoted(param) + " can be used once",
				Why:  why, Fix: "answer by a func rung, which knows whether the argument can be used", Related: related,
			})
		}
	}
}

// key finds the parameter that holds the idempotency key, or the function that makes it.
func (r *ifaceResolver) key(m *Method, op *model.Operation, out *Operation) {
	if name := conversationKey(&out.Policy); name != "" {
		r.wire(name, op, op.Pos, Wiring{Func: conversationFunc()}, false)
	}
	key := &out.Policy.Key
	if out.Policy.Idempotency != policy.Keyed || key.From == "" {
		return
	}
	if key.Source == policy.KeyFunc {
		ctx, text := Named{Type: Qual{Path: "context", Name: "Context"}}, Named{Type: stringType}
		r.wire(key.From, op, r.written(m, "key"), Wiring{Func: FuncOf{Params: []Named{ctx}, Results: []Named{text, {Type: Basic{Name: "error"}}}}}, false)
		return
	}
	bind, _ := op.Bind.(*model.FuncBinding)
	m.Key = slices.IndexFunc(bind.Params, func(p model.GoParam) bool { return p.Name == key.From })
	if m.Key < 0 {
		return // refused as a parameter that is not there
	}
	if t, ok := m.Params[m.Key].Type.(Basic); !ok || t.Name != "string" {
		r.list.Add(diag.Diagnostic{
			Code: diag.KeyedWithoutKey, Span: source.Span{Pos: r.written(m, "key.param")}, What: "the parameter " + quoted(key.From) + " of " + op.ID + " is no string",
			Why: "an idempotency key is a text", Fix: "name a parameter of type string, or write `//resgen:key source=func func=NAME`",
		})
	}
}

// written is where a value of the method's policy was written; where the method is if nobody did.
func (r *ifaceResolver) written(m *Method, path string) source.Pos {
	for _, why := range r.policies.Why[m.Operation] {
		if why.Pos.IsValid() && (why.Path == path || strings.HasPrefix(why.Path, path+".")) {
			return why.Pos
		}
	}
	return r.wrapped.Operations[m.Operation].Pos
}

// asks finds the arguments that tell one call from another, where a cache or a limit of tokens looks at them.
func (r *ifaceResolver) asks(m *Method, op *model.Operation, out *Operation) {
	if !out.ShowsRequest() {
		return
	}
	if out.Policy.Cache.On && m.Answer != model.OneValue {
		r.list.Add(diag.Diagnostic{
			Code: diag.CacheDoesNotFit, Span: source.Span{Pos: r.written(m, "cache")},
			What: op.ID + " has a cache, and answers with more than one finished value",
			Why:  "a cache keeps one value, as JSON", Fix: "write `//resgen:cache null`",
		})
		return
	}
	bind, _ := op.Bind.(*model.FuncBinding)
	if what := bind.Results[m.Values[0]].NoJSON; out.Policy.Cache.On && what != "" {
		r.list.Add(diag.Diagnostic{
			Code: diag.CacheDoesNotFit, Span: source.Span{Pos: r.written(m, "cache")},
			What: "the answer of " + op.ID + " cannot be kept: it is " + what,
			Why:  "a cache keeps answers as JSON, and what that does not show would be lost", Fix: "write `//resgen:cache null`",
		})
		return
	}
	m.Asks = []int{}
	for i, p := range m.Params {
		if i == m.Ctx || i == m.Key {
			continue
		}
		if what := bind.Params[i].NoJSON; what != "" {
			r.list.Add(diag.Diagnostic{
				Code: diag.CacheDoesNotFit, Span: source.Span{Pos: r.written(m, "cache")},
				What: "the parameter " + quoted(p.Name) + " of " + op.ID + " tells no call from another: it is " + what,
				Why:  "calls are told apart by their arguments as JSON, and what that cannot show would be taken for equal", Fix: "write `//resgen:cache null`",
			})
			return
		}
		m.Asks = append(m.Asks, i)
	}
	r.refuseBlindPointers(m, op, &out.Policy)
}
