package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// shedding is the configuration that resgen recommends.
func shedding() policy.ShedConfig {
	return policy.ShedConfig{Factor: 2, Window: 2 * time.Minute, MaxReject: 0.9, MinPerSecond: 5}
}

// stream is a seeded source of randomness.
func stream(seed uint64) func() float64 { return rand.New(rand.NewPCG(seed, seed)).Float64 }

// offer sends a request each interval to a target that takes one with that probability, and returns the shares of requests
// that were sent, of each criticality.
func offer(
	th *policy.Throttle, from, to, every time.Duration, chance func() float64, takes float64, mix ...policy.Criticality,
) map[policy.Criticality]float64 {
	sent, all := map[policy.Criticality]float64{}, map[policy.Criticality]float64{}
	for i, t := 0, from; t < to; i, t = i+1, t+every {
		c := mix[i%len(mix)]
		all[c]++
		p, ok := th.Admit(at(t), c)
		if !ok {
			continue
		}
		sent[c]++
		end := policy.KindTransient
		if chance() < takes {
			end = policy.KindNone
		}
		th.End(at(t), p, end)
	}
	for c := range all {
		sent[c] /= all[c]
	}
	return sent
}

func TestT36_ThrottleRejectsWhatTheTargetWouldNotTake(t *testing.T) {
	t.Parallel()
	// In balance it sends K times what is accepted: with K = 2, a target that takes a share a of all is sent 2a, and at least 10 %.
	for _, takes := range []float64{1, 0.8, 0.5, 0.25, 0.1, 0} {
		t.Run(fmt.Sprint(takes), func(t *testing.T) {
			t.Parallel()
			th := policy.NewThrottle(shedding(), stream(2))
			// A target that takes so many each second takes them whoever is sent.
			var sent, n float64
			credit := 0.0
			for d := time.Duration(0); d < 10*time.Minute; d += 20 * time.Millisecond {
				credit = min(credit+takes, 2)
				p, ok := th.Admit(at(d), policy.Normal)
				if d >= 5*time.Minute {
					n++
				}
				if !ok {
					continue
				}
				if d >= 5*time.Minute {
					sent++
				}
				if credit >= 1 {
					credit--
					th.End(at(d), p, policy.KindNone)
				} else {
					th.End(at(d), p, policy.KindThrottle)
				}
			}
			if got, want := sent/n, min(max(2*takes, 0.1), 1); math.Abs(got-want) > 0.03 {
				t.Errorf("%.2f of all requests were sent, want about %.2f", got, want)
			}
		})
	}
}

func TestT36_RejectionsOfTheThrottleAreRequests(t *testing.T) {
	t.Parallel()
	th := policy.NewThrottle(shedding(), stream(1))
	offer(th, 0, time.Minute, 10*ms, stream(2), 0, policy.Normal)
	s := th.Snapshot(at(time.Minute))
	if s.Requests != 6000 || s.Rejected < 5000 || s.Accepted != 0 || s.Share != 0.9 {
		t.Errorf("got %+v, want all 6000 requests counted, most of them rejected, and still 90 %% to be rejected", s)
	}
}

func TestT36_WhatIsUnderWayIsNoFailure(t *testing.T) {
	t.Parallel()
	// A start with calls that take 20 s, and a long window to judge them by.
	th := policy.NewThrottle(shedding(), constant(0))
	var open []policy.Passage
	for i := range 200 {
		p, ok := th.Admit(at(time.Duration(i)*100*ms), policy.Normal)
		if !ok {
			t.Fatalf("request %d was rejected though none has failed", i)
		}
		open = append(open, p)
	}
	// The first half ends well: what is under way is expected to.
	for i, p := range open[:100] {
		th.End(at(20*time.Second+time.Duration(i)*100*ms), p, policy.KindNone)
	}
	if s := th.Snapshot(at(30 * time.Second)); s.Share != 0 {
		t.Errorf("got %+v, want nothing rejected", s)
	}
	// The other half times out.
	for _, p := range open[100:] {
		th.End(at(40*time.Second), p, policy.KindTimeout)
	}
	if s := th.Snapshot(at(40 * time.Second)); s.Requests != 200 || s.Accepted != 100 || s.Share != 0 {
		t.Errorf("got %+v, want 100 of 200, and nothing rejected: K is 2", s)
	}
	th = policy.NewThrottle(shedding(), constant(0.999))
	open = open[:0]
	for i := range 200 {
		p, _ := th.Admit(at(time.Duration(i)*100*ms), policy.Normal)
		open = append(open, p)
	}
	for _, p := range open[:100] {
		th.End(at(20*time.Second), p, policy.KindTimeout)
	}
	if s := th.Snapshot(at(20 * time.Second)); s.Share < 0.89 {
		t.Errorf("got %+v, want most rejected: all that ended has failed", s)
	}
}

