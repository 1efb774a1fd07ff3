// Package runtime runs the calls of generated clients: it keeps their deadlines, retries them within a budget, opens breakers,
// bounds calls in flight, and walks down the fallback ladder when a target fails.
//
//	generated method ──▶ Do / DoResult / Open ──▶ driver ──events──▶ policy.Call (decides)
//	                                                │  ◀──actions──
//	                                                ├─▶ run(ctx, Attempt) ──▶ Send ──▶ wire ──▶ transport
//	                                                └─▶ Observer
//
// What is decided lies in runtime/policy, which knows no clock and no context; how it is run lies here. A driver lives on its caller's
// goroutine and decides nothing. It starts goroutines for the copies of attempts that may be hedged, for rungs that are exercised beside a
// call, and no others. Machines that calls share (breakers, limits, bulkheads, budgets) live in a Group, one for each client unless
// WithGroup says otherwise; nothing is global to the package.
//
// Read the files in this order: do.go and driver.go (one call), driver_copy.go and driver_race.go (hedges), attempt.go, key.go and
// attempt_context.go (what an attempt gets), http.go, http_option.go and send.go (how it is sent), straight.go (calls with which nothing
// is the matter), classify.go (what an error means), error.go and result.go (what the caller gets), operation.go and group.go (what calls
// share), context.go (what a caller may ask of one call), observe.go (what can be watched), snapshot.go (what machines show), input.go
// (what a call asks), meter.go (what it used), store.go, cached.go, cached_store.go and cached_call.go (what is remembered), exercise.go
// (rungs that run in normal times), signals.go (what targets of ours are told), open.go, stream.go, stream_seen.go, stream_core.go and
// stream_clock.go (answers that outlive their call).
package runtime
