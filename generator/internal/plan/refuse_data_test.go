package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// A target without an address says at run time what it accepts, with that: until then the plan is one that no client takes.
func TestTargetsThatAreKnownLater(t *testing.T) {
	t.Parallel()
	const doc = `
openapi: 3.1.0
info: {title: T, version: '1'}
servers: [{url: 'https://api.example.com'}]
x-resilience:
  targets: {primary: {accepts: [text]}, late: {weight: null}}
paths:
  /a:
    get:
      operationId: a
      x-resilience: {data: [text], fallback: [{name: late, target: late, when: [any]}]}
      responses: {'204': {description: done}}
  /b:
    get: {operationId: b, responses: {'204': {description: done}}}
`
	p := planned(t, doc, "")
	plan := methodOf(t, p, "a").Policy
	if diff := cmp.Diff([]policy.Target{{Name: "primary", Accepts: []string{"text"}}}, plan.Targets); diff != "" {
		t.Errorf("targets of the plan (-want +got):\n%s", diff)
	}
	problems := plan.Validate()
	if len(problems) != 1 || problems[0].Code != policy.DataNotAccepted || problems[0].Field != "targets.late.accepts" {
		t.Errorf("the plan has the problems %v, want that the target says nothing yet", problems)
	}
	if b := methodOf(t, p, "b").Policy; len(b.Targets) != 0 {
		t.Errorf("the plan of an operation that carries nothing classified says %v of its targets", b.Targets)
	}
}
