package policy_test

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// requests is a limit of requests in a second.
func requests(perSecond float64, burst int) policy.LimitConfig {
	return policy.LimitConfig{Requests: policy.Rate{Amount: perSecond, Per: time.Second}, Burst: burst}
}

// call reserves one request, for a caller who waits for as long as it takes.
func call(l *policy.Limiter, now time.Time) (policy.Reservation, policy.LimitAnswer) {
	return l.Reserve(now, "", policy.Cost{}, time.Time{}, true)
}

// burstOf returns how many requests are granted at once.
func burstOf(l *policy.Limiter, now time.Time, tenant string) int {
	n := 0
	for ; n < 10_000; n++ {
		if _, a := l.Reserve(now, tenant, policy.Cost{}, time.Time{}, false); a.Verdict != policy.LimitGranted {
			return n
		}
	}
	return n
}

func TestT55_WhoGivesUpLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(requests(10, 1))
	call(l, at(0))
	var line []policy.Reservation
	for i := range 10 {
		r, a := call(l, at(0))
		if want := time.Duration(i+1) * 100 * time.Millisecond; a.Verdict != policy.LimitWaiting || since(a.At) != want.String() {
			t.Fatalf("waiter %d: %+v, want to wait until %v", i, a, want)
		}
		line = append(line, r)
	}
	for i := range line {
		l.Refund(at(time.Millisecond), &line[i])
		l.Refund(at(time.Millisecond), &line[i]) // a second one counts for nothing
	}
	r, a := call(l, at(time.Millisecond))
	if a.Verdict != policy.LimitWaiting || since(a.At) != "100ms" {
		t.Fatalf("got %+v, want the turn that the first of them had", a)
	}
	if a := l.Ask(at(100*time.Millisecond), &r, time.Time{}); a.Verdict != policy.LimitGranted {
		t.Errorf("at its turn: %+v", a)
	}
}

func TestWhatATransportSendsAgainCounts(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(requests(10, 4))
	call(l, at(0))
	l.Charge(at(0), "", 2)
	if n := burstOf(l, at(0), ""); n != 1 {
		t.Errorf("%d more went at once, want 1 of 4: a call was sent three times", n)
	}
	l.Charge(at(0), "", 1000)
	if _, a := call(l, at(0)); since(a.At) != "500ms" {
		t.Errorf("%+v; want a debt of what the limit holds, and one request", a)
	}
	unbounded := policy.NewLimiter(policy.LimitConfig{Tokens: policy.Rate{Amount: 1, Per: time.Second}})
	unbounded.Charge(at(0), "", 1000)
	if _, a := call(unbounded, at(0)); a.Verdict != policy.LimitGranted {
		t.Errorf("without a limit of requests: %+v", a)
	}
}

func TestT55_ThoseBehindMoveUp(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(requests(10, 1))
	call(l, at(0))
	var line [4]policy.Reservation
	for i := range line {
		line[i], _ = call(l, at(0))
	}
	last := line[3].Place()
	if roused := l.Refund(at(0), &line[1]); roused != (policy.Permit{}) {
		t.Errorf("the head was roused, whose turn is the same")
	}
	if roused := l.Refund(at(0), &line[0]); roused != line[2].Place() || !l.IsRoused(roused) || l.IsRoused(last) {
		t.Errorf("roused %v, want the new head %v", roused, line[2].Place())
	}
	if a := l.Ask(at(time.Millisecond), &line[2], time.Time{}); a.Verdict != policy.LimitWaiting || since(a.At) != "100ms" {
		t.Errorf("the new head: %+v, want its turn at 100ms", a)
	}
	if l.IsRoused(line[2].Place()) {
		t.Error("still roused after it asked")
	}
	a := l.Ask(at(100*time.Millisecond), &line[2], time.Time{})
	if a.Verdict != policy.LimitGranted || a.Roused != last {
		t.Errorf("at its turn: %+v, want it granted and the next one roused", a)
	}
	if a := l.Ask(at(100*time.Millisecond), &line[3], time.Time{}); since(a.At) != "200ms" {
		t.Errorf("the last: %+v, want its turn at 200ms", a)
	}
	if a := l.Ask(at(200*time.Millisecond), &line[3], time.Time{}); a.Verdict != policy.LimitGranted {
		t.Errorf("the last at its turn: %+v", a)
	}
	if n := l.Snapshot(at(time.Second)).Waiting; n != 0 {
		t.Errorf("%d calls wait, want none", n)
	}
}

