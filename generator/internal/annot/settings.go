package annot

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Settings are what the annotations of one operation say, decoded.
type Settings struct {
	// Plan holds the facts and policies that the runtime is told; its Timeout is zero, because annotations name a class.
	Plan policy.Plan
	// Facts hold what the planner needs beside it.
	Facts Facts
	// Timeout and Use are the names of a timeout class and of a policy; empty where none is named.
	Timeout, Use string
}

var operationSection = section{title: "an operation's annotations", tables: [][]Entry{facts, policies}}

// CheckOperation checks the annotations of an operation or a path and reports what is wrong to list. It returns what is right,
// short forms written out, and whether everything was; annotations that are null say nothing. Null values stay: they remove what lower layers say.
func CheckOperation(v *source.Value, list *diag.List) (source.Value, bool) {
	c := newChecker(list)
	if v.Kind == source.Null {
		return source.Value{Pos: v.Pos, Kind: source.Map}, true
	}
	out, _ := operationSection.check(c, v)
	return out, c.ok()
}

// Decode reads a checked object of annotations. What it does not say is zero.
func Decode(v *source.Value) Settings {
	var s Settings
	for i := range v.Map {
		f := &v.Map[i]
		e := operationSection.find(f.Key)
		if e != nil && e.field.put != nil && f.Value.Kind != source.Null {
			e.field.put(&s, &f.Value)
		}
	}
	return s
}

// Print is the inverse of Decode: the object that says the same, short forms written out, without positions.
func (s *Settings) Print() source.Value {
	out := source.Value{Kind: source.Map}
	for _, e := range slices.Concat(facts, policies) {
		if e.field.take == nil {
			continue
		}
		if v, ok := e.field.take(s); ok {
			out.Map = append(out.Map, source.Field{Key: e.field.key, Value: v})
		}
	}
	return out
}

// DecodeTimeout reads a checked timeout class.
func DecodeTimeout(v *source.Value) policy.Timeout {
	var t policy.Timeout
	timeoutKeys.decode(&t, v)
	return t
}

// PrintTimeout is the inverse of DecodeTimeout.
func PrintTimeout(t policy.Timeout) source.Value { return timeoutKeys.encode(&t) }

// DecodeTarget reads a checked target.
func DecodeTarget(name string, v *source.Value) policy.Target {
	t := policy.Target{Name: name}
	targetKeys.decode(&t, v)
	return t
}

// PrintTarget is the inverse of DecodeTarget, without the name.
func PrintTarget(t *policy.Target) source.Value { return targetKeys.encode(t) }