func TestT36_WhatCountsAsAccepted(t *testing.T) {
	t.Parallel()
	failed := map[policy.Kind]bool{
		policy.KindThrottle: true, policy.KindTransient: true, policy.KindTimeout: true, policy.KindConnect: true, policy.KindReset: true,
	}
	for _, k := range append(policy.Kinds(), policy.KindNone) {
		th := policy.NewThrottle(shedding(), constant(0))
		p, _ := th.Admit(at(0), policy.Normal)
		th.End(at(0), p, k)
		neutral := k == policy.KindDeadline || k == policy.KindCanceled || k.Local()
		wantRequests, wantAccepted := 1, 1
		if neutral {
			wantRequests, wantAccepted = 0, 0
		} else if failed[k] {
			wantAccepted = 0
		}
		if s := th.Snapshot(at(0)); s.Requests != wantRequests || s.Accepted != wantAccepted {
			t.Errorf("%v: %d requests and %d accepted, want %d and %d", k, s.Requests, s.Accepted, wantRequests, wantAccepted)
		}
	}
}

func TestT36_ThrottleIsInertWhenItIsQuiet(t *testing.T) {
	t.Parallel()
	for every, want := range map[time.Duration]bool{250 * ms: false, 210 * ms: false, 190 * ms: true, 100 * ms: true} {
		th := policy.NewThrottle(shedding(), constant(0))
		offer(th, 0, 5*time.Minute, every, constant(1), 0, policy.Normal)
		if s := th.Snapshot(at(5 * time.Minute)); (s.Rejected > 0) != want {
			t.Errorf("a request each %v to a target that takes none: %+v; want rejections: %v", every, s, want)
		}
	}
	for name, cfg := range map[string]policy.ShedConfig{
		"zero": {}, "no factor": {Window: time.Minute, MaxReject: 0.9}, "no window": {Factor: 2, MaxReject: 0.9},
		"nothing to reject": {Factor: 2, Window: time.Minute},
	} {
		th := policy.NewThrottle(cfg, constant(0))
		if sent := offer(th, 0, time.Minute, ms, constant(1), 0, policy.Sheddable); sent[policy.Sheddable] != 1 {
			t.Errorf("%s: %v of the requests were sent, want all", name, sent)
		}
	}
}

func TestT16_AThrottleForgetsAfterASilence(t *testing.T) {
	t.Parallel()
	th := policy.NewThrottle(shedding(), stream(1))
	offer(th, 0, 2*time.Minute, 10*ms, constant(1), 0, policy.Normal)
	late, _ := th.Admit(at(2*time.Minute), policy.Critical)
	if s := th.Snapshot(at(3 * time.Minute)); s.Requests == 0 || s.Requests > 6001 {
		t.Errorf("after a minute of silence: %+v, want the half that is in the window", s)
	}
	if s := th.Snapshot(at(24 * time.Hour)); s != (policy.ThrottleSnapshot{}) {
		t.Errorf("after a day: %+v, want nothing", s)
	}
	th.End(at(24*time.Hour), late, policy.KindTimeout)
	if s := th.Snapshot(at(24 * time.Hour)); s != (policy.ThrottleSnapshot{}) {
		t.Errorf("after the end of a request that has left the window: %+v, want nothing", s)
	}
	// The rate is measured from the silence on, not over the window before it.
	offer(th, 24*time.Hour, 24*time.Hour+11*time.Second, 100*ms, constant(1), 0, policy.Normal)
	if s := th.Snapshot(at(24*time.Hour + 11*time.Second)); s.Share == 0 {
		t.Errorf("ten requests a second, all failed: %+v, want rejections", s)
	}
	// A time that steps back counts as the latest one.
	if s := th.Snapshot(at(0)); s.Requests != 110 {
		t.Errorf("after a step back: %+v", s)
	}
}

