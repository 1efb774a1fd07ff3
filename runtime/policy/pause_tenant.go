package policy

import (
	"sync"
	"sync/atomic"
	"time"
)

// pauses are those of the tenants of one target. One that asked for too much is held back, and no other.
type pauses struct {
	any atomic.Bool // there was one

	mu      sync.Mutex
	clock   clock
	tenants tenants[*Pause]
}

// NewTenantPause returns a pause of which each tenant has one of its own: Of and For return it. The pause itself holds nobody back.
func NewTenantPause(openMax time.Duration) *Pause {
	p := NewPause(openMax)
	own := new(pauses)
	own.tenants = makeTenants(own.isOver)
	own.tenants.other = NewPause(openMax)
	p.own = own
	return p
}

// isOver reports whether a pause holds nobody back.
func (o *pauses) isOver(p **Pause, t int64) bool { return (*p).Until(o.clock.time(t)).IsZero() }

// Of returns the pause that holds back a tenant's calls, to be asked. Without a pause for each it is p.
func (p *Pause) Of(now time.Time, tenant string) *Pause {
	if p.own == nil || !p.own.any.Load() {
		return p
	}
	return p.For(now, tenant)
}

// For returns the pause that holds back a tenant's calls, to be extended. Without a pause for each it is p.
func (p *Pause) For(now time.Time, tenant string) *Pause {
	o := p.own
	if o == nil {
		return p
	}
	o.any.Store(true)
	o.mu.Lock()
	defer o.mu.Unlock()
	n, fresh := findTenant(&o.tenants, tenant, o.clock.tick(now))
	own := valueOfTenant(&o.tenants, n)
	if fresh {
		*own = NewPause(p.every)
	}
	return *own
}