func TestT55_WhatWasNotSentIsGivenBack(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(requests(1, 1))
	first, _ := call(l, at(0))
	second, a := call(l, at(0))
	if since(a.At) != "1s" {
		t.Fatalf("got %+v", a)
	}
	if roused := l.Refund(at(0), &first); roused != second.Place() {
		t.Errorf("roused %v, want who waits", roused)
	}
	if a := l.Ask(at(0), &second, time.Time{}); a.Verdict != policy.LimitGranted {
		t.Errorf("got %+v, want what was given back", a)
	}
}

func TestT55_NoPlaceForWhoCannotWaitAsLong(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(requests(10, 1))
	call(l, at(0))
	for i := range 100 {
		if r, a := l.Reserve(at(0), "", policy.Cost{}, at(50*time.Millisecond), true); a.Verdict != policy.LimitRefused ||
			since(a.At) != "100ms" || r != (policy.Reservation{}) {
			t.Fatalf("call %d: %+v, want a refusal with the time of its turn", i, a)
		}
	}
	if _, a := call(l, at(100*time.Millisecond)); a.Verdict != policy.LimitGranted {
		t.Errorf("got %+v; what was refused must leave no debt", a)
	}
	r, a := l.Reserve(at(100*time.Millisecond), "", policy.Cost{}, at(200*time.Millisecond), true)
	if a.Verdict != policy.LimitWaiting {
		t.Fatalf("got %+v, want a place for who has just enough time", a)
	}
	if a := l.Ask(at(150*time.Millisecond), &r, at(180*time.Millisecond)); a.Verdict != policy.LimitRefused || r != (policy.Reservation{}) {
		t.Errorf("got %+v, want a refusal once the time is shorter", a)
	}
	if n := l.Snapshot(at(time.Second)).Waiting; n != 0 {
		t.Errorf("%d calls wait, want none", n)
	}
}

func TestLimitBurst(t *testing.T) {
	t.Parallel()
	rate := func(amount float64, per time.Duration) policy.Rate { return policy.Rate{Amount: amount, Per: per} }
	for name, c := range map[string]struct {
		cfg  policy.LimitConfig
		want int
	}{
		"off":                        {policy.LimitConfig{}, 10_000},
		"one second's worth":         {policy.LimitConfig{Requests: rate(600, time.Minute)}, 10},
		"at least one":               {policy.LimitConfig{Requests: rate(6, time.Minute)}, 1},
		"as it says":                 {policy.LimitConfig{Requests: rate(6, time.Minute), Burst: 5}, 5},
		"a part of it":               {policy.LimitConfig{Requests: rate(600, time.Minute), Burst: 10, Replicas: 5}, 2},
		"a part, at least one":       {policy.LimitConfig{Requests: rate(600, time.Minute), Burst: 2, Replicas: 5}, 1},
		"a part of a second's worth": {policy.LimitConfig{Requests: rate(600, time.Minute), Replicas: 5}, 2},
		"negative":                   {policy.LimitConfig{Requests: rate(-1, time.Minute), Burst: -1, Replicas: -1}, 10_000},
		"not a number":               {policy.LimitConfig{Requests: rate(math.NaN(), time.Minute)}, 10_000},
		"without end":                {policy.LimitConfig{Requests: rate(math.Inf(1), time.Minute)}, 10_000},
	} {
		if got := burstOf(policy.NewLimiter(c.cfg), at(0), ""); got != c.want {
			t.Errorf("%s: %d at once, want %d", name, got, c.want)
		}
	}
}

