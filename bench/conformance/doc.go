// Package conformance holds the portable traps of resilience libraries as black-box probes, and runs each against resgen and its peers.
//
//	probe ──settings──▶ library ──▶ guard or client ──▶ calls in virtual time ──▶ finding: ok, fails, by choice, not applicable
//
// A probe never looks inside: whether a breaker is open is found out by calling. What a peer does wrong is an observation; what resgen does
// wrong fails the tests. `make -C bench conformance` writes docs/reference/conformance.md.
//
// Read probe_test.go and library_test.go, a library (resgen_test.go first), the probes (breaker_test.go, halfopen_test.go,
// bulkhead_test.go, retry_test.go, budget_test.go, http_test.go, retryafter_test.go, hedge_test.go, fallback_test.go, limit_test.go), and
// matrix_test.go, which runs them and writes the page.
package conformance
