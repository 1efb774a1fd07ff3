package generator_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
)

// inexpressible are the scenarios that no OpenAPI document can describe, with the reason.
var inexpressible = map[string]string{
	"Routes_PathParameters_PathExpansion_Explode_array":  "a list in as many segments of the path as it has items ({/param*}) has no style in OpenAPI",
	"Routes_PathParameters_PathExpansion_Explode_record": "an object in as many segments of the path as it has members ({/param*}) has no style in OpenAPI",
}

// spectorFailures are the scenarios that are expected to fail though a document can describe them, with the reason. One that passes
// must be taken off the list. A name may follow a version: the scenario then fails in documents of that version only.
var spectorFailures = map[string]string{}

// spectorGoal is the share of the scenarios that OpenAPI can express of which all must pass.
const spectorGoal = 0.95

// spectorScore counts the scenarios of one spec, or of all.
type spectorScore struct{ all, passed, inexpressible, xml int }

// judgeSpector prints a table and fails for what must not be. A scenario passes where the server says so and the player, who looks at
// what came of the answers, found no fault.
func judgeSpector(t *testing.T, version string, scenarios []spectorScenario, faults map[string][]string, score map[string]string) {
	t.Helper()
	specs := map[string]*spectorScore{}
	var total spectorScore
	for _, s := range scenarios {
		spec := specs[s.Spec]
		if spec == nil {
			spec = &spectorScore{}
			specs[s.Spec] = spec
		}
		passed := score[s.Name] == "pass" && len(faults[s.Name]) == 0
		s.judge(t, version, passed, score[s.Name], faults[s.Name])
		for _, sum := range []*spectorScore{spec, &total} {
			sum.add(s.Name, passed)
		}
	}
	printSpector(specs, total)
	if share := float64(total.passed) / float64(total.all-total.inexpressible); share < spectorGoal {
		t.Errorf("%.1f %% of the scenarios that OpenAPI can express passed, want %.0f %%", 100*share, 100*spectorGoal)
	}
}

func (s *spectorScore) add(name string, passed bool) {
	s.all++
	switch {
	case inexpressible[name] != "":
		s.inexpressible++
	case passed:
		s.passed++
	}
	if passed && strings.Contains(strings.ToLower(name), "xml") {
		s.xml++
	}
}

// judge fails for a scenario whose end is not the expected one.
func (s *spectorScenario) judge(t *testing.T, version string, passed bool, score string, faults []string) {
	t.Helper()
	_, out := inexpressible[s.Name]
	reason, known := spectorFailures[s.Name]
	if !known {
		reason, known = spectorFailures[version+" "+s.Name]
	}
	switch {
	case out && passed:
		t.Errorf("%s passes: take it off the list of what OpenAPI cannot express", s.Name)
	case known && passed:
		t.Errorf("%s passes: take it off the list of failures (%s)", s.Name, reason)
	case !out && !known && !passed:
		t.Errorf("%s: the server says %q, the player %q", s.Name, score, faults)
	}
}

func printSpector(specs map[string]*spectorScore, total spectorScore) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "spec\tscenarios\tpassed\tnot in OpenAPI")
	for _, name := range slices.Sorted(maps.Keys(specs)) {
		s := specs[name]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", name, s.all, s.passed, s.inexpressible)
	}
	_ = w.Flush()
	for _, name := range slices.Sorted(maps.Keys(inexpressible)) {
		fmt.Fprintf(os.Stdout, "%s cannot be said in OpenAPI: %s\n", name, inexpressible[name])
	}
	for _, name := range slices.Sorted(maps.Keys(spectorFailures)) {
		fmt.Fprintf(os.Stdout, "%s is known to fail: %s\n", name, spectorFailures[name])
	}
	can := total.all - total.inexpressible
	fmt.Fprintf(os.Stdout, "%d of %d scenarios passed; of the %d that OpenAPI can express that is %.1f %%. "+
		"%d of them have a body of XML, which is passed as bytes.\n",
		total.passed, total.all, can, 100*float64(total.passed)/float64(can), total.xml)
}
