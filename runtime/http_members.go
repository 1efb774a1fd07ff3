package runtime

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/resgen-go/resgen/runtime/policy"
)

// errGroupWired is what was given to a target with members, and none of them can use.
var errGroupWired = errors.New("it has members, which are what is called: give them their addresses, credentials, TLS and request editors, " +
	"each in WithTarget")

// hasOwn reports whether options gave a target with members what is of no use to them: a credential is for one endpoint.
func (t *httpTarget) hasOwn() bool {
	return t.given && !t.inherited || len(t.config.Credentials) > 0 || len(t.config.Edit) > 0 || len(t.tokens) > 0 || t.config.TLS != nil
}

// inherit gives the members of targets the addresses of those, where they have none of their own: members may differ by their credentials
// alone.
func (h *HTTP) inherit() {
	for _, t := range h.targets {
		for _, name := range t.AnyOf {
			m := h.targets[name]
			if m == nil {
				continue // the operations say so
			}
			if m.BaseURL == "" {
				m.BaseURL, m.given, m.document = t.BaseURL, t.given, t.Name == policy.PrimaryTarget
				t.inherited = true
			}
			m.Internal = m.Internal || t.Internal
		}
	}
}

// need says that an operation calls a target, or each of its members.
func (h *HTTP) need(plan *policy.Plan, target string, endpoints map[string]string) {
	for _, name := range policy.Endpoints(plan, target) {
		t := h.targets[name]
		if t == nil {
			h.fail(fmt.Errorf("%s: there is no target %q", plan.Operation, name))
			continue
		}
		bulkhead := policy.TargetOf(plan, name).Bulkhead
		if name != target {
			bulkhead = policy.MemberOf(plan, target, name).Bulkhead
		}
		t.needs(plan, bulkhead)
		endpoints[name] = t.BaseURL
	}
}

// affinityOf returns the function that says to which conversation a call of the plan belongs; nil where no target wants to know. What is
// missing is for Err to say.
func affinityOf(in wiring, plan *policy.Plan) func(context.Context) string {
	for i := range plan.Targets {
		key := plan.Targets[i].Affinity.Key
		if key == "" {
			continue
		}
		given, wired := in.lookup(key)
		f, ok := given.(func(context.Context) string)
		switch {
		case !wired:
			in.fail(fmt.Errorf("%q is not wired: the affinity of target %q needs it: %s, with %s",
				key, plan.Targets[i].Name, in.giver(), reflect.TypeFor[func(context.Context) string]()))
		case !ok || f == nil:
			in.fail(fmt.Errorf("%q is wired as %T: the affinity of target %q needs %s",
				key, given, plan.Targets[i].Name, reflect.TypeFor[func(context.Context) string]()))
		}
		return f
	}
	return nil
}
