package policy

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
	"time"
	"unsafe"
)

// A million tenants who come once each cost no more than the ten thousand that are told apart.
func TestT61_AMillionTenantsOfALimit(t *testing.T) { //nolint:paralleltest // it measures the heap
	if size := unsafe.Sizeof(quota{}); size > tenantBytes-192 {
		t.Fatalf("a quota takes %d bytes", size)
	}
	random := rand.New(rand.NewPCG(1, 2))
	cfg := LimitConfig{
		Requests: Rate{Amount: 50, Per: time.Second}, Tokens: Rate{Amount: 1000, Per: time.Second}, Per: PerTenant,
	}
	l := NewLimiter(cfg)
	now := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	const most = 8 << 20
	before := heap()
	ids := 1_000_000
	if RaceEnabled {
		ids = 50_000
	}
	for i := range ids {
		now = now.Add(10 * time.Microsecond)
		id := strconv.FormatUint(random.Uint64(), 36)
		if r, a := l.Reserve(now, id, Cost{Input: 10}, time.Time{}, i%2 == 0); a.Verdict == LimitGranted {
			l.Settle(now, &r, Usage{Input: 20})
		} else {
			l.Refund(now, &r)
		}
	}
	if grown := heap() - before; grown > most {
		t.Errorf("the heap grew by %d bytes, want at most %d", grown, most)
	}
	if s := l.Snapshot(now); s.Tenants != maxTenants || s.Waiting != 0 {
		t.Errorf("got %+v", s)
	}
	runtime.KeepAlive(l)
}

// Who is forgotten had everything, and what comes for them later changes nobody else's quota.
func TestLimitForgetsOnlyFullQuotas(t *testing.T) {
	t.Parallel()
	l := NewLimiter(LimitConfig{Tokens: Rate{Amount: 1000, Per: time.Second}, Per: PerTenant})
	now := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	held, _ := l.Reserve(now, "first", Cost{Input: 1000}, time.Time{}, false)
	busy, _ := l.Reserve(now, "busy", Cost{Input: 1000}, time.Time{}, false)
	l.Settle(now, &busy, Usage{Input: 2000}) // in debt for a second beyond the first one's
	now = now.Add(1500 * time.Millisecond)
	for i := range maxTenants {
		l.Reserve(now, fmt.Sprint("other-", i), Cost{Input: 1000}, time.Time{}, false)
	}
	if n := countTenants(&l.tenants); n != maxTenants {
		t.Fatalf("%d tenants", n)
	}
	if _, a := l.Reserve(now, "busy", Cost{Input: 1000}, time.Time{}, false); a.Verdict != LimitRefused {
		t.Errorf("got %+v: a debt was forgotten", a)
	}
	spent := func() (n int) {
		for i := range maxTenants {
			if _, a := l.Reserve(now, fmt.Sprint("other-", i), Cost{Input: 1}, time.Time{}, false); a.Verdict == LimitRefused {
				n++
			}
		}
		return n
	}
	before := spent()
	l.Refund(now, &held)
	if after := spent(); after < before-1 {
		t.Errorf("%d have nothing left, before it were %d", after, before)
	}
	if _, a := l.Reserve(now, "first", Cost{Input: 1000}, time.Time{}, false); a.Verdict == LimitNever {
		t.Errorf("got %+v", a)
	}
}
