// Package inbound takes what a caller of this program asks into the context, so that the calls that its handler makes obey: how much time
// is left, how important the work is, and that somebody above already retries.
//
//	request ──▶ trusted? ──▶ signals ──▶ context ──▶ too late? ──▶ handler ──▶ calls of resgen clients
//	               │ no                     ▲            │ yes                        │ failed: budget gone, breaker open
//	               └── tenant, own timeout ─┘            └▶ 503                       └▶ Mark: do not retry
//
// Nothing is read from a request whose caller is not trusted: a deadline, an importance or a tenant that anybody may write is a way to
// harm others. Clients of resgen write these signals to targets that are marked internal.
//
// The signals are headers, in lower case where they are metadata:
//
//	X-Resgen-Timeout-Ms: 1500       the milliseconds that are left, from now; Grpc-Timeout is read too, and the shorter one counts
//	X-Resgen-Criticality: critical  or normal, or sheddable: see runtime.WithCriticality
//	X-Resgen-Attempt: 1/3           the caller tries up to 3 times: calls here make one attempt on each rung
//	X-Resgen-Do-Not-Retry: 1        somebody further up tries again: the same; in an answer, that there is no use in it
//
// What cannot be understood is as if it were not there.
//
// Read the files in this order: inbound.go (the handlers), signals.go (what is read), late.go (what came too late), mark.go (what the
// caller is told).
package inbound
