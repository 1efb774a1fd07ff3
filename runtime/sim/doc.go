// Package sim plays policies in virtual time: it drives the very machines that the live driver drives (policy.Call and all that it
// shares), against clients and servers that are data, and says what became of the calls and of the dependency.
//
//	Scenario ── clients ──arrivals──▶ ┌────────┐ ──events──▶ policy.Call (decides)
//	        └── servers ◀──attempts── │ agenda │ ◀─actions──
//	                    ──answers───▶ └────────┘ ──▶ Report, trace
//
// Time is a number. Whatever will happen stands in the agenda, and the run takes the earliest entry, moves its clock there, tells the
// machine of the call, and does what the machine says; so an hour of load takes about a second. The driver decides nothing.
//
// At one instant things happen in this order, which is that of policy.Event:
//
//  1. an attempt's end, and the end of an answer that outlives its call
//  2. the grant of a permit
//  3. a timer
//  4. the caller's end
//  5. the arrival of a call
//
// and within each in the order in which they were entered. An answer that comes in the very instant in which its time is over still
// counts.
//
// What calls share (breakers, budgets, limits ...) is made for each run as a live client makes it, and shared by its operations. Rungs are exercised where their answers
// are given to callers; those that are exercised beside a call are not played. The names of clients are their tenants.
//
// A run has one goroutine, reads no clock, and draws its random numbers from its seed: equal scenarios, plans and seeds give equal
// reports. Arrivals, servers and machines draw from sources of their own, so that two plans meet the same load.
//
// Read the files in this order: scenario.go, scenario_named.go, scenario_text.go, scenario_parse.go (what happens to us); operation.go (who is played); run.go,
// agenda.go, call.go, call_end.go, call_straight.go (the driver); arrivals.go, server.go, machines.go (what it drives); report.go, report_count.go (what
// became of it); trace.go (the story in lines).
package sim
