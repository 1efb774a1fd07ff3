package runtime

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// LimitStore keeps the limits that several processes share. Package runtime/redisstore is one, over Redis; LocalLimits is one in this process. It
// must be safe for concurrent use.
//
// A call waits at most 10 ms for Take, until ctx ends, and holds nothing meanwhile. When Take fails, panics or does not answer, the process
// goes on alone, with its part of the limit, and asks again later: after a failure in 100 ms, after several in seconds. A Take that has given up
// may have taken all the same: what it took is lost, and the limit is kept. A store that answers at once, from memory, says so with a method Local().
type LimitStore interface {
	// Take counts what d owes, and takes what it wants, from all of its buckets or from none, in one step: LimitPool shows how.
	Take(ctx context.Context, d policy.LimitDemand) (policy.LimitSupply, error)
}

// WithLimitStore gives the client the store of its shared limits. A client whose policies have one needs it:
//
//	llm.New(runtime.WithLimitStore(redisstore.New(client, redisstore.Config{})))
func WithLimitStore(s LimitStore) EitherOption {
	return eitherOption{
		clientOption: func(h *HTTP) { h.limits = s },
		wrapper:      func(w *Wrapper) { w.limits = s },
	}
}

// LocalLimits returns a store of shared limits in this process: the clients that are given it share them, and no other process does. It is for
// tests, and for programs that run once.
func LocalLimits() LimitStore { return new(localLimits) }

// localLimits is a pool as a store.
type localLimits struct{ pool policy.LimitPool }

// Local says that it answers at once.
func (*localLimits) Local() {}

// Take answers at once.
func (l *localLimits) Take(_ context.Context, d policy.LimitDemand) (policy.LimitSupply, error) {
	return l.pool.Take(time.Now(), &d), nil
}

const (
	// limitAgain is how long after a failure the store is asked again, where its breaker is closed.
	limitAgain = 100 * time.Millisecond
	// limitAsks is how many questions may go on although nobody waits for them any more; then the store is not asked.
	limitAsks = 16
)

var (
	errNoLimitStore = errors.New("its limit is shared, and the client has no store for that: give it runtime.WithLimitStore(redisstore.New(client, " +
		"redisstore.Config{})), with package github.com/resgen-go/resgen/runtime/redisstore, or runtime.LocalLimits() where there is one process only")
	errLimitTwice  = errors.New("the group has a shared limit of that name with other numbers")
	errLimitAnswer = errors.New("the answer of the store contradicts what it was asked")
)

// limitLink carries what a limiter asks of its store, and the answers.
type limitLink struct {
	store   LimitStore
	local   bool
	breaker *policy.Breaker
	left    atomic.Int32
}

func newLimitLink(s LimitStore, rand func() float64) *limitLink {
	const calls, age, enough, consecutive, half = 20, 10 * time.Second, 5, 3, 0.5
	l := &limitLink{store: s}
	_, l.local = s.(interface{ Local() })
	l.breaker = policy.NewBreaker(policy.BreakerConfig{
		Mode: policy.BreakerOn, WindowCalls: calls, WindowAge: age, MinCalls: enough, FailureRate: half, Consecutive: consecutive,
		OpenFor: time.Second, OpenMax: 5 * time.Second, Probes: 1, CloseAfter: 1,
	}, policy.LimitStoreWait, rand)
	return l
}

// limiter returns the limiter of an endpoint. What keeps a shared one from being shared is kept in op.unshared.
func (op *Operation) limiter(key machineKey, cfg policy.LimitConfig, s LimitStore) *policy.Limiter {
	if cfg.Shared == "" {
		return op.group.limiter(key, cfg)
	}
	if s == nil {
		op.unshared = errNoLimitStore
		return nil
	}
	l, err := op.group.sharedLimiter(policy.SharedName(&cfg, key.target), cfg, s)
	if err != nil {
		op.unshared = err
	}
	return l
}

