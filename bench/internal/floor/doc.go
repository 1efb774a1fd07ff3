// Package floor answers one question: how cheap can a whole resilience stack be when the call succeeds? It has the parts of a full stack
// (a deadline, a bulkhead, a breaker over a rolling window, a latency record, a retry loop with a budget) in their cheapest form, and
// nothing else: no errors that say anything, no observers, no ladder, no half-open bookkeeping. It is a yardstick, not a library.
//
//	Do ──▶ breaker state ──▶ in flight + 1 ──▶ clock ──▶ LazyContext ──▶ fn ──▶ clock ──▶ window, latency ──▶ in flight − 1
//
// Read clock.go, context.go, window.go, stack.go, variants.go.
package floor
