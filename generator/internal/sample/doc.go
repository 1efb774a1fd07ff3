// Package sample makes the smallest valid samples of what an API's operations are asked and answer: for the generated tests and for the
// fake server, which are to work without anybody writing a request.
//
//	plan.Operation ──Request──▶ the JSON of its parameter, for emit to print as Go
//	               ──Answer───▶ status, media type and body of its first success
//
// A sample has what is required and nothing else: the first value of an enum, the first variant of a union that does not lead back to
// itself, the document's own example of a scalar where it is valid. Where none can be made, an error says why. The same plan gives the
// same samples.
//
// Read the files in this order: sample.go, answer.go, value.go, union.go, text.go and number.go, stream.go.
package sample
