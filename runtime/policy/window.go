package policy

import "time"

// maxWindow bounds the memory of a window (16 bytes a result), whatever its configuration says.
const maxWindow = 1 << 20

// Window holds the newest results, none older than an age, and how many of them failed or were slow. Recording is O(1) amortised
// and allocates nothing; after a long silence everything goes in one step. It keeps its counts through a time that steps
// back. Not safe for concurrent use: its owner has the lock.
type Window struct {
	clock   clock
	results []result
	age     int64 // nanoseconds; 0 is no limit
	oldest  int   // index of the oldest result
	total   uint64
	counts  Counts
}

// result is what a window remembers of a call.
type result struct {
	at           int64
	failed, slow bool
}

// Counts says how many results a window holds, and how many of them failed or were slow.
type Counts struct {
	// Calls is the number of results, of every sort.
	Calls int
	// Failures is the number of failed ones.
	Failures int
	// Slow is the number of slow ones, failed or not.
	Slow int
}

// NewWindow returns a window of the newest calls results, none older than age. Age 0 is no limit; with calls 0 the window
// stays empty.
func NewWindow(calls int, age time.Duration) *Window {
	w := makeWindow(calls, age)
	return &w
}

func makeWindow(calls int, age time.Duration) Window {
	return Window{results: make([]result, min(max(calls, 0), maxWindow)), age: int64(max(age, 0))}
}

// Record adds a result.
func (w *Window) Record(now time.Time, failed, slow bool) {
	w.record(w.clock.tick(now), failed, slow)
}

// Counts returns what the window holds now.
func (w *Window) Counts(now time.Time) Counts {
	w.expire(w.clock.tick(now))
	return w.counts
}

// record adds a result and returns the number by which failLater finds it.
func (w *Window) record(t int64, failed, slow bool) uint64 {
	if len(w.results) == 0 {
		return 0
	}
	w.expire(t)
	if w.counts.Calls == len(w.results) {
		w.forget()
	}
	i := w.oldest + w.counts.Calls
	if i >= len(w.results) {
		i -= len(w.results)
	}
	w.results[i] = result{at: t, failed: failed, slow: slow}
	w.counts.Calls++
	if failed {
		w.counts.Failures++
	}
	if slow {
		w.counts.Slow++
	}
	w.total++
	return w.total
}

// failLater marks an earlier result as failed, and reports whether the window still holds it.
func (w *Window) failLater(t int64, number uint64) bool {
	w.expire(t)
	age := w.total - number // 0 is the newest
	if number == 0 || age >= uint64(w.counts.Calls) {
		return false
	}
	i := w.oldest + w.counts.Calls - 1 - int(age)
	if i >= len(w.results) {
		i -= len(w.results)
	}
	if r := &w.results[i]; !r.failed {
		r.failed = true
		w.counts.Failures++
	}
	return true
}

// expire forgets the results that are older than the age at t.
func (w *Window) expire(t int64) {
	if w.age == 0 || w.counts.Calls == 0 || t-w.results[w.oldest].at <= w.age {
		return
	}
	newest := w.oldest + w.counts.Calls - 1
	if newest >= len(w.results) {
		newest -= len(w.results)
	}
	if t-w.results[newest].at > w.age {
		w.clear()
		return
	}
	for t-w.results[w.oldest].at > w.age {
		w.forget()
	}
}

// forget drops the oldest result.
func (w *Window) forget() {
	r := w.results[w.oldest]
	w.counts.Calls--
	if r.failed {
		w.counts.Failures--
	}
	if r.slow {
		w.counts.Slow--
	}
	if w.oldest++; w.oldest == len(w.results) {
		w.oldest = 0
	}
}

// clear forgets every result.
func (w *Window) clear() {
	w.counts, w.oldest = Counts{}, 0
}
