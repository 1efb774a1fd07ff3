//go:build race

package sim

// raceEnabled says that the race detector is on, which makes a run ten times slower.
const raceEnabled = true
