// Package wire is HTTP and JSON as generated clients see them: it turns typed values into requests that can be sent again, sends
// one request, and turns what comes back into typed values or typed errors.
//
//	typed request ──▶ Request (built once) ──Endpoint.Send, per attempt──▶ net/http
//	typed value   ◀── JSON, Text, Items, Download ◀── Response (owns the body) ◀──┘
//
// It makes one attempt and decides nothing: when to try again is the driver's business, which reads the errors of errors.go. It
// imports the standard library and runtime/policy only.
//
// Read the files in this order: request.go, body.go and content.go (what is sent), param.go, style.go and escape.go (how values
// become text), form.go and multipart.go (bodies of parts), endpoint.go, exchange.go and transport.go (one attempt), direct.go,
// direct_send.go, direct_head.go, direct_answer.go, direct_link.go, direct_look_unix.go and direct_kept.go (small ones over plain HTTP), redirect.go and
// security.go (what goes where), response.go, decode.go and download.go (what came back), errors.go (what went wrong), items.go, lines.go,
// sse.go and jsonl.go (streams), opt.go, date.go, union.go, object.go and json.go (values that JSON can hold and Go cannot).
package wire
