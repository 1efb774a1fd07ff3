package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/runtime/policy"
)

// anotherSpace is why vectors of two spaces do not mix.
const anotherSpace = "vectors of another model, or of another length, cannot be compared with those that are stored, and nothing fails when they are"

// space reports what can change the vector space of an answer.
func (c *refusal) space(p policy.Problem) {
	d := diag.Diagnostic{Why: anotherSpace, Related: slices.Concat(c.where(), c.related("space", "the vector space is described here"))}
	switch p.Code {
	case policy.SpaceOfHedge:
		d.Code, d.Span = diag.SpaceOfHedge, c.at("hedge.target", "hedge")
		d.What = c.name() + " is hedged on the target " + quoted(c.whole.Hedge.Target) + ", which may answer in another vector space"
		d.Fix = "remove `target` from `hedge`, or, if it serves the same model, add `same-space: \"reason\"` to `hedge`"
	case policy.SpaceOfCache:
		missing := c.uncounted()
		d.Code, d.Span = diag.SpaceOfCache, c.at("cache.key")
		d.What = c.name() + " has a cache whose key leaves out " + strings.Join(missing, " and ") + ", so it may give a vector of another space"
		d.Fix = "write `key: [" + strings.Join(slices.Concat(missing, c.whole.Cache.Key), ", ") + "]`, remove `key`, or add `same-space: \"reason\"` to `cache`"
	default:
		i := rungOf(p.Field)
		if i < 0 || i >= len(c.whole.Fallback.Rungs) {
			return
		}
		rung := c.whole.Fallback.Rungs[i]
		d.Code, d.Span = diag.SpaceOfRung, c.at(p.Field+".target", p.Field)
		whose := "target " + quoted(rung.Target)
		if rung.Sort == policy.RungOperation {
			whose = "operation " + quoted(rung.Operation)
		}
		d.What = c.name() + ": the rung " + quoted(rung.Name) + " may answer in another vector space: that of the " + whose
		d.Fix = "remove the rung, or, if its vectors are of the same model, add `same-space: \"reason\"` to it"
	}
	c.list.Add(d)
}

// uncounted are the pointers that choose the space and are not part of the cache's key.
func (c *refusal) uncounted() []string {
	s := &c.whole.Space
	return slices.DeleteFunc([]string{s.Model, s.Dimensions}, func(pointer string) bool {
		return pointer == "" || slices.ContainsFunc(c.whole.Cache.Key, func(key string) bool {
			return key == pointer || strings.HasPrefix(pointer, key+"/")
		})
	})
}

// patchesSpace refuses rungs whose patch changes what chooses the vector space.
func (c *refusal) patchesSpace() {
	if !c.whole.Space.On {
		return
	}
	for i, rung := range c.whole.Fallback.Rungs {
		if rung.Sort != policy.RungPatch || rung.SameSpace != "" {
			continue
		}
		for j, op := range c.r.facts.Rungs[i].Patch {
			pointer := c.whole.Space.Changed(op.Path)
			if pointer == "" {
				continue
			}
			at := "fallback[" + strconv.Itoa(i) + "]"
			c.list.Add(diag.Diagnostic{
				Code: diag.SpaceOfRung, Span: c.at(at+".patch["+strconv.Itoa(j)+"].path", at+".patch", at),
				What: c.name() + ": the rung " + quoted(rung.Name) + " changes " + quoted(pointer) + ", and answers in another vector space",
				Why:  anotherSpace, Fix: "remove the rung, or, if vectors stay the same, add `same-space: \"reason\"` to it",
				Related: slices.Concat(c.where(), c.related("space", "the vector space is described here")),
			})
			break
		}
	}
}
