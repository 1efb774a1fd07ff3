package wire

import (
	"context"
	"errors"
	"sync"
	"time"
)

// keptLinks are the connections of direct requests that wait for one. It starts no goroutine. Safe for concurrent use.
type keptLinks struct {
	dial func(ctx context.Context, network, address string) (*tracked, error)
	most int // for each address

	mu      sync.Mutex
	idle    map[string][]*link // by address, the newest last
	sweeps  bool               // a sweep is to come
	retired bool
}

var (
	errRetired = errors.New("the connections are replaced by new ones")
	errTooMany = errors.New("enough connections are kept")
)

// take returns the newest connection to an address that is not too old; nil for none. The newest is the most likely to live, and the others grow old.
// It has not ended; with later that is to be seen when it is used, where it has a socket. What has come without having been asked for is no answer to
// the next request: such a connection has ended too.
func (k *keptLinks) take(address string, later bool) *link {
	for {
		k.mu.Lock()
		list := k.idle[address]
		if len(list) == 0 {
			k.mu.Unlock()
			return nil
		}
		last := len(list) - 1
		l := list[last]
		list[last], k.idle[address] = nil, list[:last]
		k.mu.Unlock()
		if !l.isOld(time.Now()) && l.isQuiet != nil && (later && l.socket != nil || l.isQuiet()) {
			return l
		}
		_ = l.conn.Close() // it is given up
	}
}

// isOld reports whether a connection has waited for too long, by the clock on the wall too: it alone goes on while the system sleeps, when nobody
// hears that the other end closes.
func (l *link) isOld(now time.Time) bool {
	return max(now.Sub(l.since), now.Sub(l.date)) >= idleTimeout
}

// put keeps a connection, or closes it and says why.
func (k *keptLinks) put(l *link) error {
	l.since = time.Now()
	l.date = l.since.Round(0)
	k.mu.Lock()
	defer k.mu.Unlock()
	var err error
	switch list := k.idle[l.address]; {
	case k.retired:
		err = errRetired
	case len(list) >= k.most:
		err = errTooMany
	default:
		if k.idle == nil {
			k.idle = map[string][]*link{}
		}
		k.idle[l.address] = append(list, l)
		k.sweepLater(idleTimeout)
		return nil
	}
	_ = l.conn.Close() // it is given up
	return err
}

// sweepLater has what is too old closed. The timer is forgotten: one that was made in a testing/synctest bubble must not be touched outside.
// k.mu is held.
func (k *keptLinks) sweepLater(after time.Duration) {
	if !k.sweeps {
		k.sweeps = true
		time.AfterFunc(after, k.sweep)
	}
}

// sweep closes what has been idle for too long.
func (k *keptLinks) sweep() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sweeps = false
	now, next := time.Now(), time.Duration(-1)
	for address, list := range k.idle {
		old := 0
		for old < len(list) && list[old].isOld(now) {
			_ = list[old].conn.Close() // it is given up
			old++
		}
		if list = append([]*link(nil), list[old:]...); len(list) == 0 {
			delete(k.idle, address)
			continue
		}
		k.idle[address] = list
		if left := idleTimeout - now.Sub(list[0].since); next < 0 || left < next {
			next = left
		}
	}
	if next >= 0 {
		k.sweepLater(next)
	}
}

// closeIdle closes what is idle now; with retire, what is in use now is closed at its end too.
func (k *keptLinks) closeIdle(retire bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.retired = k.retired || retire
	for _, list := range k.idle {
		for _, l := range list {
			_ = l.conn.Close() // it is given up
		}
	}
	clear(k.idle)
}
