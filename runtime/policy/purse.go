package policy

import (
	"sync"
	"time"
)

// PurseConfig is a bound on what may be spent: see LimitConfig.Cost.
type PurseConfig struct {
	// Cost is the amount of money in a span of time. The zero value is off.
	Cost Rate
	// Per says who has a purse of their own.
	Per Partition
	// Replicas is the number of processes that share it; each takes an equal part. 0 means 1.
	Replicas int
}

// PurseOf returns the bound on what an operation's calls may spend at a target, and whether it is that of the target. Where a target has none of
// its own, the operation's holds, which is one for all targets: the ladder cannot spend it twice.
func PurseOf(p *Plan, target string) (cfg PurseConfig, own bool) {
	l := p.Limit
	for i := range p.Targets {
		if t := &p.Targets[i]; t.Name == target && t.Limit.Cost.bounds() {
			l, own = t.Limit, true
		}
	}
	if !l.Cost.bounds() {
		return PurseConfig{}, false
	}
	return PurseConfig{Cost: l.Cost, Per: l.Per, Replicas: l.Replicas}, own
}

// Purse bounds what calls cost in a span of time, for everybody or for each tenant. Nobody waits for it: a call that is too dear is refused, and
// may go to a rung that is cheaper.
//
//	Reserve ──▶ a Stake ──▶ Settle (what it really cost)
//	       │            └── Refund (never sent)
//	       └──▶ refused, with the time at which enough will be there
//
// What was spent counts for the whole span, so that in no span is more spent than the amount: this is no bucket that fills while it is emptied.
// A call is reserved at what it is expected to cost, and beside it what it may cost beyond that: while few were seen all that it may, later what
// calls came to exceed what was expected of them. A call that nobody else's runs beside goes with what is expected of it alone. So the
// amount is exceeded by what one call costs beyond its reservation at most, unless calls that run at once all set a new record.
//
// Safe for concurrent use.
type Purse struct {
	amount    float64
	per       time.Duration
	width     int64 // of a slot
	partition Partition

	mu      sync.Mutex
	clock   clock
	all     spending // PerAll
	tenants tenants[spending]
	over    float64 // by how much calls came to exceed what was expected of them; it fades
	settled uint64
}

// purseSlots is how many parts a span is counted in, one more than it has, so that nothing is forgotten before its time.
const purseSlots = 24

// fading is what is left of the greatest excess with each call that is settled.
const fading = 0.999

// spending is what one tenant, or everybody, has spent: the zero value is nothing.
type spending struct {
	slots    [purseSlots]float64
	slot     int64 // the newest
	reserved float64
	calls    int64 // that hold a reservation
}

// Stake is what a call has reserved of a purse. The zero Stake is nothing.
type Stake struct {
	quota, serial  uint32
	cost, expected float64
	held           bool
}

// Held reports whether the stake holds money.
func (s *Stake) Held() bool { return s.held }

// NewPurse returns a purse of which nothing was spent.
func NewPurse(cfg PurseConfig) *Purse {
	per := max(min(cfg.Cost.Per, longest), purseSlots)
	p := &Purse{
		amount: cfg.Cost.Amount / float64(max(cfg.Replicas, 1)), per: per, partition: cfg.Per,
		width: (int64(per) + purseSlots - 2) / (purseSlots - 1),
	}
	p.tenants = makeTenants(p.isIdle)
	return p
}

// PerTenant reports whether each tenant has a purse of their own.
func (p *Purse) PerTenant() bool { return p.partition == PerTenant }

// Amount returns what may be spent in a span, and the span.
func (p *Purse) Amount() (float64, time.Duration) { return p.amount, p.per }

// Reserve asks for a call of a tenant, who counts only with PerTenant, that is expected to cost so much, and at most another sum. Where there is
// not enough it is refused, and at is when there will be, as far as that is known.
func (p *Purse) Reserve(now time.Time, tenant string, expected, most float64) (stake Stake, at time.Time, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.clock.tick(now)
	s := &p.all
	if p.partition == PerTenant {
		stake.quota, _ = findTenant(&p.tenants, tenant, t)
		if s = valueOfTenant(&p.tenants, stake.quota); stake.quota != 0 {
			stake.serial = p.tenants.values.slots[stake.quota].serial
		}
	}
	spent := p.spent(s, t)
	stake.expected = max(expected, 0)
	stake.cost = stake.expected + p.margin(max(most-stake.expected, 0))
	switch {
	case spent+s.reserved+stake.cost <= p.amount+slack*p.amount:
	case s.calls == 0 && spent+stake.expected <= p.amount+slack*p.amount:
		stake.cost = stake.expected
	default:
		return Stake{}, p.when(s, spent+s.reserved+stake.cost-p.amount), false
	}
	stake.held = true
	s.reserved += stake.cost
	s.calls++
	return stake, time.Time{}, true
}

