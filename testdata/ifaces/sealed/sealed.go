// Package sealed has interfaces that are not exported, or whose methods are not, two of them beside each other.
package sealed

import "context"

// Service can only be implemented here.
//
//resgen:class point total=2s attempt=500ms
//resgen:timeout point
type Service interface {
	// Export sends bytes.
	//
	//resgen:idempotent
	//resgen:retry attempts=2 backoff.base=10ms backoff.jitter=none
	Export(ctx context.Context, b []byte) error

	// Unwrap is what wrappers would call their own method.
	Unwrap() Service

	mustEmbed()
	sealed(ctx context.Context, n int) (int, error)
	next() string
}

// port is for this package alone.
//
//resgen:class point total=2s attempt=500ms
//resgen:timeout point
type port interface {
	//resgen:safe
	//resgen:retry attempts=2 backoff.base=10ms backoff.jitter=none
	get(ctx context.Context, id string) (secret, error)
}

type secret struct{ text string }

// Names that wrappers would give to what they share are those of others here.
const (
	serviceSpec          = "spec"
	servicePointTimeout  = "timeout"
	serviceExportPolicy  = "policy"
	classifyServiceNames = serviceSpec + servicePointTimeout + serviceExportPolicy
)

var _ = classifyServiceNames
