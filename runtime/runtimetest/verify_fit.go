package runtimetest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/runtime/policy"
)

// fits reports whether a rung takes the request of the case, by what the plan says that it, or its target, lacks. Samples are small: what is
// said of the longest input does not matter.
func (e *exam) fits(r *policy.Rung) bool {
	lacks := r.Lacks
	if r.Sort == policy.RungTarget {
		lacks = append(slices.Clip(lacks), lacksOf(e.plan, r.Target)...)
	}
	var body any
	if len(lacks) == 0 || json.Unmarshal([]byte(e.request), &body) != nil {
		return true
	}
	return !slices.ContainsFunc(lacks, func(m policy.Match) bool {
		return slices.ContainsFunc(valuesAt(body, strings.Split(m.Pointer, "/")[1:]), func(v any) bool { return matches(v, m.Values) })
	})
}

// lacksOf is what the requests of a target must not have; of one with members what those of each must not.
func lacksOf(p *policy.Plan, target string) []policy.Match {
	var lacks []policy.Match
	for i := range p.Targets {
		t := &p.Targets[i]
		if t.Name != target {
			continue
		}
		lacks = append(lacks, t.Lacks...)
		for _, member := range t.AnyOf {
			lacks = append(lacks, lacksOf(p, member)...)
		}
	}
	return lacks
}

// valuesAt returns the values at a JSON pointer (RFC 6901), in which "*" is every item of a list and every member of an object.
func valuesAt(v any, path []string) []any {
	if len(path) == 0 {
		return []any{v}
	}
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[0])
	var found []any
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if key == name || path[0] == "*" {
				found = append(found, valuesAt(member, path[1:])...)
			}
		}
	case []any:
		for _, item := range v {
			if path[0] == "*" {
				found = append(found, valuesAt(item, path[1:])...)
			}
		}
	}
	return found
}

// matches reports whether a value is one of those that are named, or, where none is, says anything: it is no null, no false, and not empty.
func matches(v any, values []string) bool {
	if len(values) > 0 {
		text, err := json.Marshal(v)
		s, isText := v.(string)
		return isText && slices.Contains(values, s) || err == nil && slices.Contains(values, string(text))
	}
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return matches(item, nil) })
	case map[string]any:
		for _, member := range v {
			if matches(member, nil) {
				return true
			}
		}
		return false
	default:
		return true
	}
}

// atPrimary is a plan with what its primary target has of its own, which counts for all that is sent there.
func atPrimary(p policy.Plan) *policy.Plan {
	for i := range p.Targets {
		t := &p.Targets[i]
		if t.Name != policy.PrimaryTarget {
			continue
		}
		if t.Breaker != (policy.BreakerConfig{}) {
			p.Breaker = t.Breaker
		}
		if t.Bulkhead != (policy.BulkheadConfig{}) {
			p.Bulkhead = t.Bulkhead
		}
		if t.Budget != (policy.BudgetConfig{}) {
			p.Budget = t.Budget
		}
		if t.Limit != (policy.LimitConfig{}) {
			p.Limit = t.Limit
		}
	}
	return &p
}
