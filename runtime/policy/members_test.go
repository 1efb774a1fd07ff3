package policy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// memberBreaker and memberBulkhead are those of each member in these tests.
var (
	memberBreaker = BreakerConfig{
		Mode: BreakerOn, WindowCalls: 20, WindowAge: 10 * time.Second, MinCalls: 10, FailureRate: 0.5, Consecutive: 3,
		OpenFor: 5 * time.Second, OpenMax: 15 * time.Second, Probes: 2, CloseAfter: 2,
	}
	memberBulkhead = BulkheadConfig{MaxConcurrent: 4}
)

// newTestMembers returns n members with those weights.
func newTestMembers(affinity AffinityConfig, weights ...float64) *Members {
	members := make([]MemberConfig, len(weights))
	for i, w := range weights {
		members[i] = MemberConfig{Weight: w, Machines: Machines{
			Target: fmt.Sprintf("m%d", i), Breaker: NewBreaker(memberBreaker, time.Second, nil), Bulkhead: NewBulkhead(memberBulkhead),
			Pause: NewPause(time.Second), Latency: new(Latency),
		}}
	}
	return NewMembers(members, affinity, false)
}

// trip opens the breaker of a member.
func (m *Member) trip(now time.Time) {
	for range memberBreaker.Consecutive {
		ticket, answer := m.machines.Breaker.Admit(now)
		if answer.OK {
			m.machines.Breaker.Report(now, ticket, Outcome{Verdict: Failure})
		}
	}
}

// TestMembersAreWell: whatever happened to the members, a choice never goes to one that is out or full while another is not, says when one
// can be asked where all are out, and a retry avoids those that were tried, and trials.
func TestMembersAreWell(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := newTestMembers(AffinityConfig{}, 1, 2, 1, 3)
		now := time.Unix(1000, 0)
		for range 60 {
			now = now.Add(time.Duration(r.IntN(2000)) * time.Millisecond)
			shake(r, g, now)
			checkChoice(t, r, g, now)
		}
	}
}

// shake does something to a member.
func shake(r *rand.Rand, g *Members, now time.Time) {
	m := &g.list[r.IntN(len(g.list))]
	switch r.IntN(6) {
	case 0:
		m.trip(now)
	case 1:
		m.machines.Pause.Extend(now, now.Add(time.Duration(r.IntN(5))*time.Second), KindThrottle)
	case 2:
		m.machines.Pause.ExtendLong(now, now.Add(5*time.Minute), KindUnusable)
	case 3:
		m.machines.Bulkhead.Acquire(now, Claim{})
	case 4:
		m.measure(now, time.Duration(1+r.IntN(50))*time.Millisecond, true)
	case 5:
		if ticket, answer := m.machines.Breaker.Admit(now); answer.OK {
			m.machines.Breaker.Report(now, ticket, Outcome{Verdict: Success})
		}
	}
}

