package policy_test

import (
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// headers makes a header of lines "Name: value".
func headers(lines string) http.Header {
	h := http.Header{}
	for line := range strings.Lines(lines) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			h.Set(name, value)
		}
	}
	return h
}

func TestReadLimits(t *testing.T) {
	t.Parallel()
	const x, draft = policy.LimitHeadersX, policy.LimitHeadersDraft
	reading := func(limit, remaining float64, reset time.Duration) policy.LimitReading {
		return policy.LimitReading{Limit: limit, Remaining: remaining, HasRemaining: true, Reset: reset}
	}
	within := func(r policy.LimitReading, window time.Duration) policy.LimitReading {
		r.Window = window
		return r
	}
	requests := func(r policy.LimitReading) policy.LimitReadings {
		return policy.LimitReadings{policy.BucketRequests: r}
	}
	for name, c := range map[string]struct {
		family policy.LimitHeaders
		lines  string
		want   policy.LimitReadings
	}{
		"nothing":     {x, "", policy.LimitReadings{}},
		"not asked":   {policy.LimitHeadersNone, "X-RateLimit-Limit: 5", policy.LimitReadings{}},
		"not this":    {draft, "X-RateLimit-Limit: 5", policy.LimitReadings{}},
		"nor that":    {x, "RateLimit-Limit: 5", policy.LimitReadings{}},
		"only limit":  {x, "X-RateLimit-Limit: 5", requests(policy.LimitReading{Limit: 5})},
		"only reset":  {x, "X-RateLimit-Reset: 5", policy.LimitReadings{}},
		"in one list": {x, "X-RateLimit-Limit: 60, 60;window=60\nX-RateLimit-Remaining: 3", requests(reading(60, 3, 0))},
		"requests and tokens": {x, `
			X-RateLimit-Limit-Requests: 500
			X-RateLimit-Remaining-Requests: 499
			X-RateLimit-Reset-Requests: 120ms
			X-RateLimit-Limit-Tokens: 30000
			X-RateLimit-Remaining-Tokens: 0
			X-RateLimit-Reset-Tokens: 6m0s`, policy.LimitReadings{
			policy.BucketRequests: reading(500, 499, 120*time.Millisecond), policy.BucketTokens: reading(30000, 0, 6*time.Minute),
		}},
		"only what remains": {
			x, "X-RateLimit-Remaining-Tokens: 12\nX-RateLimit-Reset-Tokens: 7",
			policy.LimitReadings{policy.BucketTokens: reading(0, 12, 7*time.Second)},
		},
		"another family of names": {x, `
			Anthropic-RateLimit-Input-Tokens-Limit: 4000
			Anthropic-RateLimit-Input-Tokens-Remaining: 100
			Anthropic-RateLimit-Input-Tokens-Reset: 2026-01-01T00:01:00Z
			Anthropic-RateLimit-Output-Tokens-Remaining: 0
			Anthropic-RateLimit-Output-Tokens-Reset: 2026-01-01T01:00:30+01:00`, policy.LimitReadings{
			policy.BucketInput: reading(4000, 100, time.Minute), policy.BucketOutput: reading(0, 0, 30*time.Second),
		}},
		"unknown values": {x, "X-RateLimit-Limit-Requests: -1\nX-RateLimit-Remaining-Requests: -1", policy.LimitReadings{}},
		"absurd values":  {x, "X-RateLimit-Limit: 1e9\nX-RateLimit-Remaining: NaN\nX-RateLimit-Reset: Inf", policy.LimitReadings{}},
		"huge values":    {x, "X-RateLimit-Limit: 99999999999999999999\nX-RateLimit-Remaining: 0x10", policy.LimitReadings{}},

		"draft": {
			draft, `RateLimit: "default";r=50;t=30` + "\n" + `RateLimit-Policy: "default";q=100;w=60`,
			requests(within(reading(100, 50, 30*time.Second), time.Minute)),
		},
		"draft, several": {
			draft, `RateLimit: "burst";r=9;t=1, "daily";r=5;t=3600` + "\n" + `RateLimit-Policy: "burst";q=10;w=1,"daily";q=100;w=86400`,
			requests(within(reading(100, 5, time.Hour), 24*time.Hour)),
		},
		"draft, one used up": {
			draft, `RateLimit: "a";r=1;t=86400, "b";r=0;t=5, "c";r=0;t=9, "d";r=0;t=7`, requests(reading(0, 0, 9*time.Second)),
		},
		"draft, other units": {
			draft, `RateLimit-Policy: "a";q=5;w=1;qu="content-bytes", "b";q=7;w=1;qu="requests", "c";q=1;w=9;qu="concurrent-requests"`,
			requests(policy.LimitReading{Limit: 7, Window: time.Second}),
		},
		"draft, hostile names": {
			draft, `RateLimit: "a,b;r=1;t=2\"";r=3;t=4, limit;r=2;t=9, "reset";r=8;t=1;pk=:AAAA:`, requests(reading(0, 2, 9*time.Second)),
		},
		"draft, old": {
			draft, "RateLimit: limit=100, remaining=50, reset=5\nRateLimit-Policy: 100;w=60, 1000;w=3600",
			requests(within(reading(1000, 50, 5*time.Second), time.Hour)),
		},
		"draft, old without policy": {draft, "RateLimit: limit=100,remaining=0 , reset=5", requests(reading(100, 0, 5*time.Second))},
		"draft, older": {
			draft, "RateLimit-Limit: 100, 100;w=60\nRateLimit-Remaining: 7\nRateLimit-Reset: 5",
			requests(within(reading(100, 7, 5*time.Second), time.Minute)),
		},
		"draft, nothing in it": {draft, `RateLimit: ;;,"` + "\n" + `RateLimit-Policy: "x";q=0;w=60, "y";q=-1;w=5, "z";q=5`, policy.LimitReadings{}},
	} {
		got := policy.ReadLimits(c.family, epoch(), headers(c.lines).Get)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestReadLimitsReset(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{
		"6m0s": 6 * time.Minute, "1s": time.Second, "20ms": 20 * time.Millisecond, "1m2.5s": 62500 * time.Millisecond,
		"30": 30 * time.Second, "0.25": 250 * time.Millisecond, " 7 ": 7 * time.Second,
		"1767225660":                       time.Minute,
		"1767225660.5":                     60500 * time.Millisecond,
		"1767225660000":                    time.Minute,
		"2026-01-01T00:00:10Z":             10 * time.Second,
		"2026-01-01T00:00:10.5Z":           10500 * time.Millisecond,
		"2026-01-01T02:00:10+02:00":        10 * time.Second,
		"Thu, 01 Jan 2026 00:00:20 GMT":    20 * time.Second,
		"Thursday, 01-Jan-26 00:00:20 GMT": 20 * time.Second,
		// past, absurd, unreadable
		"0": 0, "-5": 0, "-5s": 0, "1767225540": 0, "2025-12-31T23:59:59Z": 0, "99999999": 0, "99999999999": 0, "9999999999999": 0,
		"99999h": 0, "soon": 0, "": 0, "1e3": 0, "NaN": 0, "99999999999999999999": 0, strings.Repeat("1", 100): 0,
	} {
		h := headers("X-RateLimit-Remaining: 1")
		h.Set("X-Ratelimit-Reset", value)
		if got := policy.ReadLimits(policy.LimitHeadersX, epoch(), h.Get)[policy.BucketRequests].Reset; got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
	// The server's clock is what its dates are read against.
	h := headers("X-RateLimit-Remaining: 1\nX-RateLimit-Reset: 1767225660\nDate: Thu, 01 Jan 2026 00:00:50 GMT")
	if got := policy.ReadLimits(policy.LimitHeadersX, at(time.Hour), h.Get)[policy.BucketRequests].Reset; got != 10*time.Second {
		t.Errorf("%v, want 10s by the server's clock", got)
	}
}

// learned returns a limiter of 100 requests in a second that has learned that.
func learned(t *testing.T, readings ...policy.LimitReading) *policy.Limiter {
	t.Helper()
	cfg := requests(100, 100)
	cfg.Headers = policy.LimitHeadersX
	l := policy.NewLimiter(cfg)
	for _, r := range readings {
		l.Learn(at(0), "", &policy.LimitReadings{policy.BucketRequests: r})
	}
	return l
}

func TestHeadersOnlyLowerALimit(t *testing.T) {
	t.Parallel()
	const unchanged = 100
	for name, c := range map[string]struct {
		say  policy.LimitReading
		rate float64 // in a second
		left float64
	}{
		"nothing":                 {policy.LimitReading{}, unchanged, 100},
		"less":                    {policy.LimitReading{Limit: 20, Reset: time.Minute}, 20, 100},
		"less, without a reset":   {policy.LimitReading{Limit: 20}, 20, 100},
		"less, of another window": {policy.LimitReading{Limit: 1200, Window: time.Minute}, 20, 100},
		"more":                    {policy.LimitReading{Limit: 2000, Reset: time.Minute}, unchanged, 100},
		"below one a second":      {policy.LimitReading{Limit: 1, Window: time.Hour}, 1, 100},
		"zero":                    {policy.LimitReading{Limit: 0, Reset: time.Minute}, unchanged, 100},
		"negative":                {policy.LimitReading{Limit: -5, Reset: -time.Minute, Remaining: -3, HasRemaining: true}, unchanged, 100},
		"little left":             {policy.LimitReading{Remaining: 7, HasRemaining: true, Reset: time.Minute}, unchanged, 7},
		"more left than we know":  {policy.LimitReading{Remaining: 700, HasRemaining: true}, unchanged, 100},
		"none left, until when?":  {policy.LimitReading{HasRemaining: true}, unchanged, 100},
	} {
		got := learned(t, c.say).Snapshot(at(0)).Requests
		if math.Round(got.PerSecond) != c.rate || got.Balance != c.left || got.LearnedUntil.IsZero() != (c.rate == unchanged) {
			t.Errorf("%s: %+v, want %v in a second, and %v left", name, got, c.rate, c.left)
		}
	}
}

func TestWhatHeadersSayEnds(t *testing.T) {
	t.Parallel()
	l := learned(t, policy.LimitReading{Limit: 10, Remaining: 1, HasRemaining: true, Reset: 2 * time.Second})
	call(l, at(0))
	r, a := l.Reserve(at(0), "", policy.Cost{}, time.Time{}, true)
	if a.Verdict != policy.LimitWaiting || since(a.At) != "100ms" {
		t.Errorf("got %+v, want a turn at 100ms", a)
	}
	l.Refund(at(0), &r)
	for range 20 {
		call(l, at(0))
	}
	// Twenty are due by the reset; five more then take 50 ms, not half a second.
	var last policy.LimitAnswer
	for range 5 {
		_, last = call(l, at(0))
	}
	if got := last.At.Sub(at(0)).Round(time.Millisecond); got != 2050*time.Millisecond {
		t.Errorf("the last one's turn is at %v, want 2.05s: the old rate is back after the reset", got)
	}
	for now, want := range map[time.Duration]float64{time.Second: 11, 2 * time.Second: 21, 2100 * time.Millisecond: 31} {
		slow := learned(t, policy.LimitReading{Limit: 10, Remaining: 1, HasRemaining: true, Reset: 2 * time.Second})
		if got := math.Round(slow.Snapshot(at(now)).Requests.Balance); got != want {
			t.Errorf("at %v: balance %v, want %v", now, got, want)
		}
	}
	if got := l.Snapshot(at(2 * time.Second)).Requests; math.Round(got.PerSecond) != 100 || !got.LearnedUntil.IsZero() {
		t.Errorf("got %+v after the reset", got)
	}
}

func TestTheNewestResponseCounts(t *testing.T) {
	t.Parallel()
	l := learned(t, policy.LimitReading{Limit: 10, Reset: time.Minute}, policy.LimitReading{Limit: 50, Reset: time.Minute})
	if got := l.Snapshot(at(0)).Requests.PerSecond; math.Round(got) != 50 {
		t.Errorf("%v in a second, want 50", got)
	}
	l = learned(t, policy.LimitReading{Limit: 10, Reset: time.Minute}, policy.LimitReading{Limit: 500, Reset: time.Minute})
	if got := l.Snapshot(at(0)).Requests.PerSecond; math.Round(got) != 100 {
		t.Errorf("%v in a second, want our own", got)
	}
}

func TestNothingLeftIsAPause(t *testing.T) {
	t.Parallel()
	l := learned(t, policy.LimitReading{HasRemaining: true, Reset: 5 * time.Second})
	_, a := call(l, at(0))
	if a.Verdict != policy.LimitWaiting || since(a.At) != "5s" || !l.IsLow(at(time.Second), "", policy.Cost{}) {
		t.Errorf("got %+v, want to wait for the reset", a)
	}
	if got := since(l.Snapshot(at(0)).Requests.PausedUntil); got != "5s" {
		t.Errorf("paused until %v", got)
	}
	// A reset that is far away is tried out before.
	l = learned(t, policy.LimitReading{HasRemaining: true, Reset: 300 * time.Hour})
	if _, a := l.Reserve(at(0), "", policy.Cost{}, at(time.Second), true); a.Verdict != policy.LimitRefused || since(a.At) != "1m0s" {
		t.Errorf("got %+v, want a refusal until a probe in a minute", a)
	}
	if _, a := call(l, at(time.Minute)); a.Verdict != policy.LimitGranted {
		t.Errorf("got %+v, want the probe", a)
	}
}

func TestHeadersAloneMakeALimit(t *testing.T) {
	t.Parallel()
	l := policy.NewLimiter(policy.LimitConfig{Headers: policy.LimitHeadersDraft})
	if got := burstOf(l, at(0), ""); got != 10_000 {
		t.Errorf("%d at once, want no bound before a response says so", got)
	}
	l.Learn(at(0), "", &policy.LimitReadings{policy.BucketRequests: {HasRemaining: true, Reset: 3 * time.Second}})
	if _, a := call(l, at(0)); a.Verdict != policy.LimitWaiting || since(a.At) != "3s" {
		t.Errorf("got %+v, want to wait for the reset", a)
	}
}

// FuzzReadLimits feeds headers to the readers: what they return is sane whatever comes, and a limiter that learns it never grants more
// than it was configured to, and grants again within a minute.
func FuzzReadLimits(f *testing.F) {
	f.Add("500", "0", "6m0s", `"default";r=50;t=30`, `"default";q=100;w=60`)
	f.Add("-1", "0", "1767225660000", "limit=100, remaining=50, reset=5", "100;w=60")
	f.Add("1e400", "9999999999", "2026-01-01T00:00:10Z", `"a\";r=0;t=9999999999`, `;q=1;w="`)
	f.Fuzz(func(t *testing.T, limit, remaining, reset, state, rules string) {
		get := func(name string) string {
			switch {
			case name == "Ratelimit":
				return state
			case name == "Ratelimit-Policy":
				return rules
			case strings.Contains(name, "Limit-Limit") || strings.HasSuffix(name, "-Limit"):
				return limit
			case strings.Contains(name, "Remaining"):
				return remaining
			default:
				return reset
			}
		}
		for _, family := range []policy.LimitHeaders{policy.LimitHeadersX, policy.LimitHeadersDraft} {
			said := policy.ReadLimits(family, epoch(), get)
			for _, r := range said {
				if !(r.Limit >= 0 && r.Limit <= 1e12 && r.Remaining >= 0 && r.Remaining <= 1e12) || r.Window < 0 || r.Reset < 0 ||
					max(r.Window, r.Reset) > 366*24*time.Hour {
					t.Errorf("read %+v", r)
				}
			}
			cfg := requests(2, 3)
			cfg.Headers = family
			l := policy.NewLimiter(cfg)
			l.Learn(at(0), "", &said)
			if got := l.Snapshot(at(0)).Requests; got.PerSecond > 2.001 || got.PerSecond < 0.999 || got.Balance > 3 || got.Balance < 0 {
				t.Errorf("learned %+v of %+v", got, said)
			}
			if n := burstOf(l, at(0), ""); n > 3 {
				t.Errorf("%d at once, of 3", n)
			}
			if burstOf(l, at(64*time.Second), "") == 0 {
				t.Errorf("nothing goes a minute after %+v", said)
			}
		}
	})
}
