package sim

import "github.com/resgen-go/resgen/runtime/policy"

// rank orders what happens at one instant: the lower comes first.
type rank uint8

// The ranks, in order. See the package's documentation.
const (
	attemptEnds rank = iota
	grantComes
	timerFires
	callerEnds
	callArrives
)

// entry is something that will happen, unless the call has meanwhile put another in its place: then the call no longer knows its number.
type entry struct {
	at     int64  // nanoseconds since the run began
	number uint64 // in the order in which they were entered, from 1
	rank   rank
	timer  policy.Timer // of timerFires
	copy   int32        // of attemptEnds
	call   *call        // whose it is; nil for callArrives
	from   int          // who calls, of callArrives
}

// before says which of two entries happens first.
func (e *entry) before(o *entry) bool {
	switch {
	case e.at != o.at:
		return e.at < o.at
	case e.rank != o.rank:
		return e.rank < o.rank
	default:
		return e.number < o.number
	}
}

// agenda holds what will happen, the earliest at the top of a heap. The zero value is empty and ready.
type agenda struct {
	heap    []entry
	entered uint64
}

// enter adds an entry and returns its number.
func (a *agenda) enter(e entry) uint64 {
	a.entered++
	e.number = a.entered
	a.heap = append(a.heap, e)
	i := len(a.heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(&a.heap[parent]) {
			break
		}
		a.heap[i] = a.heap[parent]
		i = parent
	}
	a.heap[i] = e
	return e.number
}

// next takes the earliest entry, if there is one.
func (a *agenda) next() (entry, bool) {
	if len(a.heap) == 0 {
		return entry{}, false
	}
	top := a.heap[0]
	last := len(a.heap) - 1
	e := a.heap[last]
	a.heap[last] = entry{}
	a.heap = a.heap[:last]
	if last > 0 {
		a.sink(e)
	}
	return top, true
}

// sink puts an entry where the top was.
func (a *agenda) sink(e entry) {
	i := 0
	for {
		child := 2*i + 1
		if child >= len(a.heap) {
			break
		}
		if child+1 < len(a.heap) && a.heap[child+1].before(&a.heap[child]) {
			child++
		}
		if !a.heap[child].before(&e) {
			break
		}
		a.heap[i] = a.heap[child]
		i = child
	}
	a.heap[i] = e
}