// checkChoice makes a choice and compares it with what a look at every member says.
func checkChoice(t *testing.T, r *rand.Rand, g *Members, now time.Time) {
	t.Helper()
	var fine, trial, roomy memberSet
	var first time.Time
	for i := range g.list {
		m := &g.list[i].machines
		notBefore, open := m.Breaker.Peek(now)
		until := m.Pause.Until(now)
		switch {
		case open:
			first = earlier(first, notBefore)
		case !until.IsZero() && !m.Pause.isDue(now):
			first = earlier(first, until)
		case m.Breaker.State(now).State != StateClosed || !until.IsZero():
			trial |= g.list[i].bit()
		default:
			fine |= g.list[i].bit()
			if s := m.Bulkhead.Snapshot(now); s.InFlight < s.Limit {
				roomy |= g.list[i].bit()
			}
		}
	}
	w := wanted{avoid: memberSet(r.Uint64N(1 << len(g.list))), again: r.IntN(2) == 0}
	got := g.choose(now, &w, r.Float64)
	if got.member == nil {
		if fine|trial != 0 || !got.notBefore.Equal(first) {
			t.Fatalf("none is chosen of fine %b, trial %b; not before %v, want %v", fine, trial, got.notBefore, first)
		}
		return
	}
	at := got.member.bit()
	pool := fine
	if !w.again || fine == 0 {
		pool |= trial
	}
	if kept := pool &^ w.avoid; kept != 0 {
		pool = kept
	}
	if at&pool == 0 {
		t.Fatalf("%d is chosen, want one of %b: fine %b, trial %b, wanted %+v", got.member.index, pool, fine, trial, w)
	}
	quick := fine & pool
	for i := range g.list {
		if g.list[i].lags(int64(now.Sub(g.clock.base))) {
			quick &^= g.list[i].bit()
		}
	}
	if at&fine != 0 && at&roomy == 0 && quick&roomy != 0 && at&quick != 0 {
		t.Fatalf("%d is chosen, which is full, of fine %b, roomy %b", got.member.index, fine, roomy)
	}
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// TestMemberThatLags: one that has become slow loses its calls to the others, is tried now and then, and gets its share again when it is as
// quick as they are.
func TestMemberThatLags(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	g := newTestMembers(AffinityConfig{}, 1, 1, 1)
	now := time.Unix(1000, 0)
	slow := true
	share := func(calls int) float64 {
		n := 0
		for range calls {
			now = now.Add(5 * time.Millisecond)
			m := g.choose(now, &wanted{}, r.Float64).member
			took := 10 * time.Millisecond
			if m.index == 0 {
				n++
				if slow {
					took *= 10
				}
			}
			m.measure(now.Add(took), took, true)
		}
		return float64(n) / float64(calls)
	}
	if got := share(2000); got > 0.02 {
		t.Errorf("a slow member gets %.3f of the calls, want none but tries", got)
	}
	if got := share(20000); got > 0.001 || got == 0 {
		t.Errorf("a slow member gets %.4f of the calls, want a try now and then", got)
	}
	slow = false
	share(4000)
	if got := share(4000); got < 0.25 {
		t.Errorf("a member that is quick again gets %.3f of the calls, want a third", got)
	}
}

// TestAffinity: calls of a conversation stay with one member while it is well; move together when it is not; stay there while the
// conversation goes on, and go home after it has paused.
func TestAffinity(t *testing.T) {
	t.Parallel()
	const ttl = 5 * time.Minute
	r := rand.New(rand.NewPCG(1, 2))
	g := newTestMembers(AffinityConfig{Key: "conversation", TTL: ttl}, 1, 1, 2)
	now := time.Unix(1000, 0)
	of := func(key string) int {
		return g.choose(now, &wanted{home: AffinityOf(key)}, r.Float64).member.index
	}
	homes := make([]int, len(g.list))
	for i := range 4000 {
		key := fmt.Sprintf("chat %d", i)
		home := of(key)
		homes[home]++
		if again := of(key); again != home {
			t.Fatalf("%s went to %d and to %d", key, home, again)
		}
	}
	for i, want := range []float64{0.25, 0.25, 0.5} {
		if got := float64(homes[i]) / 4000; got < want-0.03 || got > want+0.03 {
			t.Errorf("member %d is home to %.3f of the conversations, want %.2f", i, got, want)
		}
	}
	const key = "chat 7"
	home := of(key)
	g.list[home].trip(now)
	moved := of(key)
	if moved == home {
		t.Fatal("a conversation stays with a member whose breaker is open")
	}
	now = now.Add(memberBreaker.OpenMax * 2)
	of(key)
	g.list[home].recover(now)
	for range 10 {
		now = now.Add(ttl - time.Second)
		if got := of(key); got != moved {
			t.Fatalf("a conversation that goes on moved from %d to %d", moved, got)
		}
	}
	now = now.Add(ttl + time.Second)
	if got := of(key); got != home {
		t.Errorf("after a pause the conversation is at %d, want it at home, %d", got, home)
	}
	if AffinityOf("") != 0 {
		t.Error("no key is a conversation")
	}
}

// recover closes the breaker of a member.
func (m *Member) recover(now time.Time) {
	for range memberBreaker.CloseAfter {
		ticket, _ := m.machines.Breaker.Admit(now)
		m.machines.Breaker.Report(now, ticket, Outcome{Verdict: Success})
	}
}

// TestAffinityIsBounded: of conversations that had to move, the one that has been quiet for longest is forgotten.
func TestAffinityIsBounded(t *testing.T) {
	t.Parallel()
	h := makeHomes(AffinityConfig{Key: "k", TTL: time.Hour})
	for i := range uint64(3 * movedMost) {
		h.move(int64(i), i+1, 0)
	}
	if len(h.places) != movedMost || h.moved.taken != movedMost || h.recent.n != movedMost {
		t.Errorf("%d places, %d slots, %d in the list: want %d each", len(h.places), h.moved.taken, h.recent.n, movedMost)
	}
	if _, ok := h.places[1]; ok {
		t.Error("the oldest is still there")
	}
}

// TestHomesAgree: a member less moves only the conversations that were its own, and the names alone say where the others are.
func TestHomesAgree(t *testing.T) {
	t.Parallel()
	three, two := newTestMembers(AffinityConfig{Key: "k", TTL: time.Hour}, 1, 1, 1), newTestMembers(AffinityConfig{Key: "k", TTL: time.Hour}, 1, 1)
	for key := range uint64(1000) {
		before, _ := three.homeOf(0, mixed(key+1))
		after, _ := two.homeOf(0, mixed(key+1))
		if before < 2 && before != after {
			t.Fatalf("key %d moved from %d to %d, although its home is still there", key, before, after)
		}
	}
}

// TestPace: the median follows the newest samples.
func TestPace(t *testing.T) {
	t.Parallel()
	var p pace
	for i := range paceMin - 1 {
		p.record(int64(i), time.Millisecond)
		if _, known := p.usual(); known {
			t.Fatalf("a median of %d samples", i+1)
		}
	}
	for i := range 10 * paceSamples {
		p.record(int64(i), time.Duration(i)*time.Millisecond)
	}
	last := 10*paceSamples - 1
	if usual, _ := p.usual(); usual < time.Duration(last-paceSamples)*time.Millisecond/2 || usual > time.Duration(last)*time.Millisecond {
		t.Errorf("the median is %v", usual)
	}
	p.forgetAllBut(quickEnough)
	kept := slices.Sorted(slices.Values(p.newest[:p.n]))
	for i, v := range kept {
		if want := time.Duration(last-quickEnough+1+i) * time.Millisecond; v != int64(want) {
			t.Errorf("kept %v, want %v", time.Duration(v), want)
		}
	}
}

// TestWhoFailsAtOnceIsNotQuick: a member that answers no call, and says so at once, is not the one that others lag behind, although its breaker
// has no evidence against it, as where it answers 429. One that keeps calls waiting for nothing lags, as if it had answered so late.
func TestWhoFailsAtOnceIsNotQuick(t *testing.T) {
	t.Parallel()
	g := newTestMembers(AffinityConfig{}, 1, 1, 1)
	well, hasty, stuck := &g.list[0], &g.list[1], &g.list[2]
	now := time.Unix(1000, 0)
	for range 2 * paceMin {
		now = now.Add(time.Second)
		well.measure(now, 100*time.Millisecond, true)
		hasty.measure(now, time.Millisecond, false)
		stuck.measure(now, time.Second, false)
	}
	at := g.clock.tick(now)
	if well.lags(at) || hasty.lags(at) || !stuck.lags(at) {
		t.Errorf("the one that is well lags: %v, the hasty one: %v, the stuck one: %v", well.lags(at), hasty.lags(at), stuck.lags(at))
	}
	if usual, known := hasty.pace.usual(); known {
		t.Errorf("the hasty one takes %v, by its failures", usual)
	}
}
