package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// paid is a call that has ended.
type paid struct {
	at           time.Duration
	cost, beyond float64 // what it cost, and by how much that is more than was expected
}

// payer is a tenant of the property: what it paid, and the calls it has under way.
type payer struct {
	name string
	paid []paid
}

// worst returns the greatest amount by which some span that ends now holds more than the limit, and the greatest excess of one call in it.
func (p *payer) worst(now, per time.Duration, amount float64) (over, one float64) {
	sum := 0.0
	for i := len(p.paid) - 1; i >= 0 && now-p.paid[i].at < per; i-- {
		sum += p.paid[i].cost
		one = max(one, p.paid[i].beyond)
	}
	return sum - amount, one
}

// running is a call that is under way.
type running struct {
	by             *payer
	stake          policy.Stake
	end            time.Duration
	expected, most float64
	cost           float64
	sent           bool
}

// spree is a run of random calls against one purse.
type spree struct {
	rnd    *rand.Rand
	purse  *policy.Purse
	per    time.Duration
	amount float64
	tail   float64 // of the logarithm of an answer's length
	payers []*payer
	open   []*running
	now    time.Duration

	sent, refused, unsent int
	spent                 float64
}

// begin asks for a call of a random tenant at a random price.
func (s *spree) begin() {
	price := policy.Price{Input: 0.1 + s.rnd.Float64(), Output: 1 + 10*s.rnd.Float64()}
	in, bound := int64(100+s.rnd.IntN(2000)), int64(512<<s.rnd.IntN(4))
	out := min(int64(math.Exp(5+s.tail*s.rnd.NormFloat64())), bound)
	guess := min(int64(math.Exp(5+1.28*s.tail)), bound) // what nine of ten stay below
	r := &running{
		by: s.payers[s.rnd.IntN(len(s.payers))], expected: price.AtMost(in, guess), most: price.AtMost(in, bound),
		end: s.now + time.Duration(s.rnd.ExpFloat64()*float64(5*time.Second)), sent: s.rnd.IntN(10) > 0,
		cost: price.Of(policy.Counting{}, policy.Usage{Input: in, Output: out}),
	}
	var at time.Time
	var ok bool
	if r.stake, at, ok = s.purse.Reserve(epoch().Add(s.now), r.by.name, r.expected, r.most); !ok {
		s.refused++
		if !at.IsZero() && !at.After(epoch().Add(s.now)) {
			panic(fmt.Sprintf("refused until %v, which is past", at))
		}
		return
	}
	s.open = append(s.open, r)
}

// end settles what has ended, or gives back what was never sent.
func (s *spree) end(check func(p *payer)) {
	kept := s.open[:0]
	for _, r := range s.open {
		switch {
		case r.end > s.now:
			kept = append(kept, r)
		case !r.sent:
			s.unsent++
			s.purse.Refund(epoch().Add(s.now), &r.stake)
		default:
			s.sent++
			s.spent += r.cost
			s.purse.Settle(epoch().Add(s.now), &r.stake, r.cost)
			r.by.paid = append(r.by.paid, paid{at: s.now, cost: r.cost, beyond: r.cost - r.expected})
			check(r.by)
		}
	}
	s.open = kept
}

// TestPurseIsNeverExceededByMoreThanOneCall: in no span, wherever it begins, does a tenant spend more than the amount and what one call of it
// cost beyond what was expected, whatever the prices, lengths and times of the calls are.
func TestPurseIsNeverExceededByMoreThanOneCall(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 7))
			s := &spree{
				rnd: rnd, per: time.Duration(1+rnd.IntN(120)) * time.Minute, amount: 0.02 + rnd.Float64()/2, tail: 0.3 + 1.5*rnd.Float64(),
			}
			s.purse = policy.NewPurse(policy.PurseConfig{Cost: policy.Rate{Amount: s.amount, Per: s.per}, Per: policy.PerTenant})
			for i := range 1 + rnd.IntN(5) {
				s.payers = append(s.payers, &payer{name: fmt.Sprint("tenant ", i)})
			}
			pace := time.Duration(1+rnd.IntN(5000)) * time.Millisecond
			exceeded := 0.0
			for range 10_000 {
				s.now += time.Duration(rnd.ExpFloat64() * float64(pace))
				s.end(func(p *payer) {
					over, one := p.worst(s.now, s.per, s.amount)
					exceeded = max(exceeded, over/s.amount)
					if over > max(one, 0)+1e-9 {
						t.Fatalf("at %v %s is %.4f above %.4f, more than the %.4f of one call", s.now, p.name, over, s.amount, one)
					}
				})
				s.begin()
			}
			t.Logf("%v: %d sent, %d refused, %d never sent; at most %.1f%% above", s.per, s.sent, s.refused, s.unsent, 100*exceeded)
			if s.sent == 0 {
				t.Error("nothing was ever sent")
			}
		})
	}
}