// No window of Per sees more than the limit and the burst, whoever waits, gives up, or asks late.
func TestLimitHoldsInEveryWindow(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 1))
		amount, burst := 1+random.IntN(50), 1+random.IntN(20)
		per := time.Duration(1+random.IntN(5000)) * time.Millisecond
		l := policy.NewLimiter(policy.LimitConfig{Requests: policy.Rate{Amount: float64(amount), Per: per}, Burst: burst})
		granted := playLimiter(t, random, l, per/time.Duration(4*amount))
		for i, j := 0, 0; i < len(granted); i++ {
			for ; granted[i]-granted[j] >= per; j++ {
			}
			if n := i - j + 1; n > amount+burst {
				t.Fatalf("seed %d: %d grants within %v, want at most %d + %d", seed, n, per, amount, burst)
			}
		}
		if len(granted) < amount {
			t.Errorf("seed %d: %d grants, want the limit used", seed, len(granted))
		}
	}
}

// playLimiter lets callers come, wait, give up and ask late, and returns when requests were sent.
func playLimiter(t *testing.T, random *rand.Rand, l *policy.Limiter, step time.Duration) (sent []time.Duration) {
	t.Helper()
	type waiter struct {
		r   policy.Reservation
		due time.Time
	}
	var line []waiter
	now := time.Duration(0)
	rouse := func(p policy.Permit) {
		for i := range line {
			if p != (policy.Permit{}) && line[i].r.Place() == p {
				line[i].due = at(now)
			}
		}
	}
	for range 4000 {
		now += time.Duration(random.Int64N(int64(step)*3 + 1))
		switch random.IntN(4) {
		case 0, 1:
			r, a := l.Reserve(at(now), "", policy.Cost{}, time.Time{}, random.IntN(2) == 0)
			switch a.Verdict {
			case policy.LimitGranted:
				if random.IntN(8) == 0 {
					rouse(l.Refund(at(now), &r))
				} else {
					sent = append(sent, now)
				}
			case policy.LimitWaiting:
				line = append(line, waiter{r: r, due: a.At})
			default:
			}
		case 2:
			if n := len(line); n > 0 {
				i := random.IntN(n)
				r := line[i].r
				line = append(line[:i], line[i+1:]...)
				rouse(l.Refund(at(now), &r))
			}
		default:
			for i := 0; i < len(line); i++ {
				if line[i].due.After(at(now)) || random.IntN(3) == 0 {
					continue
				}
				a := l.Ask(at(now), &line[i].r, time.Time{})
				if a.Verdict == policy.LimitWaiting {
					if line[i].due = a.At; !a.At.After(at(now)) {
						t.Fatalf("told to wait until %v at %v", a.At, at(now))
					}
					continue
				}
				sent = append(sent, now)
				line = append(line[:i], line[i+1:]...)
				i--
				rouse(a.Roused)
			}
		}
	}
	return sent
}

func tokens(amount float64) policy.LimitConfig {
	return policy.LimitConfig{Tokens: policy.Rate{Amount: amount, Per: time.Minute}}
}

func TestLimitOfTokensIsReconciled(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(tokens(6000)) // 100 in a second
	balance := func(now time.Time) float64 { return math.Round(l.Snapshot(now).Tokens.Balance) }
	reserve := func(c policy.Cost) policy.Reservation {
		t.Helper()
		r, a := l.Reserve(at(0), "", c, time.Time{}, false)
		if a.Verdict != policy.LimitGranted {
			t.Fatalf("%+v: %+v", c, a)
		}
		return r
	}
	r := reserve(policy.Cost{Input: 1000, Output: 3000})
	if got := balance(at(0)); got != 2000 {
		t.Errorf("balance %v, want 2000", got)
	}
	l.Settle(at(0), &r, policy.Usage{Input: 900, Output: 100})
	l.Settle(at(0), &r, policy.Usage{}) // a second one counts for nothing
	if got := balance(at(0)); got != 5000 {
		t.Errorf("balance %v, want what was not used back: 5000", got)
	}
	r = reserve(policy.Cost{Input: 1000, Output: 1000})
	l.Settle(at(0), &r, policy.Usage{Input: 1000, Output: 5000})
	if got := balance(at(0)); got != -1000 {
		t.Errorf("balance %v, want a debt of 1000", got)
	}
	_, a := l.Reserve(at(0), "", policy.Cost{Input: 500}, time.Time{}, true)
	if a.Verdict != policy.LimitWaiting || since(a.At) != "15s" || a.Bucket != policy.BucketTokens {
		t.Errorf("got %+v, want to wait for 1500 tokens", a)
	}
	if got := balance(at(time.Hour)); got != 6000 {
		t.Errorf("balance %v after an hour, want a whole Per", got)
	}
}

