// Package runtimetest helps to test clients and their policies without a network: a Recorder keeps what observers are told, a Script
// plays the answers of a target, a Server is a fake of the server that a generated client calls, and Verify holds a client to its plans, as
// the tests do that resgen generates. All work in testing/synctest bubbles, where waits cost nothing.
//
// Read the files in this order: recorder.go, script.go; server.go, server_script.go, server_answer.go, server_route.go, server_body.go;
// verify.go, verify_outcome.go, verify_stage.go, verify_fault.go, and then the checks: verify_retry.go, verify_breaker.go, verify_ladder.go,
// verify_hedge.go.
package runtimetest
