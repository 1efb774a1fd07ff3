package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/runtime/policy"
)

// LeftOut is a kind that is worth a retry, that an operation does not retry, and why.
type LeftOut struct {
	Kind policy.Kind
	Why  string
}

// LeftOut lists the kinds that the operation leaves out of its retries; nil for one that is not retried at all.
func (o *Operation) LeftOut() []LeftOut {
	retry := &o.Policy.Retry
	if retry.Attempts <= 1 {
		return nil
	}
	var out []LeftOut
	for _, k := range policy.Kinds() {
		if !k.RetriedHere() || slices.Contains(retry.On, k) {
			continue
		}
		why := "`on` does not name it"
		if !o.Policy.Idempotency.Repeatable() && k.InDoubt() {
			why = "the request may have been executed, and the operation is not idempotent"
		}
		out = append(out, LeftOut{Kind: k, Why: why})
	}
	return out
}

// Loosened says how the operation was declared to be more idempotent than its HTTP method is (RFC 9110, section 9.2); empty where it
// was not. Tightening is free, loosening is its author's word.
func (o *Operation) Loosened() string {
	bind, ok := o.Model.Bind.(*model.HTTPBinding)
	natural, declared := byMethod(o.Model), o.Policy.Idempotency
	if !ok || declared <= natural {
		return ""
	}
	out := bind.Method + " is " + quoted(natural.String()) + " by its method, and declared " + quoted(declared.String())
	i := slices.IndexFunc(o.Why, func(p Provenance) bool { return p.Path == "idempotency" && p.Pos.IsValid() })
	if i < 0 {
		return out
	}
	return out + " at " + o.Why[i].Pos.String()
}
