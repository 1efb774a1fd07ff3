// Package alerts proves the alert rules and the dashboard of docs/operations, with Prometheus's own parser and engine. It is a module of its own, so
// that Prometheus is no dependency of resgen's.
//
//	a client in an incident ──promobserver──▶ series ──rules──▶ what fires, and when
//	(virtual time)
//
// Read the files in this order: rules_test.go (what rules and dashboard may name), service_test.go (a client in an incident), play_test.go (how its
// series are evaluated), incidents_test.go (the incidents, and what must fire in each).
package alerts