func TestT59_SheddableCallsAreShedFirst(t *testing.T) {
	t.Parallel()
	const critical, normal, sheddable = policy.Critical, policy.Normal, policy.Sheddable
	mix := []policy.Criticality{critical, normal, sheddable, sheddable} // 25, 25 and 50 %
	cfg := shedding()
	cfg.Factor = 1.5
	// A target that takes 60 % of all requests is sent 1.5 times that: 10 % are rejected. With 30 % it is 55 %, with 20 % it is 70 %, and
	// with none as much as may be.
	for takes, want := range map[float64]map[policy.Criticality]float64{
		0.6: {critical: 1, normal: 1, sheddable: 0.8},
		0.3: {critical: 1, normal: 0.6, sheddable: 0.1},
		0.2: {critical: 0.9, normal: 0.1, sheddable: 0.1},
		0:   {critical: 0.1, normal: 0.1, sheddable: 0.1},
	} {
		th := policy.NewThrottle(cfg, stream(1))
		sent, all := map[policy.Criticality]float64{}, map[policy.Criticality]float64{}
		credit := 0.0
		for i := range 120_000 {
			d, c := time.Duration(i)*10*ms, mix[i%len(mix)]
			credit = min(credit+takes, 2)
			p, ok := th.Admit(at(d), c)
			if i > 60_000 {
				all[c]++
			}
			if !ok {
				continue
			}
			if i > 60_000 {
				sent[c]++
			}
			k := policy.KindTransient
			if credit >= 1 {
				credit--
				k = policy.KindNone
			}
			th.End(at(d), p, k)
		}
		for c, want := range want {
			if got := sent[c] / all[c]; math.Abs(got-want) > 0.06 {
				t.Errorf("takes %v of all: %.2f of the %v calls were sent, want about %.2f", takes, got, c, want)
			}
		}
	}
}

func TestT36_ATargetThatTakesAllAgainIsBelievedSoon(t *testing.T) {
	t.Parallel()
	th := policy.NewThrottle(shedding(), stream(1))
	offer(th, 0, 2*time.Minute, 50*ms, constant(1), 0, policy.Normal)
	late, _ := th.Admit(at(2*time.Minute), policy.Normal)
	if s := th.Snapshot(at(2 * time.Minute)); s.Share != 0.9 {
		t.Fatalf("after two minutes of outage: %+v, want 90 %% rejected", s)
	}
	// Two requests a second find out that it is back.
	if sent := offer(th, 2*time.Minute, 2*time.Minute+20*time.Second, 50*ms, constant(0), 1, policy.Normal); sent[policy.Normal] < 0.3 {
		t.Errorf("%.2f of the requests were sent in the first 20 s after the outage, want more than 30 %%", sent[policy.Normal])
	}
	from := 2*time.Minute + 20*time.Second
	if sent := offer(th, from, from+20*time.Second, 50*ms, constant(0), 1, policy.Normal); sent[policy.Normal] != 1 {
		t.Errorf("%.2f of the requests were sent after that, want all", sent[policy.Normal])
	}
	before := th.Snapshot(at(from + 20*time.Second))
	th.End(at(from+20*time.Second), late, policy.KindTimeout)
	if s := th.Snapshot(at(from + 20*time.Second)); s != before || s.Rejected > 0 {
		t.Errorf("the end of a request of before: %+v, was %+v; want no trace of it, nor of the outage", s, before)
	}
	// One failure among them brings nothing back.
	p, _ := th.Admit(at(from+20*time.Second), policy.Normal)
	th.End(at(from+20*time.Second), p, policy.KindTransient)
	if s := th.Snapshot(at(from + 20*time.Second)); s.Share != 0 {
		t.Errorf("a failure after the recovery: %+v, want nothing rejected", s)
	}
}
