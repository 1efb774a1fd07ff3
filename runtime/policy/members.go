package policy

import (
	"sync"
	"sync/atomic"
	"time"
)

// MembersMost is the greatest number of members of one target.
const MembersMost = 64

// Members chooses among the endpoints, or credentials, behind one target, each of which has machines of its own. The target is as good as
// the best of them: a call goes to one that is well, and only where none is, it is the target that is out.
//
//	out ───▶ on trial ───▶ well ───▶ lags
//	 ▲           │          ▲  │       │
//	 └───────────┘          │  └───────┘
//	        gone, or slow   └── three quick answers
//
// Out is a member whose breaker is open or that asked for a pause: it gets nothing while another can serve, and nothing at all before that
// ends. On trial is one that is let through to find out: by a breaker that is half-open, or as the probe of a long pause. It gets what
// these admit and no more. One that lags answers in more than twice the time of the best: it gets a call now and then. What comes back
// from either gets its share little by little.
//
// Among those that are well, two are drawn by weight, and the one with the fewer permits in use, relative to its weight, is chosen (Azar,
// Broder, Karlin and Upfal, "Balanced Allocations", 1999), but one without a free permit only where none has one.
//
// A retry, and a copy of an attempt, goes to a member that the call has not tried, and is nobody's trial, where there is one.
//
// The members of a target are made once for an operation. Safe for concurrent use.
type Members struct {
	list       []Member
	sharedKeys bool

	mu    sync.Mutex
	clock clock
	homes homes
}

// Member is one of the Members.
type Member struct {
	machines Machines
	group    *Members
	index    int
	weight   float64
	seed     uint64 // of its name, for affinity
	flying   atomic.Int32

	// the rest is guarded by Members.mu
	pace   pace
	out    bool  // it was out when it was last looked at
	back   int64 // since when it is back; valid while ramps
	ramps  bool
	chosen int64 // when it was last chosen
	passed int   // how often it was passed over since, because it lags
	quick  int   // quick answers in a row while it lagged
}

// MemberConfig is what a member is made of.
type MemberConfig struct {
	// Machines are its own. They are copied.
	Machines Machines
	// Weight is its share of the calls, relative to those of the others; 0 means 1.
	Weight float64
}

// NewMembers returns the members of one target, at most MembersMost of them. sharedKeys says that they know each other's idempotency keys.
func NewMembers(members []MemberConfig, affinity AffinityConfig, sharedKeys bool) *Members {
	g := &Members{list: make([]Member, min(len(members), MembersMost)), sharedKeys: sharedKeys, homes: makeHomes(affinity)}
	for i := range g.list {
		m := &g.list[i]
		m.machines, m.weight = members[i].Machines, members[i].Weight
		if !(m.weight > 0) {
			m.weight = 1
		}
		m.machines.Member = m
		m.group, m.index, m.seed = g, i, seedOf(m.machines.Target)
	}
	return g
}

// Machines returns the machines of the member of that number.
func (g *Members) Machines(n int) *Machines { return &g.list[n].machines }

// Len returns the number of members.
func (g *Members) Len() int { return len(g.list) }

// bit is the member in a set of members.
func (m *Member) bit() memberSet { return 1 << m.index }

// memberSet is a set of members.
type memberSet uint64

func (s memberSet) has(i int) bool { return s&(1<<i) != 0 }

// began counts an attempt that was sent to the member.
func (m *Member) began() {
	if m != nil {
		m.flying.Add(1)
	}
}

// ended takes it back.
func (m *Member) ended() {
	if m != nil {
		m.flying.Add(-1)
	}
}

// measure records how long an answer took; or, where there was none, how long was waited for it: that says something only where it is
// longer than answers usually are, of this member, or of the best of the others while nothing is known of it. Whoever fails at once is not
// quick: all others would lag behind it, and their calls would come here.
func (m *Member) measure(now time.Time, took time.Duration, answered bool) {
	if m == nil {
		return
	}
	g := m.group
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.clock.tick(now)
	usual, known := m.pace.usual()
	if !answered {
		least, ok := usual, known
		if !ok {
			least, ok = g.best(t, m.index)
		}
		if !ok || took <= least {
			return
		}
	}
	m.pace.record(t, took)
	if !m.trails(t, usual, known) {
		return
	}
	if best, ok := g.best(t, m.index); !answered || !ok || float64(took) > lagFactor*float64(best) {
		m.quick = 0
		return
	}
	if m.quick++; m.quick >= quickEnough {
		m.pace.forgetAllBut(quickEnough)
		m.quick, m.passed = 0, 0
		m.returns(t)
	}
}

// returns says that the member is back since t.
func (m *Member) returns(t int64) { m.back, m.ramps = t, true }

// share returns the part of the calls that the member gets now, relative to the others.
func (m *Member) share(t int64) float64 {
	if !m.ramps {
		return m.weight
	}
	part := float64(t-m.back) / float64(rampTime)
	if part >= 1 {
		m.ramps = false
		return m.weight
	}
	return m.weight * max(part, rampLeast)
}

const (
	// rampTime is how long a member that is back takes to get its whole share, and rampLeast the part of it that it begins with.
	rampTime  = 10 * time.Second
	rampLeast = 0.1
)
