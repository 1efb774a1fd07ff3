package policy

import (
	"slices"
	"time"
)

// Fit is what a rung can take of requests. The zero value takes everything.
type Fit struct {
	// MaxInput is the longest input in tokens, by the estimate that limits of tokens use; 0 is no bound.
	MaxInput int64
	// Lacks lists what the request must not have: each of them alone makes it unfit.
	Lacks []Match
}

// Misfit is why a rung cannot take a request. The zero value is one that it can.
type Misfit struct {
	// Input is about how many tokens the request has, and Most how many the rung takes; both 0 where that is not what is wrong.
	Input, Most int64
	// Lacks is the JSON pointer at what the request has and the rung lacks; empty where that is not what is wrong.
	Lacks string
}

// is reports whether there is one.
func (m *Misfit) is() bool { return m.Most > 0 || m.Lacks != "" }

// FitsOf returns what the rungs of a plan can take, the operation itself first and, after the rungs, the target that gets copies; nil where
// each of them takes everything. A `target` rung takes what its target takes, less what it says itself; a `patch` rung what it says: it is
// another request, mostly to another model. A target with members takes what each of them does.
func FitsOf(p *Plan) []Fit {
	fits := make([]Fit, len(p.Fallback.Rungs)+2) //nolint:mnd // the operation itself, and the target of copies
	fits[0] = fitOfTarget(p, PrimaryTarget)
	for i := range p.Fallback.Rungs {
		r := &p.Fallback.Rungs[i]
		own := Fit{MaxInput: r.MaxInput, Lacks: r.Lacks}
		if r.Sort == RungTarget {
			own = fitOfTarget(p, r.Target).and(own)
		}
		fits[i+1] = own
	}
	if p.Hedge.Max > 0 && p.Hedge.Target != "" {
		fits[len(fits)-1] = fitOfTarget(p, p.Hedge.Target)
	}
	for i := range fits {
		if fits[i].MaxInput > 0 || len(fits[i].Lacks) > 0 {
			return fits
		}
	}
	return nil
}

// fitOfTarget is what a target can take.
func fitOfTarget(p *Plan, name string) Fit {
	t := targetIn(p, name)
	f := Fit{MaxInput: t.MaxInput, Lacks: t.Lacks}
	for _, member := range t.AnyOf {
		m := targetIn(p, member)
		f = f.and(Fit{MaxInput: m.MaxInput, Lacks: m.Lacks})
	}
	return f
}

// and is what both can take.
func (f Fit) and(other Fit) Fit {
	if f.MaxInput == 0 || other.MaxInput > 0 && other.MaxInput < f.MaxInput {
		f.MaxInput = other.MaxInput
	}
	f.Lacks = append(slices.Clip(f.Lacks), other.Lacks...)
	return f
}

// Misfits says which rungs cannot take a request, for Request.Unfit: one for each of the fits, and nil where all can. The rungs are those
// of the call; uses reports whether the request has what a match describes.
func Misfits(fits []Fit, rungs []Machines, size Size, uses func(Match) bool) []Misfit {
	var out []Misfit
	for i := range fits {
		m := fits[i].misfit(func() int64 { return inputAt(rungs, i, size) }, uses)
		if !m.is() {
			continue
		}
		if out == nil {
			out = make([]Misfit, len(fits))
		}
		out[i] = m
	}
	return out
}

// misfit is why a request does not fit.
func (f Fit) misfit(input func() int64, uses func(Match) bool) Misfit {
	for i := range f.Lacks {
		if uses(f.Lacks[i]) {
			return Misfit{Lacks: f.Lacks[i].Pointer}
		}
	}
	if f.MaxInput > 0 {
		if n := input(); n > f.MaxInput {
			return Misfit{Input: n, Most: f.MaxInput}
		}
	}
	return Misfit{}
}

// inputAt estimates the tokens of a request's input on a rung: by what is known of its target, else by what is known of the operation's own,
// else as for any text.
func inputAt(rungs []Machines, rung int, size Size) int64 {
	e := rungs[0].estimator()
	if rung < len(rungs) {
		if own := rungs[rung].estimator(); own != nil {
			e = own
		}
	}
	if e == nil {
		e = new(Estimator)
	}
	return e.window(size)
}

// estimator returns what estimates the size of calls to a target; of one with members, the first one's.
func (m *Machines) estimator() *Estimator {
	if m.Members != nil {
		return m.Members.list[0].machines.Estimate
	}
	return m.Estimate
}

// misfits reports whether a rung cannot take the request.
func (r *Request) misfits(rung int) bool { return r.Unfit != nil && r.Unfit[rung].is() }

// passOver tells of the rungs before the next one that would have been taken, had the request fitted. A rung that does not fit is as if it
// were not there, but that it leads on by its own kind too.
func (c *Call) passOver(now time.Time, next int, out []Action) []Action {
	if c.req.Unfit == nil || c.req.NoFallback || c.via.Has(KindCanceled) {
		return out
	}
	if next == 0 {
		next = len(c.rungs)
	}
	for i := c.rung + 1; i < next; i++ {
		if c.req.misfits(i) && c.usable(now, i, c.via) {
			c.via |= SetOf(KindUnfit)
			out = append(out, Action{Do: TellNote, Note: Note{What: NoteUnfit, Rung: i, Kind: KindUnfit}})
		}
	}
	return out
}
