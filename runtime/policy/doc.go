// Package policy says what is decided: plans as data, and the machines that decide by them. Nothing in it waits, reads a clock,
// draws a random number or calls out: time is an argument, waiting is an answer, randomness is a function given at
// construction. The drivers (package runtime live, package sim in virtual time) obey and decide nothing.
//
//	         ┌──────────── one call ────────────┐
//	event ──▶│ Call                             │──▶ actions
//	         └──┬────────┬────────┬─────────┬───┘
//	          Pause   Breaker  Bulkhead   Budget      shared by the calls to a target, under one lock or each its own
//	          Limiter Throttle Hedger
//	                  Window, Latency, Estimator      what these remember
//
// Nobody holds two locks, nor calls anything while holding one, so there is no order of locks to learn: the machines of one target share one
// (Guard), since calls ask them one after the other. The zero config of each machine is off. Configs are plain structs: printed by
// the generator, read by reviewers.
//
// Read the files in this order: plan.go, kind.go, level.go, outcome.go (the vocabulary); validate.go, defaults.go (what is refused, what is
// recommended); breaker.go, breaker_judge.go, lane.go (the breaker); bulkhead.go, adaptive.go, budget.go, pause.go; throttle.go (who is
// shed); limit.go, limit_bucket.go, limit_line.go, limit_learn.go, ratelimit.go, estimate.go (limits); tenant.go; hedge.go (when a slow
// attempt is copied); exercise.go (which calls use a rung in normal times); backoff.go, retryafter.go, status.go, preset.go (pure
// functions); window.go, latency.go, slots.go, clock.go, guard.go (what the machines are made of); call.go (one call);
// straight.go (one with which nothing is the matter).
package policy
