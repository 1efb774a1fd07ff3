// Package cpu adds the process's CPU time per operation to a benchmark. On a shared machine wall time counts the neighbours; CPU time
// (user and system, the garbage collector's included) does not. It works where there is getrusage(2).
package cpu

import (
	"syscall"
	"testing"
)

// Metric is the unit under which Start reports.
const Metric = "cpu-ns/op"

// Start begins a measurement; call what it returns after the loop, once.
func Start(b *testing.B) func() {
	b.Helper()
	began := Used(b)
	return func() { b.ReportMetric(float64(Used(b)-began)/float64(b.N), Metric) }
}

// Used returns the CPU time of the process so far, in nanoseconds.
func Used(b *testing.B) int64 {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return r.Utime.Nano() + r.Stime.Nano()
}
