// Package guarded has an interface whose wrapper has the plan of the arm resgen/full.
package guarded

import "context"

//go:generate go run ../../../cmd/resgen generate --iface Getter

// Answer is what a Getter answers.
type Answer struct{ N int }

// Getter gets answers.
//
//resgen:class call total=2m attempt=30s
//resgen:timeout call
//resgen:breaker open-for=5s open-max=5s probes=3 close-after=3
type Getter interface {
	// Get returns the answer of a key.
	//
	//resgen:safe
	//resgen:hedgeable false
	//resgen:retry attempts=4 backoff.base=50ms backoff.max=2s
	//resgen:breaker scope=operation window.calls=200 window.age=10s min-calls=20 failure-rate=50% consecutive=0 slow-rate=0
	//resgen:bulkhead max-concurrent=1000 max-queue=0 max-wait=0s
	Get(ctx context.Context, key string) (*Answer, error)
}
