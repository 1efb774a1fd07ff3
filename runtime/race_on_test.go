//go:build race

package runtime_test

// forgotten is how many allocations more a call may take: under the race detector a sync.Pool forgets a part of what it is given.
const forgotten = 2

// raceEnabled says that the race detector is on, which makes some tests ten times slower: they are then played in small. `make test` plays them
// in full as well, without the detector.
const raceEnabled = true
