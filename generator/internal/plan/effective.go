package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// effective is what the facts and policies of an operation come to, as annotations spell it: equal for equal meanings, whichever layers said it
// and in which form. It has no positions; Why has them. Timeouts stand below `timeout` with their keys, the targets that the operation calls
// below `targets` by name, each with the machines of the operation where it has none of its own. Where the operation has a stream it is what
// the stream runs.
func (r *resolution) effective(s *shared) source.Value {
	settings := annot.Settings{Plan: r.plan, Facts: r.facts}
	off(&settings.Plan)
	out := settings.Print()
	if policy.Idempotent == r.plan.Idempotency && len(r.plan.IDs) > 0 {
		out.Set(source.Field{Key: "idempotency", Value: plainText(annot.IdempotentByIDs)})
	}
	if rungs := out.Get("fallback"); rungs != nil && rungs.Kind == source.List {
		for i := range rungs.List {
			level := settings.Plan.Fallback.Rungs[i].Level
			rungs.List[i].Set(source.Field{Key: "level", Value: plainText(level.String())})
		}
	}
	out.Set(source.Field{Key: "timeout", Value: r.effectiveTimeouts()})
	out.Set(source.Field{Key: "targets", Value: s.effectiveTargets(&settings.Plan, &out)})
	return out
}

// off leaves out what policies say that do nothing.
func off(p *policy.Plan) {
	if p.Retry.Attempts <= 1 {
		p.Retry = policy.Retry{}
	}
	if p.Hedge.Max == 0 {
		p.Hedge = policy.HedgeConfig{}
	}
	if p.Exercise.Share <= 0 {
		p.Exercise = policy.ExerciseConfig{}
	}
}

// effectiveTimeouts are the timeouts that the operation has, `min-rate` as an object.
func (r *resolution) effectiveTimeouts() source.Value {
	out := source.Value{Kind: source.Map}
	all := annot.PrintTimeout(r.plan.Timeout)
	for _, f := range all.Map {
		if !r.timed(f.Key) {
			continue
		}
		if f.Key == "min-rate" && f.Value.Kind == source.String {
			f.Value = source.Value{Kind: source.Map, Map: []source.Field{{Key: "rate", Value: f.Value}}}
		}
		out.Map = append(out.Map, f)
	}
	return out
}

// effectiveTargets are the targets that a plan calls, by name.
func (s *shared) effectiveTargets(p *policy.Plan, own *source.Value) source.Value {
	out := source.Value{Kind: source.Map}
	for _, name := range s.called(p) {
		t := s.target(name)
		t.BaseURL = "" // it is the client's
		v := annot.PrintTarget(&t)
		for _, key := range []string{"budget", "breaker", "bulkhead", "limit"} {
			if machine := own.Get(key); v.Get(key) == nil && machine != nil {
				v.Map = append(v.Map, source.Field{Key: key, Value: machine.Clone()})
			}
		}
		out.Map = append(out.Map, source.Field{Key: name, Value: v})
	}
	return out
}

// called are the names of the targets that a plan calls: primary, those of rungs and of hedges, then the members of all of them.
func (s *shared) called(p *policy.Plan) []string {
	names := []string{policy.PrimaryTarget}
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, rung := range p.Fallback.Rungs {
		if rung.Sort == policy.RungTarget {
			add(rung.Target)
		}
	}
	if p.Hedge.Max > 0 && p.Hedge.Target != "" {
		add(p.Hedge.Target)
	}
	for i := 0; i < len(names); i++ { //nolint:intrange // the list grows: members may have members
		for _, member := range s.target(names[i]).AnyOf {
			add(member)
		}
	}
	return names
}

// removed lists what a null took away, by path, with its place.
func (r *resolution) removed() []Provenance {
	return nulls(nil, r.tree, &r.tree.value, "")
}

func nulls(out []Provenance, t *tree, v *source.Value, at string) []Provenance {
	for i := range v.Map {
		out = nulls(out, t, &v.Map[i].Value, steps(at, v.Map[i].Key))
	}
	if v.Kind == source.Null && at != "" && v.Pos.IsValid() {
		out = append(out, Provenance{Path: at, Layer: t.layers[at], Pos: v.Pos})
	}
	return out
}

func plainText(text string) source.Value { return source.Value{Kind: source.String, Text: text} }
