// Package rounds runs benchmarks in interleaved rounds, compares arms by ratios of CPU time within a round, and writes the page of results.
//
//	Suites ──build──▶ binaries ──n rounds, each binary once a round──▶ Results (JSON) ──▶ Goals ──▶ Markdown
//
// Rounds are interleaved so that a slow minute of the machine touches each arm alike. Read suite.go, run.go, results.go, goals.go,
// report.go.
package rounds
