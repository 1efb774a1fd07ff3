// Package chaos makes faults up that clients meet in place of real ones, so that what breakers, retries, hedges and ladders do about them is seen
// before an outage shows it: slow answers, errors as the provider writes them, connections that are refused, reset or silent, streams that begin
// late, stall or break, JSON that is none. It is for clients that resgen generated, of documents and of Go interfaces.
//
//	disorder, err := chaos.New(chaos.Plan{
//		Name: "primary-down",
//		Rules: []chaos.Rule{{
//			Operations: []string{"llm.*"}, Targets: []string{"primary"},
//			From: 10 * time.Second, Until: 40 * time.Second,
//			Share: 0.5, Fault: chaos.Status(503),
//		}},
//	})
//	client, err := llm.New(runtime.WithChaos(disorder), ...)
//
// It is off unless two agree: the code, which has the plan, and whoever starts the process, with RESGEN_CHAOS=primary-down in its environment. One
// of the two alone does nothing: New returns nil, and calls cost what they cost without it. Nor does it last: a plan is over after an hour, or
// what it says, and Stop ends it at once.
//
// What is made up says so: the event runtime.FaultInjected, the field Injected of the events of attempts and calls, which logs have too, the status
// page, the metric resgen_faults_injected_total, the header X-Resgen-Injected of answers, and the texts of errors.
//
// An attempt meets its fault last of all, after its breaker, its bulkhead and the start of its time, just before the connection. So everything
// around it does what it would do about the same fault of a real target.
//
// Read the files in this order: plan.go, fault.go, chaos.go, roundtrip.go, body.go, answer.go, call.go.
package chaos
