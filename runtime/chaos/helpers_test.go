package chaos_test

import (
	"os"
	"testing"

	"github.com/resgen-go/resgen/runtime/chaos"
)

// name is that of every plan of these tests, which the environment switches on.
const name = "test"

func TestMain(m *testing.M) {
	if err := os.Setenv(chaos.Variable, "other, "+name); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// begin starts a plan of rules, now.
func begin(tb testing.TB, rules ...chaos.Rule) *chaos.Chaos {
	tb.Helper()
	c, err := chaos.New(chaos.Plan{Name: name, Rules: rules})
	must(tb, err)
	if !c.IsOn() {
		tb.Fatal("the plan is off")
	}
	return c
}

// always is a rule by which every attempt at the primary target meets a fault.
func always(f chaos.Fault) chaos.Rule {
	return chaos.Rule{Operations: []string{"*"}, Targets: []string{"primary"}, Share: 1, Fault: f}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
