// Package status shows what the clients of a program do now: a page for whoever is paged, the same as JSON, and the endpoints that
// orchestrators and people ask whether the program lives, is ready, and reaches what it calls.
//
//	groups ──Snapshot──▶ machines ─┐
//	                               ├──▶ Report ──▶ problems, in words ──▶ page, JSON
//	calls ───Observer──▶ watch ────┘
//
//	/livez    the process: nothing else is looked at
//	/readyz   this instance: its phase, and the checks that the program names
//	/deepz    synthetic calls, for those who are authorised, at most one run in 30 seconds
//
// New alone shows the machines; with Observer as the clients' observer also which rungs answer, what fails, and what happened. Names are
// shown, and kinds of failures; texts of errors, tenants, keys and addresses never are.
//
// Nothing runs unless it is asked for, and nothing is left behind: there is nothing to close.
//
// Read the files in this order: status.go (what a program writes), report.go and target.go (what is shown), machines.go, breaker.go, load.go and
// operations.go (how it is said), watch.go, episode.go and ring.go (what the observer remembers), words.go, page.go, health.go, checks.go.
package status
