//go:build !race

package runtime_test

// forgotten is how many allocations more a call may take: none, as no pool forgets.
const forgotten = 0

// raceEnabled says that the race detector is on, which makes some tests ten times slower: they are then played in small. `make test` plays them
// in full as well, without the detector.
const raceEnabled = false
