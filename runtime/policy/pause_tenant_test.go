package policy_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestAPauseOfATenant(t *testing.T) {
	t.Parallel()
	p := policy.NewTenantPause(0)
	p.For(at(0), "a").Extend(at(0), at(10*time.Second), policy.KindThrottle)
	for tenant, want := range map[string]string{"a": "10s", "b": "never", "": "never"} {
		if got := since(p.Of(at(time.Second), tenant).Until(at(time.Second))); got != want {
			t.Errorf("%q is paused until %v, want %v", tenant, got, want)
		}
	}
	p.For(at(0), "b").Extend(at(0), at(20*time.Second), policy.KindThrottle)
	if got := since(p.Snapshot(at(time.Second)).Until); got != "20s" {
		t.Errorf("the last pause ends at %v, want 20s", got)
	}
	p.Of(at(time.Second), "b").Lift()
	if got := since(p.Snapshot(at(time.Second)).Until); got != "10s" {
		t.Errorf("the last pause ends at %v, want 10s", got)
	}
	// Many others do not make it forget who is paused.
	for i := range 20_000 {
		p.For(at(time.Second), strconv.Itoa(i))
	}
	if got := since(p.Of(at(time.Second), "a").Until(at(time.Second))); got != "10s" {
		t.Errorf("a is paused until %v, want 10s", got)
	}
	if !p.Snapshot(at(time.Minute)).Until.IsZero() {
		t.Error("there is a pause though all have ended")
	}
}

func TestAPauseOfAll(t *testing.T) {
	t.Parallel()
	p := policy.NewPause(0)
	if p.Of(at(0), "a") != p || p.For(at(0), "a") != p {
		t.Error("a pause of all is not the same for each")
	}
	p.Extend(at(0), at(time.Second), policy.KindThrottle)
	if got := since(p.Snapshot(at(0)).Until); got != "1s" {
		t.Errorf("it ends at %v, want 1s", got)
	}
}
