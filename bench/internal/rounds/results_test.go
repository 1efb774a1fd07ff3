package rounds

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const output = `goos: linux
goarch: amd64
pkg: github.com/resgen-go/resgen/bench/executor
cpu: Some Processor @ 3.00GHz
BenchmarkSeq/floor/full-8         	  500000	       210.0 ns/op	       200.5 cpu-ns/op	      48 B/op	       1 allocs/op
BenchmarkSeq/resgen/full-8        	  100000	       700.0 ns/op	       601.5 cpu-ns/op	     112 B/op	       2 allocs/op
BenchmarkSeq/resgen/full+hedge
    arms_test.go:12: it has no hedges
--- SKIP: BenchmarkSeq/resgen/full+hedge-8
PASS
`

func TestRead(t *testing.T) {
	t.Parallel()
	got := Results{Arms: map[string][]Sample{}}
	if err := got.read(strings.NewReader(output)); err != nil {
		t.Fatal(err)
	}
	want := Results{
		Platform: "linux/amd64", Machine: "Some Processor @ 3.00GHz",
		Arms: map[string][]Sample{
			"Seq/floor/full":  {{CPU: 200.5, Bytes: 48, Allocs: 1}},
			"Seq/resgen/full": {{CPU: 601.5, Bytes: 112, Allocs: 2}},
		},
		Order:   []string{"Seq/floor/full", "Seq/resgen/full"},
		Missing: []string{"Seq/resgen/full+hedge: it has no hedges"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if err := got.read(strings.NewReader("BenchmarkSeq/x-8 1 abc ns/op 1 B/op\n")); err == nil {
		t.Error("a line that is no number is taken")
	}
}

// samples are runs of one arm with these CPU times.
func samples(nanos ...float64) []Sample {
	var all []Sample
	for _, n := range nanos {
		all = append(all, Sample{CPU: n, Allocs: n / 100})
	}
	return all
}

func TestRatiosAreWithinARound(t *testing.T) {
	t.Parallel()
	r := Results{Arms: map[string][]Sample{"a": samples(200, 900, 400), "b": samples(100, 300, 200), "short": samples(50)}}
	for _, tt := range []struct {
		name      string
		arm, base string
		want      float64
		ok        bool
	}{
		{"median of the ratios, not ratio of the medians", "a", "b", 2, true},
		{"rounds that one of them lacks do not count", "a", "short", 4, true},
		{"not measured", "a", "c", 0, false},
	} {
		if got, ok := r.paired(tt.arm, tt.base, ratio); got != tt.want || ok != tt.ok {
			t.Errorf("%s: got %v, %v; want %v, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
	if got, _ := r.median("b", cpuOf); got != 200 {
		t.Errorf("median: got %v, want 200", got)
	}
	if got, _ := (&Results{Arms: map[string][]Sample{"a": samples(1, 2, 10, 20)}}).median("a", cpuOf); got != 6 {
		t.Errorf("median of an even number: got %v, want 6", got)
	}
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	r := Results{Arms: map[string][]Sample{"a": samples(300), "b": samples(200)}}
	for _, tt := range []struct {
		goal              Goal
		measured, verdict string
	}{
		{Goal{Most: 1.5, Unit: "x", value: times("a", "b")}, "1.50x", "kept"},
		{Goal{Most: 1.4, Unit: "x", value: times("a", "b")}, "1.50x", "**missed**"},
		{Goal{Most: 1.4, Unit: "x", Reason: "it is slow", Explains: 1.6, value: times("a", "b")}, "1.50x", "**missed**: it is slow"},
		{Goal{Most: 1.3, Unit: "x", Reason: "it is slow", Explains: 1.4, value: times("a", "b")}, "1.50x", "**missed**"},
		{Goal{Most: 1, Unit: " allocations", value: moreAllocs("a", "b")}, "1 allocations", "kept"},
		{Goal{Most: 50, Unit: " ns", value: more("a", "b")}, "100 ns", "**missed**"},
		{Goal{Most: 1, Unit: "x", value: times("a", "c")}, "-", "not measured"},
		{Goal{Least: 1.5, Unit: "x", value: faster("b", "a")}, "1.50x", "kept"},
		{Goal{Least: 1.6, Unit: "x", value: faster("b", "a")}, "1.50x", "**missed**"},
		{Goal{Least: 1.6, Unit: "x", Reason: "it is slow", Explains: 1.4, value: faster("b", "a")}, "1.50x", "**missed**: it is slow"},
		{Goal{Most: .02, Unit: " allocations", value: allocsOfEach("b", 100)}, "0.02 allocations", "kept"},
	} {
		if measured, verdict := tt.goal.verdict(&r); measured != tt.measured || verdict != tt.verdict {
			t.Errorf("most %v%s: got %q, %q; want %q, %q", tt.goal.Most, tt.goal.Unit, measured, verdict, tt.measured, tt.verdict)
		}
	}
}

func TestArmsAreComparedWithTheirOwnBase(t *testing.T) {
	t.Parallel()
	s := Section{Bases: []string{"net-http/bytes", "net-http/json"}}
	for arm, want := range map[string]string{"resgen/full-bytes": "net-http/bytes", "retryablehttp/json": "net-http/json", "other": "net-http/bytes"} {
		if got := s.base(arm); got != want {
			t.Errorf("%s: got %s, want %s", arm, got, want)
		}
	}
}
