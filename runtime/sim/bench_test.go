package sim_test

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/sim"
)

// BenchmarkRun plays calls against a target with an outage, with every machine on: the time is that of one call.
func BenchmarkRun(b *testing.B) {
	p := recommended()
	s := sim.Outage(15*time.Second, false)
	s.Length = time.Duration(b.N) * time.Second / 80
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := sim.Run(s, p, 1); err != nil {
		b.Fatal(err)
	}
}
