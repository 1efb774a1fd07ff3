package policy_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// line drives a bulkhead by the names of its callers: the first letter of a name says its criticality (c, n or s), what comes
// after a slash says its tenant.
type line struct {
	t       *testing.T
	b       *policy.Bulkhead
	permits map[string]policy.Permit
	names   map[policy.Permit]string
}

func newLine(t *testing.T, cfg policy.BulkheadConfig) *line {
	t.Helper()
	return &line{t, policy.NewBulkhead(cfg), map[string]policy.Permit{}, map[policy.Permit]string{}}
}

// join has the callers ask for a permit, and returns the first letters of the verdicts: admitted, waiting, rejected, shed.
func (l *line) join(d time.Duration, names ...string) string {
	l.t.Helper()
	var verdicts strings.Builder
	for _, name := range names {
		claim := policy.Claim{MayWait: true}
		switch name[0] {
		case 'c':
			claim.Criticality = policy.Critical
		case 's':
			claim.Criticality = policy.Sheddable
		}
		_, claim.Tenant, _ = strings.Cut(name, "/")
		p, verdict := l.b.Acquire(at(d), claim)
		l.permits[name], l.names[p] = p, name
		verdicts.WriteByte(verdict.String()[0])
	}
	return verdicts.String()
}

// drain returns permits one after the other, and returns in which order waiters were served.
func (l *line) drain(d time.Duration, first string) []string {
	l.t.Helper()
	var order []string
	for next := []policy.Permit{l.permits[first]}; len(next) == 1; {
		next = l.b.Release(at(d), next[0], policy.Outcome{Verdict: policy.Success})
		if len(next) == 1 {
			order = append(order, l.names[next[0]])
		}
	}
	return order
}

func TestT59_TheQueueServesByCriticality(t *testing.T) {
	t.Parallel()
	cfg := policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 8, MaxWait: time.Second}
	l := newLine(t, cfg)
	if got := l.join(0, "n", "s1", "n1", "c1", "s2", "n2", "c2"); got != "awwwwww" {
		t.Fatal(got)
	}
	want := []string{"c1", "c2", "n1", "n2", "s1", "s2"}
	if diff := cmp.Diff(want, l.drain(0, "n")); diff != "" {
		t.Errorf("first in, first out within a class (-want +got):\n%s", diff)
	}
	// Once it has been full: last in, first out.
	l = newLine(t, cfg)
	l.join(0, "n", "s1", "n1", "c1", "s2", "n2", "c2", "n3", "n4")
	want = []string{"c2", "c1", "n4", "n3", "n2", "n1", "s2", "s1"}
	if diff := cmp.Diff(want, l.drain(0, "n")); diff != "" {
		t.Errorf("last in, first out within a class (-want +got):\n%s", diff)
	}
}

func TestT59_SheddableCallsUseHalfOfTheQueue(t *testing.T) {
	t.Parallel()
	cfg := policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 5, MaxWait: time.Second}
	l := newLine(t, cfg)
	for _, step := range []struct{ callers, want string }{
		{"n s1 s2", "aww"},
		{"s3", "s"},
		{"n1 n2 c1", "www"},
		{"n3 s4", "rs"},
		// Critical calls take the place of the newest of the least important ones.
		{"c2 c3 c4 c5", "wwww"},
		{"c6", "r"},
	} {
		if got := l.join(0, strings.Fields(step.callers)...); got != step.want {
			t.Fatalf("%s: %s, want %s", step.callers, got, step.want)
		}
	}
	if s := l.b.Snapshot(at(0)); s.Queued != 5 {
		t.Errorf("%d queued, want 5", s.Queued)
	}
	want := []string{"c5", "c4", "c3", "c2", "c1"}
	if diff := cmp.Diff(want, l.drain(0, "n")); diff != "" {
		t.Errorf("served (-want +got):\n%s", diff)
	}
	for _, displaced := range []string{"s1", "s2", "n1", "n2"} {
		if granted := l.b.Abandon(at(0), l.permits[displaced]); granted != nil || l.b.Holds(l.permits[displaced]) {
			t.Errorf("%s still holds something", displaced)
		}
	}
	// Sheddable calls are refused as such wherever the queue has room for others alone, but not where nobody could wait.
	l = newLine(t, policy.BulkheadConfig{MaxConcurrent: 1})
	if got := l.join(0, "n", "s1"); got != "ar" {
		t.Errorf("without a queue: %s", got)
	}
}

