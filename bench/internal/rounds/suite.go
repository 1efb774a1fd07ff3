package rounds

// Suite is one package of benchmarks.
type Suite struct {
	// Name is the name of its binary.
	Name string
	// Package is its import path below the module.
	Package string
	// Bench selects benchmarks, as -test.bench does.
	Bench string
	// Alone runs it on one processor: on idle ones the garbage collector works ahead, and that time would count as the cost of whatever allocates.
	Alone bool
	// Tags are build tags.
	Tags string
}

// Suites returns what is run.
func Suites() []Suite {
	return []Suite{
		{Name: "executor", Package: "./executor", Bench: "Seq|Par"},
		{Name: "http", Package: "./httpcall", Bench: "."},
		{Name: "codec", Package: "./codec", Bench: ".", Alone: true, Tags: "ogen"},
		{Name: "stream", Package: "./stream", Bench: ".", Alone: true},
	}
}
