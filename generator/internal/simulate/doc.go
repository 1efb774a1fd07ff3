// Package simulate plays the plans of a client through scenarios, beside the same operations without any policy, and judges what becomes of
// them: what users saw, what the targets got, and what to change.
//
//	plan.Operation ─▶ Operation ─┐
//	scenario NAME or FILE ───────┼─▶ sim.RunAll ──trace──▶ watch ─▶ Run ─▶ verdicts ─▶ text, JSON, page
//	expectations ────────────────┘
//
// Read the files in this order: operation.go (who is played, and how much is asked of them), scenario.go, builtin.go, expect.go (what happens, and
// what is expected), simulate.go, watch.go, tally.go (the run), report.go (what is told of it), verdict.go, fixes.go (what is wrong with it),
// text.go, page.go, chart.go (how it is shown).
package simulate
