//go:build race

package policy

// RaceEnabled says that the race detector is on: what no other goroutine sees is then played in small, for it takes ten times as long.
// `make test` plays it in full as well, without the detector.
const RaceEnabled = true
