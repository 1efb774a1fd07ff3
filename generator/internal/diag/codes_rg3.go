package diag

// RG3xxx: policies that are fine each by itself, and unsafe or without effect together.
const (
	RetryWithoutIdempotency Code = "RG3104"
)

// rg3 is sorted by code.
var rg3 = []Entry{
	{
		Code: RetryWithoutIdempotency, Name: "RetryWithoutIdempotency", Summary: "an operation that is not idempotent is retried on a kind that leaves execution in doubt",
		Explain: "After a timeout, a reset, a truncated answer or a 5xx nobody knows whether the server has acted. A retry of an " +
			"operation with side effects may then do it twice: bill twice, send twice, insert twice. POST and PATCH have no " +
			"declared idempotency (RFC 9110 section 9.2.2).",
		Example: "post:\n  operationId: createOrder\n  x-resilience: {retry: {on: [timeout, connect]}}",
		Fix: "If the server knows idempotency keys:\n    idempotency: keyed\n    key: {in: header, name: Idempotency-Key}\n" +
			"If the operation has no effect but its price, as a completion:\n    idempotency: safe\n" +
			"Otherwise retry only what was never executed:\n    retry: {on: [connect, throttle]}",
	},
}