func TestT59_NobodyStarvesBehindTheImportant(t *testing.T) {
	t.Parallel()
	l := newLine(t, policy.BulkheadConfig{MaxConcurrent: 1, MaxQueue: 100, MaxWait: time.Hour})
	l.join(0, "n", "s1", "s2")
	served := 0
	for i := range 30 {
		l.join(0, fmt.Sprintf("c%d", i))
	}
	for i, name := range l.drain(0, "n") {
		if name[0] == 's' && i < 30 {
			served++
		}
	}
	if served != 2 {
		t.Errorf("%d sheddable calls were served among 30 critical ones, want one in ten", served)
	}
}

func TestT61_TenantsHaveABulkheadEach(t *testing.T) {
	t.Parallel()
	l := newLine(t, policy.BulkheadConfig{MaxConcurrent: 2, MaxQueue: 2, MaxWait: time.Second, Per: policy.PerTenant})
	for _, step := range []struct{ callers, want string }{
		{"n1/a n2/a n3/a n4/a n5/a", "aawwr"},
		{"n1/b n2/b", "aa"},
		{"n1 n2 n3", "aaw"}, // calls without a tenant are one
		{"s1/b s2/b", "ws"},
	} {
		if got := l.join(0, strings.Fields(step.callers)...); got != step.want {
			t.Fatalf("%s: %s, want %s", step.callers, got, step.want)
		}
	}
	want := policy.BulkheadSnapshot{InFlight: 6, Limit: 2, MaxConcurrent: 2, Queued: 4, MaxQueue: 2, Oldest: time.Second, Tenants: 3}
	if diff := cmp.Diff(want, l.b.Snapshot(at(time.Second))); diff != "" {
		t.Errorf("snapshot (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"s1/b"}, l.drain(0, "n1/b")); diff != "" {
		t.Errorf("a permit that comes back is its own tenant's (-want +got):\n%s", diff)
	}
}

// A tenant that asks for ten times as much as it gets takes nothing from another.
func TestT61_AGreedyTenantTakesNothingFromAnother(t *testing.T) {
	t.Parallel()
	b := policy.NewBulkhead(policy.BulkheadConfig{MaxConcurrent: 5, MaxQueue: 5, MaxWait: 50 * ms, Per: policy.PerTenant})
	type flying struct {
		permit policy.Permit
		until  time.Duration
	}
	var inFlight []flying
	refused := map[string]int{}
	for d := time.Duration(0); d < 10*time.Second; d += ms {
		keep := inFlight[:0]
		for _, f := range inFlight {
			if f.until > d {
				keep = append(keep, f)
				continue
			}
			for _, p := range b.Release(at(d), f.permit, policy.Outcome{Verdict: policy.Success, InFlight: 100 * ms}) {
				keep = append(keep, flying{p, d + 100*ms})
			}
		}
		inFlight = keep
		ask := func(tenant string) {
			p, verdict := b.Acquire(at(d), policy.Claim{Tenant: tenant, MayWait: true})
			switch verdict {
			case policy.Admitted:
				inFlight = append(inFlight, flying{p, d + 100*ms})
			case policy.Waiting:
			default:
				refused[tenant]++
			}
		}
		ask("greedy")
		if d%(50*ms) == 0 {
			ask("modest")
		}
	}
	if refused["modest"] != 0 || refused["greedy"] < 8000 {
		t.Errorf("refused: %v; want none of the modest tenant's 200 calls, and most of the other's 10,000", refused)
	}
}

// A million tenants grow the heap by no more than ten thousand do.
func TestT61_AMillionTenantsOfABulkhead(t *testing.T) { //nolint:paralleltest // it measures the heap
	b := policy.NewBulkhead(policy.BulkheadConfig{MaxConcurrent: 2, Per: policy.PerTenant})
	random := rand.New(rand.NewPCG(1, 2))
	before := heapBytes()
	ids := 1_000_000
	if policy.RaceEnabled {
		ids = 50_000
	}
	for i := range ids {
		d := time.Duration(i) * time.Microsecond
		p, verdict := b.Acquire(at(d), policy.Claim{Tenant: strconv.FormatUint(random.Uint64(), 16) + strconv.FormatUint(random.Uint64(), 16)})
		if verdict != policy.Admitted {
			t.Fatalf("call %d of a tenant that never called before: %v", i, verdict)
		}
		b.Release(at(d), p, policy.Outcome{Verdict: policy.Success})
	}
	grown := heapBytes() - before
	if s := b.Snapshot(at(time.Second)); grown > 8<<20 || s.Tenants != 10_000 || s.InFlight != 0 {
		t.Errorf("the heap grew by %d bytes, want at most 8 MiB; %+v", grown, s)
	}
	runtime.KeepAlive(b)
}

// heapBytes returns the bytes that are reachable.
func heapBytes() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Where there is no place for a tenant, it shares one with all who came too late, and never takes that of a tenant whose calls
// are in flight.
func TestT61_TenantsWithoutAPlaceShareOne(t *testing.T) {
	t.Parallel()
	b := policy.NewBulkhead(policy.BulkheadConfig{MaxConcurrent: 1, Per: policy.PerTenant})
	ask := func(tenant string) policy.BulkheadVerdict {
		_, verdict := b.Acquire(at(0), policy.Claim{Tenant: tenant})
		return verdict
	}
	for i := range 10_000 {
		if got := ask(fmt.Sprint(i)); got != policy.Admitted {
			t.Fatal(got)
		}
	}
	if one, two := ask("late"), ask("later"); one != policy.Admitted || two != policy.Rejected {
		t.Errorf("two tenants who came too late: %v and %v, want one permit for both", one, two)
	}
	if s := b.Snapshot(at(0)); s.Spilled != 2 || s.InFlight != 10_001 {
		t.Errorf("got %+v, want two that were spilled", s)
	}
	if got := ask("5"); got != policy.Rejected {
		t.Errorf("a tenant whose call is in flight: %v, want its own bulkhead, which is full", got)
	}
}

func TestBulkheadAdaptiveGrantsWhatAGrownLimitAllows(t *testing.T) {
	t.Parallel()
	cfg := policy.BulkheadConfig{MaxConcurrent: 40, MaxQueue: 100, MaxWait: time.Hour, Adaptive: true}
	l := newLine(t, cfg)
	for i := range 100 {
		l.join(0, fmt.Sprintf("n%d", i))
	}
	now := time.Duration(0)
	holders := []string{}
	for i := range 20 {
		holders = append(holders, fmt.Sprintf("n%d", i))
	}
	if s := l.b.Snapshot(at(0)); s.Limit != 20 || s.InFlight != 20 || s.Queued != 80 {
		t.Fatalf("got %+v, want 20 of 100 in flight at first", s)
	}
	for range 5 {
		now += 100 * ms
		var next []string
		for _, name := range holders {
			for _, p := range l.b.Release(at(now), l.permits[name], policy.Outcome{Verdict: policy.Success, InFlight: 100 * ms}) {
				next = append(next, l.names[p])
			}
		}
		holders = next
		s := l.b.Snapshot(at(now))
		if s.InFlight != len(holders) || s.Queued > 0 && s.InFlight != s.Limit || s.InFlight > s.Limit {
			t.Fatalf("after %v: %+v, want all permits held while somebody waits", now, s)
		}
	}
	if s := l.b.Snapshot(at(now)); s.Limit <= 20 {
		t.Errorf("got %+v, want the limit to have grown", s)
	}
}
