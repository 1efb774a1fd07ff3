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
// Read the files in this order: inbound.go (the handlers), signals.go (what is read), late.go (what came too late), mark.go (what the
// caller is told).
package inbound
