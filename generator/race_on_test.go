//go:build race

package generator_test

// raced says whether the tests run under the race detector; the programs that they build do then, too.
const raced = true
