package simulate

import (
	"math"
	"slices"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// outcome is what a call came to.
type outcome struct {
	at, took time.Duration
	kind     policy.Kind // KindNone: it was answered, unless it is lost
	lost     bool        // it never ended
	rung     string      // that answered; empty for the operation itself
	level    policy.Level
	inFault  bool // it arrived in the fault
	early    bool // it arrived before
}

// tally is what is counted for the operations of a class.
type tally struct {
	calls, ok, degraded, failed int
	attempts, denied            int
	rungs                       map[rungKey]int
	failures                    map[string]int
	rejected                    map[policy.Kind]int
	waits                       []time.Duration
	faultWaits                  []time.Duration
	faultCalls, faultLost       int
	faultKinds                  map[string]int
	faultRungs                  int // answered by another rung
	early, turnedAway           int // calls before the fault, and those of them that the client itself turned away
	turnedBy                    map[string]int
	streams, broken             int
	silences                    []time.Duration
	seconds                     []second // by arrival
}

type rungKey struct {
	name  string
	level policy.Level
}

// second is what became of the calls of one second.
type second struct {
	ok, degraded, failed int
	waits                []time.Duration
}

func newTally(length time.Duration) tally {
	return tally{
		rungs: map[rungKey]int{}, failures: map[string]int{}, rejected: map[policy.Kind]int{}, faultKinds: map[string]int{},
		turnedBy: map[string]int{}, seconds: make([]second, int(math.Ceil(length.Seconds()))),
	}
}

// never is how a call is told of that never ended.
const never = "never ended"

// ended counts a call.
func (t *tally) ended(o *outcome) {
	s := &t.seconds[min(int(o.at/time.Second), len(t.seconds)-1)]
	s.waits = append(s.waits, o.took)
	t.waits = append(t.waits, o.took)
	failed := o.kind != policy.KindNone || o.lost
	kind := o.kind.String()
	if o.lost {
		kind = never
	}
	switch {
	case failed:
		t.failed++
		s.failed++
		t.failures[kind]++
	case o.level == policy.Equal:
		t.ok++
		s.ok++
	default:
		t.degraded++
		s.degraded++
	}
	if o.rung != "" {
		t.rungs[rungKey{o.rung, o.level}]++
	}
	if o.early {
		t.early++
		if o.kind.Local() {
			t.turnedAway++
			t.turnedBy[kind]++
		}
	}
	if o.inFault {
		t.faultCalls++
		t.faultWaits = append(t.faultWaits, o.took)
		if failed {
			t.faultLost++
			t.faultKinds[kind]++
		} else if o.rung != "" {
			t.faultRungs++
		}
	}
}

const (
	// recoveredShare is the share of calls that the operation itself answers when it has recovered, in every span of recoveredSpan seconds.
	recoveredShare = 0.95
	recoveredSpan  = 5
)

// recovery is how long after the end of a fault the operation itself answers again; false where it does not before the calls end.
func (t *tally) recovery(to time.Duration) (time.Duration, bool) {
	end := int(math.Ceil(to.Seconds()))
	last := len(t.seconds) - recoveredSpan
	for i := last; i >= end; i-- {
		ok, all := 0, 0
		for _, s := range t.seconds[i : i+recoveredSpan] {
			ok, all = ok+s.ok, all+s.ok+s.degraded+s.failed
		}
		if float64(ok) >= recoveredShare*float64(all) {
			continue
		}
		return time.Duration(i+1)*time.Second - to, i < last
	}
	return 0, true
}

// load is what reached a target, in all plays.
type load struct {
	attempts       int
	seconds        []int // by when they reached it
	peaks          int   // of the plays, added up
	recent         []time.Duration
	peak           int // of this play
	inFault, after int
	openings       int
	input, output  int64
	cost           float64
}

// sent counts an attempt. They come in the order of time.
func (l *load) sent(at time.Duration) {
	l.attempts++
	if i := int(at / time.Second); i < len(l.seconds) {
		l.seconds[i]++
	}
	old := 0
	for old < len(l.recent) && at-l.recent[old] >= time.Second {
		old++
	}
	l.recent = append(l.recent[old:], at)
	l.peak = max(l.peak, len(l.recent))
}

// finish ends a play.
func (l *load) finish() {
	l.peaks += l.peak
	l.peak, l.recent = 0, nil
}

// quantile returns a percentile of durations, which it sorts; 0 where there are none.
func quantile(all []time.Duration, q float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[max(int(math.Ceil(q*float64(len(all))))-1, 0)]
}
