package annot

import (
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var idempotencyEntry = Entry{
	Sort:  Fact,
	Title: "Idempotency",
	Text: "Says whether the operation may be executed more than once. By method (RFC 9110, section 9.2): GET, HEAD, OPTIONS, TRACE and QUERY " +
		"are `safe`, PUT and DELETE `idempotent`, the rest `none`. A completion, an embedding or a search by POST has no side effect but its " +
		"price: `safe` is right for it. `keyed` may be sent again with the same idempotency key. `resgen explain` lists what was loosened.",
	Example: "idempotency: safe",
	Since:   "0.1",
	field: oneOf("idempotency", "", []policy.Idempotency{policy.Safe, policy.Idempotent, policy.Keyed, policy.None},
		func(s *Settings) *policy.Idempotency { return &s.Plan.Idempotency }),
}

var idempotentEntry = Entry{
	Sort:    Fact,
	Title:   "Idempotent (short form)",
	Text:    "`idempotent: true` is short for `idempotency: idempotent`, and `idempotent: false` for `idempotency: none`.",
	Example: "idempotent: true",
	Since:   "0.1",
	field: field[Settings]{
		key:   "idempotent",
		shape: scalar{form: "a boolean", example: "true", kind: source.Bool, schema: &schema{Type: "boolean"}},
	},
}

// spellOut replaces the short form by the long one, so that layers merge whichever way each is written.
func spellOut(c checker, v *source.Value) {
	short := v.Get("idempotent")
	if short == nil {
		return
	}
	for i := range v.Map {
		if v.Map[i].Key != "idempotent" {
			continue
		}
		f := v.Map[i]
		if v.Get("idempotency") != nil {
			c.add(diag.Diagnostic{
				Code: diag.ConflictingKeys, Span: keySpan(&f), What: `"idempotent" and "idempotency" are both written`,
				Why: "one is the short form of the other", Fix: `remove "idempotent"`,
			})
			v.Delete("idempotent")
			return
		}
		v.Map[i].Key = "idempotency"
		if f.Value.Kind == source.Bool {
			long := policy.None
			if f.Value.Text == "true" {
				long = policy.Idempotent
			}
			v.Map[i].Value = source.Value{Pos: f.Value.Pos, Kind: source.String, Text: long.String()}
		}
		return
	}
}
