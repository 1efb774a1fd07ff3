//go:build race

package codec

// raced says that the race detector is on, which makes everything ten times as slow.
const raced = true
