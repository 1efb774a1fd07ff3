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

// retryInDoubt refuses to retry an operation that may not be executed twice on kinds that leave open if it was. Validate names each
// kind; here the list is reported as one, at the first of these kinds.
func (c *refusal) retryInDoubt() {
	on := c.r.tree.written("retry.on")
	if on == nil {
		return
	}
	var doubtful []source.Value
	for _, v := range on.List {
		if k, ok := policy.ParseKind(v.Text); ok && k.InDoubt() {
			doubtful = append(doubtful, v)
		}
	}
	if len(doubtful) == 0 {
		return
	}
	names := make([]string, len(doubtful))
	for i, v := range doubtful {
		names[i] = quoted(v.Text)
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.RetryWithoutIdempotency, Span: source.Span{Pos: doubtful[0].Pos, Len: len(doubtful[0].Text)},
		What: c.name() + " is retried on " + strings.Join(names, ", ") + " but not idempotent",
		Why:  c.whyNotIdempotent() + ", so a retry after a lost response may do twice what it does",
		Fix: "add `idempotency: keyed` and `key: {in: header, name: Idempotency-Key}`, or limit `retry.on` to `on: [throttle, connect]`, " +
			"or, if it has no effect but its price, add `idempotency: safe`",
		Related: slices.Concat(c.where(), c.related("idempotency", "the operation is declared not idempotent here")),
	})
}

// where points at the operation, for what is reported at a place that it shares with others.
func (c *refusal) where() []diag.Related {
	if !c.r.op.Pos.IsValid() {
		return nil
	}
	return []diag.Related{{Span: source.Span{Pos: c.r.op.Pos}, What: "the operation is here"}}
}

func (c *refusal) whyNotIdempotent() string {
	if v := c.r.tree.written("idempotency"); v != nil && v.Pos.IsValid() {
		return "its idempotency is declared as " + quoted(v.Text)
	}
	if bind, ok := c.r.op.Bind.(*model.HTTPBinding); ok {
		return bind.Method + " has no declared idempotency"
	}
	return "a Go method has no declared idempotency"
}

// rungMayDuplicate refuses a rung that sends again what may have been executed, once for each rung.
func (c *refusal) rungMayDuplicate(p policy.Problem) {
	i := rungOf(p.Field)
	if i < 0 || i >= len(c.whole.Fallback.Rungs) {
		return
	}
	rung := c.whole.Fallback.Rungs[i]
	at, named := c.at(p.Field), "any"
	if when := c.r.tree.find(p.Field); when != nil {
		for _, v := range when.List {
			if k, ok := policy.ParseKind(v.Text); v.Text == "any" || ok && k.InDoubt() {
				at, named = source.Span{Pos: v.Pos, Len: len(v.Text)}, v.Text
				break
			}
		}
	}
	certain := slices.DeleteFunc(slices.Clone(rung.When), policy.Kind.InDoubt)
	fix := "add `may-duplicate: \"reason\"` to the rung"
	if len(certain) > 0 {
		fix = "write `when: " + kindList(certain) + "`, or " + fix
	}
	if c.whole.Idempotency == policy.None {
		fix += ", or, if the operation has no effect but its price, add `idempotency: safe`"
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.RungMayDuplicate, Span: at,
		What: c.name() + ": the rung " + quoted(rung.Name) + " may do again what was done, after " + quoted(named), Why: c.whyDuplicates(), Fix: fix,
		Related: slices.Concat(c.where(), c.related("idempotency", "the operation is declared so here")),
	})
}

func (c *refusal) whyDuplicates() string {
	if c.whole.Idempotency == policy.Keyed {
		return "after such a failure the request may have been executed, and its idempotency key is known to the first target only"
	}
	return "after such a failure the request may have been executed, and " + c.whyNotIdempotent()
}

// rungRepeats refuses a rung that sends the same request to the primary target, which the operation itself calls.
func (c *refusal) rungRepeats() {
	for i, rung := range c.whole.Fallback.Rungs {
		if rung.Sort != policy.RungTarget || rung.Target != policy.PrimaryTarget {
			continue
		}
		c.list.Add(diag.Diagnostic{
			Code: diag.RungRepeatsTarget, Span: c.at("fallback[" + strconv.Itoa(i) + "].target"),
			What:    c.name() + ": the rung " + quoted(rung.Name) + " calls the target " + quoted(rung.Target) + ", which failed before",
			Why:     "the operation itself calls it, so the rung is a retry outside `retry`: without backoff, and beyond its attempts",
			Fix:     "remove the rung, name another target, or write `retry: {attempts: " + strconv.Itoa(max(c.whole.Retry.Attempts, 1)+1) + "}`",
			Related: c.where(),
		})
	}
}

// retryLayered refuses retries towards a primary target that retries itself.
func (c *refusal) retryLayered() {
	c.list.Add(diag.Diagnostic{
		Code: diag.RetryTowardsLayered, Span: c.at("retry.attempts", "use"), What: `retries towards the target "primary", which is layered`,
		Why: "the target retries or falls back itself, and retries at two layers multiply", Fix: "write `retry: null`",
		Related: c.related("targets."+policy.PrimaryTarget+".layered", "the target is declared layered here"),
	})
}

// rungOf is the index in a path such as "fallback[1].when", -1 where there is none.
func rungOf(field string) int {
	_, rest, _ := strings.Cut(field, "[")
	digits, _, _ := strings.Cut(rest, "]")
	i, err := strconv.Atoi(digits)
	if err != nil {
		return -1
	}
	return i
}
