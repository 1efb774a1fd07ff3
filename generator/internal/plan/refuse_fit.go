package plan

import (
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// fitWords says what a rung takes: "; at most 8,192 tokens of input, no /tools".
func fitWords(most int64, lacks []policy.Match) string {
	var words []string
	if most > 0 {
		words = append(words, "at most "+grouped(float64(most))+" tokens of input")
	}
	for _, m := range lacks {
		word := "no " + oneLine(m.Pointer)
		if len(m.Values) > 0 {
			word += " of " + oneLine(strings.Join(m.Values, ", "))
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return ""
	}
	return "; " + strings.Join(words, ", ")
}

// stated are the paths at which an operation's rungs and targets say what they cannot take.
func (c *refusal) stated() []string {
	var out []string
	add := func(at string, most int64, lacks []policy.Match) {
		if most > 0 {
			out = append(out, at+".max-input")
		}
		if len(lacks) > 0 {
			out = append(out, at+".lacks")
		}
	}
	for i := range c.whole.Fallback.Rungs {
		r := &c.whole.Fallback.Rungs[i]
		add("fallback["+strconv.Itoa(i)+"]", r.MaxInput, r.Lacks)
	}
	for i := range c.whole.Targets {
		t := &c.whole.Targets[i]
		add("targets."+t.Name, t.MaxInput, t.Lacks)
	}
	return out
}

// unseen refuses to say of the requests of an operation what nobody can see: those of a Go method, and those without a JSON body. What stands
// at a target is for all that call it.
func (c *refusal) unseen() {
	what, why := "", ""
	switch bind := c.r.op.Bind.(type) {
	case *model.FuncBinding:
		what, why = "is a Go method", "its arguments are not looked into; where they become a request, the client inside can be told"
	case *model.HTTPBinding:
		if bind.Body == nil {
			what, why = "has no request body", "what is said is about the length and the fields of a body"
		}
	}
	if what == "" {
		return
	}
	for _, field := range c.stated() {
		if bind, isHTTP := c.r.op.Bind.(*model.HTTPBinding); isHTTP && bind.Body == nil && strings.HasPrefix(field, "targets.") {
			continue
		}
		key := field[strings.LastIndexByte(field, '.')+1:]
		c.list.Add(diag.Diagnostic{
			Code: diag.FitUnseen, Span: c.at(field), What: c.name() + " " + what + ", of which `" + key + "` says nothing", Why: why,
			Fix: "remove `" + key + "`", Related: c.where(),
		})
	}
}

// fitUnstated warns of rungs of a language model that do not say what they can take: a request that is too long for them costs the time of
// an attempt before they say so.
func (c *refusal) fitUnstated() {
	if c.r.tree.written("tokens") == nil || c.isFunc() {
		return
	}
	fits := policy.FitsOf(&c.whole)
	for i := range c.whole.Fallback.Rungs {
		r := &c.whole.Fallback.Rungs[i]
		if !r.Sort.Sends() || fits != nil && (fits[i+1].MaxInput > 0 || len(fits[i+1].Lacks) > 0) {
			continue
		}
		c.list.Add(diag.Diagnostic{
			Code: diag.FitUnstated, Severity: diag.Warning, Span: c.at("fallback[" + strconv.Itoa(i) + "]"),
			What:    c.name() + ": the rung " + quoted(r.Name) + " does not say what it can take",
			Why:     "a request that is too long for it, or uses what it lacks, takes the time of an attempt before it says so",
			Fix:     "add `max-input: 8192` with the window of its model, and `lacks: [/tools]` with what it cannot do",
			Related: c.where(),
		})
	}
}

// refuseBlindLacks refuses what rungs lack where no request can have it. A target is called by several operations, of which some have it.
func (r *resolver) refuseBlindLacks() {
	for _, a := range r.asks {
		rungs := r.policies.Plans[a.index].Fallback.Rungs
		for i := range rungs {
			at := "fallback[" + strconv.Itoa(i) + "]"
			if a.body == nil { // said already
				continue
			}
			for k, m := range rungs[i].Lacks {
				span := r.spanOf(a, at)
				if facts := r.facts(a.index).Rungs; i < len(facts) && k < len(facts[i].LacksPos) && facts[i].LacksPos[k].IsValid() {
					span = source.Span{Pos: facts[i].LacksPos[k]}
				}
				r.blind(a, at+".lacks", span, m.Pointer, r.inRequests(a, m.Pointer, func(model.Type) bool { return true }))
			}
		}
	}
}
