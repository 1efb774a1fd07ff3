package rounds

import "strings"

// Suite is one package of benchmarks.
type Suite struct {
	// Name is the name of its binary.
	Name string
	// Package is its import path below the module.
	Package string
	// Bench selects benchmarks, as -test.bench does.
	Bench string
}

// Suites returns what is run.
func Suites() []Suite {
	return []Suite{
		{Name: "executor", Package: "./executor", Bench: "Seq|Par"},
		{Name: "http", Package: "./httpcall", Bench: "."},
	}
}

// Section is one table of the page: a benchmark, and the arm that its others are compared with.
type Section struct {
	// Benchmark is the name without "Benchmark".
	Benchmark string
	// Title and Text head the table.
	Title, Text string
	// Bases are the arms of which ratios are taken: of several, each other arm has that with the same last word.
	Bases []string
	// Against is what the column of ratios calls them.
	Against string
	// Parallel is the benchmark of the same arms on all processors; empty if there is none.
	Parallel string
}

// Sections returns the tables in their order.
func Sections() []Section {
	return []Section{
		{
			Benchmark: "Seq", Parallel: "Par", Bases: []string{"floor/full"}, Against: "floor/full", Title: "A call that succeeds",
			Text: "The function does nothing, so what is measured is the stack alone. `full` is a deadline, a bulkhead, a breaker over a rolling\n" +
				"window, a latency record and a retry loop of 4. Each arm takes a context of the call and hands one to the function.",
		},
		{
			Benchmark: "OpenSeq", Parallel: "OpenPar", Bases: []string{"floor"}, Against: "floor", Title: "A call that an open breaker refuses",
			Text: "",
		},
		{
			Benchmark: "Stub", Bases: []string{"net-http/bytes", "net-http/json"}, Against: "net/http", Title: "An HTTP call on a transport without a network",
			Text: "A request of 0.6 KB is posted, an answer of 2 KB is read. `bytes` neither writes nor reads JSON, so what differs\n" +
				"from `net-http/bytes` is the stack. `json` arms are compared with `net-http/json`.",
		},
		{
			Benchmark: "Loopback", Bases: []string{"net-http/bytes", "net-http/json"}, Against: "net/http", Title: "The same call over a connection",
			Text: "The server's part is in the numbers: it reads and writes bytes, and allocates next to nothing.",
		},
	}
}

// base returns the arm that arm is compared with.
func (s Section) base(arm string) string {
	for _, b := range s.Bases {
		if lastWord(b) == lastWord(arm) {
			return b
		}
	}
	return s.Bases[0]
}

func lastWord(arm string) string { return arm[strings.LastIndexAny(arm, "/-")+1:] }
