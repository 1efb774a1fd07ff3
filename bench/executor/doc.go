// Package executor measures what one guarded call costs: when it succeeds, and when an open breaker refuses it. Each arm runs the same
// function that does nothing, takes a context of the call, and hands a context to the function, as a generated client must.
//
// arms_test.go has the table and the benchmarks; resgen_test.go, failsafe_test.go and handmade_test.go make the arms; pieces_test.go
// measures what a stack is made of.
package executor