func TestLimitDebtIsBounded(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(tokens(6000))
	r, _ := l.Reserve(at(0), "", policy.Cost{Input: 1}, time.Time{}, false)
	l.Settle(at(0), &r, policy.Usage{Input: math.MaxInt64, Output: math.MaxInt64})
	if got := l.Snapshot(at(0)).Tokens.Balance; got != -6000 {
		t.Errorf("balance %v, want at most a whole bucket of debt", got)
	}
	r, _ = l.Reserve(at(2*time.Minute), "", policy.Cost{Input: 1000}, time.Time{}, false)
	l.Settle(at(2*time.Minute), &r, policy.Usage{Input: math.MinInt64, Output: -1})
	if got := l.Snapshot(at(2 * time.Minute)).Tokens.Balance; got != 6000 {
		t.Errorf("balance %v, want a full bucket and no more", got)
	}
}

func TestLimitBucketsOfInputAndOutput(t *testing.T) {
	t.Parallel()
	minute := func(amount float64) policy.Rate { return policy.Rate{Amount: amount, Per: time.Minute} }
	l := policy.NewLimiter(policy.LimitConfig{Requests: minute(600), InputTokens: minute(6000), OutputTokens: minute(600)})
	cost := policy.Cost{Input: 3000, Output: 300}
	for range 2 {
		if _, a := l.Reserve(at(0), "", cost, time.Time{}, true); a.Verdict != policy.LimitGranted {
			t.Fatalf("got %+v", a)
		}
	}
	_, a := l.Reserve(at(0), "", policy.Cost{Input: 100, Output: 300}, time.Time{}, true)
	if a.Verdict != policy.LimitWaiting || since(a.At) != "30s" || a.Bucket != policy.BucketOutput {
		t.Errorf("got %+v, want to wait for output tokens", a)
	}
	// Who comes later waits behind, though there would be tokens: nobody is passed for ever by smaller calls.
	if _, a := l.Reserve(at(time.Second), "", policy.Cost{Output: 1}, time.Time{}, true); a.Verdict != policy.LimitWaiting ||
		since(a.At) != "30.1s" {
		t.Errorf("got %+v, want the place behind", a)
	}
}

func TestLimitNeverHoldsAsMuch(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(tokens(6000))
	for _, c := range []policy.Cost{{Input: 6001}, {Input: 3000, Output: 3001}, {Input: 6001, Output: 1, Guessed: true}} {
		if _, a := l.Reserve(at(0), "", c, time.Time{}, true); a.Verdict != policy.LimitNever || a.Bucket != policy.BucketTokens {
			t.Errorf("%+v: %+v, want never", c, a)
		}
	}
	// What others used is no reason to think that this one cannot go.
	if _, a := l.Reserve(at(0), "", policy.Cost{Input: 100, Output: 1e6, Guessed: true}, time.Time{}, true); a.Verdict != policy.LimitGranted {
		t.Errorf("got %+v, want all that the bucket holds", a)
	}
}

