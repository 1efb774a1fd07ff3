package policy_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// checkNames checks that the names are spelled as annotations do, and that parsing takes back what printing gives. The first
// refused values have a name that no annotation may use.
func checkNames[E interface {
	~uint8
	fmt.Stringer
}](t *testing.T, parse func(string) (E, bool), first E, refused int, want ...string,
) {
	t.Helper()
	var got []string
	for i := range want {
		e := first + E(i)
		got = append(got, e.String())
		back, ok := parse(e.String())
		if known := i >= refused; ok != known || ok && back != e {
			t.Errorf("parsing %q gives %v, %v", e.String(), back, ok)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if past := (first + E(len(want))).String(); past == "" || past == want[0] {
		t.Errorf("a value past the end prints as %q", past)
	}
	for _, bad := range []string{"", "nonsense", "Full"} {
		if e, ok := parse(bad); ok {
			t.Errorf("parsing %q gives %v", bad, e)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	checkNames(t, policy.ParseJitter, policy.FullJitter, 0, "full", "equal", "decorrelated", "none")
	checkNames(t, policy.ParseScope, policy.ScopeTarget, 0, "target", "operation")
	checkNames(t, policy.ParseBreakerMode, policy.BreakerOff, 1, "off", "on", "shadow", "forced-open", "forced-closed")
	checkNames(t, policy.ParseKeyFormat, policy.KeyBare, 0, "bare", "sf-string")
	checkNames(t, policy.ParseKeySource, policy.KeyUUIDv7, 0, "uuidv7", "param", "func")
	checkNames(t, policy.ParseStreamFormat, policy.NoStream, 1, "none", "sse", "jsonl", "json-seq")
	checkNames(t, policy.ParseRungSort, policy.RungTarget, 0, "target", "patch", "static", "func", "cache")
	checkNames(t, policy.ParsePartition, policy.PerAll, 1, "all", "tenant")
	checkNames(t, policy.ParseLimitHeaders, policy.LimitHeadersNone, 0, "none", "x-ratelimit", "draft", "openai", "azure", "anthropic", "groq", "mistral",
		"together", "openrouter")
	checkNames(t, policy.ParseExerciseMode, policy.ExerciseShadow, 0, "shadow", "serve")
	checkNames(t, policy.ParseCriticality, policy.Critical, 0, "critical", "normal", "sheddable")
	checkNames(t, policy.ParseLevel, policy.Equal, 0, "equal", "alternate", "reduced", "stale", "canned")
	checkNames(t, policy.ParseIdempotency, policy.None, 0, "none", "keyed", "idempotent", "safe")
	checkNames(t, policy.ParseKind, policy.KindNone, 1, "none", "throttle", "transient", "timeout", "connect", "reset", "decode",
		"unusable", "caller", "refused", "context-too-long", "breaker-open", "bulkhead-full", "rate-limited", "shed", "budget",
		"unfit", "deadline", "canceled", "permanent")
	if got := policy.RungSort(0).String(); got != "rung-sort(0)" {
		t.Errorf("no sort prints as %q", got)
	}
	for want, s := range map[string]fmt.Stringer{
		"closed": policy.StateClosed, "open": policy.StateOpen, "half-open": policy.StateHalfOpen, "state(9)": policy.State(9),
		"waiting": policy.Waiting, "answered": policy.Answered, "stop": policy.AdviseStop,
	} {
		if got := s.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestKindTable(t *testing.T) {
	t.Parallel()
	names := func(is func(policy.Kind) bool) []string {
		var out []string
		for _, k := range policy.Kinds() {
			if is(k) {
				out = append(out, k.String())
			}
		}
		return out
	}
	tests := map[string]struct{ got, want []string }{
		"local":     {names(policy.Kind.Local), []string{"breaker-open", "bulkhead-full", "rate-limited", "shed", "budget", "unfit"}},
		"retried":   {names(policy.Kind.RetriedHere), []string{"throttle", "transient", "timeout", "connect", "reset", "decode"}},
		"in doubt":  {names(policy.Kind.InDoubt), []string{"transient", "timeout", "reset", "decode"}},
		"not any":   {names(func(k policy.Kind) bool { return !k.Any() }), []string{"caller", "refused", "context-too-long", "canceled"}},
		"in a set":  {names(policy.SetOf(policy.KindReset, policy.KindPermanent).Has), []string{"reset", "permanent"}},
		"no member": {names(policy.KindSet(0).Has), nil},
	}
	for name, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if policy.KindNone.Any() {
		t.Error("no failure is no failure of any kind")
	}
}
