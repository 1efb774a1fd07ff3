package runtime

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// rateSteps is how often the rate of a stream is looked at in the time over which it is measured.
const rateSteps = 5

// streamRate measures how fast the content of a stream comes, over the last part of the time in which the target was waited for. It is told
// of content by who reads, and of the time by who reads and by the clock's timer. The zero value measures nothing.
type streamRate struct {
	limit policy.MinRate
	units atomic.Int64 // items, or bytes of them

	mu     sync.Mutex
	waited time.Duration        // the waits that are over
	marks  [rateSteps + 1]int64 // the units at the last steps
	step   int                  // the number of the next one; that of 0 units and no time is 0
	slow   bool                 // it was once too slow
}

// start starts to measure.
func (r *streamRate) start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waited, r.step, r.marks = 0, 1, [rateSteps + 1]int64{r.units.Load()}
}

// add adds an item of content.
func (r *streamRate) add(bytes int) {
	switch {
	case r.limit.PerSecond <= 0:
	case r.limit.Bytes:
		r.units.Add(int64(bytes))
	default:
		r.units.Add(1)
	}
}

// next returns how long the outstanding wait may last until the rate is to be looked at; false for never.
func (r *streamRate) next() (time.Duration, bool) {
	if r.limit.PerSecond <= 0 {
		return 0, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(r.at(r.step)-r.waited, 1), r.step > 0
}

// at is the time of a step.
func (r *streamRate) at(step int) time.Duration {
	return time.Duration(step) * r.limit.Over / rateSteps
}

// waitedFor takes a wait that lasts so far, or that is over, and reports whether the content came too slowly.
func (r *streamRate) waitedFor(d time.Duration, over bool) (slow bool) {
	if r.limit.PerSecond <= 0 {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.step > 0 && r.waited+d >= r.at(r.step) {
		now := r.units.Load()
		r.marks[r.step%len(r.marks)] = now
		if r.step >= rateSteps {
			came := now - r.marks[(r.step-rateSteps)%len(r.marks)]
			slow = slow || float64(came) < r.limit.PerSecond*r.limit.Over.Seconds()
		}
		r.step++
	}
	if over {
		r.waited += d
	}
	r.slow = r.slow || slow
	return slow
}

// wasSlow reports whether the content came too slowly at some time.
func (r *streamRate) wasSlow() bool {
	if r.limit.PerSecond <= 0 {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.slow
}

// text says what is too slow.
func (r *streamRate) text() string {
	unit := ""
	if r.limit.Bytes {
		unit = " bytes"
	}
	return "less than " + strconv.FormatFloat(r.limit.PerSecond, 'g', -1, 64) + unit + " a second"
}
