package inbound

import (
	"net/http"
	"sync"
	"time"
)

// tooLate reports whether a request is to be turned away because its time is over before the work begins (trap T37).
func (in *Inbound) tooLate(r *http.Request, now time.Time) bool {
	deadline, bounded := r.Context().Deadline()
	late := bounded && !now.Before(deadline)
	shed := in.recent.count(now, late && in.cfg.Shed)
	if late && in.cfg.Late != nil {
		in.cfg.Late(r, now.Sub(deadline), shed)
	}
	return shed
}

// What is turned away at most: one request of most, over the last seconds.
const (
	shedSeconds = 10
	shedOneOf   = 5
)

// recent counts the requests of the last ten seconds, and those that were turned away. The zero value is ready. Safe for concurrent use.
type recent struct {
	mu      sync.Mutex
	base    time.Time
	second  int64 // of the newest count
	seconds [shedSeconds]struct{ all, shed int }
}

// count counts a request, and reports whether it may be turned away where that is wanted.
func (c *recent) count(now time.Time, want bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.base.IsZero() {
		c.base = now
	}
	second := max(int64(now.Sub(c.base)/time.Second), c.second)
	for s := max(c.second+1, second-shedSeconds+1); s <= second; s++ {
		c.seconds[s%shedSeconds].all, c.seconds[s%shedSeconds].shed = 0, 0
	}
	c.second = second
	at := &c.seconds[second%shedSeconds]
	at.all++
	if !want {
		return false
	}
	all, shed := 0, 1
	for i := range c.seconds {
		all += c.seconds[i].all
		shed += c.seconds[i].shed
	}
	if shed*shedOneOf > all {
		return false
	}
	at.shed++
	return true
}