// askStore asks the store of a shared limit what its limiter needs, beside the call where the store is not in this process.
func (op *Operation) askStore(ctx context.Context, a *policy.Action) {
	l, now := a.Limiter, time.Now()
	link := op.group.linkOf(l)
	d, ok := l.Demand(now, a.Tenant)
	if !ok {
		return
	}
	ticket, answer := link.breaker.Admit(now)
	if !answer.OK {
		again := answer.NotBefore
		if soonest := now.Add(policy.LimitStoreWait); again.Before(soonest) {
			again = soonest
		}
		roused, _ := l.Lost(now, &d, again)
		op.rouse(l, roused)
		return
	}
	ctx = context.WithoutCancel(ctx)
	if link.local {
		op.carry(ctx, link, l, &d, ticket)
		return
	}
	go op.carry(ctx, link, l, &d, ticket)
}

// carry takes a demand to the store, and the answer back.
func (op *Operation) carry(ctx context.Context, link *limitLink, l *policy.Limiter, d *policy.LimitDemand, ticket policy.Ticket) {
	began := time.Now()
	given, err := link.take(ctx, d)
	now := time.Now()
	o := policy.Outcome{Verdict: policy.Success, InFlight: now.Sub(began)}
	if err == nil {
		link.breaker.Report(now, ticket, o)
		roused, linked := l.Supply(now, d, &given)
		op.rouse(l, roused)
		if linked {
			op.tell(ctx, now, Event{What: LimitStoreBack, Limit: d.Name})
		}
		return
	}
	o.Verdict = policy.Failure
	link.breaker.Report(now, ticket, o)
	again := now.Add(limitAgain)
	if until, open := link.breaker.Peek(now); open && until.After(again) {
		again = until
	}
	roused, _ := l.Lost(now, d, again)
	op.rouse(l, roused)
	op.tell(ctx, now, Event{What: LimitStoreFailed, Limit: d.Name, Until: again, Err: err})
}

// take asks the store, for a short time where it is not in this process. One that goes on after that is not waited for.
func (link *limitLink) take(ctx context.Context, d *policy.LimitDemand) (given policy.LimitSupply, err error) {
	if !link.local {
		if link.left.Load() >= limitAsks {
			return given, errStoreDeaf
		}
		bounded, cancel := context.WithTimeout(ctx, policy.LimitStoreWait)
		defer cancel()
		ctx = bounded
	}
	given, err = await(ctx, link.local, &link.left, func(ctx context.Context) (policy.LimitSupply, error) { return link.store.Take(ctx, *d) })
	if err == nil && !given.Answers(d) {
		err = errLimitAnswer
	}
	return given, err
}

func (op *Operation) rouse(l *policy.Limiter, p policy.Permit) {
	if p != (policy.Permit{}) {
		op.group.waits.wake(waitKey{limiter: l, permit: p})
	}
}

// sharedLimit is the group's limiter of a shared limit.
type sharedLimit struct {
	*policy.Limiter
	*limitLink

	cfg policy.LimitConfig
}

// sharedLimiter returns the limiter of a shared limit: one for all clients, targets and operations of the group that name it.
func (g *Group) sharedLimiter(name string, cfg policy.LimitConfig, s LimitStore) (*policy.Limiter, error) {
	headers := cfg.Headers
	cfg.Headers, cfg.Cost = policy.LimitHeadersNone, policy.Rate{} // as in limiter
	g.mu.Lock()
	defer g.mu.Unlock()
	l := shared(g.shares, name, func() *sharedLimit {
		return &sharedLimit{policy.NewSharedLimiter(cfg, name), newLimitLink(s, g.rand), cfg}
	})
	if l.cfg != cfg {
		return nil, fmt.Errorf("limit %q: %w", name, errLimitTwice)
	}
	if headers != policy.LimitHeadersNone {
		l.Learns()
	}
	g.links[l.Limiter] = l.limitLink
	return l.Limiter, nil
}

// linkOf returns what carries a limiter's questions.
func (g *Group) linkOf(l *policy.Limiter) *limitLink {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.links[l]
}