// margin returns what is reserved beside what a call is expected to cost, of what it may cost beyond that.
func (p *Purse) margin(most float64) float64 {
	if p.settled < fewAnswers {
		return most
	}
	return min(p.over, most)
}

// Refund gives a stake back with which nothing was sent, and empties it.
func (p *Purse) Refund(now time.Time, stake *Stake) { p.close(now, stake, 0, false) }

// Settle reconciles a call that was sent with what it cost, and empties its stake.
func (p *Purse) Settle(now time.Time, stake *Stake, cost float64) {
	p.close(now, stake, max(cost, 0), true)
}

func (p *Purse) close(now time.Time, stake *Stake, cost float64, sent bool) {
	if !stake.held {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t, old := p.clock.tick(now), *stake
	*stake = Stake{}
	s := p.of(&old)
	if s == nil {
		return
	}
	p.spent(s, t)
	if s.calls--; s.calls <= 0 {
		s.calls, s.reserved = 0, 0
	} else {
		s.reserved = max(s.reserved-old.cost, 0)
	}
	if !sent {
		return
	}
	s.slots[s.slot%purseSlots] += cost
	p.over = max(p.over*fading, cost-old.expected)
	p.settled++
}

// of returns whose a stake is; nil if they were forgotten.
func (p *Purse) of(stake *Stake) *spending {
	switch {
	case p.partition == PerAll:
		return &p.all
	case stake.quota == 0:
		return &p.tenants.other
	case findSlot(&p.tenants.values, stake.quota, stake.serial) == nil:
		return nil
	default:
		return valueOfTenant(&p.tenants, stake.quota)
	}
}

// spent forgets what is longer ago than the span, and returns what was spent in it.
func (p *Purse) spent(s *spending, t int64) (sum float64) {
	slot := max(t/p.width, s.slot)
	if slot-s.slot >= purseSlots {
		s.slots = [purseSlots]float64{}
		s.slot = slot
		return 0
	}
	for s.slot < slot {
		s.slot++
		s.slots[s.slot%purseSlots] = 0
	}
	for _, x := range s.slots {
		sum += x
	}
	return sum
}

// when returns the time at which so much less than now will have been spent; the zero time where that takes the end of calls that run.
func (p *Purse) when(s *spending, less float64) time.Time {
	for i := int64(1); i <= purseSlots; i++ {
		if less -= s.slots[(s.slot+i)%purseSlots]; less <= 0 {
			return p.clock.time((s.slot + i) * p.width)
		}
	}
	return time.Time{}
}

// isIdle reports whether a fresh purse would decide the same.
func (p *Purse) isIdle(s *spending, t int64) bool { return s.calls == 0 && p.spent(s, t) == 0 }

// PurseSnapshot is what a purse shows of itself. With one for each tenant it is that of whoever has least left.
type PurseSnapshot struct {
	// Spent is what was spent in the last span, and Reserved what calls that run may cost; Amount is the most that may be spent.
	Spent, Reserved, Amount float64
	// Tenants is the number of tenants that are told apart.
	Tenants int
}

// Snapshot returns what the purse shows at now.
func (p *Purse) Snapshot(now time.Time) PurseSnapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.clock.tick(now)
	out := PurseSnapshot{Amount: p.amount, Tenants: countTenants(&p.tenants)}
	add := func(s *spending) {
		if spent := p.spent(s, t); spent+s.reserved >= out.Spent+out.Reserved {
			out.Spent, out.Reserved = spent, s.reserved
		}
	}
	if p.partition == PerAll {
		add(&p.all)
		return out
	}
	add(&p.tenants.other)
	for n := p.tenants.recent.head; n != 0; n = p.tenants.values.slots[n].next {
		add(valueOfTenant(&p.tenants, n))
	}
	return out
}
