package policy

import (
	"fmt"
	"slices"
)

// Unaccepted returns the classes of data that are not accepted, in their order.
func Unaccepted(data, accepts []string) []string {
	var out []string
	for _, class := range data {
		if !slices.Contains(accepts, class) {
			out = append(out, class)
		}
	}
	return out
}

// data checks that whatever may see what the operation carries accepts it. What says nothing accepts nothing.
func (c *checker) data(p Plan) {
	if len(p.Data) == 0 {
		return
	}
	sent := Endpoints(&p, PrimaryTarget)
	for _, r := range p.Fallback.Rungs {
		if r.Sort == RungTarget {
			sent = append(slices.Clip(sent), Endpoints(&p, r.Target)...)
		}
	}
	if p.Hedge.Max > 0 && p.Hedge.Target != "" {
		sent = append(slices.Clip(sent), Endpoints(&p, p.Hedge.Target)...)
	}
	for i, name := range sent {
		if !slices.Contains(sent[:i], name) {
			c.accepted("targets."+name+".accepts", fmt.Sprintf("target %q", name), p.Data, targetIn(&p, name).Accepts)
		}
	}
	if p.Cache.On {
		c.accepted("cache.accepts", "the cache", p.Data, p.Cache.Accepts)
	}
	for i, r := range p.Fallback.Rungs {
		if r.Sort != RungTarget {
			c.accepted(fmt.Sprintf("fallback[%d].accepts", i), fmt.Sprintf("rung %q", r.Name), p.Data, r.Accepts)
		}
	}
}

// accepted refuses what does not accept all of the data.
func (c *checker) accepted(field, what string, data, accepts []string) {
	if missing := Unaccepted(data, accepts); len(missing) > 0 {
		c.refusef(DataNotAccepted, field, "%s does not accept %q, which the operation carries", what, missing)
	}
}
