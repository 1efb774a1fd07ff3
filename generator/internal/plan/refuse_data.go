package plan

import (
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// data reports what may see data that it does not accept.
func (c *refusal) data(p policy.Problem) {
	var what, where, target string
	var accepts []string
	switch name, isTarget := strings.CutPrefix(strings.TrimSuffix(p.Field, ".accepts"), "targets."); {
	case isTarget:
		if c.tellsLater(name) {
			return
		}
		target = name
		what, accepts, where = "the target "+quoted(name), c.s.target(name).Accepts, "the target, under `targets`"
	case p.Field == "cache.accepts":
		what, accepts, where = "its cache", c.whole.Cache.Accepts, "`cache`"
	case p.Field == "cache.semantic.accepts":
		what, accepts, where = "the embedder of its cache", c.whole.Cache.Semantic.Accepts, "`semantic`"
	default:
		i := rungOf(p.Field)
		if i < 0 || i >= len(c.whole.Fallback.Rungs) {
			return
		}
		what, accepts, where = "its rung "+quoted(c.whole.Fallback.Rungs[i].Name), c.whole.Fallback.Rungs[i].Accepts, "the rung"
	}
	missing := policy.Unaccepted(c.whole.Data, accepts)
	at := c.at(p.Field, "data")
	if def := c.s.targets.find(target); def != nil && len(accepts) == 0 {
		at = source.Span{Pos: def.pos, Len: len(target)}
	}
	all := slices.Concat(accepts, missing)
	fix := "add `accepts: [" + strings.Join(all, ", ") + "]` to " + where + ", if it may see that, or let it not be used here"
	if len(accepts) > 0 {
		fix = "write `accepts: [" + strings.Join(all, ", ") + "]` in " + where + ", if it may see that, or let it not be used here"
	}
	if target != "" && c.isFunc() {
		fix = "write `//resgen:target " + target + " accepts=" + strings.Join(all, ",") + "` above the type, if it may see that, or let it not be used here"
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.DataNotAccepted, Span: at, Fix: fix,
		What:    c.name() + " carries " + quoted(strings.Join(missing, ", ")) + ", and " + what + " does not accept that",
		Why:     "what says nothing accepts nothing that is classified: it may be another company, another country, or a disk",
		Related: slices.Concat(c.where(), c.related("data", "what it carries is said here")),
	})
}

// tellsLater reports whether a target says at run time what it accepts, with its address: the annotations give neither.
func (c *refusal) tellsLater(name string) bool {
	def := c.s.targets.find(name)
	return !c.isFunc() && name != policy.PrimaryTarget && def != nil && def.tree.written("base-url") == nil && def.tree.written("accepts") == nil
}