func newPurse(amount float64, per time.Duration, partition policy.Partition) *policy.Purse {
	return policy.NewPurse(policy.PurseConfig{Cost: policy.Rate{Amount: amount, Per: per}, Per: partition})
}

func TestPurseRefundsWhatWasNeverSent(t *testing.T) {
	t.Parallel()
	p := newPurse(1, time.Hour, policy.PerAll)
	for range 1000 {
		stake, _, ok := p.Reserve(epoch(), "", 0.9, 0.9)
		if !ok || !stake.Held() {
			t.Fatal("refused although nothing was ever sent")
		}
		if _, _, ok := p.Reserve(epoch(), "", 0.9, 0.9); ok {
			t.Fatal("two were let through that cost 0.9 of 1 each")
		}
		p.Refund(epoch(), &stake)
		p.Refund(epoch(), &stake)      // an empty stake is nothing
		p.Settle(epoch(), &stake, 100) // and owes nothing
	}
	if got := p.Snapshot(epoch()); got.Spent != 0 || got.Reserved != 0 || got.Amount != 1 {
		t.Errorf("got %+v, want nothing spent or reserved of 1", got)
	}
}

func TestPurseWindowSlides(t *testing.T) {
	t.Parallel()
	const per = 23 * time.Minute // a slot is a minute
	p := newPurse(1, per, policy.PerAll)
	spend := func(now time.Duration, cost float64) bool {
		stake, _, ok := p.Reserve(at(now), "", cost, cost)
		if ok {
			p.Settle(at(now), &stake, cost)
		}
		return ok
	}
	if !spend(0, 0.6) || !spend(10*time.Minute, 0.4) {
		t.Fatal("refused although there was enough")
	}
	_, until, ok := p.Reserve(at(22*time.Minute), "", 0.5, 0.5)
	if ok || until.Before(at(per)) || until.After(at(per+2*time.Minute)) {
		t.Errorf("let through: %v, until %v; want a refusal until the first is out of the span", ok, until.Sub(epoch()))
	}
	if spend(until.Sub(epoch())-time.Second, 0.5) || !spend(until.Sub(epoch()), 0.5) {
		t.Error("what was promised for a time is there then, and not sooner")
	}
	if got := p.Snapshot(at(24 * time.Hour)); got.Spent != 0 {
		t.Errorf("%v are spent a day later, want 0", got.Spent)
	}
	if !spend(24*time.Hour, 1) {
		t.Error("refused although the span is empty")
	}
}

func TestPurseWhoIsTooDearForeverIsNotToldATime(t *testing.T) {
	t.Parallel()
	p := newPurse(1, time.Hour, policy.PerAll)
	if _, until, ok := p.Reserve(epoch(), "", 2, 2); ok || !until.IsZero() {
		t.Errorf("let through: %v, until %v; want a refusal, and no time", ok, until)
	}
}

func TestPurseIsSharedByReplicas(t *testing.T) {
	t.Parallel()
	p := policy.NewPurse(policy.PurseConfig{Cost: policy.Rate{Amount: 10, Per: time.Hour}, Replicas: 4})
	if amount, per := p.Amount(); amount != 2.5 || per != time.Hour {
		t.Errorf("%v in %v, want a quarter of 10 in an hour", amount, per)
	}
}

// A tenant who spent something is not forgotten before that has left the span, however many others come: else a new name would be new money.
func TestPurseForgetsOnlyTenantsWhoSpentNothing(t *testing.T) {
	t.Parallel()
	const most = 10_000
	p := newPurse(1, time.Hour, policy.PerTenant)
	spend := func(now time.Duration, tenant string, cost float64) bool {
		stake, _, ok := p.Reserve(at(now), tenant, cost, cost)
		if ok {
			p.Settle(at(now), &stake, cost)
		}
		return ok
	}
	for i := range most {
		if !spend(0, fmt.Sprint("t", i), 0.9) {
			t.Fatalf("tenant %d was refused, whose money is their own", i)
		}
	}
	if !spend(time.Minute, "late", 0.9) || spend(time.Minute, "later", 0.9) {
		t.Error("who comes when the table is full has a share of one purse with others like that")
	}
	if spend(time.Minute, "t0", 0.9) {
		t.Error("a tenant has spent 0.9 of 1, and was forgotten")
	}
	if got := p.Snapshot(at(time.Minute)); got.Tenants != most {
		t.Errorf("%d tenants are told apart, want %d", got.Tenants, most)
	}
	if !spend(3*time.Hour, "much later", 0.9) || !spend(3*time.Hour, "t0", 0.9) {
		t.Error("refused although the span is empty")
	}
}
