package runtime

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// The headers that internal targets get: which attempt this is of how many, the time that is left, how important the call is, and that
// somebody above retries already. Package inbound reads them. The last one is an answer too: that there is no use in trying again.
const (
	headerAttempt     = "X-Resgen-Attempt"
	headerTimeout     = "X-Resgen-Timeout-Ms"
	headerCriticality = "X-Resgen-Criticality"
	headerDoNotRetry  = "X-Resgen-Do-Not-Retry"

	yes = "1"
)

// WithInjector has inject add headers to each request that goes to an internal target, from the context of the attempt: a trace context
// (W3C traceparent), most of all. It must be safe for concurrent use. With OpenTelemetry:
//
//	runtime.WithInjector(func(ctx context.Context, h http.Header) {
//		otel.GetTextMapPropagator().Inject(ctx, propagation.HeaderCarrier(h))
//	})
//
// Other targets are not ours: what is injected says who calls whom, and goes nowhere else.
func WithInjector(inject func(ctx context.Context, header http.Header)) ClientOption {
	return clientOption(func(h *HTTP) { h.inject = inject })
}

// signals adds what a target that is ours may know. The time left is of this attempt and relative, because clocks differ (trap T37); with
// less than a millisecond of it nothing is sent.
func (h *HTTP) signals(ctx context.Context, at Attempt, fields []wire.Field) ([]wire.Field, error) {
	if h.inject != nil {
		injected := http.Header{}
		h.inject(ctx, injected)
		for name, values := range injected {
			// First, so that nothing of ours is replaced.
			fields = slices.Insert(fields, 0, wire.Field{Name: name, Value: strings.Join(values, ", ")})
		}
	}
	attempt := strconv.Itoa(at.Number) + "/" + strconv.Itoa(at.tries())
	fields = append(fields, wire.Field{Name: headerAttempt, Value: attempt})
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline).Milliseconds()
		if left < 1 {
			return nil, &wire.TransportError{Stage: wire.StageConnect, Refused: true, Err: context.DeadlineExceeded}
		}
		fields = append(fields, wire.Field{Name: headerTimeout, Value: strconv.FormatInt(left, 10)})
	}
	if c := at.criticality(); c != policy.CriticalityUnset {
		fields = append(fields, wire.Field{Name: headerCriticality, Value: c.String()})
	}
	if at.scope != nil && at.scope.retried {
		fields = append(fields, wire.Field{Name: headerDoNotRetry, Value: yes})
	}
	return fields, nil
}

// criticality returns how important the call is: as the caller says, else as the operation does.
func (at Attempt) criticality() Criticality {
	if at.scope != nil && at.scope.criticality != policy.CriticalityUnset {
		return at.scope.criticality
	}
	if plan := at.plan(); plan != nil {
		return plan.Criticality
	}
	return policy.CriticalityUnset
}

// tries returns how many attempts are made on the rung, for the target to be told: one where somebody above retries, or the target itself.
func (at Attempt) tries() int {
	above := at.scope != nil && at.scope.retried && !at.scope.nested
	if above || at.op != nil && at.machines().Layered {
		return at.Number
	}
	return at.attempts()
}
