// Package fuzz compares resgen's JSON with json/v2 on the same bytes: both refuse a text, or both take it and give equal values; and both write
// equal bytes. Where the two differ as docs/reference/json.md states, a rule says so: it rewrites just that place of the text into what both
// must take alike, and the comparison goes on. A difference that no rule rewrites is a failure.
//
// fuzz_test.go compares, rules_test.go has the differences, place_test.go finds places in a text, types_test.go has the types that are read.
// floats_test.go reads and writes a million floats of both widths bit for bit.
package fuzz