func TestLimitOfATenant(t *testing.T) {
	t.Parallel()
	cfg := requests(50, 50)
	cfg.Per = policy.PerTenant
	l := policy.NewLimiter(cfg)
	if got := burstOf(l, at(0), "a"); got != 50 {
		t.Errorf("a: %d, want 50", got)
	}
	waiting, a := l.Reserve(at(0), "a", policy.Cost{}, time.Time{}, true)
	if a.Verdict != policy.LimitWaiting {
		t.Fatalf("got %+v", a)
	}
	for _, tenant := range []string{"b", ""} {
		if got := burstOf(l, at(0), tenant); got != 50 {
			t.Errorf("%q: %d, want a quota of its own", tenant, got)
		}
	}
	if a := l.Ask(at(20*time.Millisecond), &waiting, time.Time{}); a.Verdict != policy.LimitGranted {
		t.Errorf("got %+v", a)
	}
	if roused := l.Refund(at(20*time.Millisecond), &waiting); roused != (policy.Permit{}) {
		t.Errorf("roused %v", roused)
	}
	if got := l.Snapshot(at(20 * time.Millisecond)); got.Tenants != 3 || got.Waiting != 0 || math.Round(got.Requests.Balance) != 1 {
		t.Errorf("got %+v", got)
	}
	shared := policy.NewLimiter(requests(50, 50))
	burstOf(shared, at(0), "a")
	if got := burstOf(shared, at(0), "b"); got != 0 {
		t.Errorf("without partition the tenants share: b got %d", got)
	}
}

func TestT51_ALowLimit(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(requests(10, 10))
	low := func(now time.Duration) bool { return l.IsLow(at(now), "", policy.Cost{}) }
	if low(0) {
		t.Error("a full bucket is low")
	}
	var some policy.Reservation
	for range 8 {
		some, _ = call(l, at(0))
	}
	if low(0) {
		t.Error("two left, one of them for the hedge, is a tenth: not low")
	}
	call(l, at(0))
	if !low(0) {
		t.Error("one left would leave nothing")
	}
	l.Refund(at(0), &some)
	if low(0) {
		t.Error("low though one was given back")
	}
	call(l, at(0))
	call(l, at(0))
	waiting, _ := call(l, at(0))
	if !low(2 * time.Second) {
		t.Error("not low though somebody waits")
	}
	l.Refund(at(2*time.Second), &waiting)
	if low(2 * time.Second) {
		t.Error("low after a silence")
	}
}

func TestLimitOfRareRequests(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(policy.LimitConfig{Requests: policy.Rate{Amount: 1, Per: 24 * time.Hour}})
	call(l, at(0))
	for now := time.Duration(0); now < time.Second; now += 10 * time.Microsecond { // each brings next to nothing
		l.IsLow(at(now), "", policy.Cost{})
	}
	if _, a := call(l, at(time.Second)); a.At.Sub(at(24*time.Hour)).Abs() > time.Millisecond {
		t.Errorf("got %+v, want a day", a)
	}
}

func TestLimitLongLine(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(requests(10, 1))
	call(l, at(0))
	var line []policy.Reservation
	for {
		r, a := call(l, at(0))
		if a.Verdict != policy.LimitWaiting {
			break
		}
		line = append(line, r)
	}
	if len(line) != 10_000 {
		t.Errorf("%d wait, want the line to be bounded", len(line))
	}
	// Who asks from far behind keeps the place.
	if a := l.Ask(at(0), &line[500], time.Time{}); a.Verdict != policy.LimitWaiting || a.At.Before(at(50*time.Second)) {
		t.Errorf("got %+v", a)
	}
	for i := range line {
		if a := l.Ask(at(time.Duration(i+1)*100*time.Millisecond), &line[i], time.Time{}); a.Verdict != policy.LimitGranted {
			t.Fatalf("%d: %+v, want its turn", i, a)
		}
	}
}

func TestLimitConcurrent(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(requests(1, 100))
	var granted atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				r, a := l.Reserve(at(0), "", policy.Cost{}, time.Time{}, true)
				if a.Verdict == policy.LimitGranted {
					granted.Add(1)
				} else {
					l.Refund(at(0), &r)
				}
				l.Snapshot(at(0))
			}
		})
	}
	all.Wait()
	if got := granted.Load(); got != 100 {
		t.Errorf("%d granted, want 100", got)
	}
}
