// Package compare says what differs between two plans of an API: for the callers of the generated package, as the compiler would, and in
// what is done about each operation, with the direction of every change.
//
// Read in this order: change.go (what is said), policies.go and rungs.go (facts and policies, by the directions of package annot), api.go and
// features.go (the exported API of two packages, by go/types), needs.go (what New asks for), clients.go (all of it for one client).
package compare
